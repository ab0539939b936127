"""Sessions as they stand: GetSession, UpdateSessionParameters, ForkSession."""

from datetime import timedelta
from uuid import uuid4

from openplaybook.resources.names import is_valid_id, new_id
from openplaybook.services.documented_bounds import LONGEST_SESSION_ID
from openplaybook.services.errors import invalid, not_found
from openplaybook.services.openplaybook.session_forks import SessionBranch, SessionForks
from openplaybook.services.openplaybook.session_names import SessionName, session_name
from openplaybook.services.turn_errors import TURN_REFUSALS, rpc_error
from openplaybook.services.turn_requests import request_key, struct_json, timeout_s
from openplaybook.storage.base import Store, TurnState
from openplaybook.turns.agent.past_agents import PastAgents
from openplaybook.turns.base import NoInput, TurnRequest
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.journal.session_state import SessionState
from openplaybook.turns.session.history import parameter_origins
from openplaybook.turns.session.seals import ParameterSeals
from openplaybook.turns.session.stored_sessions import HISTORY_TURNS
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class SessionsAsTheyStand:
    """Shows sessions, sets their parameters between turns, and forks them."""

    def __init__(self, api: Api, store: Store, engine: TurnEngine, seals: ParameterSeals, ttl: timedelta) -> None:
        """`ttl`: how long a forked session lives before its first request."""
        self._api = api
        self._store = store
        self._engine = engine
        self._forks = SessionForks(store, seals)
        self._agents = PastAgents(store)
        self._ttl = ttl
        self._session = api.message("openplaybook.v1.Session")

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A session that has had a turn, or was forked. NOT_FOUND: none of that name."""
        return await self._shown(session_name(request.name, "name"))

    async def update_parameters(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Set parameters, and take some away, in a turn without input; the session begins with it where it has not."""
        name = session_name(request.session)
        await self._set(name, request, context)
        return await self._shown(name)

    async def fork(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A new session with the turns of another one before a number."""
        name = session_name(request.session)
        latest = await self._store.turn(name.session)
        if latest is None:
            raise not_found("Session", name.session)
        before = request.before_turn or latest.number + 1
        if not 1 <= before <= latest.number + 1:
            raise invalid(("before_turn", f"must be from 1 to {latest.number + 1}"))
        fork = SessionName(name.agent, f"{name.agent}/sessions/{_fork_id(request.session_id)}")
        if await self._store.turn(fork.session) is not None:
            raise invalid(("session_id", f"session {fork.session} has begun already"))
        try:
            ttl_s = self._ttl.total_seconds()
            await self._forks.fork(name.agent, name.session, fork.session, before, ttl_s=ttl_s)
        except TURN_REFUSALS as error:
            raise rpc_error(error) from error
        if request.parameters.fields or request.removed:
            await self._set(fork, request, context)
        return await self._shown(fork)

    async def _set(self, name: SessionName, request: ApiMessage, context: RpcContext) -> None:
        turn = TurnRequest(
            agent=name.agent,
            session=name.session,
            input=NoInput(),
            language_code="",
            parameters=struct_json(self._api, request.parameters),
            removed=frozenset(request.removed),
            # Without one, the same values set again would be taken for a retry.
            request_key=request_key(context) or str(uuid4()),
            timeout_s=timeout_s(context),
        )
        try:
            await self._engine.run(turn)
        except TURN_REFUSALS as error:
            raise rpc_error(error) from error

    async def _shown(self, name: SessionName) -> ApiMessage:
        stored = await self._store.session(name.session)
        latest = await self._store.turn(name.session)
        origin = await self._forks.origin(name.session)
        if latest is None and origin is None:
            raise not_found("Session", name.session)
        message = self._session(name=name.session, expired=stored is None and latest is not None)
        if origin is not None:
            _tell_branch(origin, message.origin)
        for branch in await self._forks.branches(name.session):
            _tell_branch(branch, message.branches.add())
        if latest is not None:
            message.latest_turn, message.running = latest.number, latest.state is TurnState.RUNNING
        if stored is not None:
            message.expire_time.FromMicroseconds(stored.expires_us)
            if stored.state:
                await self._tell_state(name, SessionState.load(stored.state), message)
        return message

    async def _tell_state(self, name: SessionName, state: SessionState, message: ApiMessage) -> None:
        message.ended, message.language_code = state.ended, state.language_code
        if state.frames:
            message.playbook = state.top.playbook
        for call in state.open_client_calls():
            arguments = call.arguments if call.given is None else call.given
            shown = message.open_calls.add(id=call.id, tool=call.tool, action=call.action)
            self._api.codec.from_json(arguments, shown.arguments)
        if state.waits_until is not None:
            message.wait_until_time.FromMicroseconds(state.waits_until)
        secret = state.sealed | (await self._agents.present(name.agent)).secret_parameters
        origins = parameter_origins(await self._store.history(name.session, turns=HISTORY_TURNS))
        for parameter in sorted(state.parameters):
            shown = message.parameters.add(name=parameter, secret=parameter in secret)
            if parameter not in secret:
                self._api.codec.from_json(state.parameters[parameter], shown.value)
            if (origin := origins.get(parameter)) is not None:
                shown.set_by = shown.SetBy.Value(origin.by.value)
                shown.turn, shown.tool, shown.action = origin.turn, origin.tool, origin.action


def _tell_branch(branch: SessionBranch, message: ApiMessage) -> None:
    message.session, message.before_turn = branch.session, branch.before_turn


def _fork_id(given: str) -> str:
    if not given:
        return new_id()
    if not is_valid_id(given) or len(given) > LONGEST_SESSION_ID:
        raise invalid(
            ("session_id", f"must have 1 to {LONGEST_SESSION_ID} printable characters without blank or slash")
        )
    return given
