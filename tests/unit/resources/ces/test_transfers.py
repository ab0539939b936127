import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.ces.app_directory import directory_of
from openplaybook.resources.ces.transfers import MAX_SIBLINGS, relatives_of, transfers_of
from tests.unit.resources.ces.app import BILLING, NIGHT, ROOT, SUPPORT, directory, documents


def transfers(**changes: JsonObject) -> dict[str, tuple[str, ...]]:
    """To whom each agent of the small app may transfer, with changes to agents by id."""
    agents = {
        name: {**document, **changes.get(name.rsplit("/", 1)[-1], {})}
        for kind, name, document in documents()
        if kind == "app_agent"
    }
    relatives = relatives_of(agents, directory())
    return {name.rsplit("/", 1)[-1]: transfers_of(name, agents, relatives, directory()) for name in agents}


def rule(child: str, direction: str, expression: str) -> JsonObject:
    blocking = {"expressionCondition": {"expression": expression}}
    return {"transferRules": [{"childAgent": child, "direction": direction, "disablePlannerTransfer": blocking}]}


def test_an_agent_transfers_to_its_children_its_parent_and_its_parents_other_children() -> None:
    assert transfers() == {
        "root": (BILLING, SUPPORT),
        "billing": (NIGHT, ROOT, SUPPORT),
        "support": (ROOT, BILLING),
        "night": (BILLING,),
    }


def test_an_agent_transfers_to_whom_its_instruction_names() -> None:
    named = transfers(night={"instruction": "{@AGENT: Support} or {@AGENT: nobody} or {@AGENT: night}"})
    assert named["night"] == (BILLING, SUPPORT)


@pytest.mark.parametrize("expression", ["true", " TRUE "])
def test_a_rule_that_always_holds_takes_a_transfer_away(expression: str) -> None:
    assert transfers(root=rule(BILLING, "PARENT_TO_CHILD", expression))["root"] == (SUPPORT,)
    assert transfers(root=rule(BILLING, "CHILD_TO_PARENT", expression))["billing"] == (NIGHT, SUPPORT)
    assert transfers(billing=rule(BILLING, "CHILD_TO_PARENT", expression))["billing"] == (NIGHT, SUPPORT)


def test_a_rule_with_a_condition_leaves_the_transfer() -> None:
    assert transfers(root=rule(BILLING, "PARENT_TO_CHILD", "vip == 'no'")) == transfers()


def test_only_the_first_fitting_rule_counts() -> None:
    first = rule(BILLING, "PARENT_TO_CHILD", "vip == 'no'")["transferRules"]
    second = rule(BILLING, "PARENT_TO_CHILD", "true")["transferRules"]
    assert transfers(root={"transferRules": [*first, *second]})["root"] == (BILLING, SUPPORT)
    assert transfers(root={"transferRules": [*second, *first]})["root"] == (SUPPORT,)


def test_circles_and_children_that_do_not_exist_do_no_harm() -> None:
    circle = transfers(night={"childAgents": [ROOT, NIGHT, "nobody", ROOT]})
    assert circle["night"] == (ROOT, BILLING)
    assert circle["root"] == (BILLING, SUPPORT, NIGHT)


def test_of_very_many_siblings_the_first_can_be_transferred_to() -> None:
    names = [f"{ROOT}{each}" for each in range(MAX_SIBLINGS + 50)]
    agents: dict[str, JsonObject] = {ROOT: {"childAgents": [*names]}, **{name: {} for name in names}}
    known = directory_of([("app_agent", name, document) for name, document in agents.items()])
    relatives = relatives_of(agents, known)
    assert transfers_of(names[2], agents, relatives, known) == (ROOT, *names[:2], *names[3 : MAX_SIBLINGS + 1])
    assert transfers_of(ROOT, agents, relatives, known) == (*names,)
