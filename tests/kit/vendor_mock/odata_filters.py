"""Whether `$filter`, `$select`, `$orderby` and `$expand` of a request suit a type: names, operators, literals."""

import re
from collections.abc import Callable

from tests.kit.vendor_mock.csdl_types import CsdlModel, CsdlProperty

_TOKEN = re.compile(
    r"\s*(?:(?P<typed>(?:datetimeoffset|datetime|guid|time)'[^']*')|(?P<text>'(?:[^']|'')*')"
    r"|(?P<moment>\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?)"
    r"|(?P<guid>[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})|(?P<number>-?\d+(?:\.\d+)?[LMdf]?)"
    r"|(?P<name>[A-Za-z_][\w/.@]*)|(?P<mark>[(),]))"
)
_COMPARED = ("eq", "ne", "lt", "le", "gt", "ge")
_FUNCTIONS = ("contains", "startswith", "endswith", "substringof")
_NUMBERS = {"Edm.Byte", "Edm.Int16", "Edm.Int32", "Edm.Int64", "Edm.Single", "Edm.Double", "Edm.Decimal"}


class FilterFault(Exception):
    """What is wrong with a text."""


class FilterCheck:
    """Reads conditions over one type; `version` is 2 or 4."""

    def __init__(self, model: CsdlModel, type_name: str, version: int) -> None:
        self._model = model
        self._type = type_name
        self._version = version
        self._tokens: list[tuple[str, str]] = []

    def faults(self, text: str) -> list[str]:
        """What is wrong with a `$filter`; empty where nothing is."""
        try:
            self._tokens = self._split(text)
            self._any()
            if self._tokens:
                return [f"$filter: {self._tokens[0][1]!r} stands where it ends"]
        except FilterFault as fault:
            return [f"$filter: {fault}"]
        return []

    def path(self, text: str) -> CsdlProperty:
        """The property that a path leads to. Raises `FilterFault`."""
        type_name = self._type
        found: CsdlProperty | None = None
        for part in text.split("/"):
            members = self._model.members(type_name)
            found = members.get(part)
            if found is None and type_name in self._model.types and self._model.types[type_name].is_open:
                # Such as a list item's own columns.
                return CsdlProperty(part, "")
            if found is None:
                raise FilterFault(f"{type_name} has no property {part}; there are {sorted(members)[:12]}")
            type_name = found.type
        if found is None:
            raise FilterFault("an empty path")
        return found

    def _split(self, text: str) -> list[tuple[str, str]]:
        tokens: list[tuple[str, str]] = []
        position = 0
        while position < len(text.rstrip()):
            found = _TOKEN.match(text, position)
            if found is None:
                raise FilterFault(f"cannot read {text[position : position + 20]!r}")
            tokens.append((str(found.lastgroup), found[str(found.lastgroup)]))
            position = found.end()
        return tokens

    def _next(self) -> tuple[str, str]:
        if not self._tokens:
            raise FilterFault("ends too early")
        return self._tokens.pop(0)

    def _is_next(self, *words: str) -> bool:
        return bool(self._tokens) and self._tokens[0][1] in words

    def _need(self, word: str) -> None:
        found = self._next()[1]
        if found != word:
            raise FilterFault(f"{found!r} stands where {word!r} is expected")

    def _joined(self, word: str, inner: Callable[[], None]) -> None:
        inner()
        while self._is_next(word):
            self._next()
            inner()

    def _any(self) -> None:
        self._joined("or", lambda: self._joined("and", self._term))

    def _term(self) -> None:
        if self._is_next("not"):
            self._next()
        if self._is_next("("):
            self._next()
            self._any()
            self._need(")")
            return
        kind, word = self._next()
        if kind != "name":
            raise FilterFault(f"{word!r} stands where a property is expected")
        if self._is_next("("):
            self._call(word)
            return
        found = self.path(word)
        operator = self._next()[1]
        if operator not in _COMPARED:
            raise FilterFault(f"there is no operator {operator!r}")
        self._literal(found)

    def _call(self, name: str) -> None:
        wanted = [each for each in _FUNCTIONS if each != ("contains" if self._version == 2 else "substringof")]
        if name not in wanted:
            raise FilterFault(f"there is no function {name!r}")
        self._need("(")
        first, second = self._next(), ("", "")
        self._need(",")
        second = self._next()
        self._need(")")
        column, text = (second, first) if name == "substringof" else (first, second)
        if column[0] != "name" or self.path(column[1]).type not in ("Edm.String", "") or text[0] != "text":
            raise FilterFault(f"{name} takes a property of texts and a text")

    def _literal(self, column: CsdlProperty) -> None:
        kind, text = self._next()
        if not column.is_filterable:
            raise FilterFault(f"{column.name} cannot be filtered by")
        if column.is_collection or column.type in self._model.types:
            raise FilterFault(f"{column.name} is no single value")
        if (kind == "name" and text == "null") or not column.type:
            return
        allowed = "text" if column.type in self._model.enumerations else self._kind_of(column.type)
        if kind == "typed":
            kind = text.partition("'")[0]
        if kind == "name" and text in ("true", "false"):
            kind = "boolean"
        if kind != allowed:
            raise FilterFault(f"{column.name} is {column.type}, with which {text} cannot be compared")
        if column.type == "Edm.DateTimeOffset" and "T" not in text:
            raise FilterFault(f"{column.name} is a moment, and {text} a day")

    def _kind_of(self, type_name: str) -> str:
        if type_name in _NUMBERS:
            return "number"
        if self._version == 2:
            typed = {"Edm.DateTime": "datetime", "Edm.DateTimeOffset": "datetimeoffset", "Edm.Guid": "guid"}
            if type_name in typed:
                return typed[type_name]
        kinds = {"Edm.String": "text", "Edm.Boolean": "boolean", "Edm.Guid": "guid"}
        return kinds.get(type_name, "moment")


