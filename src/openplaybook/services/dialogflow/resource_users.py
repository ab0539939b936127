"""Who uses a tool or a playbook, and how to make them stop."""

from dataclasses import dataclass

from openplaybook.jsonvalues import as_object, loads
from openplaybook.resources.compiled_forms import ReferenceKind
from openplaybook.resources.names import EXAMPLES, PLAYBOOKS
from openplaybook.services.dialogflow.agent_directory import named_in_text
from openplaybook.services.stored_records import holds, matching_records
from openplaybook.storage.base import Record, Store
from openplaybook.wire.messages import ApiMessage

_KINDS = (PLAYBOOKS.kind, EXAMPLES.kind)


@dataclass(frozen=True, slots=True)
class UsedResource:
    """What is looked for."""

    agent: str
    kind: ReferenceKind
    name: str
    """Resource name."""
    display_name: str


async def users_of(store: Store, used: UsedResource) -> list[Record]:
    """Playbooks and examples that name it in a field or in their instructions; not itself, nor what is beneath it."""
    within = used.name + "/"
    records = await store.scan(used.agent, _KINDS)
    return await matching_records(
        records,
        lambda record: record.name != used.name and not record.name.startswith(within) and _uses(record, used),
    )


def detach(resource: ApiMessage, name: str) -> None:
    """Remove every field of a playbook or an example that names the tool or playbook `name`.

    Instructions are the author's words and stay as they are.
    """
    if resource.DESCRIPTOR.name == "Playbook":
        _detach_playbook(resource, name)
    else:
        remaining = [
            one for one in resource.actions if name not in (one.tool_use.tool, one.playbook_invocation.playbook)
        ]
        _replace(resource, "actions", remaining)


def _detach_playbook(playbook: ApiMessage, name: str) -> None:
    for field in ("referenced_tools", "referenced_playbooks"):
        _replace(playbook, field, [one for one in getattr(playbook, field) if one != name])
    for definition in [*playbook.input_parameter_definitions, *playbook.output_parameter_definitions]:
        if definition.type_schema.schema_reference.tool == name:
            definition.ClearField("type_schema")


def _replace(message: ApiMessage, field: str, items: list[ApiMessage]) -> None:
    if len(items) != len(getattr(message, field)):
        message.ClearField(field)
        getattr(message, field).extend(items)


def _uses(record: Record, used: UsedResource) -> bool:
    resource = as_object(loads(record.body))
    return holds(resource, used.name) or used.display_name in named_in_text(resource, used.kind)
