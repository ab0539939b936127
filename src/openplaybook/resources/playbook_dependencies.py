"""What playbooks of Dialogflow CX lean on that is not run here, or not there, as their resources tell."""

from collections.abc import Callable, Collection, Iterator, Mapping

from openplaybook.jsonvalues import JsonObject, as_list
from openplaybook.resources.builtin_tools import builtin_tools
from openplaybook.resources.compiled_forms import ReferenceKind
from openplaybook.resources.dangling_references import find_dangling
from openplaybook.resources.findings import Severity
from openplaybook.resources.names import DEFAULT_FLOW, DEFAULT_FLOW_NAME
from openplaybook.resources.playbook_compiler import compile_playbook

Documents = Mapping[str, JsonObject]
"""Resources of one kind (v3beta1 JSON), by name."""

_NOUNS = {ReferenceKind.TOOL: "the tool", ReferenceKind.PLAYBOOK: "the playbook"}


def dependencies_of_playbooks(
    agent: str, playbooks: Documents, tools: Documents, checkpoint: Callable[[], None] = lambda: None
) -> dict[str, list[str]]:
    """Of each playbook of the agent, by its name, what it leans on in words: `the flow Billing`.

    Not among them is what only compiled tools tell: kinds that cannot be called, secrets. `checkpoint` is called before
    each playbook, which takes up to half a second; what it raises ends the work.
    """
    known_tools = _spellings({**tools, **{tool["name"]: tool for tool in builtin_tools(agent)}})
    known = {ReferenceKind.TOOL: known_tools, ReferenceKind.PLAYBOOK: _spellings(playbooks)}
    dependencies: dict[str, list[str]] = {}
    for name, playbook in playbooks.items():
        checkpoint()
        dependencies[name] = list(dict.fromkeys(_leanings(playbook, known)))
    return dependencies


def _spellings(documents: Documents) -> Collection[str]:
    """All that may stand for a resource: its name, its id, its display name."""
    return {
        spelling
        for name, document in documents.items()
        for spelling in (name, name.rpartition("/")[2], str(document.get("displayName", "")))
    }


def _leanings(playbook: JsonObject, known: Mapping[ReferenceKind, Collection[str]]) -> Iterator[str]:
    tools, playbooks = known[ReferenceKind.TOOL], known[ReferenceKind.PLAYBOOK]
    for reference in find_dangling(playbook, tools, playbooks, ()):
        if reference.kind is ReferenceKind.FLOW:
            yield _flow(reference.name)
        elif reference.severity is Severity.ERROR:
            yield _missing(reference.kind, reference.name)
    for flow in as_list(playbook.get("referencedFlows")):
        yield _flow(str(flow))
    for field, kind in (("referencedTools", ReferenceKind.TOOL), ("referencedPlaybooks", ReferenceKind.PLAYBOOK)):
        for name in map(str, as_list(playbook.get(field))):
            if name not in known[kind] and _bare(name) not in known[kind]:
                yield _missing(kind, _bare(name))
    compiled = compile_playbook(playbook)
    if compiled.has_code:
        yield "its code block"
    for handler in compiled.handlers:
        yield from handler.fulfillment.not_run


def _missing(kind: ReferenceKind, name: str) -> str:
    return f"{_NOUNS[kind]} {name}, which does not exist"


def _flow(name: str) -> str:
    bare = _bare(name)
    return f"the flow {DEFAULT_FLOW_NAME if bare == DEFAULT_FLOW else bare}"


def _bare(name: str) -> str:
    return name.rpartition("/")[2]
