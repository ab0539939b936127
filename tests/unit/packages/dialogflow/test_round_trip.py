"""Reading what was written gives the same package, whatever the package holds."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.dialogflow.agent_package import AgentPackage, PackagedPlaybook
from openplaybook.packages.dialogflow.agent_reader import read_package
from openplaybook.packages.dialogflow.agent_writer import write_package
from openplaybook.packages.private_fields import ExportField
from tests.kit.thoroughness import examples
from tests.unit.packages.dialogflow.building import AGENT, package_of, playbook_file

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
ids = st.uuids().map(str)
display_names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
free_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(texts, free_json, max_size=3)
times = st.sampled_from(["2025-06-16T21:30:36Z", "2025-06-16T21:30:36.330878Z", "1970-01-01T00:00:00Z"])
steps = st.recursive(
    st.fixed_dictionaries({"text": texts}),
    lambda inner: st.fixed_dictionaries({"text": texts, "steps": st.lists(inner, min_size=1, max_size=2)}),
    max_leaves=4,
)
private = st.fixed_dictionaries({"privateMember": free_json})


def only_public(message: str, key: str) -> ExportField | None:
    return None if key == "privateMember" else ExportField()


@st.composite
def agent_packages(draw: st.DrawFn) -> AgentPackage:
    tool_names = [f"{AGENT}/tools/{tool}" for tool in draw(st.lists(ids, max_size=3, unique=True))]
    playbook_names = [f"{AGENT}/playbooks/{playbook}" for playbook in draw(st.lists(ids, max_size=3, unique=True))]
    titles = iter(draw(st.lists(display_names, min_size=6, max_size=6, unique=True)))
    tools = tuple(draw(tools_named(name, next(titles))) for name in tool_names)
    playbooks = tuple(
        PackagedPlaybook(
            draw(playbooks_named(name, next(titles), tool_names, playbook_names)),
            tuple(
                draw(examples_named(f"{name}/examples/{example}", tool_names, playbook_names))
                for example in draw(st.lists(ids, max_size=2, unique=True))
            ),
        )
        for name in playbook_names
    )
    languages = draw(st.lists(st.sampled_from(["en", "de", "pt-BR"]), max_size=2, unique=True))
    agent: JsonObject = {"name": AGENT, "displayName": draw(display_names)}
    if playbook_names:
        agent["startPlaybook"] = draw(st.sampled_from(playbook_names))
    package = AgentPackage(
        agent,
        playbooks,
        tools,
        {language: {"languageCode": language, "knowledgeConnectorSettings": draw(objects)} for language in languages},
        draw(st.dictionaries(st.sampled_from(["intents/a.json", "README.md", "x/y/z"]), st.binary(max_size=20))),
    )
    return replace(package, private=draw(private_of(package)))


@st.composite
def private_of(draw: st.DrawFn, package: AgentPackage) -> Mapping[str, JsonObject]:
    owners = ["agent", *(tool["name"].removeprefix(f"{AGENT}/") for tool in package.tools)]
    for playbook in package.playbooks:
        owners += [each["name"].removeprefix(f"{AGENT}/") for each in (playbook.resource, *playbook.examples)]
    owners += [f"generativeSettings/{language}" for language in package.generative_settings]
    return {owner: draw(private) for owner in draw(st.lists(st.sampled_from(owners), unique=True))}


def tools_named(name: str, title: str) -> st.SearchStrategy[JsonObject]:
    spec = st.fixed_dictionaries({}, optional={"textSchema": texts})
    return st.fixed_dictionaries(
        {"name": st.just(name), "displayName": st.just(title)},
        optional={"openApiSpec": spec, "functionSpec": st.fixed_dictionaries({"inputSchema": objects})},
    )


def playbooks_named(name: str, title: str, tools: list[str], playbooks: list[str]) -> st.SearchStrategy[JsonObject]:
    return st.fixed_dictionaries(
        {"name": st.just(name), "displayName": st.just(title)},
        optional={
            "goal": texts,
            "instruction": st.fixed_dictionaries({"steps": st.lists(steps, min_size=1, max_size=3)}),
            "referencedTools": st.lists(st.sampled_from(tools), max_size=3) if tools else st.just([]),
            "referencedPlaybooks": st.lists(st.sampled_from(playbooks), max_size=3),
            "createTime": times,
        },
    )


def examples_named(name: str, tools: list[str], playbooks: list[str]) -> st.SearchStrategy[JsonObject]:
    tool = st.sampled_from([*tools, "a tool that is not there"])
    values = {"inputActionParameters": objects, "outputActionParameters": objects}
    actions = st.one_of(
        st.fixed_dictionaries({"userUtterance": st.fixed_dictionaries({"text": texts})}),
        st.fixed_dictionaries({"toolUse": st.fixed_dictionaries({"tool": tool, "action": texts, **values})}),
        st.fixed_dictionaries({"playbookInvocation": st.fixed_dictionaries({"playbook": st.sampled_from(playbooks)})}),
    )
    return st.fixed_dictionaries(
        {"name": st.just(name), "displayName": display_names},
        optional={"actions": st.lists(actions, max_size=3), "conversationState": st.just("OUTPUT_STATE_OK")},
    )


def in_order(package: AgentPackage) -> AgentPackage:
    """The package in an order that does not depend on file names."""
    playbooks = [
        PackagedPlaybook(each.resource, tuple(sorted(each.examples, key=lambda example: example["name"])))
        for each in package.playbooks
    ]
    return replace(
        package,
        playbooks=tuple(sorted(playbooks, key=lambda each: each.resource["name"])),
        tools=tuple(sorted(package.tools, key=lambda tool: tool["name"])),
    )


@pytest.mark.proves("X2")
@given(agent_packages())
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_reading_what_was_written_gives_the_same_package(package: AgentPackage) -> None:
    again, _ = read_package(write_package(package), AGENT, only_public)
    assert in_order(again) == in_order(package)


@given(agent_packages())
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=examples(30))
def test_writing_what_was_read_gives_the_same_bytes(package: AgentPackage) -> None:
    again, _ = read_package(write_package(package), AGENT, only_public)
    once = write_package(again)
    third, _ = read_package(once, AGENT, only_public)
    assert write_package(third) == once


@given(agent_packages())
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=examples(30))
def test_another_agent_gets_the_same_package_under_its_own_name(package: AgentPackage) -> None:
    other = "projects/q/locations/m/agents/b"
    moved, _ = read_package(write_package(package), other, only_public)
    back, _ = read_package(write_package(moved), AGENT, only_public)
    assert in_order(back) == in_order(package)


def test_code_and_handlers_come_back_as_they_were() -> None:
    kept: JsonObject = {
        "codeBlock": {"code": '@Action\ndef f(n: int) -> bool:\n    """Is it?"""\n\treturn n > 1\r\n'},
        "handlers": [
            {
                "lifecycleHandler": {
                    "lifecycleStage": "pre-action-selection",
                    "condition": "$session.params.a  =  1",
                    "fulfillment": {"webhook": "w", "tag": "t", "messages": [{"payload": {"playbook": "mine"}}]},
                }
            },
            {"eventHandler": {"event": "e", "fulfillment": {"codeBlockFunction": "_f"}}},
        ],
    }
    package, _ = read_package(package_of(dict([playbook_file("P", kept)])), AGENT, only_public)
    back, _ = read_package(write_package(package), AGENT, only_public)
    assert {key: back.playbooks[0].resource[key] for key in kept} == kept
