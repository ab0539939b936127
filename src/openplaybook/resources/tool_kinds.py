"""What a kind of tool is wherever tools are stored, sent, exported and shown.

It is the half of the kind's record that does not say how such tools work. Each kind says it in its folder below
`tools`. A process fills the register once, when it starts (`tools.kinds`), and whoever meets a tool asks it here.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.resources.call_spellings import BODY, BUILT_IN, ActionFacts, CallForm

BUILT_IN_TYPE = "BUILTIN_TOOL"
"""`Tool.tool_type` of tools that nobody makes."""


class ToolMessage(Enum):
    """The messages that hold tools."""

    TOOL = "Tool"
    """v3beta1 `Tool` of Dialogflow CX."""
    APP_TOOL = "app tool"
    """v1beta `Tool` of CX Agent Studio."""
    APP_TOOLSET = "app toolset"
    """v1beta `Toolset` of CX Agent Studio."""


@dataclass(frozen=True, slots=True)
class SecretField:
    """A field that holds a secret, by the JSON names of v3beta1, or of v1beta for resources of apps."""

    holder: tuple[str, ...]
    """Keys from the resource down to the object that has the field; a list on the way stands for its items."""
    key: str
    version_key: str | None = None
    """Its neighbour that names a secret version instead."""


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A text that is a file of its own in packages."""

    keys: tuple[str, ...]
    """Keys from the kind's field down to it."""
    endings: str
    """How such files end, as a regular expression."""


@dataclass(frozen=True, slots=True)
class ToolsetTools:
    """What the tools of a toolset are when they are told one by one."""

    field: str
    """Field of `Tool` that each has."""
    shared: tuple[str, ...] = ()
    """Members of the toolset that each has too."""
    unlisted: str = ""
    """Why there may be more than are known, as the end of a sentence about the toolset; empty where all are known."""


@dataclass(frozen=True, slots=True)
class KindField:
    """The field that holds what a tool of a kind is, in one message."""

    name: str
    """JSON name; no two messages have the same."""
    message: ToolMessage
    title: str
    """In lists of tools, such as `OpenAPI toolset`."""
    secrets: tuple[SecretField, ...] = ()
    """Where secrets may stand, from the resource down."""
    credentials: tuple[str, ...] = ()
    """Members that say how calls are authenticated: parameters of the session that they name are secret."""
    free: frozenset[str] = frozenset()
    """Members that a package may change while stored secrets stay: whatever else there is says where requests go, or
    whom they trust."""
    service: tuple[str, ...] = ()
    """Keys down to the name of a private service; empty where there is none."""
    texts: tuple[TextPlace, ...] = ()
    """The first is the document that the tool is made of."""
    references: tuple[tuple[tuple[str, ...], str], ...] = ()
    """Keys down to the name of another resource of the app, and the collection that it is in."""
    form: CallForm | None = None
    """How calls are spelled in examples, by the form that the toolbox is given; None where that is not known."""
    kept: str = ""
    """What such a tool does, where it is kept and not run here: `searches a data store`."""
    not_made: str = ""
    """Why no client can make one; empty where it can."""
    toolbox_form: Callable[[JsonObject, JsonObject], JsonObject] | None = None
    """From what the field holds, and the whole resource, to what the toolbox is given in its place; None where that is
    the field itself. Never raises."""
    toolbox_paths: tuple[tuple[str, str], ...] = ()
    """Where in that form a problem is, and where in the resource: `{kind}` is the field."""
    own_name: Callable[[JsonObject], str] | None = None
    """The name of a tool that is given none, from what the field holds; may be empty."""
    toolset: ToolsetTools | None = None
    """Of toolsets only."""

    @property
    def document(self) -> str:
        """Where the tool's document is, such as `openApiSpec.textSchema`; the field itself where it has none."""
        return ".".join((self.name, *self.texts[0].keys)) if self.texts else self.name


class ConversionNotes(Protocol):
    """Takes down what a conversion has to tell; `place` is the tool's."""

    def changed(self, place: str, message: str) -> None:
        """Something has another meaning."""
        ...

    def left_out(self, place: str, message: str, count: int = 0) -> None:
        """Something is not carried over."""
        ...

    def missing_secret(self, place: str, message: str, remedy: str = "") -> None:
        """A secret has to be given."""
        ...

    def problem(self, place: str, message: str) -> None:
        """Something is not as it should be."""
        ...


@dataclass(frozen=True, slots=True)
class ConvertedTool:
    """What a tool of Dialogflow CX is in an app."""

    into: str
    """Field of `Tool`, or of `Toolset`."""
    messages: tuple[JsonObject, ...]
    """What the field holds: each is a tool of its own."""
    beside: JsonObject = field(default_factory=dict[str, JsonValue])
    """Members of the resource besides."""
    operations: tuple[str, ...] = ()
    """Of a toolset."""
    variables: tuple[str, ...] = ()
    """Session parameters that calls take values from."""


Conversion = Callable[[JsonObject, str, str, ConversionNotes], ConvertedTool]
"""The tool (v3beta1 JSON), its name in the app, its place in notes, and who takes them down."""


@dataclass(frozen=True, slots=True)
class BuiltInTool:
    """A tool that every agent of Dialogflow CX has."""

    id: str
    display_name: str
    description: str


class CallCheck(Enum):
    """How far the calls that examples show can be checked."""

    UNKNOWN = "UNKNOWN"
    """Not at all: what there is to call is known elsewhere."""
    ACTIONS = "ACTIONS"
    """Their actions."""
    ARGUMENTS = "ARGUMENTS"
    """Their arguments too."""
    CLOSED = "CLOSED"
    """Also arguments that are declared nowhere are wrong."""


