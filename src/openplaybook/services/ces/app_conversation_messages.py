"""Conversations of the past as `Conversation`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from openplaybook.resources.names import ResourceName
from openplaybook.services.ces.session_inputs import is_event
from openplaybook.services.ces.turn_messages import fill_messages
from openplaybook.services.ces.turn_spans import fill_root_span
from openplaybook.services.resource_kinds import CES
from openplaybook.services.response_files import ResponseFiles
from openplaybook.storage.base import Conversation, KeptTurn
from openplaybook.turns.base import TextInput, ToolResultsInput
from openplaybook.turns.journal.events import TurnBegun
from openplaybook.turns.session.history import PastTurn, first_of
from openplaybook.wire.api import Api
from openplaybook.wire.messages import ApiMessage

TEXT, EVENT, BLOB = "INPUT_TYPE_TEXT", "INPUT_TYPE_EVENT", "INPUT_TYPE_BLOB"
TOOL_RESPONSE, VARIABLES = "INPUT_TYPE_TOOL_RESPONSE", "INPUT_TYPE_VARIABLES"


@dataclass(slots=True)
class AppConversationTally:
    """What the turns of a conversation come to together."""

    language_code: str = ""
    """Of the first."""
    entry_agent: str = ""
    """Resource name of the agent that the first request asks for; empty: the root agent."""
    app_version: str = ""
    """Resource name of the version that the latest turn ran; empty: the app as it stood."""
    turns: int = 0
    input_types: dict[str, None] = field(default_factory=dict[str, None])
    """In the order of their first use."""

    def add(self, turn: KeptTurn) -> None:
        """Count one turn, the oldest first. Raises `NewerData`."""
        begin = first_of(turn)
        if not self.turns:
            self.entry_agent = begin.entry_playbook
        self.language_code = self.language_code or begin.language_code
        self.app_version = begin.version
        self.turns += 1
        self.input_types |= dict.fromkeys(_input_types(begin))


class AppConversationRenderer:
    """Builds Conversation messages."""

    def __init__(self, api: Api) -> None:
        self._conversation = api.message(f"{CES}Conversation")

    def is_live(self, source: int, sources: Iterable[int] = ()) -> bool:
        """Whether live conversations are among those that a request asks for."""
        live = self._conversation.LIVE
        wanted = set(sources) or {source or live}
        return live in wanted

    def conversation(self, stored: Conversation, tally: AppConversationTally) -> ApiMessage:
        """A conversation without its turns."""
        app, _, id = stored.name.partition("/sessions/")
        kind = self._conversation
        message = kind(
            name=f"{app}/conversations/{id}",
            turn_count=tally.turns,
            source=kind.LIVE,
            channel_type=kind.MULTIMODAL if BLOB in tally.input_types else kind.TEXT,
            input_types=[kind.InputType.Value(name) for name in tally.input_types],
            language_code=tally.language_code,
            entry_agent=tally.entry_agent,
            app_version=tally.app_version,
        )
        message.start_time.FromMicroseconds(stored.began_us)
        message.end_time.FromMicroseconds(max(stored.began_us, stored.updated_us))
        return message

    def add_turns(
        self, turns: Sequence[PastTurn], session: str, files: ResponseFiles, conversation: ApiMessage
    ) -> None:
        """Append turns, with the files that their calls gave."""
        app, _, session_id = session.partition("/sessions/")
        for turn in turns:
            message, trace = conversation.turns.add(), tuple(map(files.step, turn.result.trace))
            fill_messages(turn.result, trace, turn.request.parameters, app, message.messages)
            fill_root_span(turn.result, trace, session_id, message.root_span)


def session_of(conversation: ResourceName) -> str:
    """Resource name of the session that a conversation is."""
    return f"{conversation.root}/sessions/{conversation.id}"


def _input_types(begin: TurnBegun) -> Iterable[str]:
    match begin.input:
        case TextInput(text):
            yield EVENT if is_event(text) else TEXT
        case ToolResultsInput():
            yield TOOL_RESPONSE
        case _:
            pass
    if begin.parameters:
        yield VARIABLES
    if begin.payload.get("files"):
        yield BLOB
