"""Test cases of an agent: create, get, list, patch, delete."""

from openplaybook.resources.masks import merge
from openplaybook.resources.names import TEST_CASES, new_id
from openplaybook.resources.page_tokens import page_size, read_token
from openplaybook.services.dialogflow.test_case_files import AgentTestFiles, add_case, file_of, place_case
from openplaybook.services.dialogflow.test_case_forms import TestCaseForms
from openplaybook.services.dialogflow.test_case_results import AgentTestResults
from openplaybook.services.errors import invalid
from openplaybook.services.listings import PageBuilder
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_service import unseen_by
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import RpcError
from openplaybook.wire.messages import ApiMessage


class AgentTestCases:
    """CreateTestCase, GetTestCase, ListTestCases, UpdateTestCase, BatchDeleteTestCases."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._files = AgentTestFiles(parts)
        self._results = AgentTestResults(parts)
        self._forms = TestCaseForms(parts)

    async def create(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store a new test case. ALREADY_EXISTS: the agent has one of that display name."""
        agent, case = request.parent, request.test_case
        case.name = str(TEST_CASES.child(agent, new_id()))
        self._forms.check(case)
        case.ClearField("last_test_result")
        case.creation_time.FromMicroseconds(self._parts.now_us())
        content = self._forms.content(case, {})

        await self._files.change(agent, lambda files: add_case(files, case.display_name, content))
        return case

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The test case of that name, with the result of its last run."""
        name = TEST_CASES.parse(request.name)
        case = await self._files.one(name.parent, name.id)
        context.answer_bytes = case.size
        return await self._with_last(self._forms.message(name, case))

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
                message = self._forms.message(TEST_CASES.child(parent, case.id), case)
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
        stored = self._forms.message(name, before)
        is_unseen = unseen_by(self._parts.api, context.version)
        merged = merge(stored, request.test_case, request.update_mask.paths, context.sent_fields, is_unseen)
        merged.name = str(name)
        merged.creation_time.CopyFrom(stored.creation_time)
        merged.ClearField("last_test_result")
        self._forms.check(merged, stored)
        content = self._forms.content(merged, before.content)

        def put(files: dict[str, bytes]) -> None:
            if files.pop(before.path, None) is not None and merged.display_name == before.display_name:
                files[before.path] = file_of(content)
            else:
                place_case(files, merged.display_name, content)

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

    async def _with_last(self, message: ApiMessage) -> ApiMessage:
        last = await self._results.last(message.name)
        if last is not None:
            message.last_test_result.CopyFrom(last)
        return message
