"""A folder in which files that mean harm lie between good ones: these are taken, those are told with their reasons."""

import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server, running
from tests.integration.retrieval.extraction.sample_files import (
    docx_file,
    pdf_bomb,
    pdf_file,
    pdf_of_pages,
    with_members,
)
from tests.kit.hostile.attempts import peak_mb
from tests.kit.thoroughness import IS_WHOLE

COLLECTION = "v1/projects/p/locations/global/collections/default_collection"
MB = 1_000_000
MOST_MB = 512.0
"""Resident memory of the server itself; those that read files are bounded by themselves."""
LONGEST_HEALTH_S = 1.0
LINE_MB = 100 if IS_WHOLE else 12
ENTITY = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def bad_files() -> Mapping[str, tuple[bytes, str]]:
    """Contents by name, each with what is told of it."""
    letter = f"{ENTITY}<w:document {W}><w:body><w:p><w:r><w:t>&x;</w:t></w:r></w:p></w:body></w:document>"
    bombs = {
        "02-zip-bomb.docx": (
            with_members(docx_file(), {"word/a.png": bytes((500 if IS_WHOLE else 50) * MB)}),
            "it unpacks to more than 200 times its size",
        ),
        "04-pages.pdf": (pdf_of_pages(5_001), "it has more than 5,000 pages"),
    }
    if IS_WHOLE:
        ends = "reading it ends the parser, which may take 1,536 MB of memory"
        bombs["05-bomb.pdf"] = (pdf_bomb(600), ends)
    return {
        **bombs,
        "07-entity.xml": (
            f"{ENTITY}<d>&x;</d>".encode(),
            "it declares XML entities, which are not resolved here",
        ),
        "08-entity.docx": (
            with_members(docx_file(), {"word/document.xml": letter.encode()}),
            "its part word/document.xml declares a document type or entities",
        ),
        "10-line.txt": (b"word " * (LINE_MB * MB // 5), "it has more than 2.5 MB, the most for a text"),
        "12-program.pdf": (
            b"\x7fELF\x02\x01\x01" + bytes(5_000),
            "it is a program; HTML, PDF, DOCX, PPTX, XLSX, plain text, Markdown, XML and JSON are read",
        ),
        "14-deep.html": (
            b"<html>" + b"<div>" * (100_000 if IS_WHOLE else 5_000),
            "its elements lie in each other more than 400 levels deep",
        ),
        "15-half.pdf": (pdf_file()[:1_500], "it is a broken PDF"),
    }


GOOD: Mapping[str, bytes] = {
    "01-good.txt": b"Badgers sleep through the winter.",
    "03-good.html": b"<html><body><main><p>Otters hold hands while they sleep.</p></main></body></html>",
    "06-good.md": b"# Foxes\n\nA fox hunts at dusk.",
    "09-good.docx": docx_file(),
    "11-wrong-extension.docx": pdf_file(),
    "13-wrong-extension.pdf": b"Hedgehogs eat beetles.",
    "16-good.pdf": pdf_file(),
}


@contextmanager
def healthy(server: Server) -> Generator[list[float]]:
    """Asks again and again whether the server is well; seconds that each answer took."""
    over, waits, rest = threading.Event(), list[float](), Rest(server.http)

    def ask() -> None:
        while not over.is_set():
            begun = time.monotonic()
            rest("GET", "healthz")
            waits.append(time.monotonic() - begun)
            over.wait(0.02)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield waits
    finally:
        over.set()
        asking.join()


def done(rest: Rest, started: JsonObject) -> JsonObject:
    while not (found := rest("GET", f"v1/{started['name']}")).get("done"):
        time.sleep(0.05)
    return found


@pytest.mark.proof
@pytest.mark.timeout(900)
def test_bad_files_are_told_one_by_one_and_the_good_ones_between_them_are_taken(tmp_path: Path) -> None:
    bucket, bad = tmp_path / "manuals", bad_files()
    bucket.mkdir()
    for name, content in {**GOOD, **{name: content for name, (content, _) in bad.items()}}.items():
        (bucket / name).write_bytes(content)
    records = b'{"id": "before", "structData": {"text": "a tortoise"}}\n', b'{"id": "after", "structData": {"a": 1}}\n'
    (bucket / "records.jsonl").write_bytes(records[0] + b'{"id": "' + b"x" * LINE_MB * MB + b'"}\n' + records[1])
    with running(tmp_path / "server", "--bucket", f"manuals={bucket}") as server:
        rest = Rest(server.http)
        store: JsonObject = {"displayName": "D", "industryVertical": "GENERIC", "contentConfig": "CONTENT_REQUIRED"}
        done(rest, rest("POST", f"{COLLECTION}/dataStores?dataStoreId=d", store))
        documents = f"{COLLECTION}/dataStores/d/branches/0/documents"
        with healthy(server) as waits:
            sources = [
                {"inputUris": ["gs://manuals/0*", "gs://manuals/1*"], "dataSchema": "content"},
                {"inputUris": ["gs://manuals/records.jsonl"], "dataSchema": "document"},
            ]
            files, lines = [done(rest, rest("POST", f"{documents}:import", {"gcsSource": each})) for each in sources]
        told = {sample["message"] for sample in files["response"]["errorSamples"]}
        assert told == {f"gs://manuals/{name}: {reason}" for name, (_, reason) in bad.items()}
        assert int(files["metadata"]["successCount"]) == len(GOOD)
        assert [sample["message"] for sample in lines["response"]["errorSamples"]] == [
            "gs://manuals/records.jsonl, line 2: it has more than 5 MB"
        ]
        uris = {document.get("content", {}).get("uri", "") for document in rest("GET", documents)["documents"]}
        assert uris == {"", *(f"gs://manuals/{name}" for name in GOOD)}
        assert peak_mb(server.process.pid) < MOST_MB
        assert max(waits) < LONGEST_HEALTH_S
