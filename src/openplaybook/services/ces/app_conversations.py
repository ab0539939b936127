"""Conversations with an app: list, get, delete."""

from collections.abc import Sequence
from functools import partial

from openplaybook.resources.message_filters import message_test
from openplaybook.resources.names import APP_CONVERSATIONS, APPS, ResourceName
from openplaybook.services.ces.app_conversation_messages import (
    AppConversationRenderer,
    AppConversationTally,
    session_of,
)
from openplaybook.services.ces.app_resources import started
from openplaybook.services.ces.session_requests import of_app
from openplaybook.services.collection import Collection
from openplaybook.services.conversation_pages import ListedConversation, count_turns, page_of
from openplaybook.services.errors import invalid, not_found
from openplaybook.services.operations import FinishedWork
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP, CES
from openplaybook.services.response_files import files_of
from openplaybook.storage.base import Conversation
from openplaybook.turns.session.history import History, PastTurn
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import FILES

LONGEST = 500
"""Turns of one conversation that are shown, the latest."""

MOST_AT_ONCE = 100
"""Conversations that one request deletes."""


class AppConversations:
    """Sessions as their history tells of them, until retention has passed. All are LIVE: there is no simulator here."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._apps = Collection(APP, parts)
        self._history = History(parts.store)
        self._renderer = AppConversationRenderer(parts.api)

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of an app's conversations, newest first, without their turns.

        A filter may name every field that is listed, such as `start_time` or `turn_count`.
        """
        app = str(APPS.parse(request.parent))
        response = self._parts.ces("ListConversationsResponse")
        passes = message_test(request.filter, self._parts.ces("Conversation").DESCRIPTOR)
        await self._apps.read(app)
        if not self._renderer.is_live(request.source, request.sources):
            return response

        async def shown(conversation: Conversation) -> ListedConversation:
            tally, read = await self._tally(conversation)
            listed = self._renderer.conversation(conversation, tally)
            return ListedConversation(listed if passes(listed) else None, read)

        query = (f"{CES}AgentService", app, request.filter)
        conversations, response.next_page_token = await page_of(self._parts.store, app, request, query, shown)
        response.conversations.extend(conversations)
        return response

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A conversation with its turns, the latest of a long one, oldest first."""
        name, conversation = await self._read(request.name)
        if not self._renderer.is_live(request.source):
            raise not_found("Conversation", request.name)
        tally, read = await self._tally(conversation)
        conversation_message = self._renderer.conversation(conversation, tally)
        turns: list[PastTurn] = []
        async for turn in self._history.turns(name.root, conversation.name, after=max(0, conversation.turns - LONGEST)):
            turns.append(turn)
        trace = (event for turn in turns for event in turn.result.trace)
        files = await files_of(self._parts.store, conversation.name, trace)
        context.answer_bytes = read + files.size
        # Beside the event loop: hundreds of traces take a while, and other sessions go on.
        await FILES.run(partial(self._renderer.add_turns, turns, conversation.name, files, conversation_message))
        return conversation_message

    async def delete(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Forget a conversation, and its session with all that it has."""
        _, conversation = await self._read(request.name)
        await self._parts.store.delete_session(conversation.name)
        return self._parts.empty()

    async def delete_many(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The operation that forgets conversations of an app; those that it cannot forget are named with the reason,
        and hold up no other."""
        app = APPS.parse(request.parent)
        await self._apps.read(str(app))
        if not request.conversations or len(request.conversations) > MOST_AT_ONCE:
            raise invalid(("conversations", f"names 1 to {MOST_AT_ONCE} conversations"))
        for index, name in enumerate(request.conversations):
            of_app(f"conversations[{index}]", APP_CONVERSATIONS, name, str(app))
        names = [str(name) for name in request.conversations]
        return await started(self._parts, context, app.parent, lambda: self._forget(names))

    async def _forget(self, names: Sequence[str]) -> FinishedWork:
        response = self._parts.ces("BatchDeleteConversationsResponse")
        for name in names:
            try:
                _, conversation = await self._read(name)
            except RpcError as error:
                response.failed_conversations.append(name)
                response.error_messages.append(error.message)
                continue
            await self._parts.store.delete_session(conversation.name)
            response.deleted_conversations.append(name)
        return FinishedWork(response)

    async def _read(self, text: str) -> tuple[ResourceName, Conversation]:
        name = APP_CONVERSATIONS.parse(text)
        conversation = await self._parts.store.conversation(session_of(name))
        if conversation is None:
            raise not_found("Conversation", text)
        return name, conversation

    async def _tally(self, conversation: Conversation) -> tuple[AppConversationTally, int]:
        """What its turns come to, and the bytes that were read for it."""
        tally = AppConversationTally()
        return tally, await count_turns(self._parts.store, conversation.name, tally)
