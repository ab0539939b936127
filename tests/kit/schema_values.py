"""Values that fit a JSON Schema (2020-12), drawn by hypothesis.

Built to make arguments for real APIs: what a schema asks for is met, what it leaves open stays small. A value is
checked by the caller, who knows the whole schema; conditions that are rare in descriptions (`not`, `if`, `dependent…`)
are met by chance or not at all.
"""

import base64
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

Draw: TypeAlias = Callable[[st.SearchStrategy[Any]], Any]

_LETTERS = "abcXYZ019-_.~/?#&%+<>'éß漢😀"
"""Without the delimiters of styles, which no reader can tell from an item's own."""

_DEEP, _DEEPEST = 3, 12
"""Levels from which on only what is required is made, and beyond which nothing is."""
_MOST_OPTIONAL = 12
_MOST_ITEMS = 3
_LARGE = 10**9

_FORMATS: Mapping[str, st.SearchStrategy[str]] = {
    "date": st.dates().map(lambda day: f"{day:%Y}".zfill(4) + f"{day:-%m-%d}"),
    "date-time": st.sampled_from(["2026-11-22T08:30:00Z", "1999-12-31T23:59:59.5+02:00"]),
    "time": st.just("08:30:00Z"),
    "duration": st.just("P1DT2H"),
    "uuid": st.uuids().map(str),
    "guid": st.uuids().map(str),
    "email": st.sampled_from(["kim@example.com", "a.b+c@example.org"]),
    "idn-email": st.just("kim@example.com"),
    "uri": st.sampled_from(["https://example.com/a?b=c#d", "urn:isbn:0451450523"]),
    "url": st.just("https://example.com/a?b=c"),
    "uri-reference": st.just("/a/b?c=d"),
    "iri": st.just("https://example.com/a"),
    "hostname": st.just("api.example.com"),
    "ipv4": st.ip_addresses(v=4).map(str),
    "ipv6": st.ip_addresses(v=6).map(str),
    "byte": st.binary(max_size=12).map(lambda data: base64.b64encode(data).decode()),
    "regex": st.just("^a+$"),
    "json-pointer": st.just("/a/b"),
}


def drawn(draw: Draw, schema: JsonObject) -> JsonValue:
    """A value for `schema`, whose references lead to its own `$defs`; `draw` is that of a composite strategy."""
    return _value(draw, schema, as_object(schema.get("$defs")), 0)


def _value(draw: Draw, schema: JsonValue, definitions: JsonObject, depth: int) -> JsonValue:
    if schema is False or depth > _DEEPEST:
        return reject()
    flat = _flat(draw, as_object(schema), definitions)
    if "const" in flat:
        return flat["const"]
    if "enum" in flat:
        return draw(st.sampled_from(as_list(flat["enum"]))) if flat["enum"] else reject()
    match _type(draw, flat, depth):
        case "object":
            return _object(draw, flat, definitions, depth)
        case "array":
            return _array(draw, flat, definitions, depth)
        case "integer":
            return _number(draw, flat, whole=True)
        case "number":
            return _number(draw, flat, whole=False)
        case "boolean":
            return draw(st.booleans())
        case "null":
            return None
        case _:
            return _string(draw, flat)


def _flat(draw: Draw, schema: JsonObject, definitions: JsonObject) -> JsonObject:
    """The schema with its references followed, its parts merged and one of its alternatives chosen."""
    for _ in range(64):
        rest = dict(schema)
        reference = rest.pop("$ref", None)
        parts = as_list(rest.pop("allOf", None))
        choices = [as_list(rest.pop(keyword)) for keyword in ("oneOf", "anyOf") if rest.get(keyword)]
        if isinstance(reference, str):
            parts = [definitions.get(reference.removeprefix("#/$defs/"), {}), *parts]
        parts = [*parts, *(draw(st.sampled_from(branches)) for branches in choices)]
        if not parts:
            return rest
        for part in parts:
            if part is False:
                reject()
            rest = _merged(rest, as_object(part))
        schema = rest
    return reject()


def _merged(one: JsonObject, other: JsonObject) -> JsonObject:
    """What fits both, nearly: the rarer keywords of `other` win."""
    merged = {**one, **other}
    for keyword in set(one) & set(other):
        left, right = one[keyword], other[keyword]
        match keyword:
            case "properties" | "patternProperties":
                names = [*left, *(name for name in right if name not in left)]
                merged[keyword] = {
                    name: {"allOf": [left[name], right[name]]}
                    if name in left and name in right
                    else left.get(name, right.get(name))
                    for name in names
                }
            case "required":
                merged[keyword] = list(dict.fromkeys([*left, *right]))
            case "enum":
                merged[keyword] = [item for item in left if item in right]
            case "allOf" | "oneOf" | "anyOf":
                merged[keyword] = [*left, *right] if keyword == "allOf" else right
                if keyword != "allOf":
                    merged["allOf"] = [*as_list(merged.get("allOf")), {keyword: left}]
            case "$ref":
                merged["allOf"] = [*as_list(merged.get("allOf")), {"$ref": left}]
            case "type":
                shared = [name for name in _types(left) if name in _types(right)]
                merged[keyword] = shared or right
            case _:
                pass
    return merged


def _types(value: JsonValue) -> list[str]:
    return [value] if isinstance(value, str) else [str(each) for each in as_list(value)]


_BY_KEYWORD = {
    "properties": "object",
    "required": "object",
    "additionalProperties": "object",
    "items": "array",
    "minItems": "array",
    "minimum": "number",
    "maximum": "number",
}


