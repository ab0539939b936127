"""`Toolbox`: from stored tools to compiled ones, of all kinds that are registered."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from openplaybook.connectors.catalog.connections import ConnectionAccess
from openplaybook.credentials.base import CredentialSources
from openplaybook.credentials.secret_fields import unmet_needs
from openplaybook.documents.encoded_text import LONG, EncodedText
from openplaybook.documents.parser_process import ParserLimits
from openplaybook.egress.base import Transport
from openplaybook.jsonvalues import JsonObject, as_object, dumps
from openplaybook.resources.tool_kinds import BUILT_IN_TYPE, ToolMessage, tool_kinds
from openplaybook.retrieval.base import StoreSearch
from openplaybook.sandbox.base import Executor
from openplaybook.tools.base import NO_AGENT, AgentScope, InvalidTool, Problem, Tool
from openplaybook.tools.build_cache import BuildCache, CacheEntry
from openplaybook.tools.fakes import with_fake
from openplaybook.tools.kind_registry import builders
from openplaybook.tools.tool_kind import Builder, ToolKind, ToolParts

_DEFAULT_LIMITS = ParserLimits()

COMPILED_BYTES = 256 * 1024 * 1024
"""Of memory that compiled tools may take, estimated; one that takes more is kept alone."""
_TIMES_TEXT = 8
"""How many times the memory of its text a compiled tool takes: 2 to 10 times in real descriptions, mostly 4 to 9."""
_VERDICT_BYTES = 4 * 1024 * 1024
"""The same of what checks found."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Of a resource within a scope; equal only for what is equal."""

    digest: bytes
    size: int
    """Bytes of the resource as JSON, about."""
    text: EncodedText | None = field(default=None, compare=False, repr=False)
    """The text in its specification, where that is a long one."""


def fingerprint_of(resource: JsonObject, scope: AgentScope) -> Fingerprint:
    """The fingerprint of a tool as the toolbox takes it."""
    holder = tool_kinds().field(resource)
    place = holder.texts[0].keys if holder and holder.texts else ()
    name, member = (holder.name, place[0]) if holder and len(place) == 1 else ("", "")
    spec = as_object(resource.get(name))
    text = spec.get(member)
    if not isinstance(text, str) or len(text) <= LONG:
        text_of_all = dumps([_in_order(resource), scope.client_certificate])
        return Fingerprint(sha256(text_of_all).digest(), len(text_of_all))
    encoded = EncodedText(text)
    rest = _in_order({**resource, name: {**spec, member: None}})
    text_of_all = dumps([rest, scope.client_certificate, len(text)])
    return Fingerprint(sha256(text_of_all + encoded.digest).digest(), len(text_of_all) + len(encoded.data), encoded)


def _in_order(resource: JsonObject) -> JsonObject:
    """With the fields of the resource and of its specification in one order, whoever wrote them. Below, order may have
    a meaning: models read the properties of a schema as they come."""
    return {
        name: dict(sorted(as_object(value).items())) if isinstance(value, dict) else value
        for name, value in sorted(resource.items())
    }


@dataclass(frozen=True, slots=True)
class _Compiled:
    plain: Tool
    """As its kind builds it."""
    tool: Tool
    """With its fake, where it has one."""


