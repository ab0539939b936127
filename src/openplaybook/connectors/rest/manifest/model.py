"""What a manifest says, in classes. `docs/connectors/adding.md` explains each key; the reader is beside this file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from openplaybook.connectors.base import Field
from openplaybook.connectors.definitions import ConnectorDefinition
from openplaybook.jsonvalues import JsonObject, JsonValue


class BodyKind(Enum):
    """How the body of a request is written."""

    JSON = "json"
    FORM = "form"
    """`a=b&c=d`."""
    FORM_BRACKETS = "form_brackets"
    """`a[b][0]=c`, as PHP and Rails read it."""
    MULTIPART = "multipart"
    """Texts of a form, each a part (RFC 7578)."""
    QUERY = "query"
    """No body: the members are query parameters."""


class ParameterPlace(Enum):
    """Where parameters of a list go."""

    QUERY = "query"
    BODY = "body"


class PagingKind(Enum):
    """How the next page is asked for."""

    NONE = "none"
    OFFSET = "offset"
    PAGE = "page"
    CURSOR = "cursor"
    LINK_HEADER = "link_header"
    NEXT_URL = "next_url"
    CONTINUE = "continue"


class UpdateKind(Enum):
    """What an update sends."""

    PATCH = "patch"
    """The changed fields."""
    PUT_MERGE = "put_merge"
    """The whole entity as it was, with the changes."""
    POST = "post"
    """The changed fields, to an address that is no entity's own; it may not be repeated."""
    JSON_PATCH = "json_patch"
    """An array of replacements (RFC 6902)."""


class ValueCodec(Enum):
    """How a value is written in the system, where that is not as we have it."""

    PLAIN = "plain"
    EPOCH = "epoch"
    """A moment as seconds since 1970."""
    EPOCH_MS = "epoch_ms"
    """The same in thousandths."""
    ADF = "adf"
    """Text as Atlassian's document format."""
    CSV = "csv"
    """A list as texts with commas between them."""
    NUMBER_TEXT = "number_text"
    """A number as text (protobuf's int64, decimals)."""
    SEGMENT = "segment"
    """The last part of a resource name, such as `c1` of `people/c1`."""


class FailureClass(Enum):
    """What an error of a system means, by the keys of `errors.codes`."""

    INVALID = "invalid"
    AUTHENTICATION = "authentication"
    PERMISSION = "permission"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    LIMITED = "limited"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class RequestLine:
    """`GET /customers/{id}`: relative to the base URL."""

    method: str
    path: str
    host: str = ""
    """Which of the manifest's `hosts`, before the path with a colon (`GET drive:/files`); empty for the base URL."""


@dataclass(frozen=True, slots=True)
class RestField:
    """A field of an entity and where the system keeps it."""

    field: Field
    path: str
    """In the system's object, with dots; most often the field's name."""
    codec: ValueCodec = ValueCodec.PLAIN
    is_write_only: bool = False
    """It can be set, and is never given."""
    is_create_only: bool = False
    """It can be set when the entity is made, and not changed."""
    is_update_only: bool = False
    """It cannot be set when the entity is made, only changed."""
    is_scope: bool = False
    """It is a part of the address, such as the repository of an issue, and not in the object."""
    is_outside: bool = False
    """It lies beside what `flatten` or `wrap` names, and not in it."""
    sent_as: str = ""
    """Where a write puts it, if elsewhere than where it is read."""

    @property
    def name(self) -> str:
        """The field's name."""
        return self.field.name

    @property
    def member(self) -> str:
        """The member of the system's object that holds it, or holds what holds it."""
        return self.path.partition(".")[0].partition("[")[0]


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
    """`csv`, `brackets` (one parameter each, `[]` behind its name), `repeat` or `odata`."""
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


@dataclass(frozen=True, slots=True)
class ListManifest:
    """One way to list entities."""

    http: RequestLine
    params: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """Sent with each request; texts may have placeholders."""
    place: ParameterPlace = ParameterPlace.QUERY
    body: JsonObject = field(default_factory=dict[str, JsonValue])
    """Of a list by POST, besides the parameters."""
    items: str = ""
    """Path of the array in a reply; empty: the reply is the array."""
    paging: PagingManifest = PagingManifest()
    filter: FilterManifest = FilterManifest()
    select: SelectManifest = SelectManifest()
    sort: SortManifest = SortManifest()


