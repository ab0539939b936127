"""The documents that are loaded: a sample of real ones, and two that are large."""

import gzip
import os
import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from openplaybook.jsonvalues import JsonObject, as_list, as_object, loads

VARIABLE = "OPENPLAYBOOK_CORPUS"
SAMPLE = 40
GITHUB, KUBERNETES = "github", "kubernetes"

_LARGE = {GITHUB: "github-s-official-openapi-spec-octokit-extension", KUBERNETES: "kubernetes"}
"""By name: its id in the corpus."""
_SEED = 20261122
_LARGEST = 6_000_000
"""Bytes of text of a document in the sample."""


@dataclass(frozen=True, slots=True)
class Document:
    """A real document."""

    name: str
    text: Path
    """File with its text."""
    operations: int


def chosen(folder: Path) -> list[Document]:
    """The sample and the two, unpacked into `folder`; `LookupError` when there is no corpus to choose from.

    The sample has of each version and size as many as their share of the corpus.
    """
    source, listed = _corpus()
    small = [each for each in listed if each["size"] <= _LARGEST and each["id"] not in _LARGE.values()]
    found = [_unpacked(_sized(listed, identity), name, source, folder) for name, identity in _LARGE.items()]
    return [*(_unpacked(each, each["id"], source, folder) for each in _sample(small)), *found]


def github(folder: Path) -> Document:
    """GitHub's document, unpacked into `folder`; `LookupError` when there is no corpus."""
    source, listed = _corpus()
    return _unpacked(_sized(listed, _LARGE[GITHUB]), GITHUB, source, folder)


def _corpus() -> tuple[Path, list[JsonObject]]:
    """Its folder of documents, and what its index says of each."""
    corpus = os.environ.get(VARIABLE)
    if not corpus:
        raise LookupError(f"{VARIABLE} must name the folder of the corpus, which is not part of the repository")
    source = Path(corpus) / "openapi"
    return source, [as_object(each) for each in as_list(loads((source / "INDEX.json").read_bytes())["specs"])]


def _sized(listed: list[JsonObject], identity: str) -> JsonObject:
    return next(each for each in listed if each["id"] == identity)


def _sample(listed: list[JsonObject]) -> list[JsonObject]:
    """Every n-th by version and size, from a seeded start."""
    strata: dict[str, list[JsonObject]] = defaultdict(list)
    for each in listed:
        strata[str(each["openapi"])[:3]].append(each)
    ordered = [each for _, members in sorted(strata.items()) for each in sorted(members, key=_size)]
    first = random.Random(_SEED).random()
    return [ordered[int((number + first) * len(ordered) / SAMPLE)] for number in range(SAMPLE)]


def _size(description: JsonObject) -> tuple[int, str]:
    return description["size"], description["id"]


def _unpacked(description: JsonObject, name: str, source: Path, folder: Path) -> Document:
    text = folder / str(description["file"]).removesuffix(".gz")
    text.write_bytes(gzip.decompress((source / description["file"]).read_bytes()).removeprefix(b"\xef\xbb\xbf"))
    return Document(name, text, description["operations"])
