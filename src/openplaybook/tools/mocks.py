"""Mocks: answers given in the place of tools for one execution (CX Agent Studio's `MockConfig`)."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, restore_integers
from openplaybook.tools.base import Action, Failure, Outcome, Success
from openplaybook.tools.schema.effort import measure
from openplaybook.tools.schema.errors import Unjudged
from openplaybook.tools.schema.patterns import is_usable
from openplaybook.tools.schema.validator import Validator
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import JUDGEMENT

_MATCH_TYPE, _MATCH_VALUE, _ORIGINAL_VALUE = "$matchType", "$matchValue", "$originalValue"
_MATCH_TYPES = ("ignore", "semantic", "contains", "regexp")
_BEHAVIOURS = ("FAIL", "PASS_THROUGH")
_MAX_CHECKS = 50_000
"""Comparisons and characters that are looked at where others wait."""
_STATUS = re.compile(r"[1-5]\d\d")
_ID_OF_TOOL = ("toolId", "tool")


class InvalidMocks(ValueError):
    """Mocks that cannot be used: the message begins with the field's path."""


@dataclass(frozen=True, slots=True)
class _Mock:
    tool: str
    """Resource name of the tool or toolset."""
    action: str
    """Of a toolset the tool's id; empty: any."""
    pattern: JsonObject
    response: JsonObject

    def concerns(self, action: Action) -> bool:
        return self.tool == action.tool and self.action in ("", action.action, action.name)


@dataclass(frozen=True, slots=True)
class Mocks:
    """What answers in the place of tools."""

    mocks: Sequence[_Mock]
    fails_unmatched: bool

    async def answer(self, action: Action, arguments: JsonObject) -> Outcome | None:
        """The first mocked answer whose pattern the arguments fit; None where there is none. Where finding that out
        takes too long, a failure says so.

        A response with `error` is a failure, with `output` that is the output, else it is the output as it stands
        (CES v1beta `ExecuteToolResponse.response`).
        """
        values = restore_integers(arguments)
        try:
            mock = self._fitting(action, values, _Fitting())
        except Unjudged:
            try:
                mock = await JUDGEMENT.run(lambda: self._fitting(action, values, _Fitting(may_wait=True)))
            except WorkError:
                message = f"Whether a mock answers {action.action} was not found out: that takes too long."
                return Failure("NOT_MOCKED", message)
        return outcome_in(mock.response) if mock is not None else None

    def _fitting(self, action: Action, values: JsonObject, fitting: "_Fitting") -> _Mock | None:
        fitting_mocks = (
            mock for mock in self.mocks if mock.concerns(action) and fitting.fits_object(mock.pattern, values)
        )
        return next(fitting_mocks, None)

    async def outcome(self, action: Action, arguments: JsonObject) -> Outcome | None:
        """As `answer`; where nothing fits, a failure if that is what unmatched calls get, else None: call the tool."""
        answer = await self.answer(action, arguments)
        if answer is not None or not self.fails_unmatched:
            return answer
        return Failure("NOT_MOCKED", f"{action.action} was called with arguments that no mocked tool call expects.")

    def over(
        self, call: Callable[[str, JsonObject], Awaitable[Outcome]], actions: Mapping[str, Action]
    ) -> Callable[[str, JsonObject], Awaitable[Outcome]]:
        """`ToolContext.call`, with calls that are mocked, or refused, not made; `actions` by model-facing name."""

        async def mocked(name: str, arguments: JsonObject) -> Outcome:
            action = actions.get(name)
            outcome = await self.outcome(action, arguments) if action is not None else None
            return outcome if outcome is not None else await call(name, arguments)

        return mocked


def read_mocks(config: JsonObject) -> Mocks:
    """The mocks of a `MockConfig` (CES v1beta, JSON form). Raises `InvalidMocks`."""
    behaviour = config.get("unmatchedToolCallBehavior")
    if behaviour not in _BEHAVIOURS:
        raise InvalidMocks(f"unmatched_tool_call_behavior: is required, one of {', '.join(_BEHAVIOURS)}")
    calls = as_list(config.get("mockedToolCalls"))
    mocks = [_mock(as_object(call), f"mocked_tool_calls[{position}]") for position, call in enumerate(calls)]
    return Mocks(tuple(mocks), behaviour == "FAIL")


