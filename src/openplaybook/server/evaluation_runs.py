"""Evaluations of an app, run against it as it is now: EvaluationService.RunEvaluation.

A golden conversation is held on a stage of its own: no conversation is stored. Tools answer with the evaluation's
mocks, then with their fakes where the run asks for fakes, else they are called.
"""

import asyncio
import dataclasses
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from openplaybook.credentials.sealer import Sealer
from openplaybook.jsonvalues import JsonObject, as_object, loads
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.resources.message_fields import descriptor_of
from openplaybook.resources.names import APPS, EVALUATION_DATASETS, EVALUATION_RUNS, EVALUATIONS, OPERATIONS, new_id
from openplaybook.server.errors import AgentUnusable
from openplaybook.services.ces.evaluations import EvaluationResults, EvaluationRuns, refuse_unserved
from openplaybook.services.collection import Collection
from openplaybook.services.errors import invalid, not_found, translated, unimplemented
from openplaybook.services.operations import FinishedWork
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP, CES, EVALUATION, EVALUATION_DATASET
from openplaybook.tools.toolbox import Toolbox
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry
from openplaybook.workers.lanes import PACKAGES

if TYPE_CHECKING:
    from openplaybook.recordings.form import RecordedTurn
    from openplaybook.recordings.replay import ReplayStage

_MOST_RESULTS = 1_000
"""Of one run."""
_LONGEST_S = 4 * 60 * 60.0
"""Of one run: each conversation may ask a model."""


