"""What may be the value of a parameter: each mention that suits its type, in the form that it asks for."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum

from openplaybook.jsonvalues import JsonValue, as_list, is_number
from openplaybook.models.offline.learned.lexemes import stem_of
from openplaybook.models.offline.learned.mentions import Mention, MentionKind
from openplaybook.models.offline.learned.moments import written_clock, written_date
from openplaybook.models.offline.learned.places import whole_name, with_region
from openplaybook.models.offline.learned.said_options import UNSAID, Hits, SaidOption, said_flag, said_option
from openplaybook.models.offline.learned.units import implied_times, in_unit, said_unit, times_a_year, unit_of
from openplaybook.models.offline.learned.utterance import HeardUtterance
from openplaybook.models.offline.learned.wants import Want
from openplaybook.models.offline.learned.world_names import NamedThing, countries_named, money_named

_MOST_OPTIONS = 6
_PARTLY = 0.5
"""Share of a listed value's words that is said at least where it is not said as a whole."""
_MOST_LISTED = 200
_SEPARATED = re.compile(r"comma|separated|list of|multiple|one or more")
_YEAR_TOLD = re.compile(r"\b\d{4}\b")
_POSSESSIVE = re.compile(r"['’]s$")
_ARTICLE_OF = re.compile(r"^the (?=.* of )", re.IGNORECASE)
_ITEMS = frozenset((MentionKind.QUOTED, MentionKind.NAME, MentionKind.PHRASE, MentionKind.CODE))
_NORMALISED = frozenset((MentionKind.QUOTED, MentionKind.CODE, MentionKind.FORMULA))
_WORDS = frozenset((MentionKind.NAME, MentionKind.PHRASE))


class Form(Enum):
    """How a value came from the words."""

    PLAIN = "plain"
    DIVIDED = "divided"
    """Percent as a fraction."""
    FORMATTED = "formatted"
    """A date or a time in the form that is asked for."""
    REGION = "region"
    """A city with its region."""
    LISTED = "listed"
    """One of the values that the description gives."""
    SINGLE = "single"
    """A list of one."""
    LIST = "list"
    OPTION = "option"
    """One of the values that the schema lists."""
    OPTIONS = "options"
    FLAG = "flag"
    """Yes or no."""
    CONVERTED = "converted"
    """A measure in the unit that is asked for, or a code or country for what names it."""


_SHARING = frozenset((Form.OPTION, Form.OPTIONS, Form.LISTED, Form.FLAG))
"""Forms whose words may be another parameter's value as well."""


@dataclass(frozen=True, slots=True, eq=False)
class ValueOption:
    """A value that a parameter may get. Compared by identity."""

    value: JsonValue
    form: Form
    mention: Mention | None = None
    """The words that it stands in; None for what no single place says."""
    place: tuple[int, int] | None = None
    """The lexemes of a listed value."""
    hits: Hits = UNSAID
    is_listed: bool = False
    """Whether `hits` say something: it is one of several listed values."""

    @property
    def own_words(self) -> Mention | None:
        """The words that no other parameter can have as well."""
        return None if self.form in _SHARING else self.mention


def value_options(want: Want, words: HeardUtterance, today: date | None) -> list[ValueOption]:
    """Everything that the parameter may get."""
    if want.type == "boolean" or want.yes_no:
        return list(_flags(want, words))
    if want.options and want.type != "array":
        return _options(want, words)
    if want.is_numeric:
        return list(_numbers(want, words))
    if want.type == "array":
        return list(_arrays(want, words))
    if want.type == "object":
        literals = (one for one in words.mentions if isinstance(one.value, dict))
        return [ValueOption(one.value, Form.LIST, one) for one in literals]
    return [*_texts(want, words, today), *_named(want, words), *_described(want, words)]


def _flags(want: Want, words: HeardUtterance) -> Iterator[ValueOption]:
    hits, _ = said_flag(want, words)
    forms = want.yes_no or {"true": True, "false": False}
    for said in ("true", "false"):
        yield ValueOption(forms[said], Form.FLAG, hits=hits, is_listed=True)


def _options(want: Want, words: HeardUtterance) -> list[ValueOption]:
    """The listed values that are said best, and the default."""
    found = [_option(option, want, words) for option in want.options[:_MOST_LISTED]]
    best = sorted(found, key=lambda one: one.hits[:3], reverse=True)[:_MOST_OPTIONS]
    return best + [one for one in found if one.value == want.default and one not in best]


