"""What is wrong with a playbook or an example of an agent: found when an agent is validated, and in drafts."""

from collections.abc import Iterator

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.example_compiler import compile_example
from openplaybook.resources.findings import Finding, Severity
from openplaybook.resources.playbook_compiler import compile_playbook
from openplaybook.services.dialogflow.agent_directory import AgentDirectory
from openplaybook.tools.example_calls import ExampleCalls


def playbook_findings(playbook: JsonObject, directory: AgentDirectory) -> list[Finding]:
    """All of a playbook; its references are looked up in `directory`."""
    findings: list[Finding] = []
    compile_playbook(playbook, findings.append)
    findings += [
        Finding(reference.path, reference.message, reference.severity, reference.start)
        for reference in directory.dangling(playbook)
    ]
    return [*findings, *_check_lists(playbook, directory)]


def example_findings(
    example: JsonObject, playbook: str, directory: AgentDirectory, calls: ExampleCalls
) -> list[Finding]:
    """All of an example of the playbook of that name; `calls` checks its tool calls."""
    findings: list[Finding] = []
    compile_example(example, playbook, calls.facts, findings.append, calls.check)
    dangling = directory.dangling_in_example(example)
    return [*findings, *(Finding(reference.path, reference.message, reference.severity) for reference in dangling)]


def _check_lists(playbook: JsonObject, directory: AgentDirectory) -> Iterator[Finding]:
    for field, known in (("referencedTools", directory.tools), ("referencedPlaybooks", directory.playbooks)):
        for index, name in enumerate(playbook.get(field, [])):
            if name not in known:
                yield Finding(f"$.{field}[{index}]", f"{name} does not exist", Severity.ERROR)
