"""OpenPlaybook.GenerateOpenApiSchema: a schema from samples, written by the agent's model or inferred."""

from openplaybook.drafting.errors import GenerationError, UnusableSample, UnusableSchema
from openplaybook.drafting.samples import Sample
from openplaybook.drafting.schema_generation import Assignment
from openplaybook.resources.names import AGENTS
from openplaybook.services.agent_models import AgentModels
from openplaybook.services.errors import invalid
from openplaybook.services.schema_generation import generated_schema
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
        samples = [
            Sample(each.url, each.method, dict(each.headers), each.request_body, each.response_body, each.status)
            for each in request.samples
        ]
        assignment = Assignment(samples, request.prompt, request.schema)
        try:
            made = await generated_schema(self._models, str(AGENTS.parse(request.agent)), assignment, context.timeout_s)
        except GenerationError as error:
            raise _refusal(error) from error
        return self._response(schema=made.schema, used_model=made.used_model, remarks=made.remarks)


def _refusal(error: GenerationError) -> RpcError:
    if isinstance(error, UnusableSample):
        return invalid((error.place, error.reason))
    return invalid(("schema" if isinstance(error, UnusableSchema) else "samples", str(error)))
