"""Real exports of many hands are read, parse as messages of the API, compile, and are written back without loss."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.dialogflow.agent_package import AgentPackage, PackagedPlaybook
from openplaybook.packages.dialogflow.agent_reader import read_package
from openplaybook.packages.dialogflow.agent_writer import write_package
from openplaybook.packages.package_secrets import raw_secrets
from openplaybook.packages.private_fields import FieldLookup
from openplaybook.resources.call_spellings import ActionFacts
from openplaybook.resources.compiled_forms import ExampleToolUse
from openplaybook.resources.example_compiler import compile_example
from openplaybook.resources.findings import Finding, Severity
from openplaybook.resources.playbook_compiler import compile_playbook
from openplaybook.resources.tool_kinds import facts_of
from openplaybook.wire.api import Api

AGENT = "projects/p/locations/l/agents/a"


@pytest.fixture(scope="module")
def packages(corpus: list[Path], fields: FieldLookup) -> dict[str, AgentPackage]:
    return {folder.name: read_package(folder, AGENT, fields)[0] for folder in corpus}


def resources(package: AgentPackage) -> Iterator[tuple[str, JsonObject]]:
    yield "Agent", package.agent
    yield from (("Tool", tool) for tool in package.tools)
    for playbook in package.playbooks:
        yield "Playbook", playbook.resource
        yield from (("Example", example) for example in playbook.examples)
    yield from (("GenerativeSettings", settings) for settings in package.generative_settings.values())


def in_order(package: AgentPackage) -> AgentPackage:
    playbooks = sorted(package.playbooks, key=lambda each: each.resource["name"])
    ordered = [
        PackagedPlaybook(each.resource, tuple(sorted(each.examples, key=lambda it: it["name"]))) for each in playbooks
    ]
    return replace(package, playbooks=tuple(ordered), tools=tuple(sorted(package.tools, key=lambda it: it["name"])))


def test_every_agent_is_read(packages: dict[str, AgentPackage]) -> None:
    assert len(packages) >= 29
    assert all(package.playbooks for package in packages.values())


@pytest.mark.proves("X2")
def test_every_resource_parses_as_its_message(packages: dict[str, AgentPackage], api: Api) -> None:
    for package in packages.values():
        for kind, resource in resources(package):
            message = api.message(f"google.cloud.dialogflow.cx.v3beta1.{kind}")()
            api.codec.from_json(resource, message)
            assert message.ListFields(), resource


@pytest.mark.proves("X2")
def test_writing_and_reading_again_changes_nothing(packages: dict[str, AgentPackage], fields: FieldLookup) -> None:
    for name, package in packages.items():
        assert not any(list(raw_secrets(tool)) for tool in package.tools), name
        again, _ = read_package(write_package(package), AGENT, fields)
        assert in_order(again) == in_order(package), name


def test_every_playbook_and_example_compiles_without_an_error(packages: dict[str, AgentPackage]) -> None:
    errors: list[tuple[str, Finding]] = []
    for name, package in packages.items():
        found: list[Finding] = []
        for playbook in package.playbooks:
            compiled = compile_playbook(playbook.resource, found.append)
            assert compiled.display_name == playbook.resource["displayName"]
            for example in playbook.examples:
                compile_example(example, compiled.name, report=found.append)
        errors += [(name, finding) for finding in found if finding.severity is Severity.ERROR]
    assert errors == []


@pytest.mark.proves("G5")
def test_every_tool_use_comes_on_the_canonical_form(packages: dict[str, AgentPackage]) -> None:
    uses: list[ExampleToolUse] = []
    for package in packages.values():
        kinds = {tool["name"]: facts_of(tool) for tool in package.tools}
        for playbook in package.playbooks:
            for example in playbook.examples:

                def facts(tool: str, action: str, kinds: dict[str, ActionFacts | None] = kinds) -> ActionFacts | None:
                    return kinds.get(tool)

                entries = compile_example(example, playbook.resource["name"], facts).entries
                uses += [entry for entry in entries if isinstance(entry, ExampleToolUse) and facts(entry.tool, "")]
    assert len(uses) >= 60
    assert {key for use in uses for key in use.output} <= {"200"}
    wrappers = {"input", "request", "functionParameter", *(f"{use.action} input" for use in uses)}
    assert not any(wrappers & set(use.arguments) for use in uses)
