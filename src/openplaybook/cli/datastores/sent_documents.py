"""Filling a store over the API: what is sent, how far it is, what came of it."""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from openplaybook.cli.errors import ApiError
from openplaybook.cli.output import progress
from openplaybook.jsonvalues import JsonObject, as_list, as_object

if TYPE_CHECKING:
    from openplaybook.cli.api_client import ApiClient
    from openplaybook.cli.datastores.ingest_sources import Batch, IngestPlan

_BRANCH = "branches/default_branch"
_MOST_ERRORS = 20
_MEGABYTE = 1_000_000
_MOST_UNDER_WAY = 6
_MOST_BYTES_UNDER_WAY = 8 * _MEGABYTE
"""Of requests that the server has not done yet: it reads one while it takes in another."""


@dataclass(slots=True)
class IngestOutcome:
    """What came of it."""

    taken: int = 0
    failed: int = 0
    deleted: int = 0
    """Documents that left the store, such as pages that their site does not have any more."""
    left_out: int = 0
    """Pages of a site, such as those that its robots.txt does not allow."""
    errors: list[str] = field(default_factory=list[str])
    """Of documents that were not taken, the first twenty."""

    def add(self, operation: JsonObject) -> None:
        """Count what an import says of itself once it is done."""
        metadata, response = as_object(operation.get("metadata")), as_object(operation.get("response"))
        self.taken += _count(metadata, "successCount")
        self.failed += _count(metadata, "failureCount")
        self.deleted += _count(metadata, "deletedCount")
        samples = [str(as_object(each).get("message", "")) for each in as_list(response.get("errorSamples"))]
        self.errors += samples[: _MOST_ERRORS - len(self.errors)]

    def refuse(self, faults: Sequence[str]) -> None:
        """Count what was not sent, as it is no document."""
        self.failed += len(faults)
        self.errors += faults[: _MOST_ERRORS - len(self.errors)]

    def sentence(self, store: str) -> str:
        """For people."""
        failed = f"; {self.failed:,} could not be taken" if self.failed else ""
        left = f"; pages left out: {self.left_out:,}" if self.left_out else ""
        deleted = f"; {self.deleted:,} left the store" if self.deleted else ""
        return f"{store} took {self.taken:,} document{'' if self.taken == 1 else 's'}{failed}{left}{deleted}"

    def to_json(self, store: str) -> JsonObject:
        """For scripts."""
        return {
            "dataStore": store,
            "successCount": self.taken,
            "failureCount": self.failed + self.left_out,
            "deletedCount": self.deleted,
            "errors": self.errors,
        }


def ingest_files(api: "ApiClient", store: str, plan: "IngestPlan", *, full: bool = False) -> IngestOutcome:
    """Send all documents of a plan. With `full`, what the store held besides is deleted once all are sent.

    Raises `CommandError`; what was sent before stays in the store, and is skipped the next time.
    """
    outcome, kept, begun = IngestOutcome(), set[str](), time.monotonic()
    total, is_whole = plan.bytes, True
    with progress() as tell:

        def told(metadata: JsonObject) -> None:
            # Of the request that is worked on, documents alone are known, not bytes.
            done = _count(metadata, "successCount") + _count(metadata, "failureCount")
            took_s = time.monotonic() - begun
            tell(files_line(outcome.taken + outcome.failed + done, requests.done_bytes, total, took_s))

        requests = _Requests(api, store, outcome, told)
        for batch in plan.batches():
            outcome.refuse(batch.faults)
            is_whole = is_whole and not batch.faults
            if batch.documents:
                ids = {*map(_id, batch.documents)} - {""}
                requests.send(batch, ids)
                kept |= ids
        requests.end()
        if full and is_whole:
            outcome.deleted += _delete_others(api, store, kept)
        elif full:
            outcome.errors.append("nothing was deleted, as the documents of lines that cannot be read are not known")
    return outcome


