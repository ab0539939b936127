"""What a manifest says, in classes. `docs/connectors/adding.md` explains each key; the reader is beside this file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from openplaybook.connectors.base import Field
from openplaybook.connectors.definitions import ConnectorDefinition
from openplaybook.connectors.rest.manifest.authentication_model import AuthenticationManifest
from openplaybook.connectors.rest.manifest.kinds import BodyKind, FailureClass, ListPlace, UpdateKind, ValueCodec
from openplaybook.connectors.rest.manifest.list_model import ListManifest, PagingManifest, RequestLine, SelectManifest
from openplaybook.jsonvalues import JsonObject, JsonValue


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
    selection: str = ""
    """Of GraphQL: the path with its constant arguments, such as `variants(first: 20).nodes[*].sku`, if it has any."""

    @property
    def name(self) -> str:
        """The field's name."""
        return self.field.name

    @property
    def is_in_reply(self) -> bool:
        """Whether the system's object has it: parts of the address only where the manifest says where."""
        return not self.is_write_only and (not self.is_scope or self.path != self.field.name)

    @property
    def member(self) -> str:
        """The member of the system's object that holds it, or holds what holds it."""
        if "@" in self.path:
            # OData's annotations: of the whole object, or of a property, with which they come.
            return self.path.partition("@")[0] or self.path
        return self.path.partition(".")[0].partition("[")[0]


@dataclass(frozen=True, slots=True)
class OperationManifest:
    """One request that reads or writes one entity."""

    http: RequestLine
    params: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Sent with each request, such as `If-Match: "*"`."""
    body: JsonObject = field(default_factory=dict[str, JsonValue])
    """Members that each body has."""
    body_kind: BodyKind = BodyKind.JSON
    wrap: str = ""
    """Member of the body that holds the fields."""
    within: str = ""
    """Path in the body that the address leads into already: what lies there is sent alone."""
    item: str = ""
    """Path of the entity in the reply."""
    kind: UpdateKind = UpdateKind.PATCH
    etag: str = ""
    """Path of what an update sends back as it was read before, or `header` for `If-Match` with the reply's `ETag`."""
    increments: str = ""
    """Path of a version that an update sends one higher than it was read before."""
    key: str = ""
    """Of a create: where the reply has the key, a path or `header.Location` (its last segment)."""
    payload: tuple[str, ...] = ()
    """What a mutation of GraphQL is asked for besides, such as `userErrors.message`."""
    select: SelectManifest = field(default_factory=SelectManifest)


@dataclass(frozen=True, slots=True)
class SchemaSource:
    """Where more fields come from than the manifest lists."""

    document: str = ""
    """Name of a file in the operator's folder of API documents, without a path."""
    component: str = ""
    describe: "DescribeManifest | None" = None
    metadata: RequestLine | None = None
    """Where an OData service tells of itself; the entity's path is the name of its set."""
    introspect: str = ""
    """Name of the type that a GraphQL system tells of."""


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
    flatten_read: str = ""
    """The same where writes have the fields beside each other."""
    schema: SchemaSource | None = None
    max_fields: int = 0
    """How many fields are read where none were chosen; 0 for the usual number. Those of the manifest always are."""


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
    payload: tuple[str, ...] = ()
    is_read_only: bool = False
    is_repeatable: bool = False


@dataclass(frozen=True, slots=True)
class QueryManifest:
    """How `ExecuteCustomQuery` runs a text in the system's own language."""

    language: str
    http: RequestLine
    param: str
    place: ListPlace = ListPlace.QUERY
    params: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    items: str = ""
    drop: tuple[str, ...] = ()
    """Members of each row that nobody wants."""
    paging: PagingManifest = field(default_factory=PagingManifest)
    columns: str = ""
    """Path of the array of columns, each with a `name`, where rows are arrays; empty where rows are objects."""
    prefix: str = ""
    """What a text must begin with, in any case, such as `SELECT`; empty for anything."""


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
    failed: tuple[str, ...] = ()
    """Paths of what is only there (and not empty) when a request with status 200 failed."""
    codes: Mapping[str, FailureClass] = field(default_factory=dict[str, FailureClass])
    words: Mapping[FailureClass, str] = field(default_factory=dict[FailureClass, str])
    """Class → regular expression that is searched in the message, of systems whose errors have no code."""
    statuses: Mapping[int, FailureClass] = field(default_factory=dict[int, FailureClass])
    """Statuses that mean something else here than they do usually."""


@dataclass(frozen=True, slots=True)
class SoapManifest:
    """How one of the system's hosts speaks SOAP."""

    host: str
    """Which of `hosts`."""
    address: str
    """Path of a service, with `{service}` and `{version}`."""
    wsdl: str
    """Path and query of its description."""
    version: str = ""
    """Of services, where a request names none; may hold `{config.KEY}`."""
    reads: str = ""
    """Regular expression that the beginning of an operation's name meets where the operation changes nothing."""


EntityMap: TypeAlias = Mapping[str, EntityManifest]


@dataclass(frozen=True, slots=True)
class SystemManifest:
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
    soap: SoapManifest | None = None
    extra: JsonObject = field(default_factory=dict[str, JsonValue])
    """What another transport reads of it (`odata`, `graphql`)."""