def option_faults(model: CsdlModel, type_name: str, version: int, options: dict[str, list[str]]) -> list[str]:
    """What is wrong with the system query options of a request."""
    check = FilterCheck(model, type_name, version)
    found: list[str] = []
    for text in options.get("$filter", []):
        found += check.faults(text)
    for text in options.get("$select", []):
        found += _path_faults(check, "$select", text.split(","))
    for text in options.get("$orderby", []):
        keys = [each.strip() for each in text.split(",")]
        found += [f"$orderby: {each!r}" for each in keys if not re.fullmatch(r"[\w/]+( (asc|desc))?", each)]
        paths = [each.partition(" ")[0] for each in keys]
        faults = _path_faults(check, "$orderby", paths)
        found += faults or [f"$orderby: {path} is not sortable" for path in paths if not check.path(path).is_sortable]
    for text in options.get("$expand", []):
        found += _expand_faults(model, check, version, text)
    return found


def _path_faults(check: FilterCheck, what: str, paths: list[str]) -> list[str]:
    found: list[str] = []
    for path in paths:
        if path.startswith("@"):
            # An annotation may be asked for besides.
            continue
        try:
            check.path(path)
        except FilterFault as fault:
            found.append(f"{what}: {fault}")
    return found


def _expand_faults(model: CsdlModel, check: FilterCheck, version: int, text: str) -> list[str]:
    found: list[str] = []
    for part in re.split(r",(?![^(]*\))", text):
        name, _, rest = part.partition("(")
        try:
            target = check.path(name)
        except FilterFault as fault:
            found.append(f"$expand: {fault}")
            continue
        if not target.is_navigation:
            found.append(f"$expand: {name} is no navigation property")
        for option in filter(None, rest.removesuffix(")").split(";")):
            key, _, value = option.partition("=")
            if model.types.get(target.type) is not None and not model.types[target.type].is_open:
                found += option_faults(model, target.type, version, {key: [value]})
    return found
