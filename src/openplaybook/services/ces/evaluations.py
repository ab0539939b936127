"""Evaluations of an app, and what belongs to them: datasets, expectations, results and runs.

They are no part of the app: none is in its versions, and a change of one leaves the app as it was. `server` runs them.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial

from openplaybook.resources.message_fields import copy_of
from openplaybook.resources.names import EVALUATIONS, root_of
from openplaybook.services.ces.app_references import check_references, dangling
from openplaybook.services.collection import Collection, StoredResource
from openplaybook.services.errors import invalid, precondition, unimplemented
from openplaybook.services.operations import FinishedWork, finished
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import (
    APP,
    EVALUATION,
    EVALUATION_DATASET,
    EVALUATION_EXPECTATION,
    EVALUATION_RESULT,
    EVALUATION_RUN,
)
from openplaybook.services.resource_service import ResourceService
from openplaybook.services.stored_records import every_record
from openplaybook.storage.base import Change
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage

_MOST_TURNS = 100
"""Of one golden conversation, as at Google."""
_SHOWN_RESULTS = 10
_UNSERVED = ("app_version", "persona_run_configs", "optimization_config")
"""Fields of a request to run evaluations."""


class Evaluations(ResourceService):
    """The standard methods of evaluations. What one names has to be there when it is saved."""

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(EVALUATION, parts, parent=APP)
        self._results = Collection(EVALUATION_RESULT, parts)
        self._datasets = Collection(EVALUATION_DATASET, parts)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Refuse one without inputs, and one that refers to nothing; tell what is not run."""
        kind = resource.WhichOneof("inputs")
        if kind is None:
            raise invalid(("evaluation", "needs golden or scenario"))
        if not 0 < len(resource.golden.turns) <= _MOST_TURNS and kind == "golden":
            raise invalid(("evaluation.golden.turns", f"must be 1 to {_MOST_TURNS}"))
        if kind == "scenario":
            context.warn("evaluation.scenario is kept, and not run: this server has no simulated user")
        await check_references(self.parts.store, resource, stored, self.kind.field)

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The evaluation with the datasets that it is in, and its last result."""
        message = await super().get(request, context)
        await self._fill(message, await self._datasets_by_evaluation(root_of(message.name)), last_ten=False)
        return message

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of an app's evaluations, each as `get` has it."""
        if request.evaluation_run_filter:
            raise unimplemented("evaluation_run_filter is not served; list evaluation runs and filter them")
        request.filter = request.filter or request.evaluation_filter
        response = await super().list(request, context)
        datasets = await self._datasets_by_evaluation(request.parent)
        for message in response.evaluations:
            await self._fill(message, datasets, last_ten=request.last_ten_results)
        return response

    async def remove(self, request: ApiMessage, *others: Change) -> StoredResource:
        """Delete it with its results; FAILED_PRECONDITION while a dataset has it, unless the request has `force`."""
        name = str(EVALUATIONS.parse(request.name))
        records = await every_record(self.parts.store, root_of(name), EVALUATION_DATASET.record)
        holders = [(each, self._datasets.message_of(each)) for each in records]
        holders = [(record, message) for record, message in holders if name in message.evaluations]
        if holders and not request.force:
            titles = ", ".join(message.display_name for _, message in holders)
            raise precondition("RESOURCE_IN_USE", f"{name} is in {titles}; set force to remove it there too")
        left: list[Change] = []
        for record, message in holders:
            message.evaluations.remove(name)
            left.append(self._datasets.replacing(record, message))
        return await super().remove(request, *others, *left)

    async def _datasets_by_evaluation(self, app: str) -> Mapping[str, Sequence[str]]:
        names = defaultdict[str, "Sequence[str]"](tuple)
        for dataset in await self._datasets.all(app):
            for evaluation in dataset.evaluations:
                names[evaluation] = (*names[evaluation], dataset.name)
        return names

    async def _fill(self, message: ApiMessage, datasets: Mapping[str, Sequence[str]], *, last_ten: bool) -> None:
        """Write what follows from other resources."""
        message.invalid = bool(await dangling(self.parts.store, message))
        message.evaluation_datasets.extend(datasets.get(message.name, []))
        results = await self._results.all(message.name)
        message.evaluation_runs.extend(dict.fromkeys(result.evaluation_run for result in results))
        if results:
            message.last_completed_result.CopyFrom(results[-1])
        if last_ten:
            message.last_ten_results.extend(results[: -_SHOWN_RESULTS - 1 : -1])


