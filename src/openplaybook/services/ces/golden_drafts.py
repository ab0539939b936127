"""A conversation with an app as a golden evaluation: GenerateEvaluation.

Every input of the user is repeated, and everything that agents said and did is expected. A tool call also gets a mock
with the response of the conversation, so that a run calls no service. Only a call that set variables gets none, because
a mock sets none: it is made again, and what it sets is expected.
"""

from collections.abc import Iterator
from itertools import count

from openplaybook.resources.names import APP_CONVERSATIONS, EVALUATIONS, new_id
from openplaybook.services.ces.app_conversation_messages import BLOB
from openplaybook.services.ces.app_conversations import AppConversations
from openplaybook.services.ces.evaluations import Evaluations
from openplaybook.services.ces.session_inputs import is_event
from openplaybook.services.ces.turn_messages import USER
from openplaybook.services.errors import precondition, unimplemented
from openplaybook.services.operations import finished
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

_TITLE_CHARS = 60
_UNTITLED = "From a conversation"
_AT_ONCE_S = 0.5


class GoldenDrafts:
    """Stores evaluations that expect what a conversation was."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._conversations = AppConversations(parts)
        self._evaluations = Evaluations(parts)

    async def generate(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The operation that stored the evaluation. NOT_FOUND: there is no such conversation, or what it used is no
        longer there; FAILED_PRECONDITION: it has files; INVALID_ARGUMENT: it has more turns than an evaluation."""
        if request.evaluation_type == request.SCENARIO:
            raise unimplemented("evaluation_type SCENARIO is not served; GOLDEN is")
        name = APP_CONVERSATIONS.parse(request.conversation)
        wanted = self._parts.ces("GetConversationRequest")
        wanted.name, wanted.source = str(name), request.source
        conversation = await self._conversations.get(wanted, context)
        if any(conversation.InputType.Name(each) == BLOB for each in conversation.input_types):
            raise precondition("FILES_IN_CONVERSATION", f"{name} has files of the user, which no evaluation repeats")
        evaluation = self._parts.ces("Evaluation")
        evaluation.name = str(EVALUATIONS.child(name.root, new_id()))
        evaluation.display_name = await self._title(name.root, first_words(conversation))
        fill_golden(conversation, evaluation)
        await self._evaluations.complete(evaluation, None, context)
        stored = await self._evaluations.insert(evaluation)
        metadata = self._parts.ces("GenerateEvaluationOperationMetadata")
        operation = await self._parts.operations.start(
            context, name.root.rpartition("/apps/")[0], lambda: finished(stored), metadata=metadata
        )
        return await self._parts.operations.wait(operation.name, _AT_ONCE_S)

    async def _title(self, app: str, words: str) -> str:
        """A display name that no evaluation of the app has."""
        title = words if len(words) <= _TITLE_CHARS else f"{words[:_TITLE_CHARS]}…"
        taken = {each.display_name for each in await self._evaluations.records.all(app)}
        names = (title if number == 1 else f"{title} ({number})" for number in count(1))
        return next(each for each in names if each not in taken)


def fill_golden(conversation: ApiMessage, evaluation: ApiMessage) -> None:
    """Append the turns of a `Conversation` to the golden turns of an `Evaluation`."""
    for turn in conversation.turns:
        golden = evaluation.golden.turns.add()
        for message in turn.messages:
            for chunk in message.chunks:
                if message.role == USER:
                    _fill_input(golden, chunk)
                else:
                    _fill_expectation(golden, chunk, message.role)


def first_words(conversation: ApiMessage) -> str:
    """What the user said first that is no event."""
    return next((text for text in _words_of_user(conversation) if text and not is_event(text)), _UNTITLED)


def _words_of_user(conversation: ApiMessage) -> Iterator[str]:
    for turn in conversation.turns:
        for message in turn.messages:
            if message.role == USER:
                yield from (chunk.text for chunk in message.chunks)


def _fill_input(golden: ApiMessage, chunk: ApiMessage) -> None:
    kind = chunk.WhichOneof("data")
    if kind == "text" and is_event(chunk.text):
        event = chunk.text.strip().removeprefix("<event>").removesuffix("</event>")
        golden.steps.add().user_input.event.event = event
    elif kind == "text":
        golden.steps.add().user_input.text = chunk.text
    elif kind == "updated_variables":
        golden.steps.add().user_input.variables.CopyFrom(chunk.updated_variables)
    elif kind == "tool_response":
        response = golden.steps.add().user_input.tool_responses.tool_responses.add()
        response.CopyFrom(chunk.tool_response)
        response.ClearField("id")


def _fill_expectation(golden: ApiMessage, chunk: ApiMessage, role: str) -> None:
    kind = chunk.WhichOneof("data")
    if kind == "text":
        said = golden.steps.add().expectation.agent_response
        said.role = role
        said.chunks.add().text = chunk.text
    elif kind == "tool_call":
        call = golden.steps.add().expectation.tool_call
        call.CopyFrom(chunk.tool_call)
        call.ClearField("id")
    elif kind == "tool_response":
        mock = golden.steps.add().expectation.mock_tool_response
        mock.CopyFrom(chunk.tool_response)
        mock.ClearField("id")
    elif kind == "agent_transfer":
        golden.steps.add().expectation.agent_transfer.CopyFrom(chunk.agent_transfer)
    elif kind == "updated_variables":
        # The variables were set by the call whose response is just before them.
        if golden.steps and golden.steps[-1].expectation.HasField("mock_tool_response"):
            del golden.steps[-1]
        golden.steps.add().expectation.updated_variables.CopyFrom(chunk.updated_variables)
