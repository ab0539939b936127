"""A recording and what happened when it was replayed, turn by turn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonValue
from openplaybook.recordings.differences import ABSENT, Absent, Difference, differences
from openplaybook.recordings.form import Action, Asked, Recording, Turn, Words
from openplaybook.recordings.happenings import Decision, Enter, Error
from openplaybook.recordings.items import FORM, REQUEST, Item, items_of, paired, words_of
from openplaybook.recordings.words import same_words


@dataclass(frozen=True, slots=True)
class Options:
    """What of a recording is compared."""

    words: Words | None = None
    """None: as the recording says."""
    outputs: bool = True
    """Whether what tools answer is compared; not where they are live."""


_ALL = Options()
_NOTHING = Item("")


def compare(expected: Recording, happened: Recording, options: Options = _ALL) -> list[list[Difference]]:
    """The differences of every turn, in their order. Those of actions expected at any time stand with the last turn."""
    found = [
        list(_turn(one, other, options.words or one.words or expected.words, options))
        for one, other in zip(expected.turns, happened.turns, strict=True)
    ]
    if found:
        found[-1].extend(_actions(expected.actions, happened.turns))
    return found


def _turn(expected: Turn, happened: Turn, words: Words, options: Options) -> Iterator[Difference]:
    if happened.failed is not None:
        yield Difference("the turn fails", ABSENT, _told(happened.failed))
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
        spoken, said = words_of(expected), words_of(happened)
        if not same_words(spoken, said, words):
            yield Difference("says", spoken or ABSENT, said or ABSENT)
    if (expected.stopped is None) != (happened.stopped is None):
        yield Difference("the turn is cut short", _told(expected.stopped), _told(happened.stopped))
    elif expected.at and expected.at != happened.at:
        yield Difference("playbook after the turn", expected.at, happened.at)


def _items(expected: Sequence[Item], happened: Sequence[Item]) -> Iterator[Difference]:
    for one, other in paired(expected, happened):
        if one is None or other is None:
            yield Difference((one or other or _NOTHING).label, _shown(one), _shown(other))
        else:
            yield from _pair(one, other)


def _pair(expected: Item, happened: Item) -> Iterator[Difference]:
    facts = [name for name in dict.fromkeys([*expected.facts, *happened.facts]) if _is_told(name, expected, happened)]
    if _code(expected) != _code(happened):
        yield Difference(f"{expected.label} fails", _told(expected.error), _told(happened.error))
        facts = ["$"] if "$" in facts else []
    for name in facts:
        where = expected.label if name == "$" else f"{expected.label} {name}"
        yield from _fact(where, expected.facts.get(name, ABSENT), happened.facts.get(name, ABSENT))


def _is_told(name: str, expected: Item, happened: Item) -> bool:
    """Whether a fact can be compared: not every tool can tell what it would send, nor did every recording."""
    return name not in (REQUEST, FORM) or (name in expected.facts and name in happened.facts)


def _fact(where: str, expected: JsonValue | Absent, happened: JsonValue | Absent) -> Iterator[Difference]:
    if isinstance(expected, Absent) or isinstance(happened, Absent):
        yield Difference(where, expected, happened)
    else:
        yield from differences(where, expected, happened)


def _code(item: Item) -> str:
    return "" if item.error is None else item.error.code


def _shown(item: Item | None) -> JsonValue | Absent:
    """An item that stands alone: why it failed, what it was called with, what is told of it."""
    if item is None:
        return ABSENT
    if item.error is not None:
        return _told(item.error)
    return item.facts.get("$", {name: value for name, value in item.facts.items() if value}) or item.label


def _asks(turn: Turn) -> list[Item]:
    return [_ask(asked) for asked in turn.asks or ()]


def _ask(asked: Asked) -> Item:
    return Item(f"asks the client for {asked.tool}.{asked.action}", {"$": asked.arguments})


def _told(error: Error | None) -> str | Absent:
    return ABSENT if error is None else f"{error.code}: {error.message}"


def _actions(expected: Sequence[Action], turns: Sequence[Turn]) -> Iterator[Difference]:
    """Expected actions that did not happen, or with other arguments, looked for in their order."""
    happened = list(_happened(turns))
    for action in expected:
        at = next((index for index, (label, _) in enumerate(happened) if label == action.label), None)
        if at is None:
            yield Difference(f"{action.label}, expected in the conversation", action.arguments or action.label, ABSENT)
            continue
        if action.arguments is not None:
            yield from differences(action.label, action.arguments, happened[at][1])
        happened = happened[at + 1 :]


def _happened(turns: Sequence[Turn]) -> Iterator[tuple[str, JsonValue]]:
    for turn in turns:
        for step in turn.steps or ():
            if isinstance(step, Enter):
                yield step.enters, step.inputs
            elif isinstance(step, Decision):
                yield from ((call.label, call.arguments) for call in step.calls if call.tool)
