"""YAML 1.2 text to plain values with string keys, bounded in depth and in what aliases stand for."""

import math
import re
from collections.abc import Callable, Hashable, Iterator
from sys import intern
from typing import cast

import yaml
import yaml12

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.garbage_collection import without_collection
from openplaybook.documents.json_text import MAX_DEPTH, TOO_DEEP
from openplaybook.documents.yaml_numbers import exact_number, read_exactly
from openplaybook.jsonvalues import JsonObject, JsonValue, is_deep, is_number

_ANCHOR = re.compile(r"&([^\s,\[\]{}]+)")
_ALIAS = re.compile(r"\*([^\s,\[\]{}]+)")
_SUSPICIOUS = re.compile(r"(?:[-?:][ \t]+){30}|^ {150}", re.MULTILINE)
"""What deep nesting in block style cannot do without: many indicators in one line, or a line far to the right."""

_DEEP = re.compile(rf"(?:[-?:][ \t]+){{{MAX_DEPTH}}}")
_BEFORE_VALUE = frozenset(" \t\r\n,[{:-")
_POSITION = re.compile(r"(?:at byte \d+ )?line (\d+) column (\d+)")
_MAX_NODES = 5_000_000
_MAX_MERGED = 500_000
"""Members of mappings once their merge keys are followed."""

_UNDER_WAY = -1


def parse_yaml(text: str) -> JsonValue:
    """The value of a text, every key a string; raises `UnreadableDocument`.

    Read by the fast parser; by the other one where aliases are used, which the fast one copies out in full.
    """
    if not uses_aliases(text):
        if _SUSPICIOUS.search(text):
            # Beyond some hundreds of levels in one line it takes seconds, then minutes, and then recurses too deeply.
            _check_suspicious(text)
        try:
            with without_collection():
                return _plain(read_exactly(text), None)
        except ValueError as error:
            if "recursion limit" in str(error):
                raise UnreadableDocument("the YAML is nested too deeply", _line(str(error))) from error
        except RecursionError as error:
            raise UnreadableDocument(TOO_DEEP) from error
    try:
        _check_nesting(text)
        loaded: JsonValue = yaml.load(text, Loader=_CoreLoader)
        if _size(loaded, {}) > _MAX_NODES:
            raise UnreadableDocument(f"the YAML's aliases stand for more than {_MAX_NODES:,} values")
        plain = _plain(loaded, {})
        if is_deep(plain, MAX_DEPTH):
            raise UnreadableDocument(TOO_DEEP)
        return plain
    except yaml.YAMLError as error:
        raise _unreadable_yaml(error) from error
    except RecursionError as error:
        raise UnreadableDocument("the YAML is nested too deeply") from error
    except ValueError as error:
        raise UnreadableDocument(f"the YAML cannot be read: {error}") from error


def _check_suspicious(text: str) -> None:
    """Refuse deep nesting in a text that the other parser may refuse anyway, where the fast one would go on."""
    try:
        _check_nesting(text)
    except yaml.YAMLError as error:
        if _DEEP.search(text):
            raise UnreadableDocument("the YAML is nested too deeply") from error


def _check_nesting(text: str) -> None:
    """Refuse deep nesting before it is loaded: the loader recurses in C, where it ends the process."""
    depth = 0
    for event in _events(text):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise UnreadableDocument("the YAML is nested too deeply")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _events(text: str) -> Iterator[yaml.Event]:
    """What the parser meets, in order; raises `yaml.YAMLError`."""
    parser = _CoreLoader(text)
    try:
        while (event := parser.get_event()) is not None and not isinstance(event, yaml.StreamEndEvent):
            yield event
    finally:
        parser.dispose()


def uses_aliases(text: str) -> bool:
    """Whether a name that is given to a part of the text is used in another."""
    anchors = set(_names(_ANCHOR, text))
    return bool(anchors) and not anchors.isdisjoint(_names(_ALIAS, text))


def _names(sign: re.Pattern[str], text: str) -> Iterator[str]:
    """The names behind a sign that stands where a value may begin."""
    for match in sign.finditer(text):
        if match.start() == 0 or text[match.start() - 1] in _BEFORE_VALUE:
            yield match[1]


