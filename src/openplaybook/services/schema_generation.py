"""OpenAPI schemas from samples and words, written by a model or inferred: for OpenPlaybook.GenerateOpenApiSchema and
for CX Agent Studio's own RPC."""

from functools import partial

from openplaybook.drafting.draft_dialogue import TIMEOUT_S, generate_with
from openplaybook.drafting.errors import GenerationError, UnusableAnswers, UnusableSample, UnusableSchema
from openplaybook.drafting.samples import Sample
from openplaybook.drafting.schema_generation import Assignment, GeneratedSchema, generate
from openplaybook.models.base import Model
from openplaybook.models.errors import ModelError
from openplaybook.models.wrappers import CountedModel
from openplaybook.resources.names import AGENTS
from openplaybook.services.agent_models import AgentModels
from openplaybook.services.errors import invalid, precondition
from openplaybook.services.turn_errors import rpc_error
from openplaybook.turns.errors import ModelFailed
from openplaybook.turns.steps.model_calls import OFFLINE
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import DOCUMENTS


async def generated_schema(
    models: AgentModels, root: str, assignment: Assignment, timeout_s: float | None
) -> GeneratedSchema:
    """The schema, written in the name of an agent or an app; nothing is stored.

    Raises `GenerationError` for what cannot be read, or is nothing to go on. NOT_FOUND: no such agent or app;
    FAILED_PRECONDITION: a model with words alone wrote nothing usable.
    """
    model = CountedModel(await models.of(root), models.metrics)
    try:
        return await _written(model, assignment, timeout_s)
    except UnusableAnswers as error:
        raise precondition(error.code, str(error)) from error
    except ModelError as error:
        raise rpc_error(ModelFailed(error)) from error


async def _written(model: Model, assignment: Assignment, timeout_s: float | None) -> GeneratedSchema:
    if model.name == OFFLINE:
        # Beside the event loop: many large samples take seconds.
        return await DOCUMENTS.run(partial(generate, assignment))
    return await generate_with(model, assignment, _unheard, timeout_s or TIMEOUT_S)


def _unheard(sentence: str) -> None:
    """Progress is for people who wait at a terminal."""


class SchemaGeneration:
    """Writes schemas; nothing is stored."""

    def __init__(self, api: Api, models: AgentModels) -> None:
        self._response = api.message("openplaybook.v1.GenerateOpenApiSchemaResponse")
        self._models = models

    async def generate(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The schema with remarks.

        NOT_FOUND: no such agent; INVALID_ARGUMENT: a sample, or the schema, that cannot be read, or nothing to go on;
        FAILED_PRECONDITION: a model with words alone wrote nothing usable.
        """
        samples = [
            Sample(each.url, each.method, dict(each.headers), each.request_body, each.response_body, each.status)
            for each in request.samples
        ]
        assignment = Assignment(samples, request.prompt, request.schema)
        try:
            schema = await generated_schema(
                self._models, str(AGENTS.parse(request.agent)), assignment, context.timeout_s
            )
        except GenerationError as error:
            raise _refusal(error) from error
        return self._response(schema=schema.schema, used_model=schema.used_model, remarks=schema.remarks)


def _refusal(error: GenerationError) -> RpcError:
    if isinstance(error, UnusableSample):
        return invalid((error.place, error.reason))
    return invalid(("schema" if isinstance(error, UnusableSchema) else "samples", str(error)))
