"""Names that differ from server to server, and what stands for them in a recording."""

from collections.abc import Mapping
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonValue, as_list, as_object

_TELLING = 8
"""Characters from which on a session's id is looked for in texts: a shorter one may be a word or a number."""


@dataclass(frozen=True, slots=True)
class Placeholders:
    """The names of one conversation."""

    agent: str
    """Resource name."""
    session: str
    """Resource name."""

    @property
    def session_id(self) -> str:
        """The last segment of the session's name."""
        return self.session.rpartition("/")[2]

    def put_in(self, value: JsonValue) -> JsonValue:
        """The JSON value with placeholders in place of the names."""
        return _replaced(value, {name: placeholder for placeholder, name in self._names().items()})

    def taken_out(self, value: JsonValue) -> JsonValue:
        """The JSON value with the names in place of the placeholders."""
        return _replaced(value, self._names())

    def _names(self) -> dict[str, str]:
        # Longest names first: an agent's name is the beginning of its sessions'.
        names = {"${SESSION}": self.session, "${AGENT}": self.agent}
        return {**names, "${SESSION_ID}": self.session_id} if is_telling(self.session_id) else names


def is_telling(session_id: str) -> bool:
    """Whether an id can be told from other words, so that a placeholder can stand for it."""
    return len(session_id) >= _TELLING


def mentions(value: JsonValue, text: str) -> bool:
    """Whether a text occurs in any text of a JSON value."""
    if isinstance(value, str):
        return text in value
    return any(mentions(each, text) for each in [*as_object(value).values(), *as_list(value)])


def _replaced(value: JsonValue, replacements: Mapping[str, str]) -> JsonValue:
    if isinstance(value, str):
        for old, new in replacements.items():
            value = value.replace(old, new)
        return value
    if isinstance(value, dict):
        return {_replaced(name, replacements): _replaced(each, replacements) for name, each in as_object(value).items()}
    return [_replaced(each, replacements) for each in as_list(value)] if isinstance(value, list) else value
