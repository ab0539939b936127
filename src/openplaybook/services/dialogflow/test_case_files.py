"""The test cases of an agent where they are kept: as files of its package, as exports have them.

So an export has them, a comparison of agents sees them, and `openplaybook replay` reads them, whoever made them.
"""

import dataclasses
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from google.protobuf.timestamp_pb2 import Timestamp

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.packages.dialogflow.agent_layout import TEST_CASES, decode_name, encode_name
from openplaybook.packages.errors import PackageError
from openplaybook.packages.resource_files import read_object, write_object
from openplaybook.resources.names import AGENTS, is_valid_id
from openplaybook.services.errors import not_found, precondition
from openplaybook.services.large_messages import done_aside
from openplaybook.services.package_records import PackageRest
from openplaybook.services.parts import ServiceParts
from openplaybook.services.stored_records import retried
from openplaybook.storage.errors import RecordExists

_IDS = uuid.UUID("0a8f0f4e-6f5e-4b42-9d0b-2a5c1c1e7d35")

MOST_CASES = 2_000
"""Of one agent."""

_SECOND = 1_000_000_000
"""In nanoseconds."""
_LATEST = 60_000_000_000
"""In seconds from 1970 (the year 3871), well within what a Timestamp can be."""

FileChange = Callable[[dict[str, bytes]], None]
"""Changes the files of a package in place."""


@dataclass(frozen=True, slots=True)
class StoredTestCase:
    """One file."""

    path: str
    id: str
    content: JsonObject
    """As exported; empty where it cannot be read."""
    size: int
    """Bytes of the file."""
    problem: str = ""
    """Why it cannot be read."""

    @property
    def display_name(self) -> str:
        """What people call it."""
        return str(self.content.get("displayName") or decode_name(self.path.rpartition("/")[2].removesuffix(".json")))


class AgentTestFiles:
    """Reads and writes them."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts

    async def all(self, agent: str) -> list[StoredTestCase]:
        """Those of an agent, by their paths. NOT_FOUND: there is no such agent."""
        rest, _ = await self._rest(agent)
        size = sum(map(len, rest.files.values()))
        return await done_aside(lambda: [*cases_in(rest.files)], size)

    async def one(self, agent: str, id: str) -> StoredTestCase:
        """The one of that id. NOT_FOUND."""
        for case in await self.all(agent):
            if case.id == id:
                return case
        raise not_found("Test case", f"{agent}/testCases/{id}")

    async def change(self, agent: str, change: FileChange) -> None:
        """Change the files of an agent's package; `change` is called again where another change came in between."""
        await retried(partial(self._changed, agent, change))

    async def _changed(self, agent: str, change: FileChange) -> None:
        rest, version = await self._rest(agent)
        files = dict(rest.files)
        change(files)
        put = await done_aside(partial(PackageRest(files, rest.more).put, agent), sum(map(len, files.values())))
        await self._parts.store.apply([dataclasses.replace(put, expect=version)])

    async def _rest(self, agent: str) -> tuple[PackageRest, int]:
        if await self._parts.store.get(str(AGENTS.parse(agent))) is None:
            raise not_found("Agent", agent)
        record = await self._parts.store.get(PackageRest.name(agent))
        if record is None:
            return PackageRest(), 0
        return await done_aside(partial(PackageRest.among, [record]), len(record.body)), record.version


def path_of(display_name: str) -> str:
    """The file of a test case of that name."""
    return f"{TEST_CASES}/{encode_name(display_name)}.json"


def file_of(content: JsonObject) -> bytes:
    """What a test case's file holds."""
    return write_object(content)


def add_case(files: dict[str, bytes], display_name: str, content: JsonObject) -> None:
    """Put a new test case among the files of its agent. FAILED_PRECONDITION: there are as many as may be.

    Raises `RecordExists` where there is one of that display name.
    """
    if sum(path.startswith(f"{TEST_CASES}/") for path in files) >= MOST_CASES:
        raise precondition("TOO_MANY_TEST_CASES", f"an agent has at most {MOST_CASES:,} test cases")
    place_case(files, display_name, content)


def place_case(files: dict[str, bytes], display_name: str, content: JsonObject) -> None:
    """Write a test case under its display name. Raises `RecordExists` where there is one."""
    path = path_of(display_name)
    if path in files:
        raise RecordExists(path)
    files[path] = file_of(content)


def cases_in(files: Mapping[str, bytes]) -> Iterator[StoredTestCase]:
    """The test cases among the files of an agent's package."""
    for path in sorted(files):
        if path.startswith(f"{TEST_CASES}/") and path.endswith(".json"):
            yield _case(path, files[path])


def _case(path: str, data: bytes) -> StoredTestCase:
    try:
        content = read_object(path, data)
    except PackageError as error:
        return StoredTestCase(path, _own_id(path), {}, len(data), str(error))
    id = str(content.get("name", "")).rpartition("/")[2]
    return StoredTestCase(path, id if is_valid_id(id) else _own_id(path), with_usual_times(content), len(data))


def _own_id(path: str) -> str:
    """Of a file that names none: the same whenever it is read."""
    return str(uuid.uuid5(_IDS, path))


def with_usual_times(content: JsonObject) -> JsonObject:
    """A test case in JSON with the time as the API writes it: some exports have seconds and nanoseconds."""
    moment = as_object(content.get("creationTime"))
    seconds, nanos = moment.get("seconds"), moment.get("nanos", 0)
    # Anything else is refused as the message is read.
    if not (isinstance(seconds, int) and isinstance(nanos, int) and abs(seconds) < _LATEST and 0 <= nanos < _SECOND):
        return content
    return {**content, "creationTime": Timestamp(seconds=seconds, nanos=nanos).ToJsonString()}
