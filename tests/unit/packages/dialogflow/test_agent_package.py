"""Parts of agents, and packages as one JSON object."""

import json

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.dialogflow.agent_layout import from_one_file, to_one_file
from openplaybook.packages.dialogflow.agent_package import (
    AgentPackage,
    PackagedPlaybook,
    UsedNames,
    playbook_part,
    tools_part,
)
from openplaybook.packages.errors import MalformedFile
from tests.unit.packages.dialogflow.building import AGENT


def named(collection: str, name: str, **fields: object) -> JsonObject:
    return {"name": f"{AGENT}/{collection}/{name}", "displayName": name.title(), **fields}


def desk() -> PackagedPlaybook:
    steps = [{"text": "Ask.", "steps": [{"text": "Use ${TOOL: Pets}."}]}]
    resource = named("playbooks", "desk", instruction={"steps": steps}, referencedPlaybooks=[f"{AGENT}/playbooks/b"])
    example = named("playbooks", "desk/examples/e", actions=[{"toolUse": {"tool": f"{AGENT}/tools/prices"}}])
    return PackagedPlaybook(resource, (example,))


PACKAGE = AgentPackage(
    {"name": AGENT, "displayName": "A", "startFlow": "f"},
    (PackagedPlaybook(named("playbooks", "unused")), desk(), PackagedPlaybook(named("playbooks", "b"))),
    tuple(named("tools", name) for name in ("pets", "prices", "unused")),
    {"en": {"languageCode": "en"}},
    {"intents/x.json": b"{}"},
    {"agent": {"x": 1}, "tools/pets": {"y": 2}, "tools/unused": {"z": 3}, "playbooks/desk/examples/e": {"w": 4}},
)


def test_a_playbook_uses_what_it_lists_mentions_and_has_in_examples() -> None:
    used = UsedNames(PACKAGE).of(desk())
    assert used == {f"{AGENT}/playbooks/b", f"{AGENT}/tools/pets", f"{AGENT}/tools/prices"}


def test_a_part_holds_a_playbook_with_all_it_uses_and_nothing_else() -> None:
    assert playbook_part(PACKAGE, f"{AGENT}/playbooks/desk") == AgentPackage(
        {"name": AGENT, "startPlaybook": f"{AGENT}/playbooks/desk"},
        PACKAGE.playbooks[1:],
        PACKAGE.tools[:2],
        private={"tools/pets": {"y": 2}, "playbooks/desk/examples/e": {"w": 4}},
    )
    with pytest.raises(KeyError):
        playbook_part(PACKAGE, f"{AGENT}/playbooks/none")


def test_tools_are_a_part_too() -> None:
    assert tools_part(PACKAGE, [f"{AGENT}/tools/unused", f"{AGENT}/tools/pets"]) == AgentPackage(
        {"name": AGENT},
        tools=(PACKAGE.tools[0], PACKAGE.tools[2]),
        private={"tools/pets": {"y": 2}, "tools/unused": {"z": 3}},
    )


def test_files_are_one_object_and_come_back() -> None:
    files = {"agent.json": b'{\n  "a": 1\n}\n', "tools/T/schema.yaml": "openapi: 3.0.0 # ü\n".encode()}
    content = to_one_file(files)
    assert json.loads(content) == {"agent.json": {"a": 1}, "tools/T/schema.yaml": "openapi: 3.0.0 # ü\n"}
    assert from_one_file(content) == files


def test_the_file_of_a_playbook_alone_is_a_package_that_starts_with_it() -> None:
    files = from_one_file(b'{"displayName": "Why?", "goal": "g"}')
    assert {path: json.loads(content) for path, content in files.items()} == {
        "agent.json": {"startPlaybook": "Why?"},
        "playbooks/Why%3f/Why%3f.json": {"displayName": "Why?", "goal": "g"},
    }


@pytest.mark.parametrize("value", ["5", "[1]", "{}", "null"])
def test_a_file_that_is_neither_text_nor_object_is_named(value: str) -> None:
    with pytest.raises(MalformedFile, match="neither a text nor the JSON object"):
        from_one_file(f'{{"agent.json": {{}}, "x": {value}}}'.encode())
