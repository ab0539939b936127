"""`{config.site}`, `{auth.token}`, `{id}` in the texts of manifests; there is no other expression.

What replaces a placeholder in a path is one segment, percent-encoded; in a host it must meet the pattern of its config
variable, and nothing else can stand there.
"""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from openplaybook.connectors.definitions import ConfigTemplate
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.rest.manifest.manifest_node import InvalidManifest
from openplaybook.jsonvalues import JsonValue, as_list, as_object

_PLACEHOLDER = re.compile(r"\{([A-Za-z_][\w.-]*)\}")
_HOST = re.compile(r"https?://([^/?#]*)")
_KEYS = ("odata.key", "odata2.key")
"""Written as keys are already (`languages.odata.key_predicate`)."""
_SLASH = re.compile(r"[/\\]")
_MOST_SEGMENT = 1_000
"""Characters of a value in a path."""


def text_placeholders(value: JsonValue) -> Iterator[str]:
    """Names of the placeholders in all texts of a value, at any depth."""
    if isinstance(value, str):
        yield from _PLACEHOLDER.findall(value)
    elif isinstance(value, list):
        for each in as_list(value):
            yield from text_placeholders(each)
    elif isinstance(value, dict):
        for each in as_object(value).values():
            yield from text_placeholders(each)


def filled(text: str, values: Mapping[str, str]) -> str:
    """A text with its placeholders replaced; one without a value stays empty."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], ""), text)


def filled_path(path: str, values: Mapping[str, str]) -> str:
    """A path with each placeholder replaced by one percent-encoded segment, or a part of one; in quotes, such as
    `search(q='{text}')`, quotes in the value are doubled, as OData reads them.

    Raises `InvalidValue` for a value that is missing, too long, or would lead elsewhere (`.`, `..`, nothing).
    """

    def segment(found: re.Match[str]) -> str:
        name = found[1]
        value = values.get(name, "")
        if not value:
            raise InvalidValue(name, "is needed for the address of the request")
        # Some servers decode a segment's slashes before they look where its dots lead.
        if not {".", ".."}.isdisjoint(_SLASH.split(value)) or len(value) > _MOST_SEGMENT:
            raise InvalidValue(name, "is not a value that an address can hold")
        if name in _KEYS:
            return quote(value, safe="=,':")
        is_quoted = path[found.start() - 1 : found.start()] == path[found.end() : found.end() + 1] == "'"
        return quote(value.replace("'", "''") if is_quoted else value, safe="")

    return _PLACEHOLDER.sub(segment, path)


def filled_value(template: JsonValue, values: Mapping[str, JsonValue]) -> JsonValue:
    """A JSON template: a text that is one placeholder becomes its value, of whatever type; members whose placeholder
    has no value are left out, and so are objects and arrays that are empty by that."""
    if isinstance(template, str):
        whole = _PLACEHOLDER.fullmatch(template)
        if whole is not None:
            return values.get(whole[1])
        return filled(template, {name: str(value) for name, value in values.items()})
    if isinstance(template, dict):
        members = {name: filled_value(each, values) for name, each in as_object(template).items()}
        kept = {name: each for name, each in members.items() if each is not None}
        return kept if kept or not template else None
    if isinstance(template, list):
        items = [filled_value(each, values) for each in as_list(template)]
        kept_items = [each for each in items if each is not None]
        return kept_items if kept_items or not template else None
    return template


def check_address(url: str, config: Mapping[str, ConfigTemplate], path: str) -> None:
    """Raises `InvalidManifest` for a base URL whose host could be anything: each placeholder there needs a pattern."""
    found = _HOST.match(url)
    if found is None or not found[1]:
        raise InvalidManifest(path, f"must begin with https:// and a host, not {url[:60]!r}")
    for name in text_placeholders(url):
        kind, _, key = name.partition(".")
        template = config.get(key)
        if kind != "config" or template is None:
            raise InvalidManifest(path, f"names {{{name}}}; config variables are: {', '.join(config) or 'none'}")
        if f"{{{name}}}" in found[1] and not (template.pattern or template.options):
            raise InvalidManifest(path, f"has {{{name}}} in its host: the config variable {key} needs a `pattern`")