@dataclass(frozen=True, slots=True)
class OperationManifest:
    """One request that reads or writes one entity."""

    http: RequestLine
    params: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    body: JsonObject = field(default_factory=dict[str, JsonValue])
    """Members that each body has."""
    body_kind: BodyKind = BodyKind.JSON
    wrap: str = ""
    """Member of the body that holds the fields."""
    item: str = ""
    """Path of the entity in the reply."""
    kind: UpdateKind = UpdateKind.PATCH
    etag: str = ""
    """Path of what an update sends back as it was read before, or `header` for `If-Match` with the reply's `ETag`."""
    increments: str = ""
    """Path of a version that an update sends one higher than it was read before."""
    key: str = ""
    """Of a create: where the reply has the key, a path or `header.Location` (its last segment)."""
    select: SelectManifest = SelectManifest()


@dataclass(frozen=True, slots=True)
class SchemaSource:
    """Where more fields come from than the manifest lists."""

    document: str = ""
    """Name of a file in the operator's folder of API documents, without a path."""
    component: str = ""
    describe: "DescribeManifest | None" = None


@dataclass(frozen=True, slots=True)
class DescribeManifest:
    """How a system tells its own fields."""

    http: RequestLine
    items: str = ""
    """Path of the array, or of the object of fields by name; may hold `{entity}`."""
    name: str = "name"
    """Path of a field's name; of an object of fields `key`."""
    path: str = "{name}"
    """Where values of a field are."""
    type: str = "type"
    label: str = ""
    types: Mapping[str, str] = field(default_factory=dict[str, str])
    """The system's name of a type → ours, as in the notation of fields; what is not named is left out unless there is
    `*`."""
    read_only: str = ""
    """Path of a boolean: whether it cannot be written."""
    writable: str = ""
    """Path of a boolean: whether it can be written."""
    required: str = ""
    """Path of a boolean."""
    values: str = ""
    """Path of the array of allowed values."""
    value: str = ""
    """Path of the value within one of these."""
    reference: str = ""
    """Path of the entity type that it refers to."""


@dataclass(frozen=True, slots=True)
class DiscoverManifest:
    """How a system tells what entity types it has; each is like the entity `*` of the manifest."""

    http: RequestLine
    items: str = ""
    name: str = "name"
    label: str = ""
    when: tuple[str, ...] = ()
    """Paths of booleans that must be true for a type to be taken."""


@dataclass(frozen=True, slots=True)
class EntityManifest:
    """A kind of entity."""

    name: str
    path: str
    """What `{entity}` stands for in addresses."""
    description: str
    fields: tuple[RestField, ...]
    list: ListManifest | None = None
    search: ListManifest | None = None
    """Another way to list, where it can try more of a condition."""
    get: OperationManifest | None = None
    create: OperationManifest | None = None
    update: OperationManifest | None = None
    delete: OperationManifest | None = None
    flatten: str = ""
    """Member of the system's object whose members are the entity's fields."""
    schema: SchemaSource | None = None
    max_fields: int = 0
    """Of those that no manifest lists, how many are asked for where none were chosen; 0 for all."""


@dataclass(frozen=True, slots=True)
class ActionManifest:
    """Something a system does besides keeping entities."""

    name: str
    title: str
    description: str
    http: RequestLine
    parameters: tuple[RestField, ...]
    results: tuple[RestField, ...] = ()
    in_query: tuple[str, ...] = ()
    """Parameters that go into the query; of GET and DELETE all."""
    in_body: tuple[str, ...] = ()
    """Of DELETE: parameters that go into the body all the same."""
    params: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    body: JsonValue = None
    """Template of the body, where it is more than the parameters as members."""
    body_kind: BodyKind = BodyKind.JSON
    wrap: str = ""
    items: str = ""
    """Path of the results in the reply: an array, or one object."""
    is_read_only: bool = False
    is_repeatable: bool = False


