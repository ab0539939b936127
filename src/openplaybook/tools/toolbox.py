"""`Toolbox`: from stored tools to compiled ones. One line per kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from openplaybook.credentials.base import CredentialSources
from openplaybook.credentials.needs import unmet_needs
from openplaybook.documents.parser_process import ParserLimits
from openplaybook.egress.base import Transport
from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.builtin_tools import CODE_INTERPRETER, is_builtin
from openplaybook.sandbox.base import Executor
from openplaybook.tools.base import NO_AGENT, AgentScope, InvalidTool, Problem, Tool
from openplaybook.tools.building import Parts
from openplaybook.tools.code_interpreter import building as code_interpreter
from openplaybook.tools.faking import with_fake
from openplaybook.tools.function import building as function
from openplaybook.tools.openapi import apart
from openplaybook.tools.openapi import building as openapi
from openplaybook.tools.openapi.description.lines import with_lines
from openplaybook.tools.openapi.tool import OpenApiTool
from openplaybook.tools.python_function import building as python_function
from openplaybook.tools.python_function.tool import PythonFunctionTool
from openplaybook.tools.stored import ces_connector, connector, data_store, extension, handed_over, mcp, search

Builder: TypeAlias = Callable[[JsonObject, JsonObject, Parts], Tool]
"""The tool's resource, its specification, what tools are made from → the tool; raises `InvalidTool`."""

KINDS: Mapping[str, Builder] = {
    "openApiSpec": openapi.build,
    "functionSpec": function.build,
    "dataStoreSpec": data_store.build,
    "connectorSpec": connector.build,
    "extensionSpec": extension.build,
}
"""By the field of the resource (v3beta1 `Tool`, JSON form) that holds the specification."""

CES_KINDS: Mapping[str, Builder] = {
    "pythonFunction": python_function.build,
    "dataStoreTool": search.build_data_store,
    "fileSearchTool": search.build_file_search,
    "googleSearchTool": search.build_google_search,
    "connectorTool": ces_connector.build,
    "connectorToolset": ces_connector.build_toolset,
    "mcpTool": mcp.build,
    "mcpToolset": mcp.build_toolset,
    "widgetTool": handed_over.build_widget,
    "remoteAgentTool": handed_over.build_remote_agent,
}
"""Kinds that only CX Agent Studio has, by the field of its message (CES v1beta `Tool` or `Toolset`, JSON form)."""

BUILT_IN: Mapping[str, Builder] = {CODE_INTERPRETER: code_interpreter.build}
"""By the id of the tool: those that every agent has. They have no specification."""

_DEFAULT_LIMITS = ParserLimits()


class Toolbox:
    """Builds tools that share one transport and one set of credentials."""

    def __init__(
        self,
        transport: Transport,
        credentials: CredentialSources | None = None,
        parser: ParserLimits = _DEFAULT_LIMITS,
        executor: Executor | None = None,
    ) -> None:
        self._transport = transport
        self._parser = parser
        self._executor = executor
        self._credentials = credentials or CredentialSources(transport)

    def build(self, resource: JsonObject, scope: AgentScope = NO_AGENT) -> Tool:
        """The compiled form of a stored tool, `{name, displayName, description, openApiSpec | functionSpec | …}`; of
        one of CX Agent Studio as `resources.ces.tools` gives it.

        Raises `InvalidTool`. Building costs a parse of the specification: keep what you get.
        """
        return with_fake(self._built(resource, scope), resource, self._executor)

    def check(self, resource: JsonObject) -> Sequence[Problem]:
        """Everything wrong with a stored tool, errors and remarks; without an error it can be built and used."""
        try:
            builder, spec = _builder(resource)
            problems = self._problems(resource, builder, spec)
        except InvalidTool as error:
            return error.problems
        return with_lines(problems, str(spec.get("textSchema") or "")) if builder is openapi.build else problems

    def _problems(self, resource: JsonObject, builder: Builder, spec: JsonObject) -> Sequence[Problem]:
        parts = self._parts(resource, NO_AGENT)
        if builder is openapi.build and apart.is_apart(resource):
            return apart.check_apart(resource, parts)
        try:
            tool = builder(resource, spec, parts)
            with_fake(tool, resource, self._executor)
        except InvalidTool as error:
            return error.problems
        if isinstance(tool, PythonFunctionTool):
            return python_function.remarks(tool)
        return openapi.remarks(tool, spec) if isinstance(tool, OpenApiTool) else ()

    async def unmet(self, resource: JsonObject) -> Sequence[Problem]:
        """Secrets and private services that a tool without errors names and that cannot be had now.

        Remarks only: they may be set later, and are looked up anew at each call.
        """
        needs = unmet_needs(resource, self._credentials)
        return [Problem(path, message, is_error=False) async for path, message in needs]

    def _built(self, resource: JsonObject, scope: AgentScope) -> Tool:
        builder, spec = _builder(resource)
        return builder(resource, spec, self._parts(resource, scope))

    def _parts(self, resource: JsonObject, scope: AgentScope) -> Parts:
        sealed = self._credentials.sealed.at(str(resource.get("name", "")))
        return Parts(self._transport, replace(self._credentials, sealed=sealed), scope, self._parser, self._executor)


def _builder(resource: JsonObject) -> tuple[Builder, JsonObject]:
    """What builds a tool, and its specification. Raises `InvalidTool`."""
    found = _kind(resource)
    if not resource.get("displayName"):
        raise InvalidTool([Problem("$.displayName", "is required")])
    return found


def _kind(resource: JsonObject) -> tuple[Builder, JsonObject]:
    name = str(resource.get("name", ""))
    if resource.get("toolType") == "BUILTIN_TOOL" and is_builtin(name):
        return BUILT_IN[name.rpartition("/")[2]], {}
    kinds = {**KINDS, **CES_KINDS}
    given = [kind for kind in kinds if kind in resource]
    if len(given) != 1:
        found = " and ".join(given) or "none"
        raise InvalidTool([Problem("$", f"exactly one of {', '.join(KINDS)} is required, got {found}")])
    return kinds[given[0]], as_object(resource[given[0]])
