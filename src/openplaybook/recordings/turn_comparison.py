"""A recording and what happened when it was replayed, turn by turn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonValue
from openplaybook.recordings.compared_items import FORM, REQUEST, ComparedItem, items_of, paired, words_of
from openplaybook.recordings.differences import ABSENT, Absent, ReplayDifference, differences
from openplaybook.recordings.form import ExpectedAction, RecordedTurn, Recording
from openplaybook.recordings.matchers import WordMatch, same_words
from openplaybook.recordings.step_form import Enter, RecordedDecision, RecordedError


@dataclass(frozen=True, slots=True)
class ComparisonOptions:
    """What of a recording is compared."""

    words: WordMatch | None = None
    """None: as the recording says."""
    outputs: bool = True
    """Whether what tools answer is compared; not where they are live."""


_ALL = ComparisonOptions()
_NOTHING = ComparedItem("")


def compare(
    expected: Recording, happened: Recording, options: ComparisonOptions = _ALL
) -> list[list[ReplayDifference]]:
    """The differences of every turn, in their order. Those of actions expected at any time stand with the last turn."""
    turns = [
        list(_turn(one, other, options.words or one.words or expected.words, options))
        for one, other in zip(expected.turns, happened.turns, strict=True)
    ]
    if turns:
        turns[-1].extend(_actions(expected.actions, happened.turns))
    return turns


def _turn(
    expected: RecordedTurn, happened: RecordedTurn, words: WordMatch, options: ComparisonOptions
) -> Iterator[ReplayDifference]:
    if happened.failed is not None:
        yield ReplayDifference("the turn fails", ABSENT, _error_text(happened.failed))
        return
    if expected.steps is not None:
        mine, theirs = (items_of(turn, outputs=options.outputs) for turn in (expected, happened))
        yield from _items(mine, theirs)
        yield from _items(_asks(expected), _asks(happened))
        yield from differences("sets session parameters", expected.sets, happened.sets)
    elif expected.sets:
        named = {name: value for name, value in happened.sets.items() if name in expected.sets}
        yield from differences("sets session parameters", expected.sets, named)
    if expected.steps is not None or expected.says is not None:
        expected_words, happened_words = words_of(expected), words_of(happened)
        if not same_words(expected_words, happened_words, words):
            yield ReplayDifference("says", expected_words or ABSENT, happened_words or ABSENT)
    if (expected.stopped is None) != (happened.stopped is None):
        yield ReplayDifference("the turn is cut short", _error_text(expected.stopped), _error_text(happened.stopped))
    elif expected.at and expected.at != happened.at:
        yield ReplayDifference("playbook after the turn", expected.at, happened.at)


def _items(expected: Sequence[ComparedItem], happened: Sequence[ComparedItem]) -> Iterator[ReplayDifference]:
    for one, other in paired(expected, happened):
        if one is None or other is None:
            yield ReplayDifference((one or other or _NOTHING).label, _shown(one), _shown(other))
        else:
            yield from _pair(one, other)


def _pair(expected: ComparedItem, happened: ComparedItem) -> Iterator[ReplayDifference]:
    facts = [
        name for name in dict.fromkeys([*expected.facts, *happened.facts]) if _is_comparable(name, expected, happened)
    ]
    if _code(expected) != _code(happened):
        yield ReplayDifference(f"{expected.label} fails", _error_text(expected.error), _error_text(happened.error))
        facts = ["$"] if "$" in facts else []
    for name in facts:
        where = expected.label if name == "$" else f"{expected.label} {name}"
        yield from _fact(where, expected.facts.get(name, ABSENT), happened.facts.get(name, ABSENT))


def _is_comparable(name: str, expected: ComparedItem, happened: ComparedItem) -> bool:
    """Whether a fact can be compared: not every tool can tell what it would send, nor did every recording."""
    return name not in (REQUEST, FORM) or (name in expected.facts and name in happened.facts)


def _fact(where: str, expected: JsonValue | Absent, happened: JsonValue | Absent) -> Iterator[ReplayDifference]:
    if isinstance(expected, Absent) or isinstance(happened, Absent):
        yield ReplayDifference(where, expected, happened)
    else:
        yield from differences(where, expected, happened)


def _code(item: ComparedItem) -> str:
    return "" if item.error is None else item.error.code


def _shown(item: ComparedItem | None) -> JsonValue | Absent:
    """An item that stands alone: why it failed, what it was called with, what is told of it."""
    if item is None:
        return ABSENT
    if item.error is not None:
        return _error_text(item.error)
    return item.facts.get("$", {name: value for name, value in item.facts.items() if value}) or item.label


def _asks(turn: RecordedTurn) -> list[ComparedItem]:
    return [
        ComparedItem(f"asks the client for {call.tool}.{call.action}", {"$": call.arguments})
        for call in turn.asks or ()
    ]


def _error_text(error: RecordedError | None) -> str | Absent:
    return ABSENT if error is None else f"{error.code}: {error.message}"


def _actions(expected: Sequence[ExpectedAction], turns: Sequence[RecordedTurn]) -> Iterator[ReplayDifference]:
    """Expected actions that did not happen, or with other arguments, looked for in their order."""
    happened = list(_happened(turns))
    for action in expected:
        at = next((index for index, (label, _) in enumerate(happened) if label == action.label), None)
        if at is None:
            yield ReplayDifference(
                f"{action.label}, expected in the conversation", action.arguments or action.label, ABSENT
            )
            continue
        if action.arguments is not None:
            yield from differences(action.label, action.arguments, happened[at][1])
        happened = happened[at + 1 :]


def _happened(turns: Sequence[RecordedTurn]) -> Iterator[tuple[str, JsonValue]]:
    for turn in turns:
        for step in turn.steps or ():
            if isinstance(step, Enter):
                yield step.enters, step.inputs
            elif isinstance(step, RecordedDecision):
                yield from ((call.label, call.arguments) for call in step.calls if call.tool)
