"""Apps, and resources of apps that are not stored: CheckApp, CheckAppResource."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.ces.app_directory import AppDirectory, directory_of
from openplaybook.resources.ces.conversation_examples import CallLookups, tools_called
from openplaybook.resources.ces.resource_checks import problems
from openplaybook.resources.ces.toolbox_forms import display_name_of, toolbox_documents
from openplaybook.resources.findings import Finding
from openplaybook.resources.names import APP_EXAMPLES, APP_TOOLS, APPS
from openplaybook.services.ces.resource_findings import CHECKED, findings_of
from openplaybook.services.collection import Collection
from openplaybook.services.errors import invalid, not_found
from openplaybook.services.example_tools import example_calls
from openplaybook.services.openplaybook.problem_places import tell_finding, tell_findings
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP, APP_AGENT, APP_EXAMPLE, APP_GUARDRAIL, ResourceKind
from openplaybook.services.stored_records import documents_in
from openplaybook.turns.agent.ces_apps import call_lookups
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import DOCUMENTS

_V = "openplaybook.v1."
_NEW = "-"
_MOST = 5_000
"""Findings in one response."""
_KINDS: Mapping[str, ResourceKind] = {"agent": APP_AGENT, "example": APP_EXAMPLE, "guardrail": APP_GUARDRAIL}


class AppChecks:
    """Checks as saving a resource, or importing an app, would."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._of_app = parts.api.message(f"{_V}CheckAppResponse")
        self._of_resource = parts.api.message(f"{_V}CheckAppResourceResponse")

    async def check_app(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """What is wrong with an app and all that is in it. NOT_FOUND: there is no such app."""
        app = str(APPS.parse(request.name))
        records = await self._parts.store.scan(app, CHECKED)
        if not any(record.name == app for record in records):
            raise not_found(APP.noun, app)
        kinds = {record.name: record.kind for record in records}
        documents = {str(each["name"]): each for each in await documents_in(records)}
        directory, tools = await DOCUMENTS.run(partial(_called, documents, kinds))
        calls = call_lookups(directory, await example_calls(self._parts.toolbox, tools))
        found = await DOCUMENTS.run(partial(_found, app, documents, kinds, directory, calls))
        response = self._of_app()
        for name, finding in found:
            told = response.findings.add(name=name, display_name=_title(documents[name], kinds[name]))
            tell_finding(finding, told.problem)
        return response

    async def check_resource(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """What is wrong with an agent, an example or a guardrail of an app. NOT_FOUND: there is no such app."""
        app = str(APPS.parse(request.parent))
        if not await Collection(APP, self._parts).exists(app):
            raise not_found(APP.noun, app)
        field = request.WhichOneof("resource")
        if field is None:
            raise invalid(("agent", f"is required, or one of the others: {', '.join(_KINDS)}"))
        kind, codec = _KINDS[field], self._parts.api.codec
        resource = codec.from_json(codec.to_json(getattr(request, field)), self._parts.api.message(kind.message)())
        resource.name = resource.name or str(kind.names.child(app, _NEW))
        if kind.names.parse(resource.name).root != app:
            raise invalid((f"{field}.name", f"is not in {app}"))
        response = self._of_resource()
        tell_findings(await findings_of(self._parts, kind, resource), response.problems)
        return response


def _called(
    documents: Mapping[str, JsonObject], kinds: Mapping[str, str]
) -> tuple[AppDirectory, dict[str, JsonObject]]:
    """What names lead to in an app, and the tools that its examples call, as the toolbox takes them. In a thread."""
    directory = directory_of((kinds[name], name, document) for name, document in documents.items())
    called = {
        tool
        for name, document in documents.items()
        if kinds[name] == APP_EXAMPLES.kind
        for tool in tools_called(document, directory)
    }
    return directory, toolbox_documents({name: documents[name] for name in sorted(called)})


def _found(
    app: str,
    documents: Mapping[str, JsonObject],
    kinds: Mapping[str, str],
    directory: AppDirectory,
    calls: CallLookups,
) -> Sequence[tuple[str, Finding]]:
    """The first findings, each with the resource's name; those of the app itself go first. In a thread."""

    def all_found() -> Iterator[tuple[str, Finding]]:
        for kind in CHECKED:
            for name, document in documents.items():
                if kinds[name] == kind:
                    yield from ((name, each) for each in problems(kind, document, directory, documents[app], calls))

    return [*islice(all_found(), _MOST)]


def _title(document: JsonObject, kind: str) -> str:
    return display_name_of(document) if kind == APP_TOOLS.kind else str(document.get("displayName", ""))
