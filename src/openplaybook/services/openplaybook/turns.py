"""Turns of sessions, as they were and as they happen: ListTurns, GetTurn, ListTurnSteps, WatchTurn."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial

from openplaybook.resources.page_tokens import issue_token, page_size, read_token
from openplaybook.services.errors import REFUSALS, not_found, to_rpc_error
from openplaybook.services.listings import PAGE_BYTES, PageBuilder
from openplaybook.services.openplaybook.session_names import SessionName, TurnName, session_name, turn_name
from openplaybook.services.openplaybook.step_messages import StepDetails, StepRenderer
from openplaybook.services.openplaybook.turn_messages import TurnRenderer
from openplaybook.storage.base import Store
from openplaybook.turns.base import ModelStep, TraceStep
from openplaybook.turns.session.history import History, PastTurn
from openplaybook.turns.session.kept_prompts import KeptPrompt, KeptPrompts
from openplaybook.turns.turn_watch import TurnWatch, WatchedSteps
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import FILES

_MOST_WATCHERS = 500
_V = "openplaybook.v1."


class Turns:
    """Reads and watches turns."""

    def __init__(self, api: Api, store: Store, watch: TurnWatch, may_see_prompts: Callable[[], bool]) -> None:
        """`may_see_prompts`: whether whoever sent the request that is answered may."""
        self._store = store
        self._history = History(store)
        self._watch = watch
        self._may_see_prompts = may_see_prompts
        self._turns, self._steps = TurnRenderer(api), StepRenderer(api)
        self._listed = api.message(f"{_V}ListTurnsResponse")
        self._listed_steps = api.message(f"{_V}ListTurnStepsResponse")
        self._update = api.message(f"{_V}TurnUpdate")
        self._full = api.message(f"{_V}ListTurnStepsRequest")(view="STEP_VIEW_FULL").view

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of a session's turns, oldest first. NOT_FOUND: it has none."""
        name = session_name(request.parent, "parent")
        query = (f"{_V}ListTurns", name.session)
        page = PageBuilder(page_size(request.page_size), query)
        after = read_token(query, request.page_token)
        async for past in self._history.turns(name.agent, name.session, after=after):
            message = self._turns.turn(name.session, past)
            page.add(past.number, message, message.ByteSize())
            if page.is_full:
                break
        listing = page.listing()
        if not listing.messages and not after:
            raise not_found("Conversation", name.session)
        context.answer_bytes = listing.size
        return self._listed(turns=listing.messages, next_page_token=listing.token)

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One turn in whatever state it is."""
        name = turn_name(request.name)
        past = await self._past(name, request.name)
        message = await FILES.run(partial(self._turns.turn, name.of.session, past))
        context.answer_bytes = message.ByteSize()
        return message

    async def list_steps(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of a turn's steps."""
        name = turn_name(request.parent, "parent")
        query = (f"{_V}ListTurnSteps", request.parent, str(request.view))
        size, first = page_size(request.page_size), read_token(query, request.page_token)
        past = await self._past(name, request.parent)
        trace = past.result.trace
        steps = trace[first : first + size]
        is_full = request.view == self._full
        details = await self._details(name.of, steps, past.tool_kinds, is_full=is_full)
        messages = await FILES.run(partial(self._page, first, steps, details))
        next_step = first + len(messages)
        context.answer_bytes = sum(message.ByteSize() for message in messages)
        token = issue_token(query, next_step) if next_step < len(trace) else ""
        return self._listed_steps(steps=messages, next_page_token=token)

    async def watch(self, request: ApiMessage, context: RpcContext) -> AsyncGenerator[ApiMessage]:
        """The steps of a turn as they happen, and at last the turn."""
        try:
            name = turn_name(request.name)
            if name.number and await self._store.turn(name.of.session, name.number) is None:
                raise not_found("Turn", request.name)
            if self._watch.watchers >= _MOST_WATCHERS:
                raise RpcError(Code.RESOURCE_EXHAUSTED, f"{_MOST_WATCHERS} turns are watched already; try again later.")
            is_full = request.view == self._full and self._may_see_prompts()
            updates = self._watch.updates(name.of.agent, name.of.session, name.number, after=request.first_step - 1)
            async with aclosing(updates) as happening:
                async for update in happening:
                    if isinstance(update, WatchedSteps):
                        yield await self._told(name.of, update, is_full=is_full)
                    else:
                        ended = self._turns.turn(name.of.session, update)
                        yield self._update(turn=update.number, ended=ended)
        except REFUSALS as refusal:
            raise to_rpc_error(refusal) from refusal

    async def _past(self, name: TurnName, text: str) -> PastTurn:
        number = name.number
        if not number:
            latest = await self._store.turn(name.of.session)
            number = 0 if latest is None else latest.number
        past = await self._history.turn(name.of.agent, name.of.session, number) if number else None
        if past is None:
            raise not_found("Turn", text)
        return past

    async def _details(
        self, name: SessionName, steps: Sequence[TraceStep], tool_kinds: Mapping[str, str], *, is_full: bool
    ) -> StepDetails:
        """With the prompts of the decisions among the steps, until they are as large as a page may be."""
        if not is_full:
            return StepDetails(is_full, tool_kinds)
        kept, prompts, size = KeptPrompts(self._store, name.session), dict[str, KeptPrompt](), 0
        for step in steps:
            if isinstance(step, ModelStep) and step.prompt and size <= PAGE_BYTES:
                prompt = await kept.read(step.prompt)
                if prompt is not None:
                    prompts[step.prompt] = prompt
                    size += len(prompt.request) + len(prompt.reply)
        return StepDetails(is_full, tool_kinds, prompts)

    def _page(self, first: int, steps: Sequence[TraceStep], details: StepDetails) -> Sequence[ApiMessage]:
        """As many of the steps as one page may have, at least one."""
        messages: list[ApiMessage] = []
        size = 0
        for number, step in enumerate(steps, first):
            message = self._steps.step(number, step, details)
            size += message.ByteSize()
            if messages and size > PAGE_BYTES:
                break
            messages.append(message)
        return messages

    async def _told(self, name: SessionName, update: WatchedSteps, *, is_full: bool) -> ApiMessage:
        details = await self._details(name, update.steps, update.tool_kinds, is_full=is_full)
        steps = [self._steps.step(number, step, details) for number, step in enumerate(update.steps, update.first)]
        under_way = [self._steps.step(0, step, details) for step in update.under_way]
        return self._update(turn=update.turn, steps=steps, under_way=under_way)
