"""Evaluations, their results and runs as one file of JSON or YAML: exports, and the import of such a file.

A file is an object with the lists `evaluations`, `evaluationResults` and `evaluationRuns`, of which it has what was
asked for. Google does not publish the form of its own files.
"""

from collections.abc import Sequence
from functools import partial

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, loads
from openplaybook.packages.resource_files import read_document, write_document
from openplaybook.resources.errors import ResourceError
from openplaybook.resources.field_behavior import settle_output_only
from openplaybook.resources.names import APPS, EVALUATION_RESULTS, EVALUATION_RUNS, EVALUATIONS, NamePattern, new_id
from openplaybook.services.bucket_objects import Content
from openplaybook.services.ces.evaluations import Evaluations
from openplaybook.services.collection import Collection
from openplaybook.services.errors import invalid, not_found, to_rpc_error, unimplemented
from openplaybook.services.operations import FinishedWork, finished
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP, EVALUATION, EVALUATION_RESULT, EVALUATION_RUN, ResourceKind
from openplaybook.storage.errors import RecordExists
from openplaybook.wire.codec import JsonError
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import PACKAGES

_LISTED = {EVALUATION: "evaluations", EVALUATION_RESULT: "evaluationResults", EVALUATION_RUN: "evaluationRuns"}
_MOST = 1_000
"""Resources that one request names, or evaluations in a file."""