def _mock(call: JsonObject, path: str) -> _Mock:
    toolset = as_object(call.get("toolset"))
    tool = next((str(call[field]) for field in _ID_OF_TOOL if call.get(field)), str(toolset.get("toolset") or ""))
    if not tool:
        raise InvalidMocks(f"{path}: one of tool_id and toolset is required")
    if "expectedArgsPattern" not in call:
        raise InvalidMocks(f"{path}.expected_args_pattern: is required; {{}} fits all arguments")
    pattern = as_object(restore_integers(call["expectedArgsPattern"]))
    _check(pattern, f"{path}.expected_args_pattern")
    action = str(toolset.get("toolId") or "") if toolset else ""
    return _Mock(tool, action, pattern, as_object(restore_integers(call.get("mockResponse", {}))))


def _check(pattern: JsonValue, path: str) -> None:
    """Raises `InvalidMocks` for a way of matching that is unknown, or whose regular expression is none."""
    for position, item in enumerate(as_list(pattern)):
        _check(item, f"{path}[{position}]")
    members = as_object(pattern)
    if _MATCH_TYPE not in members:
        for name, member in members.items():
            _check(member, f"{path}.{name}")
        return
    kind, expected = members[_MATCH_TYPE], _expected(members)
    if kind not in _MATCH_TYPES:
        raise InvalidMocks(f"{path}.{_MATCH_TYPE}: must be one of {', '.join(_MATCH_TYPES)}, got {kind!r}")
    if kind == "regexp" and not (isinstance(expected, str) and is_usable(expected)):
        raise InvalidMocks(f"{path}.{_MATCH_VALUE}: is not a usable regular expression")


class _Fitting:
    """Finds out whether values fit patterns; counts what that takes."""

    def __init__(self, *, may_wait: bool = False) -> None:
        """`may_wait`: nobody else waits meanwhile, so nothing is counted."""
        self._may_wait = may_wait
        self._left = _MAX_CHECKS

    def fits_object(self, pattern: JsonObject, value: JsonValue) -> bool:
        """Whether all that the pattern names is there and fits; what it does not name may be there too. Raises
        `Unjudged`."""
        members = as_object(value)
        return all(
            self._fits(expected, members[name]) if name in members else _is_ignored(expected)
            for name, expected in pattern.items()
        )

    def _fits(self, pattern: JsonValue, value: JsonValue) -> bool:
        """A pattern with `$matchType` fits as that says, an object member by member, all else exactly."""
        self._take(1)
        if isinstance(pattern, dict):
            if _MATCH_TYPE in pattern:
                return self._fits_by_type(as_object(pattern), value)
            return isinstance(value, dict) and self.fits_object(as_object(pattern), value)
        if isinstance(pattern, list) and isinstance(value, list):
            expected, items = as_list(pattern), as_list(value)
            return len(expected) == len(items) and all(map(self._fits, expected, items))
        return pattern == value and isinstance(pattern, bool) == isinstance(value, bool)

    def _fits_by_type(self, pattern: JsonObject, value: JsonValue) -> bool:
        kind, expected = pattern[_MATCH_TYPE], _expected(pattern)
        if kind == "ignore":
            return True
        if not self._may_wait:
            size = measure(value)
            self._take(_MAX_CHECKS if size is None else size.values + size.characters)
        text = value if isinstance(value, str) else str(value)
        if kind == "regexp":
            return self._matches(str(expected), text)
        if kind == "contains":
            return str(expected) in text
        # No model judges what mocks mean: alike are texts of the same words.
        return _words(str(expected)) == _words(text)

    def _matches(self, expression: str, text: str) -> bool:
        judge = _judge_of(expression)
        if self._may_wait:
            return not judge.problems(text)
        self._take(judge.effort(text))
        return judge.fits(text)

    def _take(self, checks: int) -> None:
        self._left -= checks
        if self._left < 0 and not self._may_wait:
            raise Unjudged("takes too long")


@lru_cache(maxsize=256)
def _judge_of(expression: str) -> Validator:
    return Validator({"pattern": expression})


def _is_ignored(pattern: JsonValue) -> bool:
    return as_object(pattern).get(_MATCH_TYPE) == "ignore"


def _expected(pattern: JsonObject) -> JsonValue:
    return pattern.get(_MATCH_VALUE) or pattern.get(_ORIGINAL_VALUE, "")


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def outcome_in(response: JsonObject) -> Outcome:
    """What a call comes to that has this `ToolResponse.response`."""
    if error := response.get("error"):
        return Failure("TOOL_ERROR", error if isinstance(error, str) else str(error), response)
    if "output" in response:
        output = response["output"]
        return Success(as_object(output) if isinstance(output, dict) else {"output": output})
    return Success(response)


def body_of(output: JsonValue) -> JsonValue:
    """What is in the output of an OpenAPI operation, `{"200": body}`; any other output unchanged."""
    members = as_object(output)
    status = next(iter(members), "")
    return members[status] if len(members) == 1 and _STATUS.fullmatch(status) else output