class _Requests:
    """Sends batches, some of them while the server takes in those before."""

    def __init__(
        self, api: "ApiClient", store: str, outcome: IngestOutcome, told: Callable[[JsonObject], None]
    ) -> None:
        self._api = api
        self._path = f"v1/{store}/{_BRANCH}/documents:import"
        self._outcome = outcome
        self._told = told
        self._under_way = deque[tuple[JsonObject, set[str], int]]()
        """Operations, the ids and the bytes of each, in the order in which they began."""
        self.done_bytes = 0
        """Of files that the server has taken in."""

    def send(self, batch: "Batch", ids: set[str]) -> None:
        """Send a batch with documents of these ids, once there is room for it. Raises `CommandError`."""
        while self._under_way and not self._has_room(batch.bytes, ids):
            self._end_first()
        request: JsonObject = {"inlineSource": {"documents": list(batch.documents)}}
        self._under_way.append((self._api.post(self._path, request), ids, batch.bytes))

    def end(self) -> None:
        """Wait until the server has taken in all. Raises `CommandError`."""
        while self._under_way:
            self._end_first()

    def _has_room(self, size: int, ids: set[str]) -> bool:
        # The server takes in two requests at once: of a document that comes twice, the later one is to stay.
        if any(not ids.isdisjoint(others) for _, others, _ in self._under_way):
            return False
        held = size + sum(size for _, _, size in self._under_way)
        return len(self._under_way) < _MOST_UNDER_WAY and held <= _MOST_BYTES_UNDER_WAY

    def _end_first(self) -> None:
        operation, _, size = self._under_way.popleft()
        self._outcome.add(self._api.completed(operation, version="v1", tell=self._told))
        self.done_bytes += size


def ingest_sites(api: "ApiClient", store: str, urls: tuple[str, ...]) -> IngestOutcome:
    """Have the server fetch what lies below these URLs, again where it did before. Raises `CommandError`."""
    from openplaybook.cli.datastores.ingest_sources import site_pattern

    outcome, begun = IngestOutcome(), time.monotonic()
    with progress() as tell:

        def told(metadata: JsonObject) -> None:
            taken, left = _count(metadata, "successCount"), _count(metadata, "failureCount")
            tell(site_line(taken, left, _count(metadata, "pendingCount"), time.monotonic() - begun))

        for url in urls:
            operation = _crawl(api, f"{store}/siteSearchEngine/targetSites", site_pattern(url))
            outcome.add(api.completed(operation, version="v1", tell=told))
    if outcome.taken:
        # Every site has links that lead nowhere.
        outcome.left_out, outcome.failed = outcome.failed, 0
    return outcome


def _crawl(api: "ApiClient", sites: str, pattern: str) -> JsonObject:
    """The operation that crawls a site, whether the store has it already or not."""
    site: JsonObject = {"providedUriPattern": pattern, "type": "INCLUDE"}
    try:
        return api.post(f"v1/{sites}", site)
    except ApiError as error:
        if error.status != "ALREADY_EXISTS":
            raise
        listed = api.list(f"v1/{sites}", "targetSites")
        known = next((each for each in listed if each["type"] == "INCLUDE" and _is_of(each, pattern)), None)
        if known is None:
            raise
        return api.patch(f"v1/{known['name']}", known)


def _is_of(site: JsonObject, pattern: str) -> bool:
    """Whether a site has that pattern; the scheme plays no part in it."""
    return str(site.get("providedUriPattern")).rpartition("://")[2] == pattern.rpartition("://")[2]


def _id(document: JsonObject) -> str:
    """The id under which the server has it; empty where it takes no such document."""
    from openplaybook.retrieval.errors import InvalidSource
    from openplaybook.retrieval.ingestion.document_form import id_of_document

    try:
        return id_of_document(document)
    except InvalidSource:
        # The server refuses it as well, and its error is shown.
        return ""


def _delete_others(api: "ApiClient", store: str, kept: set[str]) -> int:
    listed = api.list(f"v1/{store}/{_BRANCH}/documents", "documents", page_size=1000)
    others = [str(each["name"]) for each in listed if str(each.get("id", "")) not in kept]
    for name in others:
        api.delete(f"v1/{name}")
    return len(others)


def files_line(documents: int, sent: int, total: int, took_s: float) -> str:
    """How far files are: documents, bytes, rate, time left."""
    share = f"{documents:,} documents, {sent / _MEGABYTE:.1f} of {total / _MEGABYTE:.1f} MB"
    if not sent or took_s <= 0:
        return share
    rate = sent / took_s
    return f"{share}, {rate / _MEGABYTE:.1f} MB/s, {max(total - sent, 0) / rate:.0f} s left"


def site_line(taken: int, left_out: int, pending: int, took_s: float) -> str:
    """How far a site is: pages, rate, and the time that those take which are known by now."""
    share = f"{taken:,} pages taken, {left_out:,} left out"
    if not taken or took_s <= 0:
        return share
    rate = (taken + left_out) / took_s
    ahead = f", {pending:,} known to come, {pending / rate:.0f} s" if pending else ""
    return f"{share}, {rate:.1f} pages/s{ahead}"


def _count(metadata: JsonObject, member: str) -> int:
    """A count of operation metadata: 64 bits are texts in JSON."""
    members = as_object(metadata.get("value", metadata))
    return int(str(members.get(member) or 0))
