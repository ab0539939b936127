"""The features of a pair: a parameter, and what may be its value."""

import re
from collections.abc import Sequence
from datetime import date

from openplaybook.models.offline.language.lexicon import word_set
from openplaybook.models.offline.learned.lexemes import stem_of
from openplaybook.models.offline.learned.mention_features import MENTION_FEATURES, NO_MENTION, MentionView, SeenMention
from openplaybook.models.offline.learned.mentions import Mention, MentionKind
from openplaybook.models.offline.learned.places import is_known_place
from openplaybook.models.offline.learned.units import said_dimension
from openplaybook.models.offline.learned.utterance import HeardUtterance
from openplaybook.models.offline.learned.value_options import Form, ValueOption, value_options
from openplaybook.models.offline.learned.wants import NAMED, TOPICS, Want, shape_of
from openplaybook.models.offline.learned.word_classes import class_fit

_UNIT_WORDS = """kg=kilogram g=gram m=meter km=kilometer cm=centimeter s=second ft=feet lbs=pound hz=hertz k=kelvin
    mph=mile °c=celsius j=joule v=volt c=celsius h=hour hr=hour min=minute mins=minute"""
_UNITS = {each.split("=")[0]: each.split("=")[1] for each in word_set(_UNIT_WORDS)}
_WRITTEN = (
    (re.compile(r"[^@\s]+@[^@\s]+\.\w+$"), frozenset(("email", "mail", "recipi", "to"))),
    (re.compile(r"https?://|www\."), frozenset(("url", "link", "websit", "host", "webpag", "endpoint", "uri"))),
    (
        re.compile(r"[\w.-]*[/\\]\S*$|[\w-]+\.\w{2,4}$"),
        frozenset(("path", "fil", "folder", "directory", "dataset", "director")),
    ),
    (
        re.compile(r"(?=.*\d)(?=.*[A-Za-z-])[\w/-]+$"),
        frozenset(("id", "cod", "number", "numb", "identifi", "key", "docket", "ticket", "serial")),
    ),
)
"""How addresses of mail, links, paths and codes look, and the words of parameters that take them."""
_ADDRESSES = frozenset(("email", "mail", "url", "uri", "websit", "webpag"))
_TO_PLACES = frozenset(("in", "at", "near", "around", "to", "from"))
_TO_PERSONS = frozenset(("by", "with", "starring", "featuring", "named", "called", "to"))
_FORMS = (Form.DIVIDED, Form.FORMATTED, Form.REGION, Form.LISTED, Form.SINGLE, Form.CONVERTED)
_MARKED = frozenset((MentionKind.NAME, MentionKind.QUOTED, MentionKind.CODE, MentionKind.DATE, MentionKind.TIME))
_LISTS = frozenset((MentionKind.NUMBERS, MentionKind.LITERAL, MentionKind.STRINGS))

PAIR_FEATURES = (
    *(f"topic_{topic}" for topic in TOPICS),
    *("required", "has_default", "integer", "number", "array", "options", "flag", "object", "number_items", "rank"),
    *("alike", "has_form", "wants_region", "says_choices", "percent", "symbol", "examples", "ordinal_name"),
    *MENTION_FEATURES,
    *(f"form_{form.value}" for form in _FORMS),
    *("says_yes", "name_before", "name_behind", "about_before", "about_behind", "name_inside", "about_inside"),
    *("head_behind", "head_inside", "head_before", "unit", "is_default", "is_example", "like_example", "width_gap"),
    *("order_gap", "same_order", "pool", "from_fits", "to_fits", "place_fits", "person_fits", "symbol_fits"),
    *("known_place", "money", "is_percent", "like_year", "is_ordinal", "in_moment", "decimal", "in_words", "one"),
    *("counts", "comma", "in_quotes", "written", "year_fits", "money_fits"),
    *("same_dimension", "inside_marked", "full_name_before", "class_fits"),
    *("hit_whole", "hit_share", "hit_begun", "hit_initials", "hit_near", "hit_words", "hits_best", "is_best"),
    *("tool_word", "unit_of_name", "other_name_nearer", "cue", "cue_lead_here", "cue_lead_there"),
)
"""Names of the features, in their order."""


