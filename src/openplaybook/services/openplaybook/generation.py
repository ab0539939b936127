"""OpenPlaybook.GenerateOpenApiSchema: a schema from samples, written by the agent's model or inferred."""

import asyncio

from openplaybook.models.base import Model
from openplaybook.models.counted import Counted
from openplaybook.models.errors import ModelError
from openplaybook.resources.names import AgentName
from openplaybook.services.agent_models import AgentModels
from openplaybook.services.dialogflow.turn_errors import rpc_error
from openplaybook.services.errors import invalid, precondition
from openplaybook.tools.openapi.generating.drafting import TIMEOUT_S, generate_with
from openplaybook.tools.openapi.generating.errors import (
    GenerationError,
    UnusableAnswers,
    UnusableSample,
    UnusableSchema,
)
from openplaybook.tools.openapi.generating.generation import Assignment, Generated, generate
from openplaybook.tools.openapi.generating.samples import Sample
from openplaybook.turns.errors import ModelFailed
from openplaybook.turns.tool_models import OFFLINE
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import RpcError
from openplaybook.wire.messages import ApiMessage


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
        model = Counted(await self._models.of(str(AgentName.parse(request.agent))), self._models.metrics)
        samples = [
            Sample(each.url, each.method, dict(each.headers), each.request_body, each.response_body, each.status)
            for each in request.samples
        ]
        try:
            made = await _generated(model, Assignment(samples, request.prompt, request.schema), context)
        except GenerationError as error:
            raise _refusal(error) from error
        except ModelError as error:
            raise rpc_error(ModelFailed(error)) from error
        return self._response(schema=made.schema, used_model=made.used_model, remarks=made.remarks)


async def _generated(model: Model, assignment: Assignment, context: RpcContext) -> Generated:
    if model.name == OFFLINE:
        # Beside the event loop: many large samples take seconds.
        return await asyncio.to_thread(generate, assignment)
    return await generate_with(model, assignment, _unheard, context.timeout_s or TIMEOUT_S)


def _unheard(sentence: str) -> None:
    """Progress is for people who wait at a terminal."""


def _refusal(error: GenerationError) -> RpcError:
    if isinstance(error, UnusableSample):
        return invalid((error.place, error.reason))
    if isinstance(error, UnusableSchema):
        return invalid(("schema", str(error)))
    if isinstance(error, UnusableAnswers):
        return precondition(error.code, str(error))
    return invalid(("samples", str(error)))
