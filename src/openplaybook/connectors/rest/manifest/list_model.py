"""What a manifest says of lists: requests, paging, conditions, fields, order."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from openplaybook.connectors.rest.manifest.kinds import ListPlace, PagingKind
from openplaybook.jsonvalues import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class GraphqlStep:
    """A field on the way to what is asked for."""

    name: str
    arguments: Mapping[str, str] = field(default_factory=dict[str, str])
    """Name → type, which is that of the variable."""


@dataclass(frozen=True, slots=True)
class GraphqlCall:
    """What one request asks of GraphQL."""

    is_mutation: bool
    steps: tuple[GraphqlStep, ...]
    path: str
    """Where a reply has what the last step gives, such as `data.boards[0].items_page`."""
    is_value: bool = False
    """Whether it gives a value, of which nothing is selected."""

    @property
    def types(self) -> dict[str, str]:
        """The variables and their types."""
        return {name: kind for step in self.steps for name, kind in step.arguments.items()}


@dataclass(frozen=True, slots=True)
class RequestLine:
    """`GET /customers/{id}`: relative to the base URL."""

    method: str
    path: str
    host: str = ""
    """Which of the manifest's `hosts`, before the path with a colon (`GET drive:/files`); empty for the base URL."""
    call: "GraphqlCall | None" = None
    """What is asked of GraphQL, always by POST to the base URL."""


@dataclass(frozen=True, slots=True)
class PagingManifest:
    """How pages are asked for, and how the end is known."""

    kind: PagingKind = PagingKind.NONE
    param: str = ""
    """Parameter of the offset, page or cursor."""
    next: str = ""
    """Where a reply has the next cursor or URL: a path, `last_item.PATH` or `header.NAME`."""
    more: str = ""
    """Path of a boolean: whether there is more."""
    last: str = ""
    """Path of a boolean: whether this is the last page."""
    total: str = ""
    """Path of the number of all entities, or `header.NAME`."""
    pages: str = ""
    """Path of the number of pages, or `header.NAME`."""
    size_param: str = ""
    most: int = 200
    """Entities that the system gives on one page at most."""
    first: int = 0
    """Number of the first page or entity."""
    max_offset: int = 0
    """Offset beyond which the system refuses; 0 for none."""
    http: RequestLine | None = None
    """Of `continue`: what is called with the cursor alone."""


@dataclass(frozen=True, slots=True)
class FilterParameter:
    """A query parameter that one test of a column becomes."""

    column: str
    operator: str
    """`=`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `contains`, `prefix`, or `null`."""
    param: str
    joint: str = ""
    """Of `in`: what stands between the values; empty for one parameter each."""
    template: str = "{value}"
    """What is sent for the value."""
    is_loose: bool = False
    """Whether the system gives all that meets the test, and other entities besides."""


@dataclass(frozen=True, slots=True)
class SearchSyntax:
    """A search language that is little more than terms beside each other (`filter.syntax`)."""

    operators: Mapping[str, str]
    """`=`, `!=`, `<`, … , `contains`, `prefix`, `null`, `not_null` → how it is written, with `{name}` and `{value}`."""
    joint: str = " "
    any_joint: str = ""
    """Between alternatives; empty where there are none."""
    group: str = ""
    """How terms are held together, such as `({})`; empty: alternatives bind tighter than `joint`."""
    quote: str = '"'


@dataclass(frozen=True, slots=True)
class FilterManifest:
    """What of a condition the system can try itself."""

    parameters: tuple[FilterParameter, ...] = ()
    language: str = ""
    """Name of a query language; empty for none."""
    param: str = ""
    """Parameter that takes a text in the language."""
    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    """Column → its name in the language, where that differs."""
    only: tuple[str, ...] = ()
    """Columns that the language takes, such as `state`, or `title contains` with the only operators for it; empty for
    all that are filterable."""
    lacks: tuple[str, ...] = ()
    """Operators that the language has and the system does not take, such as `contains`."""
    statement: str = ""
    """The text that is sent, with `{condition}` (or `{and}`: the same behind the language's AND), `{order}`, `{names}`,
    `{entity}`, `{size}`, `{offset}`, and fields that a condition must fix; empty for condition and order alone."""
    default: str = ""
    """The text where no condition was given and the parameter is required; empty sends none."""
    requires: tuple[str, ...] = ()
    """Columns of which a condition must fix at least one."""
    syntax: SearchSyntax | None = None


@dataclass(frozen=True, slots=True)
class SelectManifest:
    """How the wanted fields are asked for."""

    param: str = ""
    """Empty: not at all, and what comes back is cut here."""
    style: str = "csv"
    """`csv`, `brackets` (one parameter each, `[]` behind its name), `repeat`, `odata` or `partial` (Google's: of a list
    `nextPageToken,items(id,name)`)."""
    prefix: str = ""
    """Before each name, such as `data.`."""
    around: str = "{names}"
    """What is sent for the names together."""
    always: tuple[str, ...] = ()
    """Names that are asked for in any case."""
    implied: tuple[str, ...] = ()
    """Names that come without being asked for, at any depth."""
    keeps_dots: bool = False
    """Whether what is nested is asked for by its whole path rather than by its first part."""


@dataclass(frozen=True, slots=True)
class SortManifest:
    """How the order is asked for."""

    param: str = ""
    """Empty: not at all, and what comes back is ordered here. In a language such as JQL: `filter.param`."""
    style: str = "{name} {direction}"
    """With `{name}`, `{direction}` and `{minus}` (a minus for descending)."""
    joint: str = ""
    """Between several keys; empty where only one is taken."""
    direction_param: str = ""
    """A parameter of its own for the direction."""
    ascending: str = "asc"
    descending: str = "desc"
    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    """Column → its name here; only these can be sorted by. Empty: all, by their own names."""
    in_language: bool = False
    """Whether it is a part of the text in the filter's language (` ORDER BY …`)."""

    @property
    def has_direction(self) -> bool:
        """Whether descending can be asked for."""
        return bool(self.direction_param) or "{direction}" in self.style or "{minus}" in self.style


@dataclass(frozen=True, slots=True)
class ListManifest:
    """One way to list entities."""

    http: RequestLine
    params: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """Sent with each request; texts may have placeholders."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    place: ListPlace = ListPlace.QUERY
    body: JsonObject = field(default_factory=dict[str, JsonValue])
    """Of a list by POST, besides the parameters."""
    items: str = ""
    """Path of the array in a reply; empty: the reply is the array."""
    gives: tuple[str, ...] = ()
    """The only fields that the reply has: where others are wanted, each entity is read by its key. Empty for all."""
    paging: PagingManifest = PagingManifest()
    filter: FilterManifest = FilterManifest()
    select: SelectManifest = SelectManifest()
    sort: SortManifest = SortManifest()
