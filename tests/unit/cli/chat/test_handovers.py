"""Who took over in a turn, from its trace."""

import pytest

from openplaybook.cli.chat.handovers import HandoverKind, handovers_in, models_in, models_in_span
from openplaybook.jsonvalues import JsonObject

ENTERED: JsonObject = {"playbookInvocation": {"playbook": "a/playbooks/1", "displayName": "Returns"}}
LEFT: JsonObject = {
    "playbookInvocation": {
        "playbook": "a/playbooks/1",
        "displayName": "Returns",
        "playbookState": "OUTPUT_STATE_OK",
    }
}
MOVED: JsonObject = {"playbookTransition": {"playbook": "a/playbooks/2"}}


def test_handovers_are_told_in_their_order() -> None:
    found = handovers_in([{"userUtterance": {"text": "hi"}}, ENTERED, LEFT, MOVED], has_ended=False)
    assert [each.line() for each in found] == [
        "→ Returns has taken over",
        "← Returns has handed back",
        "→ 2 has taken over",
    ]
    assert found[1].to_json() == {"who": "Returns", "how": "left"}


@pytest.mark.parametrize(("has_ended", "last"), [(True, HandoverKind.MOVED), (False, HandoverKind.LEFT)])
def test_who_ends_the_conversation_gives_nothing_back(has_ended: bool, last: HandoverKind) -> None:
    assert handovers_in([MOVED, LEFT], has_ended=has_ended)[-1].how is last
    assert handovers_in([], has_ended=has_ended) == ()


def test_each_model_is_named_once() -> None:
    actions: list[JsonObject] = [{"llmCall": {"model": name}} for name in ("a", "b", "a")]
    assert models_in([*actions, ENTERED]) == ("a", "b")
    within: JsonObject = {"name": "LLM", "attributes": {"model": "b"}}
    span: JsonObject = {"name": "Turn", "childSpans": [{"attributes": {"model": "a"}, "childSpans": [within]}, within]}
    assert models_in_span(span) == ("a", "b")
