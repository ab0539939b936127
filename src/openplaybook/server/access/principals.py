"""Who calls, as far as the server knows."""

from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a caller may do; each may all that the next one may."""

    ADMIN = "admin"
    """Everything, secrets included."""
    EDITOR = "editor"
    """Agents and all that belongs to them."""
    RUNTIME = "runtime"
    """Conversations: what the back end of a web shop needs."""

    def may(self, needed: "Role") -> bool:
        """Whether this role includes another."""
        return _ORDER.index(self) <= _ORDER.index(needed)


class PrincipalKind(StrEnum):
    """How a caller has shown who it is. Names of two kinds are two callers, however much they look alike."""

    KEY = "key"
    """By an API key that has a name."""
    UNNAMED_KEY = "unnamed_key"
    """By one that has none and is called after its line."""
    TOKEN = "token"
    """By a token of the identity provider."""
    SESSION = "session"
    """By a token for one conversation, after which it is called."""
    LOCAL = "local"
    """By what only commands on the server's own machine can read."""


_ORDER = list(Role)

ROLES = ", ".join(Role)
"""For messages."""


@dataclass(frozen=True, slots=True)
class Principal:
    """A caller that has shown who it is."""

    name: str
    """What logs say, and with `kind` what limits count by: the name of an API key, or the subject of a token."""
    role: Role
    kind: PrincipalKind = PrincipalKind.KEY
    is_limited: bool = True
    """False for commands on the server's own machine."""


_PRINCIPAL: ContextVar[Principal | None] = ContextVar("openplaybook_principal", default=None)
_CLIENT: ContextVar[str] = ContextVar("openplaybook_client", default="")


def enter(principal: Principal | None, client: str) -> None:
    """From here on, in this task, requests are this caller's."""
    _PRINCIPAL.set(principal)
    _CLIENT.set(client)


def current_principal() -> Principal | None:
    """Who sent the request that is answered here; None where the server asks for nothing."""
    return _PRINCIPAL.get()


def caller_name() -> str:
    """What that caller is called; empty where there is none."""
    principal = _PRINCIPAL.get()
    return "" if principal is None else principal.name


def is_editor() -> bool:
    """Whether that caller may see what editors see; where the server asks nobody, everybody may."""
    principal = _PRINCIPAL.get()
    return principal is None or principal.role.may(Role.EDITOR)


def current_client() -> str:
    """The IP address it came from, over HTTP; empty elsewhere."""
    return _CLIENT.get()