@dataclass(frozen=True, slots=True)
class StoredKind:
    """A kind of tool as it is stored."""

    name: str
    """As metrics and spans call it, such as `datastore`; no other kind has it."""
    noun: str
    """What one of them is called, such as `data store tool`."""
    fields: tuple[KindField, ...] = ()
    built_in: tuple[BuiltInTool, ...] = ()
    """Tools of the kind that nobody makes."""
    call_check: CallCheck = CallCheck.UNKNOWN
    is_engines: bool = False
    """Whether the engine does such calls itself: the toolbox never sees them."""
    telemetry_type: str = "extension"
    """What OpenTelemetry calls its tools where the server calls them (`gen_ai.tool.type`)."""
    calls_tools: bool = False
    """Whether it may call other tools of its app."""
    asks_model: bool = False
    """Whether it asks the agent's model where one is there, also when it is called by itself."""
    offers: Callable[[JsonObject, str], bool] | None = None
    """Whether a tool has an action of that name, as far as its resource tells; None where it is named like the tool."""
    conversion: Conversion | None = None
    """None where CX Agent Studio has no such tools."""

    @property
    def nouns(self) -> str:
        """Several of them."""
        return f"{self.noun}s"


class ToolKinds:
    """All kinds of tools that a process knows."""

    def __init__(self, kinds: Iterable[StoredKind]) -> None:
        """Raises `ValueError` where two kinds have one name, or one field."""
        self.all = tuple(kinds)
        self._built_in = {tool.id: (kind, tool) for kind in self.all for tool in kind.built_in}
        self._by_field: dict[str, tuple[StoredKind, KindField]] = {}
        self._by_name: dict[str, StoredKind] = {}
        for kind in self.all:
            if kind.name in self._by_name:
                raise ValueError(f"two kinds of tools are called {kind.name!r}")
            self._by_name[kind.name] = kind
            for each in kind.fields:
                if each.name in self._by_field:
                    raise ValueError(f"two kinds of tools have the field {each.name!r}")
                self._by_field[each.name] = kind, each

    @property
    def built_in(self) -> Sequence[BuiltInTool]:
        """The tools that every agent has."""
        return [tool for _, tool in self._built_in.values()]

    def of(self, tool: JsonObject) -> StoredKind | None:
        """The kind of a tool or a toolset; None where it has none of the fields."""
        if tool.get("toolType") == BUILT_IN_TYPE:
            id = str(tool.get("name", "")).rpartition("/")[2]
            return self._built_in[id][0] if id in self._built_in else None
        return next((self._by_field[key][0] for key in tool if key in self._by_field), None)

    def named(self, name: str) -> StoredKind | None:
        """The kind of that name; None where there is none."""
        return self._by_name.get(name)

    def field(self, tool: JsonObject) -> KindField | None:
        """The field that holds what a tool or a toolset is; None where it has none."""
        return next((self._by_field[key][1] for key in tool if key in self._by_field), None)

    def credentials(self, tool: JsonObject) -> Sequence[JsonValue]:
        """What a tool or a toolset says of how its calls are authenticated."""
        field = self.field(tool)
        if field is None:
            return ()
        settings = as_object(tool[field.name])
        return [settings[member] for member in field.credentials if member in settings]

    def secrets(self, key: str) -> Sequence[SecretField]:
        """The places of secrets below a member of a tool."""
        return self._by_field[key][1].secrets if key in self._by_field else ()

    def fields(self, message: ToolMessage) -> Sequence[KindField]:
        """All fields of a message, in the order of the kinds."""
        return [each for _, each in self._by_field.values() if each.message is message]


class NoToolKinds(Exception):
    """The process has begun without its kinds of tools: a fault of ours."""


class _Register:
    """The kinds of this process."""

    def __init__(self) -> None:
        self.known: ToolKinds | None = None
        self.fill: Callable[[], None] | None = None


_REGISTER = _Register()


def register(kinds: Iterable[StoredKind]) -> None:
    """Make these the kinds of this process, and no others. Raises `ValueError` where two of them cannot be told apart.

    Whoever starts a process calls `tools.kinds.register` instead, which knows how each kind works too.
    """
    _REGISTER.known = ToolKinds(kinds)


def register_when_asked(fill: Callable[[], None]) -> None:
    """Have `fill` call `register` when somebody asks for a kind first: what kinds are made of takes long to import."""
    _REGISTER.fill = fill


def tool_kinds() -> ToolKinds:
    """All kinds of tools. Raises `NoToolKinds` where nobody has registered any."""
    return _REGISTER.known or _filled()


def _filled() -> ToolKinds:
    if _REGISTER.fill is not None:
        _REGISTER.fill()
    if _REGISTER.known is None:
        raise NoToolKinds("no kinds of tools are registered: call tools.kinds.register when the process starts")
    return _REGISTER.known


def facts_of(tool: JsonObject, input_schema: JsonObject | None = None) -> ActionFacts | None:
    """What a tool resource tells of an action, with the action's input schema where it is known.

    In that schema a property is a parameter or `requestBody`. None for a kind of which no spelling is known.
    """
    if tool.get("toolType") == BUILT_IN_TYPE:
        return ActionFacts(BUILT_IN)
    field = tool_kinds().field(tool)
    if field is None or field.form is None:
        return None
    if input_schema is None:
        return ActionFacts(field.form)
    properties = as_object(input_schema.get("properties"))
    return ActionFacts(field.form, frozenset(properties) - {BODY}, BODY in properties, input_schema)
