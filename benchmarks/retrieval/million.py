"""How fast the embedded engine takes in passages and finds them, with the catalog of SQLite.

`python -m benchmarks.retrieval.million [PASSAGES]`: passages of 65 words, whose frequencies follow Zipf's law; keyword
searches of three rarer words, questions of seven running words, the same with a filter, and questions from two at once.
"""

import asyncio
import itertools
import random
import re
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from openplaybook.retrieval.base import Passage, SearchEngine, SearchRequest, StoreDocument
from openplaybook.retrieval.catalog.sqlite.catalog import SqliteCatalog
from openplaybook.retrieval.embedded_engine import EmbeddedEngine
from openplaybook.retrieval.filters.parser import parsed_filter
from openplaybook.retrieval.filters.syntax import FilterNode

STORE = "projects/p/locations/l/collections/default_collection/dataStores/million"
FILTER = parsed_filter('category: ANY("c3") AND price < 500')

_VOCABULARY = 200_000
_WORDS = 65
_RARE_FROM = 200
"""Rank from which on a word is one that people search by."""
_BATCH = 1000
_SEARCHES = 300
_STOP_WORDS = re.findall(
    r"\w+", "the of and to in a is that for it as was with be by on not he i this are or his from at which but"
)


@dataclass(frozen=True, slots=True)
class Latency:
    """Of some searches, in milliseconds."""

    median: float
    p99: float

    def __str__(self) -> str:
        return f"p50 {self.median:.2f} ms, p99 {self.p99:.2f} ms"


class Texts:
    """Passages and questions, the same in each run."""

    def __init__(self) -> None:
        self._chance = random.Random(20261126)
        letters = "abcdefghijklmnopqrstuvwxyz"
        made = ("".join(self._chance.choices(letters, k=self._chance.randint(4, 9))) for _ in itertools.count())
        self._words = _distinct(made)
        self._weights = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(len(self._words))))

    def documents(self, count: int) -> Iterator[StoreDocument]:
        """Documents of one passage each."""
        for number in range(count):
            words = self._chance.choices(self._words, cum_weights=self._weights, k=_WORDS)
            data = {"category": f"c{number % 10}", "price": float(self._chance.randint(0, 1000))}
            title = " ".join(words[:4])
            yield StoreDocument(f"d{number}", title, "", (Passage(" ".join(words)),), data, language="en")

    def keywords(self) -> list[str]:
        """Three rarer words each."""
        words, weights = self._words[_RARE_FROM:], self._weights[_RARE_FROM:]
        base = self._weights[_RARE_FROM - 1]
        cumulated = [weight - base for weight in weights]
        return [" ".join(self._chance.choices(words, cum_weights=cumulated, k=3)) for _ in range(_SEARCHES)]

    def questions(self) -> list[str]:
        """Seven words each, as they run."""
        return [" ".join(self._chance.choices(self._words, cum_weights=self._weights, k=7)) for _ in range(_SEARCHES)]


def _distinct(made: Iterator[str]) -> list[str]:
    words = dict.fromkeys(_STOP_WORDS)
    while len(words) < _VOCABULARY:
        words[next(made)] = None
    return list(words)


async def fill(engine: SearchEngine, documents: Iterator[StoreDocument]) -> float:
    """Put all, and wait until they are found; gives passages per second, the making of texts left out."""
    spent = 0.0
    count = 0
    while batch := list(itertools.islice(documents, _BATCH)):
        begun = time.perf_counter()
        await engine.put(STORE, batch)
        spent += time.perf_counter() - begun
        count += len(batch)
    begun = time.perf_counter()
    while (await engine.search(STORE, SearchRequest("", limit=1))).total < count:  # noqa: ASYNC110 - nobody tells of it
        await asyncio.sleep(0.02)
    return count / (spent + time.perf_counter() - begun)


async def searched(engine: SearchEngine, texts: Sequence[str], filter_: FilterNode | None = None) -> Latency:
    """One search after the other."""
    times: list[float] = []
    for text in texts:
        begun = time.perf_counter()
        await engine.search(STORE, SearchRequest(text, filter=filter_))
        times.append((time.perf_counter() - begun) * 1000)
    return Latency(statistics.median(times), statistics.quantiles(times, n=100)[98])


async def rate(engine: SearchEngine, texts: Sequence[str], at_once: int) -> float:
    """Searches per second of so many that search at once."""
    begun = time.perf_counter()
    await asyncio.gather(*(searched(engine, texts) for _ in range(at_once)))
    return at_once * len(texts) / (time.perf_counter() - begun)


async def main(passages: int) -> None:
    """Print the figures."""
    texts = Texts()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        catalog = SqliteCatalog(Path(place) / "catalog.db")
        await catalog.open()
        engine = EmbeddedEngine(catalog, Path(place) / "indexes")
        print(f"passages          {passages:,}")
        print(f"taken in          {await fill(engine, texts.documents(passages)):,.0f} a second")
        keywords, questions = texts.keywords(), texts.questions()
        await searched(engine, questions[:50])
        for name, asked in (("keywords", keywords), ("questions", questions)):
            print(f"{name:17} {await searched(engine, asked)}")
            print(f"{name + ', filter':17} {await searched(engine, asked, FILTER)}")
        print(f"two at once       {await rate(engine, questions, 2):,.0f} questions a second")
        # In KiB on Linux.
        print(f"memory, at most   {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB")
        await engine.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
