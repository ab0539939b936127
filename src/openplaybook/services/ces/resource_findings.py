"""What is to be said of an app's resource as it is saved: in warnings, and in its `validation_errors`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from openplaybook.jsonvalues import JsonObject, as_object, loads
from openplaybook.resources.ces.app_directory import AppDirectory, directory_of
from openplaybook.resources.ces.conversation_examples import tools_called
from openplaybook.resources.ces.resource_checks import problems
from openplaybook.resources.ces.toolbox_forms import toolbox_documents
from openplaybook.resources.findings import Finding, Severity
from openplaybook.resources.message_fields import descriptor_of
from openplaybook.resources.names import (
    APP_AGENTS,
    APP_EXAMPLES,
    APP_GUARDRAILS,
    APP_TOOLS,
    APP_TOOLSETS,
    APPS,
    root_of,
)
from openplaybook.services.errors import invalid
from openplaybook.services.example_tools import example_calls
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import ResourceKind
from openplaybook.storage.base import Record
from openplaybook.turns.agent.ces_apps import call_lookups
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import AT_ONCE, DOCUMENTS

CHECKED = tuple(one.kind for one in (APPS, APP_AGENTS, APP_TOOLS, APP_TOOLSETS, APP_GUARDRAILS, APP_EXAMPLES))
"""The store's words for the kinds of resources that are checked."""
_ERRORS = "validation_errors"


async def tell_findings(parts: ServiceParts, kind: ResourceKind, resource: ApiMessage, context: RpcContext) -> None:
    """Warn of all that is odd about a resource that is being saved; what is more than a remark is kept in it too,
    where its message has a field for that: as it was found then, until the resource is saved again.

    INVALID_ARGUMENT for a guardrail with errors: it would guard nothing, and its message could not say so.
    """
    if kind.record not in CHECKED:
        return
    findings = await findings_of(parts, kind, resource)
    wrong = [one for one in findings if one.severity is Severity.ERROR]
    if wrong and kind.record == APP_GUARDRAILS.kind:
        raise invalid(*((f"{kind.field}{one.path.removeprefix('$')}", one.message) for one in wrong))
    for finding in findings:
        context.warn(f"{kind.field}.{_sentence(finding)}")
    if _ERRORS in descriptor_of(resource).fields_by_name:
        resource.ClearField(_ERRORS)
        resource.validation_errors.extend(_sentence(one) for one in findings if one.severity is not Severity.REMARK)


async def findings_of(parts: ServiceParts, kind: ResourceKind, resource: ApiMessage) -> Sequence[Finding]:
    """What is odd about a resource of an app, stored or not, next to all others of the app."""
    name: str = resource.name
    others = [record for record in await parts.store.scan(root_of(name), CHECKED) if record.name != name]
    # Expressions of guardrails are compiled, and may be thousands.
    size = resource.ByteSize() + sum(len(record.body) for record in others)
    is_much = kind.record == APP_GUARDRAILS.kind or size > AT_ONCE
    reading = partial(_read, parts, kind.record, resource, others)
    app = await DOCUMENTS.run(reading) if is_much else reading()
    called = app.tools_called() if kind.record == APP_EXAMPLES.kind else {}
    calls = call_lookups(app.directory, await example_calls(parts.toolbox, called, is_whole=False))
    work = partial(problems, kind.record, app.own, app.directory, app.document, calls)
    return await DOCUMENTS.run(work) if is_much or called else work()


@dataclass(frozen=True, slots=True)
class _App:
    """An app, with a resource of it as that is being saved."""

    own: JsonObject
    """That resource."""
    document: JsonObject
    documents: Mapping[str, JsonObject]
    """All resources by name."""
    directory: AppDirectory

    def tools_called(self) -> dict[str, JsonObject]:
        """The tools that the resource, an example, calls, as the toolbox takes them."""
        return toolbox_documents({name: self.documents[name] for name in tools_called(self.own, self.directory)})


def _read(parts: ServiceParts, kind: str, resource: ApiMessage, others: Sequence[Record]) -> _App:
    name: str = resource.name
    own = parts.api.codec.to_json(resource)
    documents = {record.name: (record.kind, as_object(loads(record.body))) for record in others}
    documents[name] = (kind, own)
    directory = directory_of((record, each, document) for each, (record, document) in documents.items())
    by_name = {each: document for each, (_, document) in documents.items()}
    return _App(own, by_name[root_of(name)], by_name, directory)


def _sentence(finding: Finding) -> str:
    return f"{finding.path.removeprefix('$.')}: {finding.message}"
