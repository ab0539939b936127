import pytest

from openplaybook.packages.dialogflow.agent_names import AgentNames, last_segment, rewrite_references
from tests.unit.packages.dialogflow.building import AGENT, FOREIGN


@pytest.fixture
def names() -> AgentNames:
    table = AgentNames(AGENT)
    table.add("tools", "t1", "pets")
    table.add("tools", "t2", "t1")
    table.add("tools", "t3", "twin")
    table.add("tools", "t4", "twin")
    table.add("playbooks", "p1", "pets")
    table.add("playbooks", "p2", f"{FOREIGN}/playbooks/p1")
    return table


@pytest.mark.parametrize(
    ("collection", "reference", "full_name"),
    [
        ("tools", "pets", "tools/t1"),
        ("tools", f"{FOREIGN}/tools/t1", "tools/t1"),
        ("tools", f"{FOREIGN}/tools/gone", "tools/gone"),
        ("tools", "t1", "tools/t2"),
        ("tools", "t2", "tools/t2"),
        ("tools", "twin", "tools/t3"),
        ("tools", "df-code-interpreter-tool", "tools/df-code-interpreter-tool"),
        ("tools", "code-interpreter", "tools/df-code-interpreter-tool"),
        ("playbooks", "pets", "playbooks/p1"),
    ],
)
def test_a_reference_becomes_our_full_name(names: AgentNames, collection: str, reference: str, full_name: str) -> None:
    assert names.resolve(collection, reference) == f"{AGENT}/{full_name}"


@pytest.mark.parametrize("reference", ["gone", f"{FOREIGN}/playbooks/p1", "projects/p/tools/t1"])
def test_a_reference_that_means_nothing_stays(names: AgentNames, reference: str) -> None:
    assert names.resolve("tools", reference) == reference


@pytest.mark.parametrize(
    ("collection", "full_name", "reference"),
    [
        ("tools", f"{AGENT}/tools/t1", "pets"),
        ("tools", f"{AGENT}/tools/t2", "t1"),
        ("tools", f"{AGENT}/tools/t3", "twin"),
        ("tools", f"{AGENT}/tools/t4", f"{AGENT}/tools/t4"),
        ("tools", f"{AGENT}/tools/gone", f"{AGENT}/tools/gone"),
        ("tools", f"{AGENT}/tools/df-code-interpreter-tool", f"{AGENT}/tools/df-code-interpreter-tool"),
        ("tools", f"{FOREIGN}/tools/t1", f"{FOREIGN}/tools/t1"),
        ("playbooks", f"{AGENT}/playbooks/p2", f"{AGENT}/playbooks/p2"),
        ("tools", "anything", "anything"),
    ],
)
def test_a_full_name_becomes_the_display_name_where_that_leads_back(
    names: AgentNames, collection: str, full_name: str, reference: str
) -> None:
    assert names.refer(collection, full_name) == reference


def test_known_are_own_resources_and_tools_that_every_agent_has(names: AgentNames) -> None:
    assert names.knows("tools", f"{AGENT}/tools/t1")
    assert names.knows("tools", f"{AGENT}/tools/df-code-interpreter-tool")
    assert not names.knows("playbooks", f"{AGENT}/playbooks/df-code-interpreter-tool")
    assert not names.knows("tools", f"{FOREIGN}/tools/t1")
    assert not names.knows("tools", "pets")


def test_references_are_rewritten_wherever_they_stand_but_in_users_data() -> None:
    seen: list[tuple[str, str, str]] = []

    def rewrite(collection: str, reference: str, path: str) -> str:
        seen.append((collection, reference, path))
        return reference.upper()

    resource = {
        "startFlow": "f",
        "referencedTools": ["a", "b", 5],
        "referencedFlows": "f",
        "actions": [
            {"toolUse": {"tool": "a", "inputActionParameters": {"tool": "mine"}}},
            {"playbookInvocation": {"playbook": "p"}},
        ],
        "handlers": [{"lifecycleHandler": {"targetPlaybook": "q", "fulfillment": {"payload": {"flow": "mine"}}}}],
        "playbook": "",
    }
    assert rewrite_references(resource, rewrite) == {
        "startFlow": "F",
        "referencedTools": ["A", "B", 5],
        "referencedFlows": "F",
        "actions": [
            {"toolUse": {"tool": "A", "inputActionParameters": {"tool": "mine"}}},
            {"playbookInvocation": {"playbook": "P"}},
        ],
        "handlers": [{"lifecycleHandler": {"targetPlaybook": "Q", "fulfillment": {"payload": {"flow": "mine"}}}}],
        "playbook": "",
    }
    assert seen == [
        ("flows", "f", "$.startFlow"),
        ("tools", "a", "$.referencedTools[0]"),
        ("tools", "b", "$.referencedTools[1]"),
        ("flows", "f", "$.referencedFlows"),
        ("tools", "a", "$.actions[0].toolUse.tool"),
        ("playbooks", "p", "$.actions[1].playbookInvocation.playbook"),
        ("playbooks", "q", "$.handlers[0].lifecycleHandler.targetPlaybook"),
    ]


def test_the_last_segment_is_the_id() -> None:
    assert (last_segment("a/b/c"), last_segment("c"), last_segment("")) == ("c", "c", "")
