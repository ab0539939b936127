"""What the planner does with an example's turn, next to what the example shows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps_line, dumps_sorted
from openplaybook.models.base import DeclarationKind, FunctionCall, ModelReply, RequestedCall
from openplaybook.models.offline.language.tokenizer import fold
from openplaybook.models.offline.planner_state import Pending, read_state
from openplaybook.models.offline.rehearsals.example_turns import ExampleTurn
from openplaybook.models.offline.slots.slot_values import leaves, scalars, spoken

ENDS = (DeclarationKind.END, DeclarationKind.CLOSE)
_NUMBER = re.compile(r"0|[1-9][0-9]{0,30}")
_GOING_ON = ("", "PENDING")
_MOST_NAMED = 5
_TOO_SHORT = 2
"""Characters of a value that is found in words by chance."""


class RehearsalVerdict(Enum):
    """How what the planner does relates to what an example shows."""

    SAME = "same"
    """The same calls and the same words."""
    OWN_WORDS = "own words"
    """The same calls; what the example says is said in other words, with the same values."""
    CONFIRMS = "confirms"
    """The same call, but the planner asks for a yes first."""
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class RehearsedStep:
    """One decision."""

    shown: str
    """What the example shows: a call, or words."""
    happened: str
    """What the planner does."""
    verdict: RehearsalVerdict
    differences: tuple[str, ...] = ()
    """In sentences."""
    evidence: JsonObject = field(default_factory=dict[str, object])
    """What the planner went by."""

    def to_json(self) -> JsonObject:
        """For programs."""
        return {
            "expected": self.shown,
            "happened": self.happened,
            "verdict": self.verdict.value,
            "differences": list(self.differences),
            "evidence": self.evidence,
        }


def judged_call(shown: FunctionCall, reply: ModelReply, *, is_question: bool) -> RehearsedStep:
    """A decision where the example makes a call; `is_question`: of a function that takes questions, which the planner
    asks in the user's words."""
    pending = read_state(reply.planner_state or {})
    waiting = pending.pending
    call = next((each for each in reply.calls if each.name == shown.name), next(iter(reply.calls), None))
    if call is None and waiting is not None and waiting.is_confirmation and waiting.function == shown.name:
        call = RequestedCall("", shown.name, pending.filled.get(shown.name))
        verdict = RehearsalVerdict.CONFIRMS
    else:
        verdict = RehearsalVerdict.SAME
    differences = tuple(_differences(shown, call, waiting))
    if differences and is_question and call is not None and call.name == shown.name:
        verdict, differences = RehearsalVerdict.OWN_WORDS, ()
    return RehearsedStep(
        shown=call_text(shown.name, shown.arguments),
        happened=happened(reply),
        verdict=RehearsalVerdict.DIFFERENT if differences else verdict,
        differences=differences,
        evidence=reply.evidence,
    )


def _differences(shown: FunctionCall, call: RequestedCall | None, waiting: Pending | None) -> Iterator[str]:
    if call is None:
        yield f"{shown.name} is not called{_asked_instead(waiting, shown.name)}"
    elif call.name != shown.name:
        yield f"{call.name} is called in place of {shown.name}"
    elif dumps_sorted(_plain(call.arguments)) != dumps_sorted(_plain(shown.arguments)):
        yield from _argument_differences(shown.arguments, call.arguments)


def _asked_instead(waiting: Pending | None, wanted: str) -> str:
    if waiting is None:
        return ""
    what = "a yes" if waiting.is_confirmation else ".".join(waiting.path)
    return f": the planner asks for {what}" + ("" if waiting.function == wanted else f" of {waiting.function}")


def _argument_differences(shown: JsonObject, given: JsonValue) -> Iterator[str]:
    expected, taken = dict(leaves(shown)), dict(leaves(given))
    found = False
    for path in dict.fromkeys([*expected, *taken]):
        name, (old, new) = ".".join(path), (expected.get(path), taken.get(path))
        if path not in taken:
            yield f"{name} is left out; the example has {dumps_line(old)}"
        elif path not in expected:
            yield f"{name} is {dumps_line(new)}; the example has none"
        elif dumps_sorted(_plain(old)) != dumps_sorted(_plain(new)):
            yield f"{name} is {dumps_line(new)}; the example has {dumps_line(old)}"
        else:
            continue
        found = True
    if not found:
        yield f"the arguments are {dumps_line(given)}; the example has {dumps_line(shown)}"


