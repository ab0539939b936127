"""Values that words point back at: of the thing that was found, of calls before, by "there" and "that day"."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.models.base import AgentText, Entry, FunctionCall, FunctionResult, UserText
from openplaybook.models.offline.dialogue.spoken_turns import CallMade
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.knowledge.result_outcome import items_in, read_outcome
from openplaybook.models.offline.language.ordinals import pick_in
from openplaybook.models.offline.learned.lexemes import stems_of, words_of_name
from openplaybook.models.offline.learned.tool_features import LearnedTool
from openplaybook.models.offline.learned.wants import NAMED, TOPICS, Want
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.models.offline.slots.slot_values import may_stand

MOST_CALLS = 5
"""The latest ones, in whose results things are looked for."""
_MOST_ITEMS, _MOST_MEMBERS = 20, 100
"""Of a result, and of an item, that are looked at."""
_SHORT = 3
"""Characters of a text that names nothing."""
_POINTS_AT = {
    "place": re.compile(
        r"\b(?:there|around here|near ?by|close by|(?:that|this|the same|same) (?:city|town|area|place|location|region)"
        r"|in the (?:area|region|vicinity|neighbou?rhood))\b"
    ),
    "date": re.compile(r"\b(?:(?:that|this|the same|same) (?:day|date)|on that day|that same day)\b"),
    "time": re.compile(r"\b(?:that|the same|same) time\b"),
}
LOOSE_TOPICS = ("date", "time", "count", "length", "money")
"""What says little of what a function is about."""


def thing_spoken_of(entries: Sequence[Entry]) -> JsonObject:
    """The item of the latest result that was last named, or picked by its number; empty where there is none."""
    items, since = _found_last(entries)
    said = [each for each in since if isinstance(each, AgentText | UserText)]
    for entry in reversed(said):
        lower = entry.text.casefold()
        if isinstance(entry, UserText) and len(items) > 1:
            pick = pick_in(entry.text)
            if pick is not None and pick.number < len(items):
                return items[pick.number]
        named = [_named(item, lower) for item in items]
        if any(named) and (len(items) == 1 or named.count(max(named)) == 1):
            return items[named.index(max(named))]
    return items[0] if items else {}


def things_not_named(entries: Sequence[Entry]) -> list[JsonObject]:
    """The items of the latest result that the agent has not spoken of: nothing that only they have is in its words."""
    items, since = _found_last(entries)
    said = " ".join(each.text for each in since if isinstance(each, AgentText)).casefold()
    texts = [
        {value.casefold() for value in item.values() if isinstance(value, str) and len(value) > _SHORT}
        for item in items
    ]
    often = Counter(text for each in texts for text in each)
    return [
        item
        for item, own in zip(items, texts, strict=True)
        if not any(often[text] == 1 and text in said for text in own)
    ]


def _found_last(entries: Sequence[Entry]) -> tuple[list[JsonObject], Sequence[Entry]]:
    """The items of the latest result, none where it is an error, and what came after it."""
    at = max((at for at, each in enumerate(entries) if isinstance(each, FunctionResult)), default=-1)
    result = entries[at] if at >= 0 else None
    found = _items(result) if isinstance(result, FunctionResult) and not result.is_error else []
    return found, entries[at + 1 :]


def _items(result: FunctionResult) -> list[JsonObject]:
    body = read_outcome(result).body
    return [as_object(item) for item in (items_in(body) or [body])[:_MOST_ITEMS]]


def names_of_found(made: CallMade) -> dict[str, set[str]]:
    """The names of the members that have a text, of all things that a call found, by that text in lower case."""
    names: dict[str, set[str]] = {}
    for item in _items(made.result) if made.result else ():
        for name, value in item.items():
            if isinstance(value, str) and value:
                names.setdefault(value.casefold(), set()).add(name)
    return names


def found_in_words(calls: Sequence[CallMade], said: str) -> dict[str, str]:
    """Texts of things that were found which some words name, by the names of their members; the longest of several."""
    lower, named = said.casefold(), dict[str, str]()
    results = [made.result for made in calls[-MOST_CALLS:] if made.result and not made.result.is_error]
    items = [item for result in results for item in _items(result)]
    texts = (member for item in items for member in islice(item.items(), _MOST_MEMBERS))
    for name, value in texts:
        is_longer = isinstance(value, str) and len(value) > max(_SHORT, len(named.get(name, "")))
        if is_longer and str(value).casefold() in lower:
            named[name] = str(value)
    return named


def _named(item: JsonObject, said: str) -> int:
    """How much of an item some words name, in characters: a name tells more than a number."""
    values = (str(value).casefold() for value in item.values() if isinstance(value, str) and not value.isdigit())
    return sum(len(value) for value in values if len(value) > _SHORT and value in said)


def carried_values(
    book: Book, tool: LearnedTool, made: Sequence[CallMade], thing: JsonObject, entries: Sequence[Entry]
) -> dict[Path, JsonValue]:
    """Values for a function that nobody said for it: all that has the same name in a call before, and what is needed
    in the thing that it found, where the function is about that thing. The latest call first; "that hotel" may have
    been found before something else was asked for."""
    for number, one in enumerate(reversed(made[-MOST_CALLS:])):
        found = thing if not number else _thing_of(one, entries)
        if is_about(tool, {**one.call.arguments, **found}):
            return _of_same_name(book, tool, one.call.arguments, found)
    latest = made[-1].call.arguments if made else {}
    return _of_same_name(book, tool, latest, thing) if is_partly_about(tool, {**latest, **thing}) else {}


def _thing_of(made: CallMade, entries: Sequence[Entry]) -> JsonObject:
    """What an earlier call found, as it was spoken of until the next call."""
    if made.result is None:
        return {}
    begin = entries.index(made.result)
    later = (at for at, each in enumerate(entries) if at > begin and isinstance(each, FunctionCall))
    return thing_spoken_of(entries[: next(later, len(entries))])


def _of_same_name(book: Book, tool: LearnedTool, last: JsonObject, thing: JsonObject) -> dict[Path, JsonValue]:
    values: dict[Path, JsonValue] = {}
    for want in tool.wants:
        source: Mapping[str, JsonValue] = {**last, **thing} if want.required else last
        value = source.get(want.name)
        if value is not None and want.path in book.paths and may_stand(book.paths[want.path].slot, value):
            values[want.path] = value
    return values


def shared_values(book: Book, tool: LearnedTool, other: LearnedTool | None, last: JsonObject) -> dict[Path, JsonValue]:
    """The arguments of the call before whose parameters are the very same in both functions."""
    described = {want.path: want.description for want in (other.wants if other else ())}
    return {
        want.path: last[want.name]
        for want in tool.wants
        if want.description
        and described.get(want.path) == want.description
        and want.name in last
        and want.path in book.paths
        and may_stand(book.paths[want.path].slot, last[want.name])
    }


def is_about(tool: LearnedTool, known: JsonObject) -> bool:
    """Whether everything that names what a function is about is known by the same name."""
    naming = [want for want in tool.wants if want.required and names_thing(want)]
    return bool(naming) and all(want.name in known for want in naming)


def is_partly_about(tool: LearnedTool, known: JsonObject) -> bool:
    """Whether something that names what a function is about is known by the same name: of a visit the garage, though
    not yet the number plate."""
    return any(want.name in known for want in tool.wants if want.required and names_thing(want))


def names_thing(want: Want) -> bool:
    """Whether a parameter takes the name of a thing: a text that is no day, number or amount."""
    is_text = want.type == "string" and not want.options
    is_amount = want.topics["length"] > 0 or says_amount(want)
    return is_text and not is_amount and not any(want.topics[topic] == NAMED for topic in LOOSE_TOPICS)


def says_amount(want: Want) -> bool:
    """Whether a parameter is described as how many of something."""
    return _AMOUNT.match(want.description) is not None


_AMOUNT = re.compile(r"\W*(?:the )?(?:(?:total )?number|amount) of\b", re.IGNORECASE)


def identified(
    book: Book, tool: LearnedTool, other: LearnedTool | None, thing: JsonObject, text: str
) -> dict[Path, JsonValue]:
    """What identifies the thing that was found, where words point at it and a function needs that: the `id` of one of
    the classes that `other` listed, for a `class_id`."""
    if other is None or not _POINTS_AT_THING.search(text.casefold()):
        return {}
    about = other.name_stems | other.about
    values: dict[Path, JsonValue] = {}
    for want in tool.wants:
        words = words_of_name(want.name)
        names = (want.name, "id") if words[-1:] == ("id",) and about.issuperset(stems_of(" ".join(words[:-1]))) else ()
        value = next((thing[name] for name in names if name in thing), None)
        is_needed = want.required and want.path in book.paths
        if is_needed and value is not None and may_stand(book.paths[want.path].slot, value):
            values[want.path] = value
    return values


_POINTS_AT_THING = re.compile(
    r"\b(?:(?:that|this|the (?:first|second|third|fourth|fifth|last|other)) (?:one|\w+)|it)\b"
)


def pointed_at(book: Book, tool: LearnedTool, known: Sequence[JsonObject], text: str) -> dict[Path, JsonValue]:
    """What words such as "there" and "that day" stand for, of the things that are known, the likeliest first: what was
    found, then what was asked for."""
    values: dict[Path, JsonValue] = {}
    for topic, pattern in _POINTS_AT.items():
        if not pattern.search(text.casefold()):
            continue
        wants = [each for each in tool.wants if each.topics[topic] == NAMED and each.path in book.paths]
        want = next((each for each in wants if each.topics["origin"] != NAMED), None)
        value = next((one for source in known for one in _about(source, topic)), None)
        if value is None and topic == "place":
            value = next((text for source in known[1:] if (text := _only_text(source))), None)
        if want is not None and value is not None and may_stand(book.paths[want.path].slot, value):
            values[want.path] = value
    return values


def points_back(tool: LearnedTool, text: str) -> bool:
    """Whether words point at something of a topic that a function takes: "there", "that day"."""
    said = _THERE_IS.sub(" ", text.casefold())
    topics = [topic for topic, pattern in _POINTS_AT.items() if pattern.search(said)]
    return any(want.topics[topic] == NAMED for want in tool.wants for topic in topics)


_THERE_IS = re.compile(r"\b(?:is|are|was|were|be) there\b|\bthere(?:'s| is| are| was| were)\b")
"""Words that point nowhere: "is there a cheaper one?"."""


def carried_place(book: Book, tool: LearnedTool, known: Sequence[JsonObject]) -> dict[Path, JsonValue]:
    """The place that was spoken of last, for what is looked for and needs a place: who has found a train to Graz and
    asks for a hotel means one in Graz."""
    wants = [want for want in tool.wants if want.required and want.topics["place"] == NAMED and want.path in book.paths]
    wants = [want for want in wants if want.topics["origin"] != NAMED and names_thing(want)]
    value = next((one for source in known for one in _about(source, "place")), None)
    if len(wants) != 1 or not isinstance(value, str) or not may_stand(book.paths[wants[0].path].slot, value):
        return {}
    return {wants[0].path: value}


def _only_text(source: JsonObject) -> str:
    """The one text that something was asked for with, unless its name tells that it is no place; who has asked for
    boats on a lake means the lake by "there", and who has asked for songs of somebody does not."""
    texts = {name: value for name, value in source.items() if isinstance(value, str) and not value.isdigit()}
    name, text = next(iter(texts.items()), ("", ""))
    return text if len(texts) == 1 and not _NO_PLACE & set(stems_of(" ".join(words_of_name(name)))) else ""


_NO_PLACE = frozenset[str]().union(
    *(stems for topic, stems in TOPICS.items() if topic not in ("place", "origin", "target"))
)


def _about(source: JsonObject, topic: str) -> Iterator[JsonValue]:
    """The members of an object whose names speak of a topic; a city before an address."""
    names = [name for name in source if TOPICS[topic] & set(stems_of(" ".join(words_of_name(name))))]
    if topic == "place":
        names += [name for name in source if words_of_name(name)[:1] == ("to",) and name not in names]
    for name in sorted(names, key=_order):
        yield source[name]


def _order(name: str) -> int:
    """Where one has arrived before where one came from; a city before a place in it."""
    words = set(words_of_name(name))
    breadth = 0 if words & _BROAD else 2 if words & _NARROW else 1
    return breadth + (3 if words & _LEFT else 0)


_BROAD, _NARROW = {"city", "area", "town", "region"}, {"address", "street", "airport", "station", "venue"}
_LEFT = {"from", "origin", "start", "source", "departure"}
