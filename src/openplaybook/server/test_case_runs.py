"""Test cases of an agent, run against it as it is now: TestCases.RunTestCase and TestCases.BatchRunTestCases.

A run is a replay on a stage of its own: tools answer as the test case has it, nothing reaches a service, and the
server's default model decides.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from openplaybook.credentials.sealer import Sealer
from openplaybook.jsonvalues import JsonObject
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.resources.names import DRAFT, ENVIRONMENTS, TEST_CASES, ResourceName
from openplaybook.services.dialogflow.test_case_files import AgentTestFiles, StoredTestCase
from openplaybook.services.dialogflow.test_case_results import AgentTestResults
from openplaybook.services.dialogflow.whole_agent import gather
from openplaybook.services.errors import invalid, not_found, precondition, translated
from openplaybook.services.operations import FinishedWork, Work
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import CX
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry
from openplaybook.workers.lanes import PACKAGES

if TYPE_CHECKING:
    from openplaybook.recordings.replay_outcomes import ReplayOutcome

_MOST_TESTS = 2_000
_LONGEST_S = 4 * 60 * 60.0
"""Of one operation: each test may ask a model."""


class AgentTestRuns:
    """Runs test cases, one after the other, and keeps their results."""

    def __init__(self, parts: ServiceParts, models: ModelDirectory, sealer: Sealer, place: asyncio.Semaphore) -> None:
        """`sealer` opens the secrets in tools, which have to be there for them to be compiled. `place`: one replay at
        a time has it."""
        self._parts = parts
        self._models = models
        self._sealer = sealer
        self._place = place
        self._files = AgentTestFiles(parts)
        self._results = AgentTestResults(parts)

    def register(self, registry: Registry) -> None:
        """Serve both RPCs."""
        registry.unary(f"{CX}TestCases.RunTestCase", translated(self.run))
        registry.unary(f"{CX}TestCases.BatchRunTestCases", translated(self.run_many))

    async def run(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Run one test case: an operation with its result. NOT_FOUND: there is no such test case."""
        _refuse_environment(request.environment)
        name = TEST_CASES.parse(request.name)
        case = await self._files.one(name.parent, name.id)
        metadata = self._parts.cx("RunTestCaseMetadata")
        return await self._start(context, name, partial(self._run_one, name.parent, case), metadata)

    async def run_many(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Run several test cases: an operation with their results; its metadata has those that could not be run."""
        _refuse_environment(request.environment)
        if not 0 < len(request.test_cases) <= _MOST_TESTS:
            raise invalid(("test_cases", f"must be 1 to {_MOST_TESTS}"))
        agent = TEST_CASES.child(request.parent).parent
        names = [TEST_CASES.parse(each) for each in dict.fromkeys(request.test_cases)]
        known = {case.id: case for case in await self._files.all(agent)}
        for name in names:
            if name.parent != agent or name.id not in known:
                raise not_found("Test case", str(name))
        work = partial(self._run_all, agent, [known[name.id] for name in names])
        return await self._start(context, names[0], work, self._parts.cx("BatchRunTestCasesMetadata"))

    async def _start(self, context: RpcContext, name: ResourceName, work: Work, metadata: ApiMessage) -> ApiMessage:
        location = "/".join(name.parent.split("/")[:4])
        return await self._parts.operations.start(context, location, work, metadata=metadata, longest_s=_LONGEST_S)

    async def _run_one(self, agent: str, case: StoredTestCase) -> FinishedWork:
        response = self._parts.cx("RunTestCaseResponse")
        response.result.CopyFrom(await self._result(agent, case))
        return FinishedWork(response)

    async def _run_all(self, agent: str, cases: Sequence[StoredTestCase]) -> FinishedWork:
        response = self._parts.cx("BatchRunTestCasesResponse")
        errors: list[JsonObject] = []
        for case in cases:
            try:
                response.results.append(await self._result(agent, case))
            except RpcError as error:
                status: JsonObject = {"code": int(error.code), "message": error.message}
                errors.append({"testCase": str(TEST_CASES.child(agent, case.id)), "status": status})
        return FinishedWork(response, {"errors": errors})

    async def _result(self, agent: str, case: StoredTestCase) -> ApiMessage:
        """Run it, and keep what came of it. FAILED_PRECONDITION: it cannot be run."""
        from openplaybook.recordings.written_test_cases import result_of

        outcome = await self._outcome(agent, case)
        if outcome.happened is None:
            raise precondition("UNREADABLE_TEST_CASE", outcome.problem)
        result = await PACKAGES.run(partial(result_of, case.content, outcome))
        return await self._results.add(str(TEST_CASES.child(agent, case.id)), result)

    async def _outcome(self, agent: str, case: StoredTestCase) -> "ReplayOutcome":
        # Here, since the form of a recording costs a server's start more than all that it stores.
        from openplaybook.recordings.errors import UnreadableTestCase
        from openplaybook.recordings.replay import Replays
        from openplaybook.recordings.replay_outcomes import ReplayOutcome
        from openplaybook.recordings.test_cases import recording_of_case
        from openplaybook.server.replay_stage import copied

        if case.problem:
            return ReplayOutcome(case.path, problem=case.problem)
        async with self._parts.whole_agents.exported:
            package = await gather(self._parts, agent)
        try:
            recording = await PACKAGES.run(partial(recording_of_case, case.content, case.path, package))
        except UnreadableTestCase as error:
            return ReplayOutcome(case.path, problem=str(error))
        async with self._place, copied(self._parts.store, self._sealer, agent) as stage:
            return await Replays(self._models.default).run(case.path, recording, stage)


def _refuse_environment(name: str) -> None:
    if name and ENVIRONMENTS.parse(name).id != DRAFT:
        raise not_found("Environment", name)