class EvaluationFiles:
    """ExportEvaluations, ExportEvaluationResults, ExportEvaluationRuns and ImportEvaluations: operations."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._evaluations = Evaluations(parts)
        self._collections = {kind: Collection(kind, parts) for kind in _LISTED}

    async def export_evaluations(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Write evaluations, their results, or both; the response names those that there are not."""
        app = str(APPS.parse(request.parent))
        if not (request.include_evaluations or request.include_evaluation_results):
            raise invalid(("include_evaluations", "must be set, or include_evaluation_results"))
        names = _named(request, EVALUATIONS, app)
        response = self._parts.ces("ExportEvaluationsResponse")
        found: list[str] = []
        for name in names:
            if await self._collections[EVALUATION].exists(name):
                found.append(name)
            else:
                response.failed_evaluations[name] = "it does not exist"
        lists: dict[ResourceKind, list[ApiMessage]] = {}
        if request.include_evaluations:
            lists[EVALUATION] = await self._read(EVALUATION, found)
        if request.include_evaluation_results:
            results = self._collections[EVALUATION_RESULT]
            lists[EVALUATION_RESULT] = [result for name in found for result in await results.all(name)]
        return await self._export(request, context, lists, response, "evaluations")

    async def export_results(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Write results of an evaluation. NOT_FOUND: there is none of a name."""
        names = _named(request, EVALUATION_RESULTS, str(EVALUATIONS.parse(request.parent)))
        lists = {EVALUATION_RESULT: await self._read(EVALUATION_RESULT, names)}
        response = self._parts.ces("ExportEvaluationResultsResponse")
        return await self._export(request, context, lists, response, "evaluation_results")

    async def export_runs(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Write runs of an app. NOT_FOUND: there is none of a name."""
        names = _named(request, EVALUATION_RUNS, str(APPS.parse(request.parent)))
        lists = {EVALUATION_RUN: await self._read(EVALUATION_RUN, names)}
        response = self._parts.ces("ExportEvaluationRunsResponse")
        return await self._export(request, context, lists, response, "evaluation_runs")

    async def import_(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store the evaluations of a file; the response has those that were, and why others were not.

        Without a strategy one whose id the app has is skipped.
        """
        app = APPS.parse(request.parent)
        if not await Collection(APP, self._parts).exists(str(app)):
            raise not_found(APP.noun, request.parent)
        if request.WhichOneof("source") != "gcs_uri":
            raise unimplemented("evaluations are imported from gcs_uri only, where an export of this server is")
        content = self._parts.buckets.content(request.gcs_uri, b"", where="gcs_uri")
        work = partial(self._unpack, str(app), request.gcs_uri, content, request.import_options, context)
        metadata = self._parts.ces("ImportEvaluationsOperationMetadata")
        return await self._parts.operations.start(context, app.parent, work, metadata=metadata)

    async def _read(self, kind: ResourceKind, names: Sequence[str]) -> list[ApiMessage]:
        return [(await self._collections[kind].read(name)).message for name in names]

    async def _export(
        self,
        request: ApiMessage,
        context: RpcContext,
        lists: "dict[ResourceKind, list[ApiMessage]]",
        response: ApiMessage,
        field: str,
    ) -> ApiMessage:
        options = request.export_options
        stored = (
            self._parts.buckets.object(options.gcs_uri, where="export_options.gcs_uri") if options.gcs_uri else None
        )
        ending = ".yaml" if options.export_format == options.YAML else ".json"
        content = await PACKAGES.run(partial(self._written, lists, ending))
        if stored is not None:
            setattr(response, f"{field}_uri", options.gcs_uri)
            work = partial(stored.write, content, response)
        else:
            setattr(response, f"{field}_content", content)
            work = partial(finished, response)
        location = "/".join(request.parent.split("/")[:4])
        return await self._parts.operations.start(context, location, work)

    def _written(self, lists: "dict[ResourceKind, list[ApiMessage]]", ending: str) -> bytes:
        file: JsonObject = {
            _LISTED[kind]: [self._parts.api.codec.to_json(message) for message in messages]
            for kind, messages in lists.items()
        }
        return write_document(f"evaluations{ending}", file)

    async def _unpack(
        self, app: str, uri: str, content: Content, options: ApiMessage, context: RpcContext
    ) -> FinishedWork:
        async with content() as data:
            file = "evaluations.yaml" if uri.endswith((".yaml", ".yml")) else "evaluations.json"
            found = as_list((await PACKAGES.run(partial(read_document, file, data))).get(_LISTED[EVALUATION]))
        if len(found) > _MOST:
            raise invalid(("gcs_uri", f"has {len(found):,} evaluations; at most {_MOST:,} are imported at a time"))
        response = self._parts.ces("ImportEvaluationsResponse")
        for number, value in enumerate(found, 1):
            try:
                made = await self._imported(app, value, options, context)
            except (RpcError, ResourceError, RecordExists, JsonError) as error:
                refusal = error if isinstance(error, RpcError) else to_rpc_error(error)
                response.error_messages.append(f"evaluation {number}: {refusal.message}")
                response.import_failure_count += 1
                continue
            if made is not None:
                response.evaluations.append(made)
        return FinishedWork(response)

    async def _imported(
        self, app: str, value: JsonValue, options: ApiMessage, context: RpcContext
    ) -> ApiMessage | None:
        """The evaluation as it is stored; None where it is skipped."""
        evaluations, records = self._evaluations, self._collections[EVALUATION]
        message = self._parts.api.codec.from_json(_moved(as_object(value), app), records.new())
        name = str(EVALUATIONS.parse(message.name)) if message.name else str(EVALUATIONS.child(app, new_id()))
        there = await records.exists(name)
        strategy = options.conflict_resolution_strategy
        if there and strategy in (options.SKIP, options.CONFLICT_RESOLUTION_STRATEGY_UNSPECIFIED):
            return None
        if there and strategy == options.DUPLICATE:
            name, there = str(EVALUATIONS.child(app, new_id())), False
            message.display_name = f"{message.display_name} (copy)"
        message.name = name
        stored = await records.read(name) if there else None
        settle_output_only(message, None if stored is None else stored.message, except_for=EVALUATION.writable)
        await evaluations.complete(message, None if stored is None else stored.message, context)
        return await (evaluations.insert(message) if stored is None else evaluations.replace(message, stored))


def _named(request: ApiMessage, pattern: NamePattern, parent: str) -> list[str]:
    """The resources that an export names. Raises INVALID_ARGUMENT for none, too many, or one of another parent."""
    names = [str(pattern.parse(name)) for name in dict.fromkeys(request.names)]
    if not 0 < len(names) <= _MOST:
        raise invalid(("names", f"must be 1 to {_MOST:,}"))
    for name in names:
        if pattern.parse(name).parent != parent:
            raise invalid(("names", f"{name} is not in {parent}"))
    return names


def _moved(evaluation: JsonObject, app: str) -> JsonObject:
    """An evaluation of an export, whose names lead into the app that it is imported into."""
    name = str(evaluation.get("name", ""))
    if not EVALUATIONS.fits(name) or EVALUATIONS.parse(name).root == app:
        return evaluation
    before = EVALUATIONS.parse(name).root
    return as_object(loads(dumps(evaluation).replace(f'"{before}/'.encode(), f'"{app}/'.encode())))