def _plain(value: JsonValue) -> JsonValue:
    """Equal for numbers that differ in their writing only, such as 1, 1.0 and "1": a call has the schema's type, which
    an example may have missed."""
    if isinstance(value, dict):
        return {name: _plain(member) for name, member in as_object(value).items()}
    if isinstance(value, list):
        return [_plain(item) for item in as_list(value)]
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return int(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def judged_words(
    turn: ExampleTurn, reply: ModelReply, kinds: Mapping[str, DeclarationKind], end_state: str
) -> RehearsedStep:
    """A decision where the example says something, or is over."""
    calls = [call for call in reply.calls if kinds.get(call.name) not in ENDS]
    ends = [call for call in reply.calls if kinds.get(call.name) in ENDS]
    verdict, differences = _of_words(turn, reply)
    if calls:
        differences = [f"{calls[0].name} is called; the example says something"]
    differences = [*differences, *_of_ends(ends, turn, "" if end_state in _GOING_ON else end_state)]
    return RehearsedStep(
        shown=turn.words,
        happened=happened(reply),
        verdict=RehearsalVerdict.DIFFERENT if differences else verdict,
        differences=tuple(differences),
        evidence=reply.evidence,
    )


def _of_words(turn: ExampleTurn, reply: ModelReply) -> tuple[RehearsalVerdict, list[str]]:
    if not turn.words or fold(turn.words) == fold(reply.text):
        return RehearsalVerdict.SAME, []
    if turn.calls:
        missing = [value for value in _told(turn) if fold(value) not in fold(reply.text)]
        named = ", ".join(missing[:_MOST_NAMED])
        return RehearsalVerdict.OWN_WORDS, [f"the answer does not tell {named}"] if missing else []
    waiting = read_state(reply.planner_state or {}).pending
    if waiting is not None and turn.following:
        return RehearsalVerdict.OWN_WORDS, list(_of_questions(waiting, turn))
    if str(reply.evidence.get("rule")).startswith("small_talk"):
        return RehearsalVerdict.OWN_WORDS, []
    return RehearsalVerdict.DIFFERENT, ["something else is said"]


def _told(turn: ExampleTurn) -> list[str]:
    """The values of calls and results that the example's answer tells."""
    known = [call.arguments for call, _ in turn.calls] + [result.output for _, result in turn.calls if result]
    texts = [spoken(value) for value in scalars(known) if not isinstance(value, bool)]
    said = f" {fold(turn.words)} "
    return list(
        dict.fromkeys(text for text in texts if len(text) >= _TOO_SHORT and f" {fold(text)} " in said and fold(text))
    )


def _of_questions(waiting: Pending, turn: ExampleTurn) -> Iterator[str]:
    """Whether what is asked for is what the example's next call has and its words so far do not tell."""
    call = turn.following[0]
    if waiting.function != call.name:
        yield f"the planner asks for {waiting.function}; the example goes on to {call.name}"
    elif not waiting.is_confirmation and waiting.path not in dict(leaves(call.arguments)):
        yield f"the planner asks for {'.'.join(waiting.path)}, which the example's call does not have"


def _of_ends(ends: Sequence[RequestedCall], turn: ExampleTurn, end_state: str) -> Iterator[str]:
    for call in ends:
        state = as_object(call.arguments).get("state")
        if not turn.is_last:
            yield "the conversation is ended here; the example goes on"
        elif end_state and isinstance(state, str) and state != end_state:
            yield f"it ends with {state}; the example ends with {end_state}"


def happened(reply: ModelReply) -> str:
    """What a decision was, on one line."""
    return "; ".join(filter(None, [reply.text, *(call_text(call.name, call.arguments) for call in reply.calls)]))


def call_text(name: str, arguments: JsonValue) -> str:
    """A call as people read it: `name {"a": 1}`."""
    return f"{name} {dumps_line(arguments)}"