class EvaluationDatasets(ResourceService):
    """The standard methods of datasets, which are lists of evaluations."""

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(EVALUATION_DATASET, parts, parent=APP)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Refuse evaluations that are not there, or of another app."""
        names = dict.fromkeys(resource.evaluations)
        resource.ClearField("evaluations")
        resource.evaluations.extend(names)
        await check_references(self.parts.store, resource, stored, self.kind.field)


class EvaluationExpectations(ResourceService):
    """The standard methods of expectations that a model would judge: kept, and skipped in runs."""

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(EVALUATION_EXPECTATION, parts, parent=APP)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Tell that it is not judged."""
        context.warn("evaluation_expectation is kept, and skipped in runs: no model judges conversations here")


class EvaluationResults(ResourceService):
    """Get, list and delete results of evaluations."""

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(EVALUATION_RESULT, parts, parent=EVALUATION)
        self._evaluations = Collection(EVALUATION, parts)

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of the results of an evaluation or, with `-` as its id, of all of an app; oldest first."""
        page = self.page_of(request)
        evaluation = EVALUATIONS.parse(page.parent)
        if evaluation.id != "-":
            return await super().list(request, context)
        parents = [each.name for each in await self._evaluations.all(evaluation.parent)]
        return await self.list_response(await self.records.page_across(page, parents), context)


class EvaluationRuns(ResourceService):
    """Get, list and delete runs of evaluations."""

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(EVALUATION_RUN, parts, parent=APP)
        self._results = EvaluationResults(parts)

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The run of that name."""
        return await self._as_it_stands(await super().get(request, context))

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of an app's runs, oldest first."""
        response = await super().list(request, context)
        for message in response.evaluation_runs:
            await self._as_it_stands(message)
        return response

    async def delete_with_results(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Delete a run and its results: an operation. FAILED_PRECONDITION while it runs."""
        run = await self._as_it_stands((await self.records.read(request.name)).message)
        if run.state == run.RUNNING:
            raise precondition("STILL_RUNNING", f"{run.name} is running; cancel {run.operation} first")
        work = partial(self._deleted, copy_of(request), list(run.evaluation_results))
        metadata = self.parts.ces("DeleteEvaluationRunOperationMetadata")
        location = "/".join(run.name.split("/")[:4])
        return await self.parts.operations.start(context, location, work, metadata=metadata)

    async def _deleted(self, request: ApiMessage, results: Sequence[str]) -> FinishedWork:
        for name in results:
            if await self._results.records.exists(name):
                one = self.parts.ces("DeleteEvaluationResultRequest")
                one.name = name
                await self._results.remove(one)
        await self.remove(request)
        return await finished(self.parts.empty())

    async def _as_it_stands(self, run: ApiMessage) -> ApiMessage:
        """The run; one that a server left behind when it stopped has ended with an error."""
        if run.state == run.RUNNING and await self._is_over(run.operation):
            run.state = run.ERROR
            run.error_info.error_type = run.error_info.RUNTIME_FAILURE
            run.error_info.error_message = "the run was cancelled, or the server stopped during it; start it again"
        return run

    async def _is_over(self, operation: str) -> bool:
        try:
            return (await self.parts.operations.get(operation)).done
        except RpcError as error:
            if error.code != Code.NOT_FOUND:
                raise
            return True


def refuse_unserved(request: ApiMessage) -> None:
    """UNIMPLEMENTED for a `RunEvaluationRequest` that asks for what is not served."""
    for field, _ in request.ListFields():
        if field.name in _UNSERVED:
            raise unimplemented(f"{field.name} is not served; leave it out")
    if request.config.HasField("input_audio_config") or request.config.evaluation_channel == request.config.AUDIO:
        raise unimplemented("config: evaluations are held in text; audio is not served")
