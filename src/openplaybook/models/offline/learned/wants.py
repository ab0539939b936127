"""What a parameter asks for: its type, the topics of its name and description, its examples, formats and choices."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.models.offline.learned.lexemes import stem_of, stems_of, words_of_name
from openplaybook.models.offline.learned.units import Unit, asked_dimension, asked_unit
from openplaybook.models.offline.slots.slot_schema import DEEPEST, Path, resolve, type_of

_TOPICS = {
    "date": "date day dob birthday birthdate deadline checkin checkout",
    "time": "time hour clock",
    "place": """city location place country state address area region where town loc venue destination origin zip
        stadium university""",
    "person": """name author artist director actor actress actors person player cast composer starring user username
        contact sender recipient receiver doctor owner driver scientist winner president""",
    "origin": "from origin start source departure pickup initial first begin old min lower check-in base current low",
    "target": "to destination end target arrival dropoff final last upper max new second recipient high until",
    "id": "id code number identifier key symbol ticker isbn uuid token password account vin serial",
    "file": """file path url uri link website email host directory folder dataset image address webpage endpoint
        domain""",
    "unit": "unit units currency format",
    "title": """title name movie book song game album event show project company team product item artwork recipe""",
    "query": """query question text message content keyword keywords search prompt topic description comment note
        reason command sentence issue subject""",
    "formula": "function expression formula equation code sql polynomial",
    "kind": """type kind category genre style method mode cuisine color colour material level species sport language
        dish food ingredient""",
    "count": "number num count total quantity amount limit max top n size seats people adults passengers guests",
    "money": """price cost amount budget salary income revenue investment principal payment balance fee money usd
        dollars value""",
    "rate": "rate percentage percent probability ratio interest fraction yield",
    "year": "year",
    "length": "days years months hours minutes weeks duration period term nights seconds",
}
TOPICS = {topic: frozenset(map(stem_of, words.split())) for topic, words in _TOPICS.items()}
NAMED, DESCRIBED = 2.0, 1.0
"""How a topic is told: by the name, or by the description alone."""
_ANY = frozenset(("dontcare", "any", ""))
_DEFAULT = re.compile(r"defaults? (?:value )?(?:is|to|set to|=)?:? *['\"]?([\w./-]+)", re.IGNORECASE)
_QUOTED = re.compile(r"(?<!\w)['\"‘“]([^'\"’”]{1,60})['\"’”](?!\w)")
_SUCH_AS = re.compile(r"(?:e\.g\.?,?|such as|for example,?|like) ([^'\"().;]{2,60})")
_CODES = re.compile(
    r"\b(\d{1,4})['\"]? (?:represents|for|is|means|refers to|stands for|corresponds to|=|-|:) ([^,.;()]{2,40})"
)
_BETWEEN = re.compile(r",| or | and ")
_SAYS_CHOICES = re.compile(
    r"can be|choices|options|one of|either|possible|allowed|valid|supported|refers to|accepts|values? (?:are|is)|or '",
    re.IGNORECASE,
)
_EXAMPLES_FROM = re.compile(r"\(?(?:e\.g|such as|for example|for instance).*")
_CITY_STATE = re.compile(r"city,? ?(?:and )?(?:state|country)|state \(abbr|city, st")
_DATE_FORM = re.compile(r"\b(yyyy|dd|mm)([-/.])(mm|dd)\2(yyyy|dd)\b")
_ISO = re.compile(r"iso.?8601")
_CLOCK = re.compile(r"24.?hour|hh:mm")
_PERCENT = re.compile(r"percent|%")
_FRACTION = re.compile(r"decimal|fraction|between 0 and 1|0\.\d")
_YEAR = re.compile(r"\b(20\d\d)-")
_ORDER = ("1", "2", "3", "4", "5")
_MOST_DESCRIBED = 600
_MOST_EXAMPLES = 20
_MOST_CODES = 100
_MOST = 60
"""Parameters of a function that are looked for."""


@dataclass(frozen=True, eq=False)
class Want:
    """One parameter, or one member of an object that is a parameter. Compared by identity."""

    path: Path
    schema: JsonObject
    required: bool
    """Whether the call cannot be made without it."""
    type: str
    """`string`, `integer`, `number`, `boolean`, `array` or `object`."""
    item_type: str
    """Of an array's items, likewise."""
    description: str

    @property
    def name(self) -> str:
        """The last member of the path."""
        return self.path[-1]

    @property
    def is_numeric(self) -> bool:
        """Whether it takes a number."""
        return self.type in ("integer", "number")

    @cached_property
    def options(self) -> Sequence[JsonValue]:
        """The values that its schema allows, or that of its items; nothing where it lists none."""
        if "const" in self.schema:
            return [self.schema["const"]]
        items = as_object(self.schema.get("items")) if self.type == "array" else {}
        return as_list(self.schema.get("enum")) or as_list(items.get("enum"))

    @cached_property
    def yes_no(self) -> dict[str, JsonValue]:
        """The two options of what is yes or no, though it is text; empty for anything else."""
        said = {str(option).lower() for option in self.options} - _ANY
        if said != {"true", "false"}:
            return {}
        return {str(option).lower(): option for option in self.options if str(option).lower() in said}

    @cached_property
    def default(self) -> JsonValue:
        """What stands for it when it is left out, by the schema or its description; None where neither tells."""
        if self.schema.get("default") is not None:
            return self.schema["default"]
        told = _DEFAULT.search(self.description)
        return told[1].rstrip(".") if told else None

    @cached_property
    def examples(self) -> tuple[str, ...]:
        """Values that the description gives."""
        examples = _QUOTED.findall(self.description)
        if such := _SUCH_AS.search(self.description):
            parts = (part.strip() for part in _BETWEEN.split(such[1]))
            examples += [part for part in parts if part and len(part) < 30]
        return tuple(examples[:_MOST_EXAMPLES])

    @cached_property
    def codes(self) -> dict[int, str]:
        """Numbers that stand for something, by the description: "1 for cleaning, 2 for ironing"."""
        found = _CODES.findall(self.description)[:_MOST_CODES]
        return {int(number): meaning.strip(" '\"") for number, meaning in found} if len(found) > 1 else {}

    @cached_property
    def examples_lower(self) -> frozenset[str]:
        """The same in lower case."""
        return frozenset(example.lower() for example in self.examples)

    @cached_property
    def shapes(self) -> frozenset[str]:
        """How the examples are written."""
        return frozenset(map(shape_of, self.examples))

    @cached_property
    def width(self) -> float:
        """Words of an example, on the average; 0 where there is none."""
        return sum(len(example.split()) for example in self.examples) / max(1, len(self.examples))

    @cached_property
    def says_choices(self) -> bool:
        """Whether the description lists what is allowed."""
        return len(self.examples) > 1 and _SAYS_CHOICES.search(self.description) is not None

    @cached_property
    def name_words(self) -> tuple[str, ...]:
        """The words of its name."""
        return words_of_name(self.name)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of its name, and of the objects it is in."""
        own = {stem_of(word) for word in self.name_words if len(word) > 1 or len(self.name_words) == 1}
        return frozenset(own).union(*(stems_of(part) for part in self.path[:-1]))

    @cached_property
    def about(self) -> frozenset[str]:
        """Stems of its description, its examples apart."""
        return frozenset(stems_of(_EXAMPLES_FROM.sub("", self.description))) - self.stems

    @cached_property
    def head(self) -> str:
        """Stem of the last word of its name."""
        return stem_of(self.name_words[-1]) if self.name_words else ""

    @cached_property
    def unit_stems(self) -> frozenset[str]:
        """Stems of all words of its name and description, among which a unit may be."""
        return frozenset(stem_of(word) for word in words_of_name(f"{self.description} {self.name}"))

    @cached_property
    def unit(self) -> Unit | None:
        """The unit of measure that it asks for."""
        return asked_unit(self.name, self.description)

    @cached_property
    def dimension(self) -> str:
        """The kind of measure that it asks for: `length`, `length/time2`; empty where it asks for none."""
        return asked_dimension(self.name, self.description)

    @cached_property
    def is_currency(self) -> bool:
        """Whether it takes a currency."""
        return "currency" in self.name.lower() or "currenc" in self._lower

    @cached_property
    def is_country(self) -> bool:
        """Whether it takes a country."""
        return "countr" in self.name.lower() or "countr" in self._lower[:80]

    @cached_property
    def topics(self) -> dict[str, float]:
        """How each topic is told: `NAMED`, `DESCRIBED` or 0."""
        return {
            topic: NAMED if self.stems & stems else DESCRIBED if self.about & stems else 0.0
            for topic, stems in TOPICS.items()
        }

    @cached_property
    def _lower(self) -> str:
        return self.description.lower()

    @cached_property
    def wants_region(self) -> bool:
        """Whether a city is to be given with its state or country."""
        return _CITY_STATE.search(self._lower) is not None

    @cached_property
    def date_form(self) -> tuple[str, str]:
        """How a date is to be written: `ymd`, `mdy` or `dmy`, and what stands between; both empty where nothing is
        said."""
        if told := _DATE_FORM.search(self._lower):
            return "".join(part[0] for part in (told[1], told[3], told[4])), told[2]
        is_iso = _ISO.search(self._lower) is not None or self.schema.get("format") in ("date", "date-time")
        return ("ymd", "-") if is_iso else ("", "")

    @property
    def date_order(self) -> str:
        """The order of day, month and year in a date: `ymd`, `mdy`, `dmy`, or empty where nothing is said."""
        return self.date_form[0]

    @cached_property
    def wants_clock(self) -> bool:
        """Whether a time is to be given by the clock of 24 hours."""
        return _CLOCK.search(self._lower) is not None or self.schema.get("format") == "time"

    @cached_property
    def percent(self) -> float:
        """2 where percent are spoken of, 1 where a fraction is as well, -1 where a fraction alone is, else 0."""
        percent = 2.0 if _PERCENT.search(self._lower + self.name) else 0.0
        return percent - 1 if _FRACTION.search(self._lower) else percent

    @cached_property
    def year(self) -> str:
        """The year of a date in the description; empty where there is none."""
        told = _YEAR.search(self.description)
        return told[1] if told else ""

    @property
    def is_symbol(self) -> bool:
        """Whether its name is a letter or two, as in formulas."""
        return len(self.name) <= 2

    @cached_property
    def ordinal(self) -> float:
        """Which of several its name says it is, from 0 on; -1 where it does not."""
        for number, ending in enumerate(_ORDER):
            if self.name.endswith(ending):
                return float(number)
        for number, word in enumerate(("first", "second", "third")):
            if word in self.name_words or word in self._lower[:60]:
                return float(number)
        return -1.0


def shape_of(text: str) -> str:
    """How a text is written: `AB-12` → `A-9`."""
    small = re.sub(r"[a-zà-ÿ]+", "a", re.sub(r"[A-ZÀ-Ý]+", "A", re.sub(r"\d+", "9", text)))
    return small[:24]


def wants_of(input_schema: JsonObject) -> tuple[Want, ...]:
    """The parameters of an input schema, the members of objects in place of the objects."""
    wants = list(_walk(input_schema, input_schema, (), required=True))
    # Of very many those that are needed come first.
    return tuple(wants if len(wants) <= _MOST else sorted(wants, key=lambda want: not want.required)[:_MOST])


def _walk(schema: JsonObject, root: JsonObject, path: Path, *, required: bool) -> Iterator[Want]:
    schema = resolve(schema, root)
    properties = as_object(schema.get("properties"))
    if properties and len(path) < DEEPEST:
        needed = as_list(schema.get("required"))
        for name, member in properties.items():
            yield from _walk(as_object(member), root, (*path, name), required=required and name in needed)
    elif path:
        items = resolve(as_object(schema.get("items")), root)
        yield Want(
            path=path,
            schema=schema,
            required=required,
            type=type_of(schema) or "string",
            item_type=type_of(items) or "string",
            description=str(schema.get("description") or schema.get("title") or "")[:_MOST_DESCRIBED],
        )
