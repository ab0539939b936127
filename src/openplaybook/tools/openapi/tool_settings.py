"""How an OpenAPI tool behaves beyond what its description says: `openApiSpec.settings`, and what stands beside it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from openplaybook.egress.base import HttpLimits, is_framing
from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import InvalidTool, Problem
from openplaybook.tools.openapi.answers.projection import check_path
from openplaybook.tools.openapi.settings_reader import SettingsReader, not_empty

PATH = "$.openApiSpec.settings"
SELECTION_PATH = f"{PATH}.operationSelection"
FIELDS_PATH = f"{PATH}.responseFields"

EVERY_OPERATION = "*"

_MAX_CONNECT_S = 60.0
_MAX_READ_S = 300.0
_MAX_TOTAL_S = 300.0
_MAX_CONCURRENT = 1_000
_MAX_OPERATIONS = 1_000_000
_MAX_PREFIXES = 100
_MAX_FIELDS = 100
_MAX_SEARCH = 500
"""Characters."""

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")
"""A header's name (RFC 9110 §5.6.2)."""

_OUR_HEADERS = frozenset({"accept", "authorization", "content-type", "cookie"})
"""Headers that the request itself sets."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which operations are offered: those that any of the lists names, and those that the search finds.

    With none of them, all are.
    """

    operation_ids: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    path_prefixes: tuple[str, ...] = ()
    search: str = ""
    """Words: the operations that fit them best."""
    max_operations: int = 0
    """Most operations that are offered; 0: no limit."""


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """What the tool's resource sets."""

    selection: Selection = Selection()
    response_fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """By operationId (`*` for all): paths such as `items.name` of what is kept of an answer."""
    documents: Mapping[str, str] = field(default_factory=dict[str, str])
    """Texts by URI: what references lead to outside the description."""
    document_uri: str = ""
    """Where the description stands; relative servers and references start there."""
    server_url: str = ""
    """Used in place of the description's servers; may be relative to none."""
    server_variables: Mapping[str, str] = field(default_factory=dict[str, str])
    idempotency_key_header: str = ""
    """A header by which the service recognises a repeated request; empty when it does not."""
    ignores_unknown_fields: bool = False
    """Whether of an answer only what the description declares is kept (`openApiSpec.ignoreUnknownFields`)."""
    limits: HttpLimits = HttpLimits()

    def fields_of(self, operation_id: str) -> tuple[str, ...]:
        """Paths of what is kept of an operation's answers; empty when all is."""
        return self.response_fields.get(operation_id) or self.response_fields.get(EVERY_OPERATION, ())


def settings_of(spec: JsonObject) -> ToolSettings:
    """The settings of an `openApiSpec` (JSON form); raises `InvalidTool` naming what cannot be used."""
    ignores = spec.get("ignoreUnknownFields") is True
    if spec.get("settings") is None:
        return ToolSettings(ignores_unknown_fields=ignores)
    problems: list[Problem] = []
    reader = SettingsReader(spec["settings"], PATH, problems)
    settings = ToolSettings(
        selection=_selection(reader.member("operationSelection")),
        response_fields=_response_fields(reader),
        documents=_documents(reader, problems),
        document_uri=reader.text("documentUri", _web_address),
        server_url=reader.text("serverUrl", _web_address),
        server_variables=reader.texts_by_name("serverVariables"),
        idempotency_key_header=reader.text("idempotencyKeyHeader", _header_name),
        ignores_unknown_fields=ignores,
        limits=_limits(reader),
    )
    if problems:
        raise InvalidTool(problems)
    return settings


def _selection(reader: SettingsReader) -> Selection:
    return Selection(
        operation_ids=frozenset(reader.texts("operationIds")),
        tags=frozenset(reader.texts("tags")),
        path_prefixes=reader.texts("pathPrefixes", _path, most=_MAX_PREFIXES),
        search=reader.text("search", _words),
        max_operations=reader.whole("maxOperations", _MAX_OPERATIONS),
    )


def _response_fields(reader: SettingsReader) -> dict[str, tuple[str, ...]]:
    """Paths by operationId; several entries for one operation are one."""
    fields: dict[str, tuple[str, ...]] = {}
    for entry in reader.members("responseFields"):
        operation_id = entry.text("operationId", required=True)
        paths = entry.texts("fields", check_path, required=True, most=_MAX_FIELDS)
        fields[operation_id] = tuple(dict.fromkeys([*fields.get(operation_id, ()), *paths]))
    return fields


def _documents(reader: SettingsReader, problems: list[Problem]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for entry in reader.members("documents"):
        uri, text = entry.text("uri", _without_fragment, required=True), entry.text("text", not_empty, required=True)
        if uri in texts:
            problems.append(Problem(f"{entry.path}.uri", f"{uri!r} is given twice"))
        texts[uri] = text
    return texts


def _limits(reader: SettingsReader) -> HttpLimits:
    usual = HttpLimits()
    return HttpLimits(
        connect_s=reader.seconds("connectTimeout", usual.connect_s, _MAX_CONNECT_S),
        read_s=reader.seconds("readTimeout", usual.read_s, _MAX_READ_S),
        total_s=reader.seconds("totalTimeout", usual.total_s, _MAX_TOTAL_S),
        max_concurrent=reader.whole("maxConcurrentRequests", _MAX_CONCURRENT),
    )


def _path(text: str) -> str:
    return "" if text.startswith("/") else "must start with /, as paths of the description do"


def _words(text: str) -> str:
    return not_empty(text) or ("" if len(text) <= _MAX_SEARCH else f"must have at most {_MAX_SEARCH} characters")


def _without_fragment(text: str) -> str:
    return "" if "#" not in text else "must name a whole document, without a fragment (#…)"


def _header_name(text: str) -> str:
    if not _TOKEN.fullmatch(text):
        return "must be the name of a header, such as Idempotency-Key"
    is_taken = text.lower() in _OUR_HEADERS or is_framing(text)
    return "is a header that requests use for something else" if is_taken else ""


def _web_address(text: str) -> str:
    wanted = "must be an absolute URL such as https://api.example.com/v1"
    try:
        parts = urlsplit(text)
        port_is_right = parts.port is None or parts.port > 0
    except ValueError:
        return wanted
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_right or not text.isprintable():
        return wanted
    if "@" in parts.netloc:
        return "must not contain a user name or password: those belong in openApiSpec.authentication"
    return "must have no fragment (#…)" if parts.fragment else ""