def _option(option: JsonValue, want: Want, words: HeardUtterance) -> ValueOption:
    number = int(option) if isinstance(option, str) and option.isascii() and option.isdigit() else option
    mention = None
    if is_number(number):
        numbers = (one for one in words.mentions if one.kind is MentionKind.NUMBER)
        mention = next((one for one in numbers if one.value == number), None)
    if mention is not None:
        around = {*words.stems[max(0, mention.first - 3) : mention.last + 4]}
        near = float(not around.isdisjoint(want.stems) or stem_of(mention.number.unit) in want.stems)
        return ValueOption(option, Form.OPTION, mention, hits=(1.0, 1.0, 0.0, 0.0, near, 1.0), is_listed=True)
    if is_number(number):
        # The 1 of "1460 Main Street" is not said.
        return ValueOption(option, Form.OPTION, is_listed=True)
    said = said_option(option, words, want)
    return ValueOption(option, Form.OPTION, place=said.place, hits=said.hits, is_listed=True)


def _numbers(want: Want, words: HeardUtterance) -> Iterator[ValueOption]:
    for number, meaning in want.codes.items():
        said = said_option(meaning, words, want)
        if said.hits[1] >= 0.5 or said.hits[2] > 0.5:
            yield ValueOption(number, Form.LISTED, place=said.place, hits=said.hits, is_listed=True)
    for one in words.mentions:
        if one.kind is not MentionKind.NUMBER or one.number.is_part:
            continue
        said = said_unit(words.text, one.end)[0] or unit_of(one.number.unit)
        if said and want.unit and said.dimension != want.unit.dimension:
            continue  # a length is no weight
        if said and want.unit and said != want.unit:
            # 30 of "30 minutes" is no number of hours, and only a half of one where that is allowed.
            yield from _whole_if_needed(in_unit(float(one.value), said, want.unit), want, mention=one)
            continue
        if want.type == "integer":
            if float(one.value).is_integer():
                yield ValueOption(int(one.value), Form.PLAIN, one)
            continue
        if not one.number.is_percent or want.percent > 0:
            yield ValueOption(float(one.value), Form.PLAIN, one)
        if one.number.is_percent:
            yield ValueOption(round(one.value / 100, 8), Form.DIVIDED, one)
    if want.unit is not None:
        for value, start, end in implied_times(words.lower, want.unit):
            yield from _whole_if_needed(value, want, place=words.lexemes_at(start, end))
    for often, start, end in times_a_year(words.lower, f"{want.name} {want.description}"):
        yield from _whole_if_needed(often, want, place=words.lexemes_at(start, end))


def _whole_if_needed(
    value: float, want: Want, *, mention: Mention | None = None, place: tuple[int, int] | None = None
) -> Iterator[ValueOption]:
    """A converted measure; nothing where a whole number is asked for and it is none."""
    if want.type == "number":
        yield ValueOption(value, Form.CONVERTED, mention, place)
    elif value.is_integer():
        yield ValueOption(int(value), Form.CONVERTED, mention, place)


def _arrays(want: Want, words: HeardUtterance) -> Iterator[ValueOption]:
    if want.options:
        yield from _several(want, want.options, words)
        return
    if want.item_type == "string" and want.says_choices:
        yield from _several(want, want.examples, words)
    for one in words.mentions:
        if one.kind is MentionKind.LITERAL and one.is_list:
            yield ValueOption(_typed(one.value, want), Form.LIST, one)
        elif want.item_type in ("integer", "number"):
            if one.kind is MentionKind.NUMBERS:
                yield ValueOption(_typed(one.value, want), Form.LIST, one)
            elif one.kind is MentionKind.NUMBER:
                yield ValueOption(_typed([one.value], want), Form.SINGLE, one)
        elif want.item_type == "string":
            if one.kind is MentionKind.STRINGS:
                yield ValueOption([str(value) for value in as_list(one.value)], Form.LIST, one)
            elif one.kind in _ITEMS:
                yield ValueOption([_plain_text(one)], Form.SINGLE, one)


def _several(want: Want, listed: Sequence[JsonValue], words: HeardUtterance) -> Iterator[ValueOption]:
    """The listed values that are said, in the order in which they are said: those said as a whole, those of them that
    are no part of a name, and those of which half is said."""
    told = [(option, said_option(option, words, want)) for option in listed[:_MOST_LISTED]]
    told = sorted(
        ((option, said) for option, said in told if said.place is not None),
        key=lambda each: each[1].place or (0, 0),
    )
    whole = [option for option, said in told if said.hits[1] >= 1.0]
    partly = [option for option, said in told if max(said.hits[1], said.hits[2]) >= _PARTLY]
    plain = [option for option, said in told if said.hits[1] >= 1.0 and not _is_in_name(said, words)]
    for options, share in ((whole, 1.0), (plain, 1.0), (partly, _PARTLY)):
        if options and (options is whole or options != whole):
            hits = (float(len(options)), share, 0.0, 0.0, 0.0, 0.0)
            yield ValueOption([*options], Form.OPTIONS, hits=hits, is_listed=True)


