"""Test cases as one file: export and import, inline or in a bucket.

The file is JSON, whatever the data format: an object whose `testCases` are the test cases, as ListTestCases answers
them. Google does not publish the form of its own files.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.packages.errors import MalformedFile
from openplaybook.packages.resource_files import read_json, write_object
from openplaybook.resources.errors import InvalidFilter, MissingFields
from openplaybook.resources.filters import check_operator, comparisons, holds, parse_filter, plain
from openplaybook.resources.names import AGENTS, TEST_CASES, ResourceName
from openplaybook.services.bucket_objects import Content
from openplaybook.services.collection import Collection
from openplaybook.services.dialogflow.test_case_files import MOST_CASES, AgentTestFiles, StoredTestCase, add_case
from openplaybook.services.dialogflow.test_case_forms import TestCaseForms
from openplaybook.services.errors import invalid, not_found, to_rpc_error
from openplaybook.services.operations import FinishedWork, finished
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import AGENT
from openplaybook.storage.errors import RecordExists
from openplaybook.wire.codec import JsonError
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import PACKAGES

_MEMBER = "testCases"
_FILE = "the file of test cases"
_LONGEST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class _Brought:
    """One test case of a file."""

    message: ApiMessage
    content: JsonObject


@dataclass(slots=True)
class _Import:
    """What comes of the test cases of a file."""

    brought: list[_Brought] = field(default_factory=list["_Brought"])
    unreadable: list[JsonObject] = field(default_factory=list[JsonObject])
    """Entries of the operation's metadata."""
    names: list[str] = field(default_factory=list[str])
    """Of those that were stored."""
    refused: list[JsonObject] = field(default_factory=list[JsonObject])

    def store(self, files: dict[str, bytes]) -> None:
        """Put them among the files of the agent, each that can be; called again where another change came between."""
        self.names, self.refused = [], []
        for each in self.brought:
            title = each.message.display_name
            try:
                add_case(files, title, each.content)
                self.names.append(each.message.name)
            except RecordExists:
                message = f"the agent has a test case {title!r}; imports overwrite none"
                self.refused.append(_error(title, RpcError(Code.ALREADY_EXISTS, message)))
            except RpcError as error:
                self.refused.append(_error(title, error))


class TestCasePackages:
    """ExportTestCases and ImportTestCases, both long-running operations."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._files = AgentTestFiles(parts)
        self._forms = TestCaseForms(parts)

    async def export(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Write the test cases of an agent, or those that the filter names, into one file. Results stay here.

        A file of an import that is no test case is left out; a warning names it.
        """
        agent = AGENTS.parse(request.parent)
        wanted = _NameFilter(request.filter)
        stored = self._parts.buckets.object(request.gcs_uri, where="gcs_uri") if request.gcs_uri else None
        cases = [
            case for case in await self._files.all(str(agent)) if wanted.accepts(TEST_CASES.child(str(agent), case.id))
        ]
        content, unreadable = await PACKAGES.run(partial(self._written, str(agent), cases))
        for sentence in unreadable:
            context.warn(sentence)
        response = self._parts.cx("ExportTestCasesResponse")
        metadata = self._parts.cx("ExportTestCasesMetadata")
        if stored is not None:
            response.gcs_uri = request.gcs_uri
            work = partial(stored.write, content, response)
        else:
            response.content = content
            work = partial(finished, response)
        return await self._parts.operations.start(context, agent.parent, work, metadata=metadata)

    async def import_(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store the test cases of a file as new ones; the operation's metadata has those that were not, each with why.

        One of a display name that the agent has already is refused: imports overwrite nothing.
        """
        agent = AGENTS.parse(request.parent)
        if not await Collection(AGENT, self._parts).exists(str(agent)):
            raise not_found(AGENT.noun, request.parent)
        if not request.gcs_uri and not request.content:
            raise invalid(("content", "is required: the result of ExportTestCases, or gcs_uri in its place"))
        content = self._parts.buckets.content(request.gcs_uri, request.content, where="gcs_uri")
        metadata = self._parts.cx("ImportTestCasesMetadata")
        work = partial(self._unpack, str(agent), content)
        return await self._parts.operations.start(context, agent.parent, work, metadata=metadata)

    async def _unpack(self, agent: str, content: Content) -> FinishedWork:
        async with content() as file, self._parts.whole_agents.imported:
            read = await PACKAGES.run(partial(self._read, agent, file))
            await self._files.change(agent, read.store)
        response = self._parts.cx("ImportTestCasesResponse")
        response.names.extend(read.names)
        return FinishedWork(response, {"errors": [*read.unreadable, *read.refused]})

    def _read(self, agent: str, file: bytes) -> _Import:
        """In a thread: a file may have thousands of test cases."""
        read = _Import()
        for number, value in enumerate(_cases_of(file), 1):
            title = str(as_object(value).get("displayName", ""))
            try:
                message, content = self._forms.imported(agent, value)
                self._forms.check(message)
                read.brought.append(_Brought(message, content))
            except (JsonError, MissingFields) as error:
                refusal = to_rpc_error(error)
                read.unreadable.append(_error(title, RpcError(refusal.code, f"test case {number}: {refusal.message}")))
            except RpcError as error:
                read.unreadable.append(_error(title, error))
        return read

    def _written(self, agent: str, cases: Sequence[StoredTestCase]) -> tuple[bytes, list[str]]:
        """The file, and why test cases are not in it. In a thread."""
        written: list[JsonValue] = []
        unreadable: list[str] = []
        for case in cases:
            name = TEST_CASES.child(agent, case.id)
            try:
                self._forms.message(name, case)
            except RpcError as error:
                unreadable.append(error.message)
                continue
            content = {**case.content, "name": str(name), "displayName": case.display_name}
            written.append({key: value for key, value in content.items() if key != "lastTestResult"})
        return write_object({_MEMBER: written}), unreadable


class _NameFilter:
    """The filter of an export: `name = NAME OR name = NAME`, or nothing for all."""

    def __init__(self, text: str) -> None:
        """Raises `InvalidFilter`."""
        self._filter = parse_filter(text)
        for comparison in comparisons(self._filter):
            if plain(comparison.field.lower()) != "name":
                raise InvalidFilter(f"{comparison.field} is not a field that test cases are filtered by; use name")
            check_operator(comparison, ("=",))

    def accepts(self, name: ResourceName) -> bool:
        """Whether it names this test case, capitals and small letters being the same."""
        return holds(self._filter, lambda comparison: comparison.value.lower() == str(name).lower())


def _cases_of(file: bytes) -> list[JsonValue]:
    """The test cases of a file: a list of them, an object that has them as `testCases`, or a single one."""
    value = read_json(_FILE, file)
    value = as_object(value).get(_MEMBER, [value]) if isinstance(value, dict) else value
    if not isinstance(value, list):
        raise MalformedFile(_FILE, f"is neither a list of test cases nor an object with {_MEMBER}")
    cases = as_list(value)
    if len(cases) > MOST_CASES:
        raise MalformedFile(_FILE, f"has {len(cases):,} test cases; an agent has at most {MOST_CASES:,}")
    return cases


def _error(title: str, error: RpcError) -> JsonObject:
    """One entry of the metadata."""
    status: JsonObject = {"code": int(error.code), "message": error.message}
    return {"testCase": {"displayName": title[:_LONGEST_SHOWN]}, "status": status}
