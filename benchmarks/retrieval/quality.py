"""How good the embedded engine's hits are: nDCG@10 and recall@10 on each set of questions in a folder.

`python -m benchmarks.retrieval.quality FOLDER [SET ...] [--embeddings auto]`; each set is a folder with
`corpus.jsonl.gz`, `queries.jsonl`, `qrels.tsv` and `meta.json`, as BEIR lays them out.
"""

import asyncio
import gzip
import json
import math
import os
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.encoders.encoder_registry import create_embedder
from openplaybook.retrieval.base import Passage, SearchEngine, SearchRequest, StoreDocument
from openplaybook.retrieval.catalog.sqlite.catalog import SqliteCatalog
from openplaybook.retrieval.embedded_engine import EmbeddedEngine

_DEPTH = 10
_BATCH = 200
_TRIED = 20
"""Questions that are asked until vectors are there: some may be taken to be of another language."""
_LONGEST_S = 900


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Documents, questions, and which documents answer which question."""

    name: str
    documents: Sequence[StoreDocument]
    questions: Mapping[str, str]
    grades: Mapping[str, Mapping[str, int]]
    """Grade by document, by question."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Means over the questions of a set."""

    ndcg: float
    recall: float


def question_set(folder: Path) -> QuestionSet:
    """Read a set; documents are told the language that the set says it is in."""
    language = str(json.loads((folder / "meta.json").read_bytes())["lang"])
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        documents = [
            StoreDocument(entry["_id"], entry["title"], "", (Passage(entry["text"]),), language=language)
            for entry in _entries(lines)
        ]
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:
        questions = {entry["_id"]: entry["text"] for entry in _entries(lines)}
    grades: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.tsv").read_text().splitlines():
        question, document, grade = line.split("\t")
        if grade.lstrip("-").isdigit():
            grades.setdefault(question, {})[document] = int(grade)
    return QuestionSet(folder.name, documents, questions, grades)


def _entries(lines: Iterator[str]) -> Iterator[dict[str, str]]:
    return (cast("dict[str, str]", json.loads(line)) for line in lines)


async def quality(engine: SearchEngine, questions: QuestionSet) -> Quality:
    """Fill a store of the engine with the set, ask every question, and judge the first ten hits."""
    store = f"projects/p/locations/l/collections/default_collection/dataStores/{questions.name}"
    for start in range(0, len(questions.documents), _BATCH):
        await engine.put(store, questions.documents[start : start + _BATCH])
    await found_whole(engine, store, len(questions.documents))
    await _vectors_made(engine, store, [*questions.questions.values()][:_TRIED])
    gains: list[float] = []
    recalls: list[float] = []
    for id, text in questions.questions.items():
        grades = questions.grades.get(id)
        if grades:
            hits = (await engine.search(store, SearchRequest(text, limit=_DEPTH))).hits
            found = [grades.get(hit.document, 0) for hit in hits]
            gains.append(_dcg(found) / _dcg(sorted(grades.values(), reverse=True)[:_DEPTH]))
            recalls.append(sum(grade > 0 for grade in found) / len(grades))
    return Quality(sum(gains) / len(gains), sum(recalls) / len(recalls))


async def found_whole(engine: SearchEngine, store: str, documents: int) -> None:
    """Wait until all documents of a store are found."""
    async with asyncio.timeout(60):
        while (await engine.search(store, SearchRequest(""))).total < documents:  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0.05)


async def _vectors_made(engine: SearchEngine, store: str, questions: Sequence[str]) -> None:
    """Wait until no search tells that vectors are missing; an engine without embeddings tells nothing."""
    async with asyncio.timeout(_LONGEST_S):
        for text in questions:
            while (await engine.search(store, SearchRequest(text))).notes:  # noqa: ASYNC110 - nobody tells of it
                await asyncio.sleep(0.2)


def _dcg(grades: Sequence[int]) -> float:
    return sum(grade / math.log2(rank + 2) for rank, grade in enumerate(grades))


async def table(folders: Sequence[Path], embeddings: str) -> None:
    """Print a line for each set, searched by words and, where `embeddings` are for its language, by meaning."""
    print("| set | nDCG@10 | recall@10 |\n| --- | --- | --- |")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        catalog = SqliteCatalog(Path(place) / "catalog.db")
        await catalog.open()
        embedder = create_embedder(embeddings, os.environ, _way_out)
        engine = EmbeddedEngine(catalog, Path(place) / "indexes", embedder=embedder)
        for folder in folders:
            found = await quality(engine, question_set(folder))
            print(f"| {folder.name} | {found.ndcg:.3f} | {found.recall:.3f} |", flush=True)
        await engine.close()


def _way_out() -> HttpTransport:
    return HttpTransport(AddressPolicy(parse_allow("0.0.0.0/0,::/0")))


def main() -> None:
    """Read the command line."""
    parser = ArgumentParser(prog="python -m benchmarks.retrieval.quality")
    parser.add_argument("folder", type=Path)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--embeddings", default="none", help="as the server's setting")
    chosen = parser.parse_args()
    folders = [chosen.folder / name for name in chosen.sets]
    every = sorted(path.parent for path in chosen.folder.glob("*/meta.json"))
    asyncio.run(table(folders or every, chosen.embeddings))


if __name__ == "__main__":
    main()
