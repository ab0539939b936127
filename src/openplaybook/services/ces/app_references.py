"""Which fields of an app's resources name other resources of the app, who names one, and how to make them stop."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import loads
from openplaybook.resources.ces.system_tools import is_system_tool
from openplaybook.resources.errors import InvalidName
from openplaybook.resources.message_fields import descriptor_of
from openplaybook.resources.names import (
    APP_AGENTS,
    APP_DEPLOYMENTS,
    APP_EXAMPLES,
    APP_GUARDRAILS,
    APP_TOOLS,
    APP_TOOLSETS,
    APP_VERSIONS,
    APPS,
    EVALUATION_DATASETS,
    EVALUATION_EXPECTATIONS,
    EVALUATIONS,
    NamePattern,
    root_of,
)
from openplaybook.services.errors import invalid, not_found
from openplaybook.services.stored_records import holds, matching_records
from openplaybook.storage.base import Record, Store
from openplaybook.wire.messages import ApiMessage

_FIELDS: Mapping[str, Mapping[str, NamePattern]] = {
    "App": {"root_agent": APP_AGENTS, "guardrails": APP_GUARDRAILS},
    "Agent": {
        "tools": APP_TOOLS,
        "toolsets.toolset": APP_TOOLSETS,
        "child_agents": APP_AGENTS,
        "guardrails": APP_GUARDRAILS,
        "transfer_rules.child_agent": APP_AGENTS,
    },
    # The stable version and the beta one call it differently.
    "Tool": {"agent_tool.agent": APP_AGENTS, "agent_tool.root_agent": APP_AGENTS},
    "Guardrail": {"action.transfer_agent.agent": APP_AGENTS},
    "Example": {
        "entry_agent": APP_AGENTS,
        "messages.chunks.tool_call.tool": APP_TOOLS,
        "messages.chunks.tool_call.toolset_tool.toolset": APP_TOOLSETS,
        "messages.chunks.tool_response.tool": APP_TOOLS,
        "messages.chunks.tool_response.toolset_tool.toolset": APP_TOOLSETS,
        "messages.chunks.agent_transfer.target_agent": APP_AGENTS,
    },
    "Evaluation": {
        **{
            f"golden.turns.steps.expectation.{condition}.{field}": to
            for condition in ("tool_call", "tool_response", "mock_tool_response")
            for field, to in (("tool", APP_TOOLS), ("toolset_tool.toolset", APP_TOOLSETS))
        },
        "golden.turns.steps.expectation.agent_transfer.target_agent": APP_AGENTS,
        "golden.turns.steps.agent_transfer.target_agent": APP_AGENTS,
        "golden.evaluation_expectations": EVALUATION_EXPECTATIONS,
        "scenario.evaluation_expectations": EVALUATION_EXPECTATIONS,
    },
    "EvaluationDataset": {"evaluations": EVALUATIONS},
    "ScheduledEvaluationRun": {"request.evaluations": EVALUATIONS, "request.evaluation_dataset": EVALUATION_DATASETS},
    "Deployment": {
        "app_version": APP_VERSIONS,
        "experiment_config.version_release.traffic_allocations.app_version": APP_VERSIONS,
    },
}
"""What each field, by its path in a message, names."""

_USERS = tuple(
    one.kind for one in (APPS, APP_AGENTS, APP_TOOLS, APP_TOOLSETS, APP_GUARDRAILS, APP_EXAMPLES, APP_DEPLOYMENTS)
)
"""Kinds whose records can name others; versions hold resources of the past."""

_DRAFT = "/versions/-"
"""How a deployment names the app as it stands."""


@dataclass(frozen=True, slots=True)
class AppReference:
    """A field that names a resource."""

    path: str
    """In the message, such as `toolsets[0].toolset`."""
    name: str
    to: NamePattern

    @property
    def needs_no_record(self) -> bool:
        """Whether it names what is stored nowhere: a system tool, or the app as it stands."""
        return (self.to is APP_TOOLS and is_system_tool(self.name)) or (
            self.to is APP_VERSIONS and self.name.endswith(_DRAFT) and self.to.fits(self.name)
        )


def references_of(resource: ApiMessage) -> list[AppReference]:
    """Every reference in a resource, in the order of its fields."""
    fields = _FIELDS.get(descriptor_of(resource).name, {})
    return [
        AppReference(path, name, to)
        for field, to in fields.items()
        for path, name in _values(resource, field.split("."), "")
        if name
    ]


async def check_references(store: Store, resource: ApiMessage, stored: ApiMessage | None, field: str) -> None:
    """Refuse a resource that newly names what is not of its app (INVALID_ARGUMENT), or not there (NOT_FOUND).

    What `stored` named already may stay. `field` is where the request holds the resource.
    """
    known = frozenset[str]() if stored is None else {one.name for one in references_of(stored)}
    app = root_of(resource.name)
    for one in references_of(resource):
        if one.name in known or one.needs_no_record:
            continue
        where = f"{field}.{one.path}"
        try:
            name = one.to.parse(one.name)
        except InvalidName as error:
            raise invalid((where, str(error))) from error
        if name.root != app:
            raise invalid((where, f"{one.name} belongs to another app"))
        if not await _exists(store, one):
            raise not_found(f"{where}:", one.name)


async def dangling(store: Store, resource: ApiMessage) -> list[AppReference]:
    """References of a resource to what is not there."""
    return [one for one in references_of(resource) if not one.needs_no_record and not await _exists(store, one)]


async def users_of(store: Store, name: str) -> list[Record]:
    """Resources of the same app that name a resource in a field; not itself."""
    records = await store.scan(root_of(name), _USERS)
    return await matching_records(records, lambda record: record.name != name and holds(loads(record.body), name))


def detach(resource: ApiMessage, name: str) -> None:
    """Remove every reference to `name` from a resource: from a list its item, else the field.

    An example is told invalid instead: without what it names it would show something else.
    """
    kind = descriptor_of(resource).name
    if kind == "Example":
        resource.invalid = True
        return
    for field in _FIELDS.get(kind, {}):
        _detach(resource, field.split("."), name)


async def _exists(store: Store, reference: AppReference) -> bool:
    record = await store.get(reference.name)
    return record is not None and record.kind == reference.to.kind


def _values(message: ApiMessage, steps: Sequence[str], prefix: str) -> Iterator[tuple[str, str]]:
    """Path and value of every text that a field holds."""
    step, *rest = steps
    field = descriptor_of(message).fields_by_name[step]
    value = getattr(message, step)
    if field.is_repeated:
        for index, item in enumerate(value):
            path = f"{prefix}{step}[{index}]"
            yield from _values(item, rest, f"{path}.") if rest else ((path, item),)
    elif not rest:
        yield f"{prefix}{step}", value
    elif message.HasField(step):
        yield from _values(value, rest, f"{prefix}{step}.")


def _detach(message: ApiMessage, steps: Sequence[str], name: str) -> bool:
    """Whether the message itself named it, so that a list has to drop it."""
    step, *rest = steps
    field = descriptor_of(message).fields_by_name[step]
    value = getattr(message, step)
    if field.is_repeated:
        remaining = [item for item in value if not (_detach(item, rest, name) if rest else item == name)]
        if len(remaining) != len(value):
            message.ClearField(step)
            getattr(message, step).extend(remaining)
        return False
    if rest:
        return message.HasField(step) and _detach(value, rest, name)
    if value != name:
        return False
    message.ClearField(step)
    return True
