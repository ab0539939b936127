"""A server that is killed while it imports loses nothing that it acknowledged, and shows no document in parts."""

import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server, killed, running
from tests.kit.thoroughness import IS_WHOLE

ROUNDS = 200 if IS_WHOLE else 3
ROUNDS_A_STORE = 10
LONGEST_LIFE_S = 1.2
"""Of a server that imports; the first files of one wait for a child process that reads them, half of that."""
SEED = 20261126
COLLECTION = "v1/projects/p/locations/global/collections/default_collection"
PASSAGES = 3
_LETTERS = "bcdfghjkmnpqvwxz"
"""Of words that no analysis of a language changes; they are long enough to be no slip in another one."""


@dataclass
class Batch:
    """Documents that one request imports; a word of their own stands in each of their passages."""

    store: str
    word: str
    documents: int
    passages: int
    """Of each document."""
    operation: str = ""
    """Empty where the server died before it answered."""
    was_done: bool = False
    """Whether the operation was answered to be done before a kill."""


@dataclass
class Filler:
    """Fills stores of servers that follow each other."""

    bucket: Path
    chance: random.Random = field(default_factory=lambda: random.Random(SEED))
    pending: list[Batch] = field(default_factory=list[Batch])
    """Not checked yet."""
    outcomes: Counter[str] = field(default_factory=Counter[str])

    def new_store(self, rest: Rest, number: int) -> str:
        """The name of a new store, whose passages are short."""
        layout = {"layoutBasedChunkingConfig": {"chunkSize": 100}}
        body: JsonObject = {
            "displayName": "D",
            "industryVertical": "GENERIC",
            "contentConfig": "CONTENT_REQUIRED",
            "documentProcessingConfig": {"chunkingConfig": layout},
        }
        path = f"{COLLECTION}/dataStores?dataStoreId=store-{number}"
        _ended(rest, rest("POST", path, body)["name"])
        return f"{COLLECTION}/dataStores/store-{number}"

    def fill(self, rest: Rest, store: str) -> None:
        """Import one batch after the other, until the server is gone."""
        while True:
            batch, body = self._new_batch(store)
            self.pending.append(batch)
            answer = rest.send("POST", f"/{store}/branches/0/documents:import", dumps(body))
            assert answer.status == 200, answer.body
            batch.operation = answer.json["name"]
            # Some are waited for, so that not all are killed in the queue.
            for _ in range(self.chance.randrange(20)):
                batch.was_done = batch.was_done or bool(rest("GET", f"v1/{batch.operation}").get("done"))
                if batch.was_done:
                    break
                time.sleep(0.02)

    def check(self, rest: Rest) -> None:
        """Look whether all is there that servers which are gone acknowledged."""
        for batch in self.pending:
            if batch.operation:
                before = rest("GET", f"v1/{batch.operation}")
                assert before.get("done") or not batch.was_done
                done = _ended(rest, batch.operation)
                assert "error" not in done, done
                assert done["response"].get("errorSamples", []) == []
                assert int(done["metadata"]["successCount"]) == batch.documents
                self.outcomes["done before" if batch.was_done else "taken up again"] += 1
            found = _found(rest, batch)
            assert {*found.values()} <= {batch.passages}, batch
            if batch.operation:
                assert len(found) == batch.documents, (batch, len(found))
            else:
                self.outcomes["never answered"] += 1
            self.outcomes["documents"] += len(found)
        self.pending.clear()

    def _new_batch(self, store: str) -> tuple[Batch, JsonObject]:
        word = "".join(self.chance.choices(_LETTERS, k=12))
        kind = self.chance.choice(["inline", "inline", "lines", "files"])
        if kind == "inline":
            texts = [{"id": f"{word}-{n}", "structData": {"text": word, "n": n}} for n in range(200)]
            return Batch(store, word, 200, 1), {"inlineSource": {"documents": texts}}
        folder = self.bucket / word
        folder.mkdir()
        if kind == "lines":
            for part in range(3):
                lines = (dumps({"id": f"{word}-{part}-{n}", "structData": {"text": f"{word} {n}"}}) for n in range(300))
                (folder / f"{part}.jsonl").write_bytes(b"\n".join(lines))
            return Batch(store, word, 900, 1), {"gcsSource": {"inputUris": [f"gs://manuals/{word}/*.jsonl"]}}
        for number in range(12):
            (folder / f"{number}.txt").write_text("\n\n".join(f"{word} " + "and so on " * 28 for _ in range(PASSAGES)))
        source = {"inputUris": [f"gs://manuals/{word}/*.txt"], "dataSchema": "content"}
        return Batch(store, word, 12, PASSAGES), {"gcsSource": source}


def _ended(rest: Rest, operation: str) -> JsonObject:
    """An operation that has come to its end."""
    end = time.monotonic() + 60
    while not (found := rest("GET", f"v1/{operation}")).get("done"):
        assert time.monotonic() < end, found
        time.sleep(0.05)
    return found


def _found(rest: Rest, batch: Batch) -> Counter[str]:
    """How many passages of each of its documents are found, once all are that have been put."""
    end = time.monotonic() + 10
    found = _once(rest, batch)
    # What was put before a kill may not be in the index yet; nothing tells how much that is of what nobody answered.
    while batch.operation and found.total() < batch.documents * batch.passages and time.monotonic() < end:
        time.sleep(0.05)
        found = _once(rest, batch)
    return found


def _once(rest: Rest, batch: Batch) -> Counter[str]:
    # Documents of several passages are on one page, so that no commit comes between these; others may come twice.
    return Counter(name.rpartition("/chunks/")[0] for name in {*_passages(rest, batch)})


def _passages(rest: Rest, batch: Batch) -> Iterator[str]:
    offset = 0
    while True:
        body: JsonObject = {
            "query": batch.word,
            "pageSize": 100,
            "offset": offset,
            "contentSearchSpec": {"searchResultMode": "CHUNKS"},
        }
        results = rest("POST", f"{batch.store}/servingConfigs/default_search:search", body).get("results", [])
        yield from (result["chunk"]["name"] for result in results)
        offset += len(results)
        if len(results) < 100:
            return


def _kill(server: Server, filler: Filler, store: str, life_s: float) -> None:
    """Fill a store until the server is killed, so long after."""
    killer = threading.Timer(life_s, server.process.kill)
    killer.start()
    try:
        filler.fill(Rest(server.http), store)
    except (OSError, HTTPException):
        killer.join()
        server.process.wait(10)


@pytest.mark.sweep
@pytest.mark.timeout(7200)
def test_no_kill_loses_what_was_acknowledged_or_leaves_a_document_in_parts(tmp_path: Path) -> None:
    bucket = tmp_path / "manuals"
    bucket.mkdir()
    filler, store = Filler(bucket), ""
    flags = ("--bucket", f"manuals={bucket}")
    for number in range(ROUNDS):
        with killed(tmp_path / "server", *flags) as server:
            rest = Rest(server.http)
            # Some are killed while they take up again what others left.
            if number % ROUNDS_A_STORE and filler.chance.random() < 0.6:
                filler.check(rest)
            if number % ROUNDS_A_STORE == 0:
                filler.check(rest)
                store = filler.new_store(rest, number // ROUNDS_A_STORE)
            _kill(server, filler, store, filler.chance.uniform(0, LONGEST_LIFE_S))
    with running(tmp_path / "server", *flags) as server:
        filler.check(Rest(server.http))
    assert filler.outcomes["documents"] > ROUNDS
    print(f"\n{ROUNDS} kills, imports: {dict(filler.outcomes)}")