class EvaluationTrials:
    """Runs evaluations, one after the other, and keeps their results."""

    def __init__(
        self, parts: ServiceParts, models: ModelDirectory, sealer: Sealer, toolbox: Toolbox, place: asyncio.Semaphore
    ) -> None:
        """`sealer` opens the secrets in tools; `toolbox` calls them. `place`: one replay at a time has it."""
        self._parts = parts
        self._models = models
        self._sealer = sealer
        self._toolbox = toolbox
        self._place = place
        self._evaluations = Collection(EVALUATION, parts)
        self._runs = EvaluationRuns(parts)
        self._results = EvaluationResults(parts)

    def register(self, registry: Registry) -> None:
        """Serve the RPC."""
        registry.unary(f"{CES}EvaluationService.RunEvaluation", translated(self.run))

    async def run(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Run evaluations, or those of a dataset: an operation with the name of their run. NOT_FOUND: one is missing.

        The run exists when this returns, and has its results so far.
        """
        if request.scheduled_evaluation_run:
            raise unimplemented("scheduled_evaluation_run is set by schedules only; leave it out")
        return await self.start(request, context)

    async def start(self, request: ApiMessage, context: RpcContext, *, schedule: str = "") -> ApiMessage:
        """As `run`; `schedule` is the name of the scheduled run that this one is of."""
        app = APPS.parse(request.app)
        if not await Collection(APP, self._parts).exists(str(app)):
            raise not_found(APP.noun, request.app)
        refuse_unserved(request)
        evaluations = await self._chosen(str(app), request)
        times = request.run_count if request.HasField("run_count") else 1
        if not 0 < times * len(evaluations) <= _MOST_RESULTS:
            raise invalid(("run_count", f"all evaluations times run_count must be 1 to {_MOST_RESULTS:,}"))
        run = self._new_run(str(app), request, evaluations, times, schedule)
        metadata = self._parts.ces("RunEvaluationOperationMetadata")
        metadata.evaluations.extend(run.evaluations)
        metadata.evaluation_run, metadata.verb = run.name, "run"
        stored = await self._runs.insert(run)
        return await self._parts.operations.start(
            context,
            app.parent,
            partial(self._run, stored, evaluations, times),
            metadata=metadata,
            id=run.operation.rpartition("/")[2],
            longest_s=_LONGEST_S,
        )

    async def _chosen(self, app: str, request: ApiMessage) -> list[ApiMessage]:
        names = [str(EVALUATIONS.parse(each)) for each in dict.fromkeys(request.evaluations)]
        if request.evaluation_dataset:
            dataset = EVALUATION_DATASETS.parse(request.evaluation_dataset)
            stored = await Collection(EVALUATION_DATASET, self._parts).read(str(dataset))
            names += [each for each in stored.message.evaluations if each not in names]
        if not names:
            raise invalid(("evaluations", "is required, or an evaluation_dataset that has some"))
        for name in names:
            if EVALUATIONS.parse(name).root != app:
                raise invalid(("evaluations", f"{name} belongs to another app"))
        return [(await self._evaluations.read(name)).message for name in names]

    async def note_failure(self, request: ApiMessage, schedule: str, why: str) -> None:
        """Store a run of a schedule that could not start."""
        run = self._new_run(request.app, request, (), 0, schedule)
        run.state = run.ERROR
        run.error_info.error_type, run.error_info.error_message = run.error_info.RUNTIME_FAILURE, why
        await self._runs.insert(run)

    def _new_run(
        self, app: str, request: ApiMessage, evaluations: Sequence[ApiMessage], times: int, schedule: str
    ) -> ApiMessage:
        run = self._parts.ces("EvaluationRun")
        run.scheduled_evaluation_run = schedule
        run.name = str(EVALUATION_RUNS.child(app, new_id()))
        run.operation = str(OPERATIONS.child(APPS.parse(app).parent, new_id()))
        run.display_name = request.display_name
        run.create_time.FromMicroseconds(self._parts.now_us())
        run.evaluations.extend(each.name for each in evaluations)
        run.evaluation_dataset = request.evaluation_dataset
        kinds = {each.WhichOneof("inputs") for each in evaluations}
        run.evaluation_type = run.MIXED if len(kinds) > 1 else run.GOLDEN if "golden" in kinds else run.SCENARIO
        run.config.CopyFrom(request.config)
        run.run_count = times
        run.golden_run_method = request.golden_run_method or _value(run, "golden_run_method", "NAIVE")
        run.state = run.RUNNING
        run.progress.total_count = times * len(evaluations)
        return run

    async def _run(self, run: ApiMessage, evaluations: Sequence[ApiMessage], times: int) -> FinishedWork:
        fakes = run.config.tool_call_behaviour == _value(run.config, "tool_call_behaviour", "FAKE")
        for evaluation in evaluations:
            for _ in range(times):
                result = await self._result(run, evaluation, fakes=fakes)
                stored = await self._results.insert(result)
                _count(run, evaluation.name, stored)
                await self._save(run)
        run.state = run.COMPLETED
        await self._save(run)
        response = self._parts.ces("RunEvaluationResponse")
        response.evaluation_run = run.name
        return FinishedWork(response)

    async def _save(self, run: ApiMessage) -> None:
        await self._runs.replace(run, await self._runs.records.read(run.name))

    async def _result(self, run: ApiMessage, evaluation: ApiMessage, *, fakes: bool) -> ApiMessage:
        """Hold the conversation, and judge it."""
        judged = await self._judged(run, evaluation, fakes=fakes)
        result = self._parts.api.codec.from_json(judged, self._parts.ces("EvaluationResult"))
        result.name = f"{evaluation.name}/results/{new_id()}"
        result.display_name = evaluation.display_name
        result.create_time.FromMicroseconds(self._parts.now_us())
        result.evaluation_run = run.name
        result.config.CopyFrom(run.config)
        result.golden_run_method = run.golden_run_method
        for name in evaluation.golden.evaluation_expectations:
            result.golden_result.evaluation_expectation_results.add(
                evaluation_expectation=name, outcome=result.SKIPPED, explanation="no model judges conversations here"
            )
        return result

    async def _judged(self, run: ApiMessage, evaluation: ApiMessage, *, fakes: bool) -> JsonObject:
        # Here, since the form of a recording costs a server's start more than all that it stores.
        from openplaybook.recordings.errors import RecordingError
        from openplaybook.server.replay_stage import copied

        if not evaluation.HasField("golden"):
            return _error("USER_SIMULATION_FAILURE", "scenarios need a simulated user, which this server does not have")
        content = self._parts.api.codec.to_json(evaluation)
        app = EVALUATIONS.parse(evaluation.name).root
        try:
            async with self._place, copied(self._parts.store, self._sealer, app) as stage:
                is_stable = run.golden_run_method == _value(run, "golden_run_method", "STABLE")
                return await self._held(content, stage, fakes=fakes, is_stable=is_stable)
        except (RecordingError, AgentUnusable) as error:
            return _error("RUNTIME_FAILURE", str(error))

    async def _held(self, evaluation: JsonObject, stage: "ReplayStage", *, fakes: bool, is_stable: bool) -> JsonObject:
        from openplaybook.recordings.golden_conversations import GoldenMocks, GoldenNames, recording_of_golden
        from openplaybook.recordings.golden_outcomes import GoldenThresholds, golden_result
        from openplaybook.recordings.replay import replay
        from openplaybook.recordings.stable_sections import StableSection, stable_sections
        from openplaybook.turns.agent.past_agents import PastAgents

        present = await PastAgents(stage.store).present(stage.agent)
        names = GoldenNames(present.playbook_names, present.tool_names)
        record = await stage.store.get(stage.agent)
        app = as_object(loads(record.body)) if record is not None else {}
        language = str(as_object(app.get("languageSettings")).get("defaultLanguageCode", ""))
        recording = recording_of_golden(evaluation, names, language, fakes=fakes)
        whole = StableSection(recording, evaluation)
        happened: list[RecordedTurn] = []
        for section in stable_sections(recording, evaluation, names) if is_stable else (whole,):
            mocked = dataclasses.replace(stage, tools=GoldenMocks.of(section.evaluation, names, self._toolbox))
            held = await replay(section.recording, mocked, model=self._models.default, live_tools=True)
            happened.extend(held.turns)
        own, apps = evaluation.get("evaluationMetricsThresholdOverride"), app.get("evaluationMetricsThresholds")
        thresholds = GoldenThresholds(as_object(own), as_object(apps))
        return await PACKAGES.run(partial(golden_result, evaluation, happened, names, thresholds))


def _count(run: ApiMessage, evaluation: str, result: ApiMessage) -> None:
    """Note a result in its run."""
    run.evaluation_results.append(result.name)
    summary = run.evaluation_run_summaries[evaluation]
    run.progress.completed_count += 1
    if result.execution_state == result.ERROR:
        run.progress.error_count += 1
        summary.error_count += 1
    elif result.evaluation_status == result.PASS:
        run.progress.passed_count += 1
        summary.passed_count += 1
    else:
        run.progress.failed_count += 1
        summary.failed_count += 1


def _value(message: ApiMessage, field: str, name: str) -> int:
    """The number of a value of a field's enum, which is no part of the message."""
    kind = descriptor_of(message).fields_by_name[field].enum_type
    assert kind is not None, "only enums are asked for"
    return kind.values_by_name[name].number


def _error(kind: str, message: str) -> JsonObject:
    return {"executionState": "ERROR", "errorInfo": {"errorType": kind, "errorMessage": message}}
