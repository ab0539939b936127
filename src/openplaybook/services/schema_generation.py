"""OpenAPI schemas from samples and words, written by a model or inferred: for our own RPC and for CX Agent Studio's."""

from functools import partial

from openplaybook.drafting.draft_dialogue import TIMEOUT_S, generate_with
from openplaybook.drafting.errors import UnusableAnswers
from openplaybook.drafting.schema_generation import Assignment, GeneratedSchema, generate
from openplaybook.models.base import Model
from openplaybook.models.errors import ModelError
from openplaybook.models.wrappers import CountedModel
from openplaybook.services.agent_models import AgentModels
from openplaybook.services.errors import precondition
from openplaybook.services.turn_errors import rpc_error
from openplaybook.turns.errors import ModelFailed
from openplaybook.turns.steps.model_calls import OFFLINE
from openplaybook.workers.lanes import DOCUMENTS


async def generated_schema(models: AgentModels, root: str, assignment: Assignment, timeout_s: float | None) -> GeneratedSchema:
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
