"""What the first version wrote of work that it did not finish, and of pages: later versions read it, or lift it.

Written out here, and not made by the code: a member that is renamed is lost to those who have it stored.
"""

from openplaybook.retrieval.crawl.base import PageState, page_state
from openplaybook.retrieval.crawl.frontier import Frontier, FrontierEntry, frontier_of
from openplaybook.retrieval.ingestion.base import SourceFault, SourcePlace
from openplaybook.retrieval.ingestion.file_source import FileForm
from openplaybook.retrieval.ingestion.import_progress import ImportProgress, progress_from_json
from openplaybook.services.discoveryengine.import_requests import ImportTask, task_of
from openplaybook.services.discoveryengine.site_crawls import CrawlTask, crawl_task_of

STORE = "projects/p/locations/l/collections/c/dataStores/d"


def test_the_progress_of_an_import() -> None:
    stored = {
        "form": 1,
        "part": 2,
        "item": 7,
        "put": 3,
        "unchanged": 4,
        "failed": 5,
        "deleted": 6,
        "questions": 1,
        "total": 20,
        "faults": [{"where": "a.jsonl, line 1", "message": "no JSON", "code": "INVALID_ARGUMENT"}],
    }
    faults = (SourceFault("a.jsonl, line 1", "no JSON", "INVALID_ARGUMENT"),)
    assert progress_from_json(stored) == ImportProgress(SourcePlace(2, 7), 3, 4, 5, 6, 1, 20, faults)


def test_the_task_of_an_import() -> None:
    stored = {"store": STORE, "files": "csv", "isFull": True, "isForced": False, "idField": "key", "total": 9}
    assert task_of(stored) == ImportTask(STORE, FileForm.CSV, True, False, "key", 9)
    assert task_of({**stored, "files": ""}).form is None


def test_the_task_of_a_crawl() -> None:
    stored = {"store": STORE, "sites": ["s"], "uris": ["https://a.test/"], "isBatch": True}
    assert crawl_task_of(stored) == CrawlTask(STORE, ("s",), ("https://a.test/",), True)


def test_the_frontier_of_a_crawl() -> None:
    stored = {
        "version": 1,
        "pending": [["https://a.test/", 1, 2, 3, False, ""]],
        "waiting": [["https://a.test/copy", 1, 0, 0, True, "CANONICAL", "https://a.test/"]],
        "taken": ["https://a.test/b"],
        "refused": ["https://a.test/c"],
        "bytes": 10,
        "elapsedSeconds": 1.5,
        "isWhole": False,
    }
    pending = (FrontierEntry("https://a.test/", 1, 2, 3),)
    copy = FrontierEntry("https://a.test/copy", 1, is_final=True, waits_as="CANONICAL")
    waiting = ((copy, "https://a.test/"),)
    assert frontier_of(stored) == Frontier(
        pending, waiting, ("https://a.test/b",), ("https://a.test/c",), 10, 1.5, is_whole=False
    )


def test_the_state_of_a_page() -> None:
    stored = {
        "version": 1,
        "url": "https://a.test/",
        "digest": "ab",
        "fetchedAt": "2026-11-26T00:00:00+00:00",
        "etag": '"e"',
        "lastModified": "Thu, 26 Nov 2026 00:00:00 GMT",
        "mediaType": "text/html",
        "links": ["https://a.test/b"],
        "patterns": "cd",
    }
    assert page_state(stored) == PageState(
        "https://a.test/",
        "ab",
        "2026-11-26T00:00:00+00:00",
        '"e"',
        "Thu, 26 Nov 2026 00:00:00 GMT",
        "text/html",
        ("https://a.test/b",),
        "cd",
    )
