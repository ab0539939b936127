"""Test cases of an agent: create, get, list, patch, delete."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.dialogflow.agent_layout import TEST_CASES as FOLDER
from openplaybook.packages.private_fields import fields_in, merge_private, split_private
from openplaybook.resources.field_behavior import check_required
from openplaybook.resources.masks import merge
from openplaybook.resources.names import TEST_CASES, ResourceName, new_id
from openplaybook.resources.page_tokens import page_size, read_token
from openplaybook.services.dialogflow.test_case_files import AgentTestFiles, StoredTestCase, file_of, path_of
from openplaybook.services.dialogflow.test_case_results import AgentTestResults
from openplaybook.services.errors import invalid, precondition
from openplaybook.services.listings import PageBuilder
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import CX
from openplaybook.services.resource_service import unseen_by
from openplaybook.storage.errors import RecordExists
from openplaybook.wire.codec import JsonError
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import RpcError
from openplaybook.wire.messages import ApiMessage

_MOST_CASES = 2_000
"""Of one agent."""
_LONGEST_NAME = 200
_OPTIONAL = frozenset({"test_case_conversation_turns.virtual_agent_output.diagnostic_info"})
"""Google's console has it; exports do not."""
_MESSAGE = CX + "TestCase"


class AgentTestCases:
    """CreateTestCase, GetTestCase, ListTestCases, UpdateTestCase, BatchDeleteTestCases."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._files = AgentTestFiles(parts)
        self._results = AgentTestResults(parts)
        self._fields = fields_in(parts.api.pool)

    async def create(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store a new test case. ALREADY_EXISTS: the agent has one of that display name."""
        agent, case = request.parent, request.test_case
        case.name = str(TEST_CASES.child(agent, new_id()))
        self._check(case)
        case.ClearField("last_test_result")
        case.creation_time.FromMicroseconds(self._parts.now_us())
        content = self._content(case, {})

        def add(files: dict[str, bytes]) -> None:
            if sum(path.startswith(f"{FOLDER}/") for path in files) >= _MOST_CASES:
                raise precondition("TOO_MANY_TEST_CASES", f"an agent has at most {_MOST_CASES:,} test cases")
            _place(files, case.display_name, content)

        await self._files.change(agent, add)
        return case

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The test case of that name, with the result of its last run."""
        name = TEST_CASES.parse(request.name)
        case = await self._files.one(name.parent, name.id)
        context.answer_bytes = case.size
        return await self._with_last(self._message(name, case))

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of an agent's test cases; without their conversations, unless the view is FULL.

        A file of an import that is no test case is in no list; a warning names it.
        """
        parent = TEST_CASES.child(request.parent).parent
        query = ("testCases", parent, str(request.view))
        building = PageBuilder(page_size(request.page_size), query)
        cases = await self._files.all(parent)
        for position, case in list(enumerate(cases, 1))[read_token(query, request.page_token) :]:
            if not building.takes(case.size):
                break
            try:
                message = self._message(TEST_CASES.child(parent, case.id), case)
            except RpcError as error:
                context.warn(error.message)
                continue
            if request.view != request.FULL:
                message.ClearField("test_case_conversation_turns")
            building.add(position, await self._with_last(message), case.size)
        listing = building.listing()
        context.answer_bytes = listing.size
        response = self._parts.cx("ListTestCasesResponse")
        response.test_cases.extend(listing.messages)
        response.next_page_token = listing.token
        return response

    async def update(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store the test case with the masked fields replaced."""
        name = TEST_CASES.parse(request.test_case.name)
        before = await self._files.one(name.parent, name.id)
        stored = self._message(name, before)
        is_unseen = unseen_by(self._parts.api, context.version)
        merged = merge(stored, request.test_case, request.update_mask.paths, context.sent_fields, is_unseen)
        merged.name = str(name)
        merged.creation_time.CopyFrom(stored.creation_time)
        merged.ClearField("last_test_result")
        self._check(merged, stored)
        content = self._content(merged, before.content)

        def put(files: dict[str, bytes]) -> None:
            if files.pop(before.path, None) is not None and merged.display_name == before.display_name:
                files[before.path] = file_of(content)
            else:
                _place(files, merged.display_name, content)

        await self._files.change(name.parent, put)
        return await self._with_last(merged)

    async def delete_many(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Forget test cases and their results: all of them or none. NOT_FOUND: there is no such test case."""
        parent = TEST_CASES.child(request.parent).parent
        names = [TEST_CASES.parse(each) for each in dict.fromkeys(request.names)]
        for name in names:
            if name.parent != parent:
                raise invalid(("names", f"{name} is not below {parent}"))
        paths = [(await self._files.one(parent, name.id)).path for name in names]

        def remove(files: dict[str, bytes]) -> None:
            for path in paths:
                files.pop(path, None)

        await self._files.change(parent, remove)
        for name in names:
            await self._results.forget(str(name))
        return self._parts.empty()

    def _message(self, name: ResourceName, case: StoredTestCase) -> ApiMessage:
        """A test case as the API has it; FAILED_PRECONDITION where its file is none."""
        known, _ = split_private(case.content, _MESSAGE, self._fields)
        known.pop("lastTestResult", None)
        try:
            if case.problem:
                raise JsonError(case.problem)
            message = self._parts.api.codec.from_json(known, self._parts.cx("TestCase"))
        except JsonError as error:
            raise precondition("UNREADABLE_TEST_CASE", f"{case.path} is no test case: {error}") from error
        message.name = str(name)
        message.display_name = case.display_name
        return message

    async def _with_last(self, message: ApiMessage) -> ApiMessage:
        last = await self._results.last(message.name)
        if last is not None:
            message.last_test_result.CopyFrom(last)
        return message

    def _content(self, message: ApiMessage, before: JsonObject) -> JsonObject:
        """The file of a test case: with what the API does not know, where it was there."""
        _, private = split_private(before, _MESSAGE, self._fields)
        content = self._parts.api.codec.to_json(message)
        return merge_private({**content, "name": TEST_CASES.parse(message.name).id}, private)

    def _check(self, case: ApiMessage, stored: ApiMessage | None = None) -> None:
        check_required(case, stored, prefix="test_case.", except_for=_OPTIONAL)
        if len(case.display_name) > _LONGEST_NAME:
            raise invalid(("test_case.display_name", f"has at most {_LONGEST_NAME} characters"))


def _place(files: dict[str, bytes], display_name: str, content: JsonObject) -> None:
    path = path_of(display_name)
    if path in files:
        raise RecordExists(path)
    files[path] = file_of(content)
