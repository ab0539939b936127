"""Values that do not come from the model: the session's id, session parameters, the request's payload, defaults.

Precedence: session or payload, then the model, then the schema's default; with none of them the input is left out.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, loads, restore_integers
from openplaybook.tools.base import ToolContext
from openplaybook.tools.openapi.requests.styles import text
from openplaybook.tools.schema.dialect import (
    CONTEXT,
    INJECTION,
    SESSION_CONTEXT,
    SESSION_ID,
    VARIABLES,
    injection_of,
    is_context_path,
)

_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})([.][0-9]{1,18})?")
_SESSION_PREFIX = "$session.params."
_PAYLOAD_PREFIX = "$request.payload."
_MAX_LOOKED_AT = 200_000
"""Schemas looked at for one call; objects that require each other grow with the power of the depth."""

_MAX_CHECKS = 100_000
"""Of values against schemas for one call, while others wait."""


class Missing(Enum):
    """The value that stands for no value, since null is one."""

    MISSING = "MISSING"


MISSING = Missing.MISSING


def is_known_source(source: str) -> bool:
    """Whether a source has a form that is understood: a bare name, `$session.params.x`, `$request.payload.x`, or a path
    within the context of the session."""
    if source == SESSION_ID or not source.startswith("$") or is_context_path(source):
        return True
    return source.startswith((_SESSION_PREFIX, _PAYLOAD_PREFIX))


def source_beside(described: JsonObject) -> str:
    """The source that a parameter names, in either spelling, as `INJECTION` has it; empty when it names none."""
    source = described.get(INJECTION)
    if isinstance(source, str):
        return source
    path = described.get(SESSION_CONTEXT)
    return injection_of(path) if isinstance(path, str) else ""


class TooMuchToFill(Exception):
    """The description asks for more values to be filled in than a call may take."""


class TooLongToFill(TooMuchToFill):
    """Finding out which of the described objects are meant would keep others waiting."""


@dataclass(slots=True)
class Sources:
    """Where injected values come from, for one call."""

    context: ToolContext
    left: int = _MAX_LOOKED_AT
    """Schemas that may still be looked at."""
    checks: int = _MAX_CHECKS
    """Checks of values that may still be made at once, to find out which schema of several is meant."""
    may_wait: bool = False
    """Whether nobody else waits meanwhile: then the checks are not counted."""

    def look(self) -> None:
        """Count one schema; raises `TooMuchToFill`."""
        self.left -= 1
        if self.left < 0:
            raise TooMuchToFill("the values that the description fills in by itself are too many")

    def judge(self, checks: int) -> None:
        """Count checks of a value that are made at once; raises `TooLongToFill`."""
        self.checks -= checks
        if self.checks < 0:
            raise TooLongToFill("finding out which of the described objects are meant takes too long")

    def value(self, source: str) -> JsonValue:
        """The value of a source, or `MISSING`; null counts as no value."""
        if source == SESSION_ID:
            return self.context.session_id
        if is_context_path(source):
            return _in_context(self.context, source.removeprefix(CONTEXT))
        if source.startswith(_PAYLOAD_PREFIX):
            return _at(self.context.payload, source.removeprefix(_PAYLOAD_PREFIX))
        return _at(self.context.parameters, source.removeprefix(_SESSION_PREFIX))


def _in_context(context: ToolContext, path: str) -> JsonValue:
    """What stands at a path such as `variables.owner.name` or `project_id`; secret variables only where they are named.

    A project's number is known where the project is named by it.
    """
    if path.startswith(VARIABLES):
        return _at(context.parameters, path.removeprefix(VARIABLES))
    if path == "variables":
        return {name: value for name, value in context.parameters.items() if name not in context.secret_parameters}
    parts = context.session.split("/")
    places = dict(zip(parts[::2], parts[1::2], strict=False))
    project = places.get("projects", "")
    names = {
        "project_id": project,
        "project_number": project if project.isdecimal() else "",
        "location": places.get("locations"),
        "app_id": places.get("apps") or places.get("agents"),
    }
    return names[path] or MISSING


def _at(values: Mapping[str, JsonValue], path: str) -> JsonValue:
    """The value called `path`, or found by following its dots."""
    if path in values:
        value: JsonValue = values[path]
    else:
        value = dict(values)
        for part in path.split("."):
            value = as_object(value).get(part)
    return MISSING if value is None else value


def as_declared(value: JsonValue, schema: JsonObject) -> JsonValue:
    """A session's value in the type its schema states: sessions hold numbers as texts and texts as numbers, and the
    model cannot do anything about it. What has no such form stays as it is, and is refused."""
    declared = schema.get("type")
    names = [name for name in ([declared] if isinstance(declared, str) else as_list(declared)) if name != "null"]
    if names == ["string"] and isinstance(value, bool | int | float | Decimal):
        return text(restore_integers(value))
    if names in (["integer"], ["number"]) and isinstance(value, str) and _NUMBER.fullmatch(value):
        return restore_integers(loads(value))
    if names == ["boolean"] and value in ("true", "false"):
        return value == "true"
    return value
