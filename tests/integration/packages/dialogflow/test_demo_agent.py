"""The agent that we ship is a package like any other."""

from pathlib import Path

import pytest

import openplaybook.demo
from openplaybook.packages.dialogflow.agent_reader import read_package
from openplaybook.packages.dialogflow.agent_writer import write_package
from openplaybook.packages.private_fields import FieldLookup
from openplaybook.resources.builtin_tools import builtin_tools
from openplaybook.resources.compiled_forms import ExampleToolUse
from openplaybook.resources.dangling_references import find_dangling, find_dangling_in_example
from openplaybook.resources.example_compiler import compile_example
from openplaybook.resources.findings import Finding
from openplaybook.resources.playbook_compiler import compile_playbook

AGENT = "projects/demo/locations/global/agents/pets"
DEMO = Path(openplaybook.demo.__path__[0]) / "agent"


@pytest.mark.proves("X2")
def test_it_reads_without_a_note_and_comes_back_the_same(fields: FieldLookup) -> None:
    package, report = read_package(DEMO, AGENT, fields)
    assert report.notes == ()
    assert package.private == {}
    assert read_package(write_package(package), AGENT, fields)[0] == package


def test_it_compiles_without_a_finding(fields: FieldLookup) -> None:
    package, _ = read_package(DEMO, AGENT, fields)
    tools = {str(tool["displayName"]): str(tool["name"]) for tool in (*package.tools, *builtin_tools(AGENT))}
    found: list[Finding] = []
    for playbook in package.playbooks:
        compiled = compile_playbook(playbook.resource, found.append)
        assert find_dangling(playbook.resource, tools, (), ()) == []
        for resource in playbook.examples:
            example = compile_example(resource, compiled.name, report=found.append)
            assert find_dangling_in_example(resource, tools.values(), (), ()) == []
            assert {entry.tool for entry in example.entries if isinstance(entry, ExampleToolUse)} <= set(tools.values())
    assert found == []
