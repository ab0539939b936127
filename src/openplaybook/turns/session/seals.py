"""Session parameters that hold credentials: sealed before anything records them, opened for nothing but tool calls.

Journal, state, stored answers and traces therefore never have them open. A parameter is sealed when an authentication
of the agent names it; the names of those that are stand in the session's state.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from openplaybook.credentials.sealer import Sealer
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, loads
from openplaybook.turns.agent.snapshot import texts_in
from openplaybook.turns.journal.session_state import SessionState


@dataclass(frozen=True, slots=True)
class SealedParameters:
    """Parameters as they are recorded."""

    values: JsonObject
    sealed: tuple[str, ...] = ()
    """Names of those that are sealed."""


NOTHING_SET = SealedParameters({})


@dataclass(frozen=True, slots=True)
class OpenParameters:
    """Parameters as tools need them."""

    values: Mapping[str, JsonValue] = field(repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Every text among the values that were sealed, for masking."""


class ParameterSeals:
    """Seals the parameters of sessions, each for its session and name."""

    def __init__(self, sealer: Sealer) -> None:
        self._sealer = sealer

    def seal(self, parameters: Mapping[str, JsonValue], secret: Collection[str], session: str) -> SealedParameters:
        """The parameters with the secret ones sealed."""
        names = tuple(name for name in parameters if name in secret)
        sealed = {name: self._sealer.seal(dumps(parameters[name]).decode(), _place(session, name)) for name in names}
        return SealedParameters({**parameters, **sealed}, names)

    def seal_state(self, state: SessionState, secret: Collection[str], session: str) -> None:
        """Seal, in place, what became secret while it was kept: an authentication names it since."""
        open_ones = {name: value for name, value in state.parameters.items() if name not in state.sealed}
        newly_sealed = self.seal(open_ones, secret, session)
        if newly_sealed.sealed:
            state.parameters = {**state.parameters, **newly_sealed.values}
            state.sealed |= set(newly_sealed.sealed)

    def moved(self, parameters: JsonObject, sealed: Collection[str], session: str, to: str) -> JsonObject:
        """Parameters of one session, sealed for another. Raises `SealedValueUnreadable`."""
        opened: JsonObject = {
            name: loads(self._sealer.unseal(parameters[name], _place(session, name)))
            for name in sealed
            if parameters.get(name) is not None
        }
        return {**parameters, **self.seal(opened, opened, to).values}

    def open(self, state: SessionState, session: str) -> OpenParameters:
        """The parameters with nothing sealed. Raises `SealedValueUnreadable`."""
        if not state.sealed:
            return OpenParameters(state.parameters)
        opened: JsonObject = {
            name: loads(self._sealer.unseal(state.parameters[name], _place(session, name))) for name in state.sealed
        }
        return OpenParameters({**state.parameters, **opened}, tuple(texts_in(opened)))


def _place(session: str, name: str) -> str:
    return f"{session}/parameters/{name}"
