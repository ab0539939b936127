"""Conversations of the past in Google's shapes."""

from collections.abc import Iterable
from dataclasses import dataclass

from openplaybook.resources.names import DRAFT, ENVIRONMENTS, conversation_of
from openplaybook.services.dialogflow.detect_intent_responses import ResponseOptions, ResponseRenderer
from openplaybook.services.dialogflow.past_requests import fill_request
from openplaybook.services.dialogflow.turn_traces import enum_value
from openplaybook.services.resource_kinds import CX
from openplaybook.services.response_files import ResponseFiles
from openplaybook.storage.base import Conversation, KeptTurn
from openplaybook.turns.base import EventInput, ModelStep, RichMessage, TextInput, TextMessage, ToolStep, TraceStep
from openplaybook.turns.journal.turn_results import load_result
from openplaybook.turns.session.history import PastTurn, first_of
from openplaybook.wire.api import Api
from openplaybook.wire.messages import ApiMessage


@dataclass(slots=True)
class ConversationTally:
    """What the turns of a conversation come to together."""

    language_code: str = ""
    """Of the first."""
    turns: int = 0
    texts: int = 0
    events: int = 0
    answers: int = 0
    has_end_interaction: bool = False
    has_live_agent_handoff: bool = False

    def add(self, turn: KeptTurn) -> None:
        """Count one turn, the oldest first. Raises `NewerData`."""
        begin = first_of(turn)
        self.language_code = self.language_code or begin.language_code
        self.turns += 1
        match begin.input:
            case TextInput(text):
                self.texts += bool(text)
            case EventInput(event):
                self.events += bool(event)
            case _:
                pass
        if turn.response is None:
            return
        self.answers += 1
        for message in load_result(turn.response, ()).messages:
            if isinstance(message, RichMessage):
                self.has_end_interaction |= "endInteraction" in message.content
                self.has_live_agent_handoff |= "liveAgentHandoff" in message.content


class ConversationRenderer:
    """Builds Conversation messages."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._responses = ResponseRenderer(api)
        self._conversation = api.message(f"{CX}Conversation")
        self._text = enum_value(api, f"{CX}Conversation", "type", "TEXT")
        self._undetermined = enum_value(api, f"{CX}Conversation", "type", "UNDETERMINED")
        self._full = enum_value(api, f"{CX}DetectIntentRequest", "response_view", "DETECT_INTENT_RESPONSE_VIEW_FULL")
        self._partial = enum_value(api, f"{CX}DetectIntentResponse", "response_type", "PARTIAL")

    def conversation(self, stored: Conversation, tally: ConversationTally) -> ApiMessage:
        """A conversation without its interactions."""
        name = conversation_of(stored.name)
        message = self._conversation(name=str(name), language_code=tally.language_code)
        message.type = self._text if tally.texts else self._undetermined
        message.start_time.FromMicroseconds(stored.began_us)
        message.duration.FromMicroseconds(max(0, stored.updated_us - stored.began_us))
        message.environment.name = str(ENVIRONMENTS.child(name.parent, DRAFT))
        message.environment.display_name = "Draft"
        metrics = message.metrics
        metrics.interaction_count = tally.turns
        metrics.query_input_count.text_count = tally.texts
        metrics.query_input_count.event_count = tally.events
        metrics.has_end_interaction = tally.has_end_interaction
        metrics.has_live_agent_handoff = tally.has_live_agent_handoff
        # A playbook takes whatever is said: each answer's match has confidence 1.
        metrics.average_match_confidence = 1.0 if tally.answers else 0.0
        return message

    def add_interactions(
        self, turns: Iterable[PastTurn], session: str, files: ResponseFiles, conversation: ApiMessage
    ) -> None:
        """Append interactions in the order of `turns`, with the files that their calls gave."""
        for turn in turns:
            self._fill(turn, session, files, conversation.interactions.add())

    def _fill(self, turn: PastTurn, session: str, files: ResponseFiles, interaction: ApiMessage) -> None:
        fill_request(self._api, turn.request, session, interaction.request)
        response = self._responses.final(
            turn.result, ResponseOptions(session.rpartition("/")[2], self._full, "v3beta1"), files
        )
        if turn.is_answered:
            interaction.response.CopyFrom(response)
        else:
            response.response_type = self._partial
            interaction.partial_responses.append(response)
        interaction.request_utterances = turn.result.query_text
        texts = [message.text for message in turn.result.messages if isinstance(message, TextMessage)]
        interaction.response_utterances = "\n".join(texts)
        interaction.create_time.FromMicroseconds(turn.began_us)
        for step in turn.result.trace:
            if step.end_us and (name := _step_name(step)):
                metrics = interaction.step_metrics.add(name=name)
                metrics.latency.FromMicroseconds(max(0, step.end_us - step.start_us))


def _step_name(step: TraceStep) -> str:
    """What a step is called in the metrics; empty for what takes no time worth telling."""
    match step:
        case ModelStep():
            return f"Model {step.model}"
        case ToolStep():
            return f"Tool {step.tool_display_name or step.tool}.{step.action}"
        case _:
            return ""