class Toolbox:
    """Builds tools that share one transport and one set of credentials.

    Each is built once: whoever asks for the tool of an equal resource, with an equal scope, is given the same one while
    it is kept. A resource is known by all that is in it, its name included, so no other has its secrets.
    """

    def __init__(
        self,
        transport: Transport,
        credentials: CredentialSources | None = None,
        parser: ParserLimits = _DEFAULT_LIMITS,
        executor: Executor | None = None,
        search: StoreSearch | None = None,
        connections: ConnectionAccess | None = None,
    ) -> None:
        self._transport = transport
        self._parser = parser
        self._executor = executor
        self._search = search
        self._connections = connections
        self._credentials = credentials or CredentialSources(transport)
        self._compiled = BuildCache[_Compiled](COMPILED_BYTES)
        self._verdicts = BuildCache[Sequence[Problem]](_VERDICT_BYTES)

    def build(self, resource: JsonObject, scope: AgentScope = NO_AGENT) -> Tool:
        """The compiled form of a stored tool, `{name, displayName, description, openApiSpec | functionSpec | …}`; of
        one of CX Agent Studio as `resources.ces.toolbox_forms` gives it.

        Blocks while it is built, which costs a parse of the specification. Raises `InvalidTool`, each time anew.
        """
        return self._compiled_once(resource, fingerprint_of(resource, scope), scope).tool

    def answering(self, transport: Transport) -> "Toolbox":
        """One whose tools reach their services by another way out; credentials are got as before."""
        return Toolbox(transport, self._credentials, self._parser, self._executor, self._search, self._connections)

    def check(self, resource: JsonObject) -> Sequence[Problem]:
        """Everything wrong with a stored tool, errors and remarks; without an error it can be built and used.

        Blocks. What is found is kept as the tool is, unless there are errors.
        """
        known_by = fingerprint_of(resource, NO_AGENT)
        return self._verdicts.get(known_by.digest, lambda: self._verdict(resource, known_by))

    def _verdict(self, resource: JsonObject, known_by: Fingerprint) -> CacheEntry[Sequence[Problem]]:
        problems = self._problems(resource, known_by)
        if any(problem.is_error for problem in problems):
            return CacheEntry(problems, None)
        return CacheEntry(problems, sum(len(problem.path) + len(problem.message) for problem in problems))

    def _problems(self, resource: JsonObject, known_by: Fingerprint) -> Sequence[Problem]:
        def built() -> Tool:
            return self._compiled_once(resource, known_by, NO_AGENT).plain

        try:
            kind, _, spec = _builder(resource)
            if kind.check is not None:
                return kind.check(resource, spec, lambda: self._parts(resource, known_by, NO_AGENT), built)
            built()
        except InvalidTool as error:
            return error.problems
        return ()

    async def unmet(self, resource: JsonObject) -> Sequence[Problem]:
        """Secrets, private services and whatever else a tool without errors names and that cannot be had now.

        Secrets and services may be set later: remarks. What another resource lacks for good is an error.
        """
        needs = unmet_needs(resource, self._credentials)
        problems = [Problem(path, message, is_error=False) async for path, message in needs]
        try:
            kind, _, spec = _builder(resource)
        except InvalidTool:
            return problems
        if kind.lookup is None:
            return problems
        parts = self._parts(resource, fingerprint_of(resource, NO_AGENT), NO_AGENT)
        return [*problems, *await kind.lookup(resource, spec, parts)]

    def _compiled_once(self, resource: JsonObject, known_by: Fingerprint, scope: AgentScope) -> _Compiled:
        return self._compiled.get(known_by.digest, lambda: self._compile(resource, known_by, scope))

    def _compile(self, resource: JsonObject, known_by: Fingerprint, scope: AgentScope) -> CacheEntry[_Compiled]:
        _, builder, spec = _builder(resource)
        plain = builder(resource, spec, self._parts(resource, known_by, scope))
        compiled = _Compiled(plain, with_fake(plain, resource, self._executor))
        return CacheEntry(compiled, known_by.size * _TIMES_TEXT)

    def _parts(self, resource: JsonObject, known_by: Fingerprint, scope: AgentScope) -> ToolParts:
        sealed = self._credentials.sealed.at(str(resource.get("name", "")))
        return ToolParts(
            self._transport,
            replace(self._credentials, sealed=sealed),
            scope,
            self._parser,
            self._executor,
            known_by.text,
            self._search,
            self._connections,
        )


def _builder(resource: JsonObject) -> tuple[ToolKind, Builder, JsonObject]:
    """The kind of a tool, what builds it, and its specification. Raises `InvalidTool`."""
    chosen = _kind(resource)
    if not resource.get("displayName"):
        raise InvalidTool([Problem("$.displayName", "is required")])
    return chosen


def _kind(resource: JsonObject) -> tuple[ToolKind, Builder, JsonObject]:
    known = builders()
    id = str(resource.get("name", "")).rpartition("/tools/")[2]
    if resource.get("toolType") == BUILT_IN_TYPE and id in known:
        return *known[id], {}
    members = [member for member in known if member in resource]
    if len(members) != 1:
        fields = ", ".join(field.name for field in tool_kinds().fields(ToolMessage.TOOL))
        raise InvalidTool([Problem("$", f"exactly one of {fields} is required, got {' and '.join(members) or 'none'}")])
    return *known[members[0]], as_object(resource[members[0]])
