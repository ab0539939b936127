"""The rules of turns that all stores share: who may run which, as `begin_turn` decides it, and how one may end."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from openplaybook.storage.base import BeginTurn, Busy, Lease, Session, TurnState


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session as a store keeps it."""

    id: int
    life: int
    """Counts from 1: one more each time it begins anew after it has expired."""
    turns: int
    fence: int
    expires_us: int
    state: bytes | None

    def before(self, lease: Lease, expires_us: int) -> Session | None:
        """The session as the turns before the lease's left it; None while none has finished."""
        if self.state is None:
            return None
        return Session(lease.session, self.state, turns=lease.number - 1, expires_us=expires_us)


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A turn of a session's present life on which a request depends."""

    number: int
    turn_id: str
    request_key: str | None
    fingerprint: str
    state: str
    """Of the names of `TurnState`; never FAILED, and STOPPED only where it is the latest."""
    owner: str
    fence: int
    lease_until_us: int
    ended_us: int | None
    """None while it runs."""
    delivered: bool


@dataclass(frozen=True, slots=True)
class StartTurn:
    """The request's own turn begins, in the session as it shall be then."""

    session: SessionRow


@dataclass(frozen=True, slots=True)
class Repeat:
    """The request was answered by that turn."""

    number: int


@dataclass(frozen=True, slots=True)
class TakeOver:
    """A turn whose lease is over passes to the request: its own to go on with, or another's to end."""

    turn: TurnRow
    own: bool


Decision: TypeAlias = StartTurn | Repeat | TakeOver | Busy


def wait_us(begin: BeginTurn) -> int:
    """How long ago the request came. To be asked before the store's time is: then that time less this is later than the
    request came, if anything."""
    return 0 if begin.came_at is None else int((time.monotonic() - begin.came_at) * 1e6)


def decide(begin: BeginTurn, session: SessionRow, turns: Sequence[TurnRow], now_us: int, waited_us: int) -> Decision:
    """What becomes of a request to a session that is there; `turns` are those on which it depends.

    `waited_us`: how long ago the request came.

    For a request with a key these are the running turn and the one with its key, for one without the latest that did
    not fail and the one that it joins.

    An answer given before is repeated. A turn that runs under a live lease keeps everything else out, and
    keeps its session from expiring. A turn whose lease is over is taken over: by its own request to go on with
    it, by any other to end it. A session that has expired begins a new life.
    """
    running = next((turn for turn in turns if turn.state == "RUNNING"), None)
    live = running is not None and running.lease_until_us > now_us
    expired = session.expires_us <= now_us and not live
    answered = None if expired else _answered(begin, turns, range(now_us - waited_us + 1, now_us + 1))
    if answered is not None:
        return Repeat(answered.number)
    if running is None:
        return StartTurn(replace(session, life=session.life + 1, state=None) if expired else session)
    if live:
        return Busy(running.lease_until_us, same=running.number if _same(begin, running) else 0)
    # Equal words after the end of a session are no sign of a retry. A key is one, and its turn may have acted.
    return TakeOver(running, own=_same(begin, running) and (begin.request_key is not None or not expired))


def check_end(state: TurnState, response: bytes | None, session_state: bytes | None) -> None:
    """Raises `ValueError` for what no ended turn is."""
    if state is TurnState.RUNNING:
        raise ValueError("a turn ends DONE, STOPPED or FAILED, not RUNNING")
    if state is TurnState.DONE and response is None:
        raise ValueError("a turn that is DONE has a response")
    if state is TurnState.STOPPED and response is not None:
        raise ValueError("a turn that was STOPPED has no response")
    if state is TurnState.FAILED and session_state is not None:
        raise ValueError("a turn that FAILED leaves the session as it was")


def _answered(begin: BeginTurn, turns: Sequence[TurnRow], since_us: range) -> TurnRow | None:
    """The turn whose response is the request's answer, if there is one; `since_us`: the time since the request came."""
    done = [turn for turn in turns if turn.state == "DONE" and _same(begin, turn)]
    if begin.request_key is not None:
        return done[0] if done else None
    joined = next((turn for turn in done if turn.number == begin.joins), None)
    latest = max((turn.number for turn in turns), default=0)
    last = next((turn for turn in done if turn.number == latest), None)
    if joined is not None or last is None:
        return joined
    is_delivered = last.delivered or last.number <= begin.delivered
    # A clock that was set back may tell of an end that is still to come.
    return None if is_delivered and last.ended_us not in since_us else last


def _same(begin: BeginTurn, turn: TurnRow) -> bool:
    """Whether the turn belongs to this very request: its key says so, or without one its input."""
    if begin.request_key is not None:
        return turn.request_key == begin.request_key
    return turn.fingerprint == begin.fingerprint
