"""What of a playbook's package comes into an agent, and under which names."""

from itertools import count

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.dialogflow.agent_package import AgentPackage, PackagedPlaybook
from openplaybook.packages.dialogflow.package_merge import Existing, Merged, Strategies, Strategy, merged
from openplaybook.packages.errors import DuplicateName
from tests.unit.packages.dialogflow.building import AGENT

NOTHING = Existing({}, {})


def playbook(name: str, text: str = "", **fields: object) -> PackagedPlaybook:
    resource: JsonObject = {
        "name": f"{AGENT}/playbooks/{name}",
        "displayName": name.title(),
        "instruction": {"steps": [{"text": text}], "guidelines": text},
        **fields,
    }
    return PackagedPlaybook(resource)


def tool(name: str) -> JsonObject:
    return {"name": f"{AGENT}/tools/{name}", "displayName": name.title()}


def package(
    *playbooks: PackagedPlaybook, tools: tuple[str, ...] = (), private: dict[str, JsonObject] | None = None
) -> AgentPackage:
    agent = {"name": AGENT, "startPlaybook": playbooks[0].resource["name"]}
    return AgentPackage(agent, playbooks, tuple(map(tool, tools)), private=private or {})


def merge(given: AgentPackage, existing: Existing = NOTHING, **strategies: Strategy) -> Merged:
    numbers = count(1)
    return merged(given, existing, Strategies(**strategies), lambda: f"new{next(numbers)}")


def names(result: Merged) -> list[str]:
    written = (*(each.resource for each in result.package.playbooks), *result.package.tools)
    return [each["name"].removeprefix(f"{AGENT}/") for each in written]


def test_without_conflicts_names_stay() -> None:
    given = package(playbook("a", "${PLAYBOOK: B} ${TOOL: T}"), playbook("b"), tools=("t",))
    result = merge(given)
    assert (result.package, result.main) == (given, f"{AGENT}/playbooks/a")


def test_what_nothing_leads_to_is_left_out() -> None:
    given = package(playbook("a", "${TOOL: T}"), playbook("b", "${TOOL: U}"), tools=("t", "u"))
    assert names(merge(given)) == ["playbooks/a", "tools/t"]


def test_playbooks_that_lead_to_each_other_come_once() -> None:
    given = package(playbook("a", "${PLAYBOOK: B}"), playbook("b", "${AGENT: A}"))
    assert names(merge(given)) == ["playbooks/a", "playbooks/b"]


def test_an_id_that_is_taken_under_another_display_name_is_not_used() -> None:
    existing = Existing({"Other": f"{AGENT}/playbooks/a"}, {})
    result = merge(
        package(playbook("a"), private={"playbooks/a": {"x": 1}, "playbooks/a/examples/e": {"y": 2}}), existing
    )
    assert (names(result), result.main) == (["playbooks/new1"], f"{AGENT}/playbooks/new1")
    assert result.package.playbooks[0].resource["displayName"] == "A"
    assert result.package.private == {"playbooks/new1": {"x": 1}, "playbooks/new1/examples/e": {"y": 2}}


def test_a_new_display_name_is_free_and_stands_wherever_it_is_meant() -> None:
    existing = Existing({"A": f"{AGENT}/playbooks/x"}, {"T": f"{AGENT}/tools/y", "T_1": f"{AGENT}/tools/z"})
    text = "Use ${TOOL:T}, ${ tool : T } and ${TOOL: U}, or ${PLAYBOOK: A}."
    result = merge(package(playbook("a", text), tools=("t", "u")), existing)
    assert names(result) == ["playbooks/new1", "tools/new2", "tools/u"]
    [renamed] = result.package.playbooks
    assert renamed.resource["displayName"] == "A_1"
    retold = "Use ${TOOL: T_2}, ${TOOL: T_2} and ${TOOL: U}, or ${PLAYBOOK: A_1}."
    assert renamed.resource["instruction"] == {"steps": [{"text": retold}], "guidelines": retold}


def test_lists_follow_the_names() -> None:
    existing = Existing({}, {"T": f"{AGENT}/tools/theirs"})
    listed = [f"{AGENT}/tools/t", f"{AGENT}/tools/df-code-interpreter-tool"]
    result = merge(package(playbook("a", referencedTools=listed), tools=("t",)), existing, tool=Strategy.KEEP)
    assert names(result) == ["playbooks/a"]
    assert result.package.playbooks[0].resource["referencedTools"] == [f"{AGENT}/tools/theirs", listed[1]]


def test_a_main_playbook_that_is_kept_is_all_there_is() -> None:
    existing = Existing({"A": f"{AGENT}/playbooks/x"}, {})
    result = merge(package(playbook("a", "${TOOL: T}"), tools=("t",)), existing, main=Strategy.KEEP)
    assert (names(result), result.main) == ([], f"{AGENT}/playbooks/x")


@pytest.mark.parametrize("strategy", [Strategy.REPLACE, Strategy.KEEP])
def test_a_conflict_leads_to_what_is_there(strategy: Strategy) -> None:
    existing = Existing({"A": f"{AGENT}/playbooks/x"}, {})
    assert merge(package(playbook("a")), existing, main=strategy).main == f"{AGENT}/playbooks/x"


def test_conflicts_are_told_together() -> None:
    existing = Existing({"A": f"{AGENT}/playbooks/x"}, {"T": f"{AGENT}/tools/t"})
    given = package(playbook("a", "${TOOL: T}"), tools=("t",))
    with pytest.raises(DuplicateName) as refusal:
        merge(given, existing, main=Strategy.THROW_ERROR, tool=Strategy.THROW_ERROR)
    assert str(refusal.value) == "the agent has already a playbook called 'A' and a tool called 'T'"
