"""`Toolbox`: from stored tools to compiled ones. One line per kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from openplaybook.credentials.base import CredentialSources
from openplaybook.credentials.needs import unmet_needs
from openplaybook.egress.base import Transport
from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.builtin_tools import CODE_INTERPRETER, is_builtin
from openplaybook.sandbox.base import Executor
from openplaybook.tools.base import NO_AGENT, AgentScope, InvalidTool, Problem, Tool
from openplaybook.tools.building import Parts
from openplaybook.tools.code_interpreter import building as code_interpreter
from openplaybook.tools.function import building as function
from openplaybook.tools.openapi import building as openapi
from openplaybook.tools.openapi.description.parser_process import ParserLimits
from openplaybook.tools.openapi.tool import OpenApiTool
from openplaybook.tools.stored import connector, data_store, extension

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
        """The compiled form of a stored tool, `{name, displayName, description, openApiSpec | functionSpec | …}`.

        Raises `InvalidTool`. Building costs a parse of the specification: keep what you get.
        """
        builder, spec = _builder(resource)
        if not resource.get("displayName"):
            raise InvalidTool([Problem("$.displayName", "is required")])
        sealed = self._credentials.sealed.at(str(resource.get("name", "")))
        parts = Parts(self._transport, replace(self._credentials, sealed=sealed), scope, self._parser, self._executor)
        return builder(resource, spec, parts)

    def check(self, resource: JsonObject) -> Sequence[Problem]:
        """Everything wrong with a stored tool, errors and remarks; without an error it can be built and used."""
        try:
            tool = self.build(resource)
        except InvalidTool as error:
            return error.problems
        return openapi.remarks(tool, as_object(resource["openApiSpec"])) if isinstance(tool, OpenApiTool) else ()

    async def unmet(self, resource: JsonObject) -> Sequence[Problem]:
        """Secrets and private services that a tool without errors names and that cannot be had now.

        Remarks only: they may be set later, and are looked up anew at each call.
        """
        needs = unmet_needs(resource, self._credentials)
        return [Problem(path, message, is_error=False) async for path, message in needs]


def _builder(resource: JsonObject) -> tuple[Builder, JsonObject]:
    """What builds a tool, and its specification. Raises `InvalidTool`."""
    name = str(resource.get("name", ""))
    if resource.get("toolType") == "BUILTIN_TOOL" and is_builtin(name):
        return BUILT_IN[name.rpartition("/")[2]], {}
    given = [kind for kind in KINDS if kind in resource]
    if len(given) != 1:
        found = " and ".join(given) or "none"
        raise InvalidTool([Problem("$", f"exactly one of {', '.join(KINDS)} is required, got {found}")])
    return KINDS[given[0]], as_object(resource[given[0]])
