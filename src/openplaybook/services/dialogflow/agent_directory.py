"""Who is called what in an agent, and which references of a playbook or an example lead nowhere."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from openplaybook.jsonvalues import JsonObject, as_object, loads
from openplaybook.resources.builtin_tools import builtin_tools, find_builtin
from openplaybook.resources.compiled_forms import ReferenceKind
from openplaybook.resources.dangling_references import (
    DanglingReference,
    find_dangling,
    find_dangling_in_example,
    tools_in_example,
)
from openplaybook.resources.names import PLAYBOOKS, TOOLS
from openplaybook.resources.playbook_instructions import find_references, place_instructions, walk_steps
from openplaybook.services.stored_records import every_record
from openplaybook.storage.base import Record, Store
from openplaybook.workers.lanes import AT_ONCE, DOCUMENTS


@dataclass(frozen=True, slots=True)
class AgentDirectory:
    """The tools and playbooks of one agent: resource name by display name, by id, and by itself."""

    tools: Mapping[str, str]
    playbooks: Mapping[str, str]
    flows: Collection[str] = ()
    """What the flows that came with the agent are called, where that is known."""

    def dangling(self, playbook: JsonObject) -> list[DanglingReference]:
        """References in a playbook's instructions that name nothing here."""
        # One that is only now being saved may refer to itself.
        own = [name for name in (playbook.get("displayName"), playbook.get("name")) if isinstance(name, str)]
        return find_dangling(playbook, self.tools, {*self.playbooks, *own}, self.flows)

    def dangling_in_example(self, example: JsonObject) -> list[DanglingReference]:
        """Tools and playbooks in an example's actions that are not here."""
        return find_dangling_in_example(example, self.tools, self.playbooks, self.flows)

    def implied(self, playbook: JsonObject, kind: ReferenceKind) -> list[str]:
        """Resource names of what the goal and the instructions refer to, in order of first mention."""
        known = {ReferenceKind.TOOL: self.tools, ReferenceKind.PLAYBOOK: self.playbooks}.get(kind, {})
        named = [known[name] for name in named_in_text(playbook, kind) if name in known]
        return list(dict.fromkeys(named))


async def read_directory(store: Store, agent: str) -> AgentDirectory:
    """The directory of an agent as it stands."""
    built_in = {name: tool["name"] for tool in builtin_tools(agent) for name in _names_of(tool["name"], tool)}
    return AgentDirectory(
        tools={**built_in, **await _names(store, agent, TOOLS.kind)},
        playbooks=await _names(store, agent, PLAYBOOKS.kind),
    )


async def called_tools(
    store: Store, examples: Iterable[JsonObject], directory: AgentDirectory
) -> dict[str, JsonObject]:
    """The tools that examples call and that are there, built-in ones included, by resource name."""
    called = (name for example in examples for name in tools_in_example(example))
    documents: dict[str, JsonObject] = {}
    for name in dict.fromkeys(directory.tools[each] for each in called if each in directory.tools):
        record = await store.get(name)
        document = find_builtin(name) if record is None else as_object(loads(record.body))
        if document is not None:
            documents[name] = document
    return documents


def named_in_text(playbook: JsonObject, kind: ReferenceKind) -> list[str]:
    """What a playbook's goal and instructions refer to by `${KIND: name}`, in order."""
    goal = playbook.get("goal")
    texts = [goal] if isinstance(goal, str) else []
    texts += [step.text for step in walk_steps(place_instructions(playbook))]
    return [reference.name for text in texts for reference in find_references(text) if reference.kind is kind]


async def _names(store: Store, agent: str, kind: str) -> dict[str, str]:
    records = await every_record(store, agent, kind)
    if sum(len(record.body) for record in records) <= AT_ONCE:
        return _names_in(records)
    return await DOCUMENTS.run(partial(_names_in, records))


def _names_in(records: Sequence[Record]) -> dict[str, str]:
    return {name: record.name for record in records for name in _names_of(record.name, as_object(loads(record.body)))}


def _names_of(name: str, resource: JsonObject) -> list[str]:
    """What a resource goes by: itself, its id, its display name."""
    display_name = resource.get("displayName")
    return [name, name.rsplit("/", 1)[1], *([display_name] if display_name else [])]
