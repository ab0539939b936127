"""Conversation history: list, get, delete."""

from functools import partial

from openplaybook.resources.names import AGENTS, CONVERSATIONS, SESSIONS, ResourceName
from openplaybook.services.collection import Collection
from openplaybook.services.conversation_pages import ListedConversation, count_turns, page_of
from openplaybook.services.dialogflow.answer_feedback import AnswerFeedback
from openplaybook.services.dialogflow.conversation_filters import ConversationFilter, Filterable
from openplaybook.services.dialogflow.conversation_messages import ConversationRenderer, ConversationTally
from openplaybook.services.errors import not_found
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import AGENT, CX
from openplaybook.services.response_files import files_of
from openplaybook.storage.base import Conversation
from openplaybook.turns.session.history import History, PastTurn
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import FILES

LONGEST = 500
"""Interactions of one conversation that are shown, the latest; as many as Dialogflow logs."""


class ConversationHistory:
    """Sessions as their history tells of them, until retention has passed."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._agents = Collection(AGENT, parts)
        self._history = History(parts.store)
        self._feedback = AnswerFeedback(parts)
        self._renderer = ConversationRenderer(parts.api)

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of an agent's conversations, newest first, without their interactions."""
        agent = str(AGENTS.parse(request.parent))
        wanted = ConversationFilter(request.filter)
        query = (f"{CX}ConversationHistory", agent, request.filter)
        await self._agents.read(agent)

        async def shown(conversation: Conversation) -> ListedConversation:
            return await self._listed(conversation, wanted)

        conversations, token = await page_of(
            self._parts.store, agent, request, query, shown, earliest_us=wanted.earliest_us
        )
        response = self._parts.cx("ListConversationsResponse")
        response.conversations.extend(conversations)
        response.next_page_token = token
        return response

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A conversation with its interactions, the latest first."""
        name, conversation = await self._read(request.name)
        turns: list[PastTurn] = []
        after = max(0, conversation.turns - LONGEST)
        async for turn in self._history.turns(name.parent, conversation.name, after=after):
            turns.append(turn)
        tally, read = await self._tally(conversation)
        message = self._renderer.conversation(conversation, tally)
        latest = turns[::-1]
        trace = (event for turn in latest for event in turn.result.trace)
        files = await files_of(self._parts.store, conversation.name, trace)
        context.answer_bytes = read + files.size
        # Beside the event loop: hundreds of traces take a while, and other sessions go on.
        await FILES.run(partial(self._renderer.add_interactions, latest, conversation.name, files, message))
        feedback = await self._feedback.of_session(conversation.name)
        for interaction in message.interactions:
            if interaction.response.response_id in feedback:
                interaction.answer_feedback.CopyFrom(feedback[interaction.response.response_id])
        return message

    async def delete(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Forget a conversation, and its session with all that it has."""
        _, conversation = await self._read(request.name)
        await self._parts.store.delete_session(conversation.name)
        return self._parts.empty()

    async def _read(self, text: str) -> tuple[ResourceName, Conversation]:
        name = CONVERSATIONS.parse(text)
        conversation = await self._parts.store.conversation(str(SESSIONS.child(name.parent, name.id)))
        if conversation is None:
            raise not_found("Conversation", text)
        return name, conversation

    async def _listed(self, conversation: Conversation, wanted: ConversationFilter) -> ListedConversation:
        """The conversation as it is listed."""
        facts = Filterable(conversation.began_us)
        if not wanted.reads_turns and not wanted.accepts(facts):
            return ListedConversation(None)
        tally, read = await self._tally(conversation)
        facts = Filterable(conversation.began_us, tally.has_end_interaction, tally.has_live_agent_handoff)
        return ListedConversation(
            self._renderer.conversation(conversation, tally) if wanted.accepts(facts) else None, read
        )

    async def _tally(self, conversation: Conversation) -> tuple[ConversationTally, int]:
        """What its turns come to, and the bytes that were read for it."""
        tally = ConversationTally()
        return tally, await count_turns(self._parts.store, conversation.name, tally)