def _type(draw: Draw, schema: JsonObject, depth: int) -> str:
    types = _types(schema.get("type"))
    if not types:
        return next((kind for keyword, kind in _BY_KEYWORD.items() if keyword in schema), "string")
    useful = [each for each in types if each != "null"]
    if not useful or ("null" in types and depth and draw(st.integers(0, 9)) == 0):
        return "null"
    return draw(st.sampled_from(useful))


def _object(draw: Draw, schema: JsonObject, definitions: JsonObject, depth: int) -> JsonObject:
    properties = as_object(schema.get("properties"))
    required = [str(name) for name in as_list(schema.get("required"))]
    optional = [name for name in properties if name not in required and properties[name] is not False]
    extra = schema.get("additionalProperties")
    names = list(required)
    if depth <= _DEEP:
        some = optional if len(optional) <= _MOST_OPTIONAL else draw(_sample(optional, _MOST_OPTIONAL))
        names += [name for name in some if draw(st.booleans())]
    names += optional[: max(int(schema.get("minProperties", 0)) - len(names), 0)]
    made = {name: _value(draw, _property(schema, name), definitions, depth + 1) for name in dict.fromkeys(names)}
    wanted = int(schema.get("minProperties", 0)) - len(made)
    if not properties and isinstance(extra, dict) and depth <= _DEEP:
        wanted = max(wanted, draw(st.integers(0, 2)))
    for number in range(max(wanted, 0)):
        made[f"key{number}"] = _value(draw, extra if isinstance(extra, dict) else {}, definitions, depth + 1)
    most = schema.get("maxProperties")
    return dict(list(made.items())[: int(most)]) if most is not None else made


def _property(schema: JsonObject, name: str) -> JsonValue:
    known = as_object(schema.get("properties"))
    if name in known:
        return known[name]
    extra = schema.get("additionalProperties")
    return extra if isinstance(extra, dict) else {}


def _sample(items: list[str], count: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(items), min_size=count, max_size=count, unique=True)


def _array(draw: Draw, schema: JsonObject, definitions: JsonObject, depth: int) -> list[JsonValue]:
    least = int(schema.get("minItems", 0))
    # An empty array cannot be told from a missing one in most styles.
    usual = max(least, 1 if depth <= _DEEP else 0)
    most = min(max(usual, _MOST_ITEMS), int(schema.get("maxItems", _LARGE)))
    count = draw(st.integers(min(usual, most), most)) if depth <= _DEEP else least
    prefix = as_list(schema.get("prefixItems"))
    items = schema.get("items", {})
    made = [
        _value(draw, prefix[number] if number < len(prefix) else items, definitions, depth + 1)
        for number in range(count)
    ]
    if schema.get("uniqueItems"):
        made = [item for number, item in enumerate(made) if item not in made[:number]]
    return made


def _number(draw: Draw, schema: JsonObject, *, whole: bool) -> int | float:
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    step = schema.get("multipleOf")
    if step and (whole or float(step).is_integer()):
        step = max(int(step), 1)
        first = -(-int(low if low is not None else (above or 0)) // step) + (1 if above is not None else 0)
        last = int(high if high is not None else _LARGE) // step
        return step * draw(st.integers(first, max(first, min(last, first + 5))))
    least = low if low is not None else (above if above is not None else -1000)
    most = high if high is not None else (below if below is not None else least + 2000)
    if whole:
        bottom = int(least) + (1 if above is not None or int(least) < least else 0)
        return draw(st.integers(min(bottom, int(most)), max(bottom, int(most) - (1 if below is not None else 0))))
    if step:
        return round(float(least) + float(step) * draw(st.integers(0, 5)), 6)
    middle = [least, most, (least + most) / 2, least + (most - least) / 4]
    open_ends = {least if above is not None else None, most if below is not None else None}
    return draw(st.sampled_from([each for each in middle if each not in open_ends] or middle))


def _string(draw: Draw, schema: JsonObject) -> str:
    least = int(schema.get("minLength", 0))
    most = int(min(schema.get("maxLength", _LARGE), _LARGE))
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and pattern and schema.get("format") != "byte":
        return _matching(draw, pattern, least, most)
    if schema.get("contentEncoding") == "base64":
        return base64.b64encode(draw(st.binary(min_size=1, max_size=12))).decode()
    known = _FORMATS.get(str(schema.get("format")))
    if known is not None:
        fitting = known.filter(partial(_is_long_enough, least=least, most=most))
        return draw(fitting)
    # An empty text cannot stand in a path.
    least = max(least, min(1, most))
    return draw(st.text(_LETTERS, min_size=least, max_size=max(least, min(most, least + 8))).filter(_is_name))


def _matching(draw: Draw, pattern: str, least: int, most: int) -> str:
    try:
        flags = re.IGNORECASE if "(?i)" in pattern else 0
        compiled = re.compile(pattern.replace("\\Z", "$").replace("\\z", "$").replace("(?i)", ""), flags)
    except (re.error, OverflowError):
        return reject()
    fitting = partial(_is_long_enough, least=max(least, 1), most=most)
    plain = st.characters(codec="ascii", exclude_characters=",;|= \x7f", min_codepoint=32)
    try:
        return draw(st.from_regex(compiled, alphabet=plain).filter(fitting))
    except InvalidArgument:  # the pattern asks for other characters
        return draw(st.from_regex(compiled).filter(fitting).filter(str.isprintable))


def _is_long_enough(text: str, least: int, most: int) -> bool:
    return least <= len(text) <= most and _is_name(text)


def _is_name(text: str) -> bool:
    """Whether a text may stand in a path: none of its segments is a step (RFC 3986 §5.2.4)."""
    return {".", ".."}.isdisjoint(text.split("/"))
