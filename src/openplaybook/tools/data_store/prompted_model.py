"""The playbook's model, or the one that a tool chooses, as something that is given a text and gives one."""

import time

from openplaybook.models.base import Model, ModelTurn, UserText
from openplaybook.models.errors import ModelError
from openplaybook.resources.compiled_forms import LlmSettings
from openplaybook.retrieval.answers.base import PromptFailed
from openplaybook.tools.base import ToolContext
from openplaybook.tools.data_store.tool_settings import ModelUse

_NAME = "Data store"
"""Who decides, in the place of a playbook's name."""
_GOAL = "Do what the latest message asks, and write nothing but the text that it asks for."
_LEAST_S = 0.5


class PlaybookModel:
    """Asks a model for a text. What stands in a prompt is the user's message, never an instruction of the system."""

    def __init__(self, model: Model, deadline: float, temperature: float | None = None, remark: str = "") -> None:
        """`deadline` is on the clock of `time.monotonic`; `remark` says that it is not the model that was chosen."""
        self._model = model
        self.remark = remark
        self._deadline = deadline
        self._settings = LlmSettings(temperature=temperature)

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    async def reply(self, prompt: str) -> str:
        """What the model says. Raises `PromptFailed`."""
        # What was found is still to be judged and told.
        left = self._deadline - time.monotonic() - _LEAST_S
        if left < _LEAST_S:
            raise PromptFailed(f"there was no time left to ask {self._model.name}")
        turn = ModelTurn(
            playbook=_NAME,
            declarations=(),
            goal=_GOAL,
            instructions=(),
            examples=(),
            conversation=(UserText(prompt),),
            language_code="",
            settings=self._settings,
            timeout_s=left,
        )
        try:
            reply = await self._model.decide(turn)
        except ModelError as error:
            raise PromptFailed(f"{error.code}: {error}") from error
        if not reply.text.strip():
            raise PromptFailed(f"{self._model.name} gave no text")
        return reply.text.strip()


def prompted_model(use: ModelUse | None, context: ToolContext, deadline: float) -> PlaybookModel | None:
    """What a tool asks; None where it asks no model, or none that writes is there."""
    if use is None or use.is_off:
        return None
    model, stands_in = context.model, bool(use.model)
    if use.model and context.model_named:
        model, stands_in = context.model_named(use.model)
    if model is None:
        return None
    remark = f"the server has no alias for model {use.model:.100}, so it uses {model.name}" if stands_in else ""
    return PlaybookModel(model, deadline, use.temperature, remark)
