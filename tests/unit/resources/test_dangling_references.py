import pytest

from openplaybook.resources.compiled_forms import Reference, ReferenceKind
from openplaybook.resources.dangling_references import (
    DanglingReference,
    find_dangling,
    find_dangling_in_example,
    with_display_names,
)
from openplaybook.resources.findings import Severity
from openplaybook.resources.playbook_compiler import compile_playbook

TOOL, PLAYBOOK, FLOW = ReferenceKind.TOOL, ReferenceKind.PLAYBOOK, ReferenceKind.FLOW


def dangling(text: str, *, tools: tuple[str, ...] = ("pets", "orders")) -> list[DanglingReference]:
    playbook = {"instruction": {"steps": [{"text": "x", "steps": [{"text": text}]}]}}
    return find_dangling(playbook, tools, ("Desk",), ("Start",))


def test_references_that_exist_are_not_told() -> None:
    assert dangling("${TOOL: pets} ${AGENT: Desk} ${PLAYBOOK:Desk} ${TOOL:orders}") == []


def test_a_missing_tool_is_told_with_its_place_and_what_may_be_meant() -> None:
    assert dangling("Use ${TOOL: Pet} then") == [
        DanglingReference(
            TOOL,
            "Pet",
            "$.instruction.steps[0].steps[0].text",
            4,
            None,
            "there is no tool 'Pet'; did you mean 'pets'?",
            Severity.ERROR,
        )
    ]


def test_names_like_a_missing_one_are_looked_for_as_long_as_that_costs_little() -> None:
    tools = tuple(f"tool {number}" for number in range(2_000))

    told = [each.message for each in dangling("${TOOL: tool 1x} ${TOOL: tool 2x} ${TOOL: tool 3x}", tools=tools)]

    assert [" did you mean 'tool " in message for message in told] == [True, True, False]


def test_names_are_compared_exactly_and_suggested_in_any_case() -> None:
    assert [each.message for each in dangling("${TOOL: PETS}")] == ["there is no tool 'PETS'; did you mean 'pets'?"]


def test_a_name_of_another_kind_is_told() -> None:
    assert [each.message for each in dangling("${TOOL: Desk}")] == [
        "there is no tool 'Desk'; that is the name of a playbook"
    ]


def test_without_anything_close_nothing_is_suggested() -> None:
    assert [each.message for each in dangling("${PLAYBOOK: qqqqqq}")] == ["there is no playbook 'qqqqqq'"]


@pytest.mark.parametrize(
    ("name", "severity", "message"),
    [
        ("Start", Severity.REMARK, "flow 'Start' is kept, but flows are not run"),
        ("Nowhere", Severity.WARNING, "there is no flow 'Nowhere'"),
    ],
)
def test_flows_are_told_because_they_are_not_run(name: str, severity: Severity, message: str) -> None:
    assert [(each.kind, each.severity, each.message) for each in dangling(f"${{FLOW: {name}}}")] == [
        (FLOW, severity, message)
    ]


def test_places_in_a_text_of_several_lines_have_a_line() -> None:
    assert [(each.start, each.line) for each in dangling("one\ntwo ${TOOL: gone}")] == [(8, 2)]


def test_places_in_guidelines_count_in_the_whole_text() -> None:
    text = "- one\n  - two\n    more ${TOOL: gone}"
    (only,) = find_dangling({"instruction": {"guidelines": text}}, (), (), ())
    assert (only.path, only.start, only.line) == ("$.instruction.guidelines", text.index("$"), 3)


def test_a_broken_reference_is_not_a_dangling_one() -> None:
    assert dangling("${TOOL: pet") == []


def test_actions_of_examples_are_looked_through() -> None:
    example = {
        "actions": [
            {"userUtterance": {"text": "${TOOL: x}"}},
            {"toolUse": {"tool": "petz"}},
            {"toolUse": {"tool": "pets"}},
            {"playbookInvocation": {"playbook": "Desk"}},
            {"playbookInvocation": {"playbook": "Desc"}},
            {"flowInvocation": {"flow": "Start"}},
            {"toolUse": {}},
        ]
    }
    found = find_dangling_in_example(example, ("pets",), ("Desk",), ("Start",))
    assert [(each.kind, each.path, each.message) for each in found] == [
        (TOOL, "$.actions[1].toolUse.tool", "there is no tool 'petz'; did you mean 'pets'?"),
        (PLAYBOOK, "$.actions[4].playbookInvocation.playbook", "there is no playbook 'Desc'; did you mean 'Desk'?"),
        (FLOW, "$.actions[5].flowInvocation.flow", "flow 'Start' is kept, but flows are not run"),
    ]


def test_references_by_id_become_references_by_display_name_in_the_same_place() -> None:
    text = "${TOOL: id-1} ${TOOL: pets} ${AGENT: id-1} ${TOOL: id-2}"
    playbook = compile_playbook({"instruction": {"steps": [{"text": "x", "steps": [{"text": text}]}]}})
    names = {TOOL: {"id-1": "pets", "id-2": "id-9", "id-9": "id-2"}, PLAYBOOK: {"id-1": "Desk"}}
    renamed = with_display_names(playbook, names)
    assert renamed.steps[0].steps[0].text == text
    assert renamed.steps[0].steps[0].references == (
        Reference(TOOL, "pets", 0, 13),
        Reference(TOOL, "pets", 14, 27),
        Reference(PLAYBOOK, "Desk", 28, 42),
        Reference(TOOL, "id-2", 43, 56),
    )


def test_without_names_references_stay_as_they_are() -> None:
    playbook = compile_playbook({"instruction": {"steps": [{"text": "${FLOW: f}"}]}})
    assert with_display_names(playbook, {}) == playbook
