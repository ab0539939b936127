"""Names of sessions and of their turns, of Dialogflow CX and of CX Agent Studio alike."""

import re
from dataclasses import dataclass

from openplaybook.resources.errors import InvalidName
from openplaybook.resources.names import APP_SESSIONS, SESSIONS

_TURN = re.compile(r"(.+/sessions/[^/]+)/turns/(-|[0-9]{1,18})")
_TEMPLATES = "{agent or app}/sessions/{session}/turns/{number}"


@dataclass(frozen=True, slots=True)
class SessionName:
    """A session."""

    agent: str
    """Resource name of the agent, or of the app."""
    session: str
    """Resource name; the spellings of the draft environment are one."""


@dataclass(frozen=True, slots=True)
class TurnName:
    """A turn."""

    of: SessionName
    number: int
    """0: the latest, written `-`."""


def session_name(text: str, field: str = "session") -> SessionName:
    """The session that a field of a request names. Raises `InvalidName`."""
    if APP_SESSIONS.fits(text):
        return SessionName(APP_SESSIONS.parse(text).root, text)
    try:
        session = SESSIONS.parse(text)
    except InvalidName as error:
        raise InvalidName(text, SESSIONS.template, field) from error
    return SessionName(session.root, str(session))


def turn_name(text: str, field: str = "name") -> TurnName:
    """The turn that a field of a request names. Raises `InvalidName`."""
    found = _TURN.fullmatch(text)
    if found is None:
        raise InvalidName(text, _TEMPLATES, field)
    return TurnName(session_name(found[1], field), 0 if found[2] == "-" else int(found[2]))
