"""Results of runs of test cases: get, list; and what `server` keeps of each run."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.names import TEST_CASES, new_id
from openplaybook.services.dialogflow.test_case_files import AgentTestFiles
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import TEST_CASE_RESULT
from openplaybook.services.resource_service import ResourceService
from openplaybook.storage.base import Change, Delete
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

_RESULTS_KEPT = 10
"""Of one test case."""


class AgentTestResults(ResourceService):
    """GetTestCaseResult and ListTestCaseResults. The newest ten results of a test case are kept."""

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(TEST_CASE_RESULT, parts, parent=None)
        self._files = AgentTestFiles(parts)

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of the results of a test case, or with `-` as its id, of all those of an agent; oldest first."""
        page = self.page_of(request)
        case = TEST_CASES.parse(page.parent)
        cases = [each.id for each in await self._files.all(case.parent)] if case.id == "-" else [case.id]
        if case.id != "-":
            await self._files.one(case.parent, case.id)
        parents = [str(TEST_CASES.child(case.parent, id)) for id in cases]
        return await self.list_response(await self.records.page_across(page, parents), context)

    async def last(self, case: str) -> ApiMessage | None:
        """The newest result of a test case."""
        results = await self.records.all(case)
        return results[-1] if results else None

    async def add(self, case: str, result: JsonObject) -> ApiMessage:
        """Keep a result in JSON, and forget the oldest."""
        message = self.parts.api.codec.from_json(result, self.records.new())
        message.name = str(self.kind.names.child(case, new_id()))
        message.test_time.FromMicroseconds(self.parts.now_us())
        others = await self.records.all(case)
        gone: list[Change] = [Delete(each.name) for each in others[: max(0, len(others) + 1 - _RESULTS_KEPT)]]
        await self.insert(message)
        await self.parts.store.apply(gone)
        return message

    async def forget(self, case: str) -> None:
        """Delete all results of a test case."""
        await self.parts.store.apply([Delete(each.name) for each in await self.records.all(case)])