def _is_in_name(said: SaidOption, words: HeardUtterance) -> bool:
    return said.place is not None and said.place[0] > 0 and words.lexemes[said.place[0]].is_capital


def _typed(values: JsonValue, want: Want) -> list[JsonValue]:
    """The items of a list as their type is."""
    items = as_list(values)
    if want.item_type == "integer":
        return [int(item) if is_number(item) and float(item).is_integer() else item for item in items]
    if want.item_type == "number":
        return [float(item) if is_number(item) else item for item in items]
    return [str(item) for item in items] if want.item_type == "string" else items


def _plain_text(mention: Mention) -> str:
    text = str(mention.value if mention.kind in _NORMALISED else mention.text).strip()
    return _POSSESSIVE.sub("", text) if mention.kind in _WORDS else text


def _texts(want: Want, words: HeardUtterance, today: date | None) -> Iterator[ValueOption]:
    named = [(start, end) for _, start, end in _names_of(want, words)]
    for one in words.mentions:
        if (
            one.kind is MentionKind.NUMBERS
            or one.number.is_part
            or any(start <= one.start and one.end <= end for start, end in named)
        ):
            continue
        if one.kind is MentionKind.LITERAL:
            yield ValueOption(one.text, Form.PLAIN, one)
        elif one.kind is MentionKind.STRINGS:
            if _SEPARATED.search(want.description):
                is_by_comma = "comma" in want.description
                yield ValueOption(one.text.replace(" and ", ",") if is_by_comma else one.text, Form.PLAIN, one)
        else:
            yield _text(want, words, one, today)
            if want.topics["place"] and whole_name(one.text) != one.text:
                yield ValueOption(one.text, Form.PLAIN, one)
            if want.topics["date"] and not want.date_order and _is_whole_date(one):
                written = written_date(one.text, want, today, words.text)
                if written is not None and written != one.text:
                    yield ValueOption(written, Form.FORMATTED, one)


def _is_whole_date(mention: Mention) -> bool:
    """Whether it is a date with its year, of which another form says as much."""
    return mention.kind is MentionKind.DATE and _YEAR_TOLD.search(mention.text) is not None


def _named(want: Want, words: HeardUtterance) -> Iterator[ValueOption]:
    """Codes of currencies, and countries, in place of the words that name them."""
    for name, start, end in _names_of(want, words):
        yield ValueOption(name, Form.CONVERTED, place=words.lexemes_at(start, end))


def _names_of(want: Want, words: HeardUtterance) -> Iterator[NamedThing]:
    if want.is_currency:
        yield from money_named(words.lower)
    if want.is_country:
        yield from countries_named(words.lower)


def _text(want: Want, words: HeardUtterance, mention: Mention, today: date | None) -> ValueOption:
    if mention.kind is MentionKind.DATE and want.date_order:
        written = written_date(mention.text, want, today, words.text)
        if written is not None:
            return ValueOption(written, Form.FORMATTED, mention)
    if mention.kind is MentionKind.TIME and want.wants_clock:
        written = written_clock(mention.text)
        if written is not None:
            return ValueOption(written, Form.FORMATTED, mention)
    value = _plain_text(mention)
    if mention.kind is MentionKind.DATE:
        value = _ARTICLE_OF.sub("", value)
    if want.wants_region and mention.kind not in (MentionKind.DATE, MentionKind.TIME):
        whole = with_region(value)
        if whole is not None:
            return ValueOption(whole, Form.REGION, mention)
    return ValueOption(whole_name(value) if want.topics["place"] else value, Form.PLAIN, mention)


def _described(want: Want, words: HeardUtterance) -> Iterator[ValueOption]:
    """The values that the description gives, as far as they are said."""
    if want.topics["place"] or not (want.says_choices or want.topics["kind"] or want.topics["unit"]):
        return
    for example in dict.fromkeys(want.examples):
        said = said_option(example, words, want)
        whole, share, begun = said.hits[:3]
        if whole or share >= 0.5 or begun > 0.5:
            yield ValueOption(example, Form.LISTED, place=said.place, hits=said.hits, is_listed=True)
