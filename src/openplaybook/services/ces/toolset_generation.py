"""GenerateAppResource: an OpenAPI toolset, or tool, from sample calls and words (v1beta)."""

from urllib.parse import urlsplit

from openplaybook.drafting.errors import GenerationError, UnusableSample, UnusableSchema
from openplaybook.drafting.samples import Sample
from openplaybook.drafting.schema_generation import Assignment, GeneratedSchema
from openplaybook.resources.names import APPS
from openplaybook.services.agent_models import AgentModels
from openplaybook.services.collection import Collection
from openplaybook.services.errors import invalid, unimplemented
from openplaybook.services.operations import FinishedWork
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP
from openplaybook.services.schema_generation import generated_schema
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import RpcError
from openplaybook.wire.messages import ApiMessage

_CONFIG = "tool_generation_config"
_SCHEMA_CONFIG = "open_api_toolset_generation_config"
_OPERATIONS = "operation_generation_configs"
_PATH = f"{_CONFIG}.{_SCHEMA_CONFIG}"
_OTHERS = (
    "refine_instructions",
    "app_generation_config",
    "evaluation_generation_config",
    "evaluation_personas_generation_config",
    "quality_report_generation_config",
    "hill_climbing_fix_config",
)
_HINT = f"this server generates OpenAPI schemas: give {_PATH}"


class AppResourceGeneration:
    """Writes schemas; nothing is stored."""

    def __init__(self, parts: ServiceParts, models: AgentModels) -> None:
        self._parts = parts
        self._apps = Collection(APP, parts)
        self._models = models

    async def generate(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The operation that writes a toolset or, where the request holds a tool, a tool of one operation.

        A schema that the request's toolset or tool has already is merged into. The operation fails with
        INVALID_ARGUMENT for a sample that cannot be read, or nothing to go on. NOT_FOUND: no such app; UNIMPLEMENTED:
        anything else is to be generated.
        """
        app = APPS.parse(request.parent)
        await self._apps.read(str(app))
        _check(request)
        assignment = _assignment(request)
        metadata = self._parts.ces("GenerateAppResourceOperationMetadata")
        metadata.generation_type = metadata.TOOL_CREATE
        metadata.target = str(app)

        async def work() -> FinishedWork:
            try:
                schema = await generated_schema(self._models, str(app), assignment, None)
            except GenerationError as error:
                raise _refusal(error) from error
            return FinishedWork(self._response(request, schema))

        return await self._parts.operations.start(context, app.parent, work, metadata=metadata)

    def _response(self, request: ApiMessage, schema: GeneratedSchema) -> ApiMessage:
        response = self._parts.ces("GenerateAppResourceResponse")
        if request.WhichOneof("resource") == "tool":
            tool = response.tools.tools.add()
            tool.CopyFrom(request.tool)
            tool.open_api_tool.open_api_schema = schema.schema
        else:
            response.toolset.CopyFrom(request.toolset)
            response.toolset.open_api_toolset.open_api_schema = schema.schema
            if not response.toolset.display_name:
                response.toolset.display_name = _name_of(_config(request).uri)
        by = "a model and the samples" if schema.used_model else "the samples only"
        response.generate_result_info.explanation = "\n".join([f"Written from {by}.", *schema.remarks])
        return response


def _check(request: ApiMessage) -> None:
    """Refuse what is not generated here."""
    for field in _OTHERS:
        is_given = bool(getattr(request, field)) if field == "refine_instructions" else request.HasField(field)
        if is_given:
            raise unimplemented(f"{field} is not served: {_HINT}")
    if request.WhichOneof("resource") in ("agent", "app_version_context"):
        raise unimplemented(f"{request.WhichOneof('resource')} is not generated: {_HINT}")
    if getattr(request, _CONFIG).file_contexts:
        raise unimplemented(f"{_CONFIG}.file_contexts are not read: give samples, or words as {_CONFIG}.context")
    if not getattr(request, _CONFIG).HasField(_SCHEMA_CONFIG):
        raise invalid((_PATH, "is required: this server generates only OpenAPI schemas"))


def _assignment(request: ApiMessage) -> Assignment:
    config = _config(request)
    if not config.uri.lower().startswith(("http://", "https://")):
        raise invalid((f"{_PATH}.uri", "is required: the base URI of the API, with https://"))
    samples = [
        Sample(
            url=config.uri.rstrip("/") + "/" + each.path.lstrip("/"),
            method=each.method,
            request_body=each.request_json,
            response_body=each.response_json,
        )
        for each in getattr(config, _OPERATIONS)
    ]
    return Assignment(samples, getattr(request, _CONFIG).context, _present_schema(request))


def _config(request: ApiMessage) -> ApiMessage:
    return getattr(getattr(request, _CONFIG), _SCHEMA_CONFIG)


def _present_schema(request: ApiMessage) -> str:
    """The schema that the request's resource has; empty where it has none."""
    if request.WhichOneof("resource") == "tool":
        return request.tool.open_api_tool.open_api_schema
    return request.toolset.open_api_toolset.open_api_schema


def _name_of(uri: str) -> str:
    """A display name for the tools of an API."""
    host = urlsplit(uri).hostname or "api"
    return "".join(letter if letter.isalnum() else "_" for letter in host)


def _refusal(error: GenerationError) -> RpcError:
    if isinstance(error, UnusableSample):
        return invalid((error.place.replace("samples", f"{_PATH}.{_OPERATIONS}", 1), error.reason))
    return invalid(("toolset" if isinstance(error, UnusableSchema) else f"{_PATH}.{_OPERATIONS}", str(error)))