class _CoreLoader(yaml.CSafeLoader):
    """PyYAML with the words of YAML 1.2: dates are text, and so are `on`, `off`, `yes` and `no`.

    Merge keys (`<<`) are taken, each member once: copied as often as it is named, it would double with each merge.
    """

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._merged = 0

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Put the members in that a mapping takes over from others; raises `yaml.YAMLError` when they are too many."""
        before = len(node.value)
        super().flatten_mapping(node)
        if len(node.value) > before:
            node.value = list({_identity(key): (key, value) for key, value in node.value}.values())
        self._merged += len(node.value)
        if self._merged > _MAX_MERGED:
            raise yaml.YAMLError(f"its merge keys stand for more than {_MAX_MERGED:,} members")


def _identity(key: yaml.Node) -> Hashable:
    """Equal for keys that are written alike."""
    return (key.tag, key.value) if isinstance(key, yaml.ScalarNode) else id(key)


def _text(loader: _CoreLoader, node: yaml.ScalarNode) -> str:
    return str(node.value)


def _boolean(loader: _CoreLoader, node: yaml.ScalarNode) -> bool | str:
    word = str(node.value)
    return word.lower() == "true" if word.lower() in ("true", "false") else word


def _number(loader: _CoreLoader, node: yaml.ScalarNode) -> JsonValue:
    word = str(node.value)
    if match := _NOT_FINITE.fullmatch(word):
        return math.nan if match[1] is None else -math.inf if word.startswith("-") else math.inf
    return exact_number(word) if _FINITE.fullmatch(word) else word


_FINITE = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0x[0-9a-fA-F]+|0o[0-7]+")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_INT, _FLOAT, _BOOL = (f"tag:yaml.org,2002:{name}" for name in ("int", "float", "bool"))

# YAML 1.1 reads 0123 as 83, 12:30 as 750, 1_000 as 1000 and 1e3 as a text.
_CoreLoader.yaml_implicit_resolvers = {
    first: [(tag, form) for tag, form in known if tag not in (_INT, _FLOAT)]
    for first, known in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
# The stubs leave the types of its parameters out.
_add_resolver: Callable[[str, re.Pattern[str], list[str]], None] = getattr(_CoreLoader, "add_implicit_resolver")  # noqa: B009
_add_resolver(_FLOAT, _FINITE, list("-+.0123456789"))
_add_resolver(_FLOAT, _NOT_FINITE, list("-+."))
for _tag in (_INT, _FLOAT):
    _CoreLoader.add_constructor(_tag, _number)
_CoreLoader.add_constructor("tag:yaml.org,2002:timestamp", _text)
_CoreLoader.add_constructor(_BOOL, _boolean)


def _plain(value: JsonValue, shared: dict[int, JsonValue] | None, levels: int = MAX_DEPTH) -> JsonValue:
    """`value` with string keys and without tags; what aliases share stays shared, where `shared` is given."""
    if isinstance(value, str):
        return value
    if isinstance(value, yaml12.Yaml):
        return _plain(value.value, shared, levels)
    if isinstance(value, dict | list):
        if not levels:
            raise UnreadableDocument(TOO_DEEP)
        if shared is None:
            return _plain_parts(value, None, levels - 1)
        identity = id(cast(object, value))
        if identity not in shared:
            shared[identity] = _plain_parts(value, shared, levels - 1)
        return shared[identity]
    return value if is_number(value) or isinstance(value, bool) or value is None else str(value)


def _plain_parts(value: JsonValue, shared: dict[int, JsonValue] | None, levels: int) -> JsonValue:
    if isinstance(value, list):
        items = cast(list[JsonValue], value)
        if shared is not None:
            return [_plain(item, shared, levels) for item in items]
        # In place: a large document is never there twice.
        for number, item in enumerate(items):
            items[number] = _plain(item, None, levels)
        return items
    source = cast(dict[Hashable, JsonValue], value)
    if shared is not None:
        return {_key(key): _plain(item, shared, levels) for key, item in source.items()}
    for key, item in source.items():
        source[key] = _plain(item, None, levels)
    return {_key(key): item for key, item in source.items()}


def _key(key: Hashable) -> str:
    """A mapping key as JSON would have it: the unquoted status 200 becomes "200"."""
    if isinstance(key, str):
        return intern(key)
    if isinstance(key, bool):
        return "true" if key else "false"
    return "null" if key is None else str(key)


def _size(value: JsonValue, known: dict[int, int]) -> int:
    """Values in `value` when every shared part is counted as often as it is used; raises `UnreadableDocument`."""
    identity = id(value)
    if isinstance(value, dict):
        children = list(cast(JsonObject, value).values())
    elif isinstance(value, list):
        children = cast(list[JsonValue], value)
    else:
        return 1
    if identity not in known:
        known[identity] = _UNDER_WAY
        known[identity] = 1 + sum(_size(child, known) for child in children)
    if known[identity] == _UNDER_WAY:
        raise UnreadableDocument("the YAML contains an alias to a value that it is part of")
    return known[identity]


def _unreadable_yaml(error: yaml.YAMLError) -> UnreadableDocument:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        line, column = error.problem_mark.line + 1, error.problem_mark.column + 1
        reason = " ".join(part for part in (error.context, error.problem) if part)
        return UnreadableDocument(f"the YAML is malformed at line {line} column {column}: {reason}", line)
    return UnreadableDocument(f"the YAML is malformed: {str(error).partition(chr(10))[0]}", _line(str(error)))


def _line(message: str) -> int | None:
    match = _POSITION.search(message)
    return int(match[1]) if match else None
