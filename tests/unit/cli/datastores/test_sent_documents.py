"""How `datastores ingest` sends documents, and what it says of how far it is."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.datastores.ingest_sources import plan_of
from openplaybook.cli.datastores.sent_documents import files_line, ingest_files, site_line
from openplaybook.jsonvalues import JsonObject, as_list, as_object


@pytest.mark.parametrize(
    ("documents", "sent", "took_s", "line"),
    [
        (12, 0, 3.0, "12 documents, 0.0 of 8.0 MB"),
        (1_200, 2_000_000, 4.0, "1,200 documents, 2.0 of 8.0 MB, 0.5 MB/s, 12 s left"),
        (4_800, 8_000_000, 16.0, "4,800 documents, 8.0 of 8.0 MB, 0.5 MB/s, 0 s left"),
    ],
)
def test_files_are_told_with_counts_rate_and_time_left(documents: int, sent: int, took_s: float, line: str) -> None:
    assert files_line(documents, sent, 8_000_000, took_s) == line


@pytest.mark.parametrize(
    ("taken", "left_out", "pending", "line"),
    [
        (0, 0, 1, "0 pages taken, 0 left out"),
        (1_990, 10, 400, "1,990 pages taken, 10 left out, 20.0 pages/s, 400 known to come, 20 s"),
        (2_000, 0, 0, "2,000 pages taken, 0 left out, 20.0 pages/s"),
    ],
)
def test_a_site_is_told_with_the_pages_that_are_known_to_come(
    taken: int, left_out: int, pending: int, line: str
) -> None:
    assert site_line(taken, left_out, pending, 100.0) == line


class Server(ApiClient):
    """Takes requests, and has done each when it is asked for it."""

    def __init__(self) -> None:
        super().__init__("http://server")
        self.told: list[str] = []

    def post(self, path: str, body: JsonObject) -> JsonObject:
        documents = as_list(as_object(body["inlineSource"])["documents"])
        name = f"{len(documents)} from {documents[0]['id']}"
        self.told.append(f"begin {name}")
        return {"name": name}

    def completed(
        self, operation: JsonObject, *, version: str = "v3", tell: Callable[[JsonObject], None] | None = None
    ) -> JsonObject:
        self.told.append(f"end {operation['name']}")
        return {"metadata": {"successCount": str(operation["name"]).split()[0]}}


def ingested(folder: Path, ids: Iterable[object]) -> Server:
    server = Server()
    (folder / "records.jsonl").write_text("".join(f'{{"id": "{id}", "n": 1}}\n' for id in ids))
    outcome = ingest_files(server, "store", plan_of([str(folder / "records.jsonl")]))
    assert outcome.taken == len((folder / "records.jsonl").read_text().splitlines())
    return server


def test_the_next_documents_are_sent_while_the_server_takes_in_others(tmp_path: Path) -> None:
    server = ingested(tmp_path, range(8_500))
    begun = [f"begin 1000 from {number}" for number in range(0, 6_000, 1_000)]
    assert server.told[: len(begun) + 2] == [*begun, "end 1000 from 0", "begin 1000 from 6000"]
    assert server.told[-1] == "end 500 from 8000"


def test_a_document_that_comes_again_waits_for_the_one_before(tmp_path: Path) -> None:
    server = ingested(tmp_path, [*range(2_000), 1, 1_500])
    assert server.told == [
        "begin 1000 from 0", "begin 1000 from 1000", "end 1000 from 0", "end 1000 from 1000", "begin 2 from 1",
        "end 2 from 1",
    ]  # fmt: skip