@dataclass(frozen=True, slots=True)
class QueryManifest:
    """How `ExecuteCustomQuery` runs a text in the system's own language."""

    language: str
    http: RequestLine
    param: str
    place: ParameterPlace = ParameterPlace.QUERY
    params: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    items: str = ""
    drop: tuple[str, ...] = ()
    """Members of each row that nobody wants."""
    paging: PagingManifest = PagingManifest()
    prefix: str = ""
    """What a text must begin with, in any case, such as `SELECT`; empty for anything."""


@dataclass(frozen=True, slots=True)
class HeaderCredential:
    """What proves us in each request, made of placeholders."""

    place: str
    """`header`, `query`, or `basic` for a value `USER:PASSWORD` that is sent in base64 (RFC 7617)."""
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class TokenRequest:
    """How an access token is asked for."""

    url: str
    method: str = "POST"
    params: Mapping[str, str] = field(default_factory=dict[str, str])
    """Members of the form, besides those of the grant."""
    json: Mapping[str, str] = field(default_factory=dict[str, str])
    """Members of a JSON body, in place of a form (`two_step`)."""
    client_in: str = "body"
    """`body` or `basic` (RFC 6749 §2.3.1)."""
    token: str = "access_token"
    """Path of the token; empty where the reply is the token."""
    life: str = "expires_in"
    life_s: float = 0.0
    """Seconds, where the reply does not say it."""
    audience: str = ""
    """Of `jwt_bearer`: the assertion's `aud`, where the connection names none."""


@dataclass(frozen=True, slots=True)
class AuthenticationManifest:
    """One way in which connections prove themselves."""

    kind: str
    """`none`, `bearer`, `api_key`, `basic`, `oauth2_client_credentials`, `oauth2_auth_code`, `jwt_bearer`, `google` or
    `two_step`."""
    credentials: tuple[HeaderCredential, ...]
    override: str = ""
    """What a session's token stands for in `credentials`: the key of a config variable, or `password`; empty: it is
    sent as `Authorization: Bearer …`."""
    scopes: tuple[str, ...] = ()
    request: TokenRequest | None = None
    authorize: str = ""
    """Of `oauth2_auth_code`: where a user consents."""


@dataclass(frozen=True, slots=True)
class FailureManifest:
    """How the system says that something failed."""

    message: tuple[str, ...] = ()
    """Paths; the first that holds something counts."""
    code: tuple[str, ...] = ()
    blamed: tuple[str, ...] = ()
    """Paths of the name of the field that is to blame (`errors.field`)."""
    fields: str = ""
    """Path of an object: field → what is wrong with it."""
    ok: str = ""
    """Path of a boolean in replies with status 200: false says that the request failed."""
    failed: str = ""
    """Path of something that is only there (and not empty) when a request with status 200 failed."""
    codes: Mapping[str, FailureClass] = field(default_factory=dict[str, FailureClass])
    statuses: Mapping[int, FailureClass] = field(default_factory=dict[int, FailureClass])
    """Statuses that mean something else here than they do usually."""


EntityMap: TypeAlias = Mapping[str, EntityManifest]


@dataclass(frozen=True, slots=True)
class Manifest:
    """A system."""

    definition: ConnectorDefinition
    base_url: Mapping[str, str]
    """By kind of authentication; `*` for all others."""
    hosts: Mapping[str, str]
    """Other base URLs by name."""
    authentications: tuple[AuthenticationManifest, ...]
    headers: Mapping[str, str]
    params: Mapping[str, str]
    """Query parameters of each request."""
    idempotency_header: str
    failures: FailureManifest
    most_concurrent: int
    entities: EntityMap
    actions: Mapping[str, ActionManifest]
    query: QueryManifest | None
    check: RequestLine | None
    """What proves the credential; None: the first entity is listed."""
    discover: DiscoverManifest | None = None
    transport: str = "rest"
    """`rest`, `odata` or `graphql`."""
    extra: JsonObject = field(default_factory=dict[str, JsonValue])
    """What another transport reads of it (`odata`, `graphql`)."""