_CUES = tuple(
    (PAIR_FEATURES.index(name), weight)
    for name, weight in (
        *(("name_before", 1.0), ("name_behind", 0.4), ("about_before", 0.3), ("about_behind", 0.15)),
        *(("head_behind", 1.0), ("unit", 0.6), ("from_fits", 0.5), ("to_fits", 0.5), ("person_fits", 0.2)),
        *(("place_fits", 0.2), ("symbol_fits", 1.0), ("money_fits", 0.5), ("unit_of_name", 0.6), ("written", 0.3)),
    )
)
"""Features that are signs of a parameter, and how much each counts where signs are compared."""


_MOST_PAIRS, _FEWEST_OPTIONS = 4_000, 8
"""Pairs that are looked at, and options that every parameter has in any case."""


class PairScene:
    """One utterance and the parameters of one function: what each may get, and the features of each pair."""

    def __init__(
        self, words: HeardUtterance, wants: Sequence[Want], tool_stems: frozenset[str], today: date | None = None
    ) -> None:
        self.words, self.wants = words, wants
        self._tool_stems = tool_stems
        self._view = MentionView(words)
        most = max(_FEWEST_OPTIONS, _MOST_PAIRS // max(1, len(wants)))
        self.options = [value_options(want, words, today)[:most] for want in wants]
        self._quotes = [(one.start, one.end) for one in words.mentions if one.kind is MentionKind.QUOTED]
        self._orders = _orders(words.mentions)
        self._alike = _alike(wants)
        self._named_at = {
            id(want): [place for stem in want.stems for place in words.places.get(stem, ())] for want in wants
        }
        self.rows = [self._rows(want, options) for want, options in zip(wants, self.options, strict=True)]
        self._add_cues()

    def _add_cues(self) -> None:
        """How clearly the words beside a value speak of its parameter, and by how much more clearly than those beside
        other values, and than they speak of other parameters of its type."""
        cues = [[sum(row[at] * weight for at, weight in _CUES) for row in rows] for rows in self.rows]
        best_of: dict[tuple[str, int], list[tuple[float, int]]] = {}
        for number, (want, options, row) in enumerate(zip(self.wants, self.options, cues, strict=True)):
            for option, cue in zip(options, row, strict=True):
                if option.mention is not None:
                    best_of.setdefault((want.type, option.mention.start), []).append((cue, number))
        for number, (want, options, row) in enumerate(zip(self.wants, self.options, cues, strict=True)):
            best = sorted(row, reverse=True)[:2]
            for option, cue, features in zip(options, row, self.rows[number], strict=True):
                rival = (best[1] if len(best) > 1 else 0.0) if cue == best[0] else best[0]
                start = option.mention.start if option.mention else -1
                theirs = (other for other, at in best_of.get((want.type, start), ()) if at != number)
                features += [cue, cue - rival, cue - max(theirs, default=0.0)]

    def _rows(self, want: Want, options: Sequence[ValueOption]) -> list[list[float]]:
        rank, alike = self._alike[id(want)]
        head = _want_row(want, rank, alike)
        about_at = [place for stem in want.about for place in self.words.places.get(stem, ())]
        best = max((sum(one.hits[:3]) for one in options if one.is_listed), default=0.0)
        equal = float(sum(one.is_listed and sum(one.hits[:3]) >= max(best, 0.1) - 1e-6 for one in options))
        return [
            [*head, *self._option_row(want, one, rank, alike, about_at), *self._hit_row(want, one, best, equal)]
            for one in options
        ]

    def _option_row(
        self, want: Want, option: ValueOption, rank: int, alike: int, about_at: Sequence[int]
    ) -> list[float]:
        mention = option.mention
        seen = self._view.seen(mention) if mention is not None else None
        place = (mention.first, mention.last) if mention is not None else option.place
        name_at = self._named_at[id(want)]
        return [
            *(seen.row if seen else NO_MENTION),
            *(1.0 if option.form is form else 0.0 for form in _FORMS),
            float(option.form is Form.FLAG and str(option.value).lower() == "true"),
            *_nearness(place, name_at, about_at),
            *self._word_row(want, option, seen),
            *self._order_row(mention, rank, alike),
            *self._fit_row(want, option, seen, place),
        ]

    def _word_row(self, want: Want, option: ValueOption, seen: SeenMention | None) -> list[float]:
        stems: frozenset[str] = seen.stems if seen else frozenset()
        behind, before = (seen.stem_behind, seen.stem_before) if seen else ("", "")
        unit = (option.mention.number.unit if option.mention else "") or behind
        whole_unit = stem_of(_UNITS.get(unit, unit)) if unit else ""
        text = str(option.value)
        lower = text.lower()
        return [
            len(stems & want.stems) / (1 + len(stems)),
            len(stems & want.about) / (1 + len(stems)),
            float(bool(behind) and behind == want.head),
            float(want.head in stems),
            float(bool(before) and before == want.head),
            float(bool(whole_unit) and (whole_unit in want.unit_stems or unit in want.unit_stems)),
            float(want.default is not None and lower == str(want.default).lower()),
            float(lower in want.examples_lower),
            float(bool(want.shapes) and shape_of(text) in want.shapes),
            (len(text.split()) - want.width) if want.width else 0.0,
        ]

    def _order_row(self, mention: Mention | None, rank: int, alike: int) -> list[float]:
        """Whether it has the same place among the mentions of its kind as the parameter among those of its type."""
        if mention is None:
            return [-9.0, 0.0, 0.0]
        order = self._orders[_order_of(mention)]
        at = order.get(mention.start)
        if at is None:
            return [-9.0, 0.0, float(len(order))]
        return [float(at - rank), float(len(order) == alike and at == rank), float(len(order))]

    def _fit_row(
        self, want: Want, option: ValueOption, seen: SeenMention | None, place: tuple[int, int] | None
    ) -> list[float]:
        topics, mention = want.topics, option.mention
        before = seen.before if seen else ""
        number = mention.number if mention else None
        text = str(option.value)
        is_year = mention is not None and mention.kind is MentionKind.NUMBER and 1900 <= mention.value <= 2100
        is_money = number is not None and number.is_money
        is_named = bool(seen) and place is not None and any(0 < place[0] - at <= 3 for at in self._named_at[id(want)])
        is_set = bool(seen) and (seen.stem_before == want.name if seen else False)
        heads_year = want.head == "year"
        return [
            topics["origin"] * (before in ("from", "between")) - (topics["target"] == NAMED and before == "from"),
            topics["target"] * (before in ("to", "until", "and")) - (topics["origin"] == NAMED and before == "to"),
            topics["place"] * (before in _TO_PLACES),
            topics["person"] * (before in _TO_PERSONS),
            float(want.is_symbol and (is_set or (before in ("=", ":") and is_named))),
            float(is_known_place(text)),
            float(is_money),
            float(number is not None and number.is_percent),
            float(is_year),
            float(number is not None and number.is_ordinal),
            float(number is not None and number.is_in_moment),
            float(number is not None and number.is_decimal),
            float(number is not None and number.is_words),
            float(number is not None and number.is_one),
            float(number is not None and number.is_count),
            float(("," in text or " and " in text) and not want.wants_region),
            float(mention is not None and any(a < mention.start and mention.end < b for a, b in self._quotes)),
            _written(text, want, mention.kind) if mention else 0.0,
            float(is_year) * (float(heads_year) - float(topics["money"] == NAMED)),
            float(is_money) * (topics["money"] - 2 * float(heads_year)),
            self._same_dimension(want, mention),
            float(seen is not None and seen.is_part),
            self._full_name_before(want, place),
            class_fit(want.stems, text) if want.type in ("string", "array") else 0.0,
        ]

    def _same_dimension(self, want: Want, mention: Mention | None) -> float:
        """Whether a number is a measure of the kind that is asked for; -1 where it is one of another kind."""
        if not want.is_numeric or mention is None or not want.dimension:
            return 0.0
        said = said_dimension(self.words.text, mention.end)
        return (1.0 if said == want.dimension else -1.0) if said else 0.0

    def _full_name_before(self, want: Want, place: tuple[int, int] | None) -> float:
        """The share of the words of a parameter's name that stand shortly before a place."""
        if place is None or not want.stems:
            return 0.0
        before = self.words.stems[max(0, place[0] - 2 - len(want.stems)) : place[0]]
        return len(want.stems & frozenset(before)) / len(want.stems)

    def _hit_row(self, want: Want, option: ValueOption, best: float, equal: float) -> list[float]:
        mention = option.mention
        seen = self._view.seen(mention) if mention is not None else None
        stems: frozenset[str] = seen.stems if seen else frozenset()
        place = (mention.first, mention.last) if mention is not None else option.place
        return [
            *option.hits,
            equal,
            float(option.is_listed and sum(option.hits[:3]) >= best - 1e-6),
            len(stems & self._tool_stems) / (1 + len(stems)),
            float(mention is not None and mention.number.unit in want.stems),
            self._rival_name(want, place),
        ]

    def _rival_name(self, want: Want, place: tuple[int, int] | None) -> float:
        """How near a name of another parameter of the same kind stands before a place, where none of this one is as
        near."""
        if place is None:
            return 0.0

        def nearness(places: Sequence[int]) -> float:
            return max((1 / (place[0] - at) for at in places if at < place[0]), default=0.0)

        own = nearness(self._named_at[id(want)])
        theirs = max(
            (
                nearness(self._named_at[id(other)])
                for other in self.wants
                if other is not want and other.type == want.type
            ),
            default=0.0,
        )
        return theirs - own


def _want_row(want: Want, rank: int, alike: int) -> list[float]:
    return [
        *want.topics.values(),
        float(want.required),
        float(want.default is not None),
        float(want.type == "integer"),
        float(want.type == "number"),
        float(want.type == "array"),
        float(bool(want.options)),
        float(want.type == "boolean" or bool(want.yes_no)),
        float(want.type == "object"),
        float(want.type == "array" and want.item_type in ("integer", "number")),
        float(rank),
        float(alike),
        float(bool(want.date_order) or want.wants_clock),
        float(want.wants_region),
        float(want.says_choices),
        want.percent,
        float(want.is_symbol),
        float(len(want.examples)),
        want.ordinal,
    ]


def _nearness(place: tuple[int, int] | None, name_at: Sequence[int], about_at: Sequence[int]) -> list[float]:
    """How near words of the name and of the description are, before and behind."""
    if place is None:
        return [0.0, 0.0, 0.0, 0.0]
    first, last = place
    return [
        max((1 / (first - at) for at in name_at if at < first), default=0.0),
        max((1 / (at - last) for at in name_at if at > last), default=0.0),
        sum(1 / (first - at) for at in about_at if first - 8 < at < first),
        sum(1 / (at - last) for at in about_at if last < at < last + 6),
    ]


def _order_of(mention: Mention) -> str:
    if mention.kind is MentionKind.NUMBER:
        return "numbers"
    return "lists" if mention.kind in _LISTS else "names"


def _orders(mentions: Sequence[Mention]) -> dict[str, dict[int, int]]:
    """The places of numbers, of lists and of names among themselves, by where they begin."""
    numbers = {
        one.start
        for one in mentions
        if one.kind is MentionKind.NUMBER and not one.number.is_count and not one.number.is_in_moment
    }
    lists = {one.start for one in mentions if one.kind in _LISTS}
    names = {one.start for one in mentions if one.kind in _MARKED}
    return {
        order: {start: number for number, start in enumerate(sorted(starts))}
        for order, starts in (("numbers", numbers), ("lists", lists), ("names", names))
    }


def _alike(wants: Sequence[Want]) -> dict[int, tuple[int, int]]:
    """By identity: which of the parameters of its type it is, and how many these are."""
    groups: dict[str, list[Want]] = {}
    for want in wants:
        groups.setdefault("number" if want.is_numeric else want.type, []).append(want)
    return {id(want): (rank, len(group)) for group in groups.values() for rank, want in enumerate(group)}


def _written(text: str, want: Want, kind: MentionKind) -> float:
    """Whether the look of a value suits what the parameter says it is: 1, or -1 where it looks like something else, or
    where words stand for an address of mail or of a page."""
    words = want.stems | want.about
    if kind in (MentionKind.CODE, MentionKind.QUOTED):
        for pattern, suiting in _WRITTEN:
            if pattern.match(text):
                return 1.0 if suiting & words else -1.0
    is_address_asked = want.type == "string" and not words.isdisjoint(_ADDRESSES)
    return -1.0 if is_address_asked and kind in (MentionKind.NAME, MentionKind.PHRASE) else 0.0
