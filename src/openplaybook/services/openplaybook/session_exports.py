"""What a conversation leaves for its client: files of tools (GetSessionFile), and a recording that can be replayed
(RecordSession)."""

from functools import partial
from typing import TYPE_CHECKING

from openplaybook.recordings.errors import ConversationTooLong, NoConversation
from openplaybook.resources.names import AGENTS, SESSION_FILES
from openplaybook.services.errors import not_found, precondition
from openplaybook.services.openplaybook.session_names import SessionName, session_name
from openplaybook.storage.base import Store
from openplaybook.tools.session_files import read_file
from openplaybook.turns.agent.past_agents import PastAgents
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import PACKAGES

if TYPE_CHECKING:
    from openplaybook.recordings.form import Recording

_LONGEST_TITLE = 200


class Recordings:
    """Records conversations that lie in the store."""

    def __init__(self, api: Api, store: Store) -> None:
        self._response = api.message("openplaybook.v1.SessionRecording")
        self._drafted = api.message("openplaybook.v1.DraftTestCaseResponse")
        self._store = store
        self._codec = api.codec

    async def record(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The session's turns since it began, or began anew. NOT_FOUND: it has none that ended.

        FAILED_PRECONDITION: it is too long for a recording.
        """
        recording = await self._recorded(session_name(request.session), 0)
        return self._response(recording=await _written(recording))

    async def draft_test(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A recording that is compared by what was said, not by each letter, up to a turn; and the same as a test case
        of Dialogflow CX, whose agents have them."""
        from openplaybook.recordings.matchers import WordMatch

        name = session_name(request.session)
        recording = await self._recorded(name, request.last_turn)
        title = request.title or next((turn.user for turn in recording.turns if turn.user), "") or "From a conversation"
        title = title[:_LONGEST_TITLE]
        changed = recording.model_copy(update={"title": title, "words": WordMatch.NORMALISED})
        response = self._drafted(recording=await _written(changed), title=title)
        if AGENTS.fits(name.agent):
            await self._add_test_case(response, changed, name.agent)
        return response

    async def _add_test_case(self, response: ApiMessage, recording: "Recording", agent: str) -> None:
        from openplaybook.recordings.written_test_cases import drafted_test_case

        today = await PastAgents(self._store).present(agent)
        resources = {shown: name for name, shown in [*today.playbook_names.items(), *today.tool_names.items()]}
        drafted = await PACKAGES.run(partial(drafted_test_case, recording, resources))
        self._codec.from_json(drafted.content, response.test_case)
        response.remarks.extend(drafted.remarks)

    async def _recorded(self, name: SessionName, last_turn: int) -> "Recording":
        # Here, since the form of a recording costs a server's start more than all that it stores.
        from openplaybook.recordings.recorded_session import record_session

        try:
            return await record_session(self._store, name.agent, name.session, last=last_turn or None)
        except NoConversation:
            raise not_found("Conversation", name.session) from None
        except ConversationTooLong as error:
            raise precondition(error.code, str(error)) from error


async def _written(recording: "Recording") -> str:
    from openplaybook.recordings.recording_yaml import write_in_process

    return await PACKAGES.run(partial(write_in_process, recording))


class SessionFileExport:
    """Reads files by their handles."""

    def __init__(self, api: Api, store: Store) -> None:
        self._response = api.message("openplaybook.v1.SessionFile")
        self._store = store

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The file with its contents. NOT_FOUND: the session has none of that name, any more or at all."""
        name = str(SESSION_FILES.parse(request.name))
        file = await read_file(self._store, name)
        if file is None:
            raise not_found("File", name)
        context.answer_bytes = len(file.data)
        return self._response(name=name, display_name=file.name, mime_type=file.media_type, contents=file.data)
