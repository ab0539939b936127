from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.compiled_forms import InstructionStep, Reference, ReferenceKind
from openplaybook.resources.findings import Finding, Severity
from openplaybook.resources.playbook_instructions import (
    MAX_DEPTH,
    MAX_LEVELS,
    MAX_REFERENCES,
    compile_instructions,
    find_references,
    place_instructions,
    split_guidelines,
    walk_steps,
)


def steps_of(text: str) -> list[tuple[int, str]]:
    return [(step.level, text[step.start : step.end]) for step in split_guidelines(text)]


def test_a_dash_starts_a_step_and_is_not_part_of_it() -> None:
    assert steps_of("- Greet the user\n- Ask for the name") == [(0, "Greet the user"), (0, "Ask for the name")]


def test_indentation_nests() -> None:
    text = "- one\n  - one one\n    - deep\n  - one two\n- two"
    assert steps_of(text) == [(0, "one"), (1, "one one"), (2, "deep"), (1, "one two"), (0, "two")]


def test_a_tab_counts_as_four_blanks() -> None:
    assert steps_of("- one\n\t- inner\n    - same level") == [(0, "one"), (1, "inner"), (1, "same level")]


def test_numbers_start_steps_and_are_part_of_them() -> None:
    assert steps_of("1. first\n2) second\n   2.1. inner") == [(0, "1. first"), (0, "2) second"), (1, "2.1. inner")]


def test_a_deeper_line_without_mark_continues_its_step_as_it_stands() -> None:
    assert steps_of("- one\n    goes on\n- two") == [(0, "one\n    goes on"), (0, "two")]


def test_lines_without_marks_are_steps_of_their_own() -> None:
    assert steps_of("Always be polite.\n\nNever swear.") == [(0, "Always be polite."), (0, "Never swear.")]


def test_a_dash_inside_a_word_starts_nothing() -> None:
    assert steps_of("-5 degrees\n-- not a step") == [(0, "-5 degrees"), (0, "-- not a step")]


def test_a_step_knows_its_line() -> None:
    assert [step.line for step in split_guidelines("\n- one\n\n- two")] == [2, 4]


def test_levels_end_somewhere() -> None:
    text = "\n".join(f"{' ' * indent}- step" for indent in range(2000))
    assert max(step.level for step in split_guidelines(text)) == MAX_LEVELS - 1


def test_a_text_of_blanks_has_no_steps() -> None:
    assert split_guidelines(" \n\t\n") == []


@given(st.text(alphabet="-ab1. \t\n${}:", max_size=80))
@example("-\n - x")
def test_no_character_but_blanks_and_dashes_is_lost(text: str) -> None:
    steps = split_guidelines(text)
    kept = "".join(text[step.start : step.end] for step in steps)
    outside = list(text)
    for step in steps:
        outside[step.start : step.end] = " " * (step.end - step.start)
    assert set(outside) <= set("- \t\n")
    assert len(kept) <= len(text)


@given(st.text(alphabet="-ab \n\t", max_size=80))
def test_levels_rise_by_one_at_most_and_starts_rise(text: str) -> None:
    steps = split_guidelines(text)
    levels = [-1, *(step.level for step in steps)]
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
    starts = [step.start for step in steps]
    assert starts == sorted(starts)


TOOL, PLAYBOOK, FLOW = ReferenceKind.TOOL, ReferenceKind.PLAYBOOK, ReferenceKind.FLOW


@pytest.mark.proves("G4")
@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("${TOOL: pets}", TOOL, "pets"),
        ("${TOOL:pets}", TOOL, "pets"),
        ("${tool: pets}", TOOL, "pets"),
        ("${ Tool : pets }", TOOL, "pets"),
        ("${PLAYBOOK: Book a room}", PLAYBOOK, "Book a room"),
        ("${AGENT: Book a room}", PLAYBOOK, "Book a room"),
        ("${FLOW:Start}", FLOW, "Start"),
        ("${TOOL: a $(b) {c: [d]}", TOOL, "a $(b) {c: [d]"),
        ("${TOOL: zwei\nzeilen}", TOOL, "zwei\nzeilen"),
        ("${TOOL: 5f1c3a52-3c0e-4c0e-8a53-0c9e9f6a7d11}", TOOL, "5f1c3a52-3c0e-4c0e-8a53-0c9e9f6a7d11"),
    ],
)
def test_every_spelling_of_a_reference_is_read(text: str, kind: ReferenceKind, name: str) -> None:
    assert find_references(f"Use {text} now") == (Reference(kind, name, 4, 4 + len(text)),)


@pytest.mark.parametrize(
    "text", ["", "plain", "$parameter", "${name}", "$ {TOOL: x}", "{TOOL: x}", "$${", "${}", "${session.params.x}"]
)
def test_other_text_holds_no_reference_and_no_fault(text: str) -> None:
    found: list[Finding] = []
    assert find_references(text, "$", found.append) == ()
    assert found == []


@pytest.mark.parametrize(
    ("text", "start", "message"),
    [
        ("Use ${TOOL: pets", 4, "${TOOL: has no closing brace (at character 5)"),
        ("Use ${TOOL: }", 4, "${TOOL: } lacks a name (at character 5)"),
        ("Use ${TOOL pets}", 4, "${TOOL lacks the colon behind its keyword (at character 5)"),
        (
            "${WEBHOOK: x}",
            0,
            "${WEBHOOK: …} refers to nothing; known are ${TOOL: name}, ${PLAYBOOK: name} and ${FLOW: name} "
            "(at character 1)",
        ),
    ],
)
def test_a_broken_reference_is_told_with_its_place(text: str, start: int, message: str) -> None:
    found: list[Finding] = []
    assert find_references(text, "$.x", found.append) == ()
    assert found == [Finding("$.x", message, Severity.ERROR, start)]


def test_an_unclosed_reference_does_not_swallow_the_next() -> None:
    found: list[Finding] = []
    references = find_references("${TOOL: a and ${TOOL: b}", "$", found.append)
    assert [reference.name for reference in references] == ["b"]
    assert [finding.start for finding in found] == [0]


@given(
    st.lists(
        st.tuples(
            st.text(max_size=20).filter(lambda text: "$" not in text),
            st.sampled_from(["TOOL", "Playbook", "agent", "FLOW"]),
            st.text(min_size=1, max_size=20).filter(lambda name: "}" not in name and "$" not in name and name.strip()),
        ),
        max_size=6,
    )
)
def test_positions_cut_the_references_out_of_the_text(parts: list[tuple[str, str, str]]) -> None:
    written = [f"${{{keyword}:{name}}}" for _, keyword, name in parts]
    text = "".join(before + reference for (before, _, _), reference in zip(parts, written, strict=True))
    references = find_references(text)
    assert [text[reference.start : reference.end] for reference in references] == written
    assert [reference.name for reference in references] == [name.strip() for _, _, name in parts]


@given(st.text(alphabet="${}TOLAGENTPYBKFW: ab\n", max_size=60))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    for reference in find_references(text):
        assert text[reference.start : reference.start + 2] == "${"
        assert text[reference.end - 1] == "}"


STEPS = [{"text": "one ${TOOL: pets}", "steps": [{"text": "one one"}, {"text": ""}]}, {"text": "two"}]
COMPILED = (
    InstructionStep(
        "one ${TOOL: pets}",
        (Reference(TOOL, "pets", 4, 17),),
        (InstructionStep("one one"), InstructionStep("")),
    ),
    InstructionStep("two"),
)


@pytest.mark.parametrize(
    "playbook",
    [
        {"instruction": {"steps": STEPS}},
        {"steps": STEPS},
        {"steps": STEPS, "instruction": {}},
        {"steps": [{"text": "old"}], "instruction": {"steps": STEPS}},
    ],
)
def test_both_places_of_steps_are_read_and_the_newer_wins(playbook: JsonObject) -> None:
    assert compile_instructions(playbook) == COMPILED


steps = st.recursive(
    st.fixed_dictionaries({"text": st.text()}),
    lambda inner: st.fixed_dictionaries({"text": st.text(), "steps": st.lists(inner, max_size=3)}),
    max_leaves=10,
)


@given(st.lists(steps, max_size=4))
def test_texts_are_kept_byte_for_byte(given_steps: list[JsonObject]) -> None:
    def stored(step: InstructionStep) -> JsonObject:
        return {"text": step.text, "steps": [stored(nested) for nested in step.steps]}

    def filled(step: JsonObject) -> JsonObject:
        return {"text": step["text"], "steps": [filled(nested) for nested in step.get("steps", [])]}

    compiled = compile_instructions({"instruction": {"steps": given_steps}})
    assert [stored(step) for step in compiled] == [filled(step) for step in given_steps]


def test_guidelines_come_before_steps_as_a_tree() -> None:
    playbook = {"instruction": {"guidelines": "- Be kind\n  - Always", "steps": [{"text": "Greet"}]}}
    assert compile_instructions(playbook) == (
        InstructionStep("Be kind", (), (InstructionStep("Always"),)),
        InstructionStep("Greet"),
    )


def test_placed_steps_say_where_they_stand() -> None:
    playbook = {"instruction": {"guidelines": "- Be kind\n- Use ${TOOL: x}", "steps": STEPS}}
    placed = [(step.text, step.path, step.offset, step.line) for step in walk_steps(place_instructions(playbook))]
    assert placed == [
        ("Be kind", "$.instruction.guidelines", 2, 1),
        ("Use ${TOOL: x}", "$.instruction.guidelines", 12, 2),
        ("one ${TOOL: pets}", "$.instruction.steps[0].text", 0, None),
        ("one one", "$.instruction.steps[0].steps[0].text", 0, None),
        ("", "$.instruction.steps[0].steps[1].text", 0, None),
        ("two", "$.instruction.steps[1].text", 0, None),
    ]


def test_a_fault_in_guidelines_is_placed_in_the_whole_text() -> None:
    found: list[Finding] = []
    compile_instructions({"instruction": {"guidelines": "- a\n- use ${TOOL: x"}}, found.append)
    assert [(finding.path, finding.start) for finding in found] == [("$.instruction.guidelines", 10)]


@pytest.mark.parametrize(
    ("playbook", "path"),
    [
        ({"instruction": {"steps": "text"}}, "$.instruction.steps"),
        ({"instruction": {"steps": [1]}}, "$.instruction.steps[0]"),
        ({"instruction": {"steps": [{"text": 5}]}}, "$.instruction.steps[0]"),
        ({"instruction": {"guidelines": 5}}, "$.instruction.guidelines"),
        ({"steps": [{"text": "a", "steps": {}}]}, "$.steps[0].steps"),
    ],
)
def test_what_is_no_step_is_told_and_not_fatal(playbook: JsonObject, path: str) -> None:
    found: list[Finding] = []
    compile_instructions(playbook, found.append)
    assert [(finding.path, finding.severity) for finding in found] == [(path, Severity.ERROR)]


def test_nesting_beyond_the_limit_is_told() -> None:
    step: JsonObject = {"text": "deepest"}
    for _ in range(MAX_DEPTH):
        step = {"text": "above", "steps": [step]}
    found: list[Finding] = []
    compiled = compile_instructions({"steps": [step]}, found.append)
    assert [finding.message for finding in found] == [f"is nested deeper than {MAX_DEPTH} levels and is left out"]
    assert compiled[0].text == "above"


def test_of_very_many_references_the_first_are_read_and_one_finding_tells_of_the_rest() -> None:
    found: list[Finding] = []
    references = find_references("${TOOL: a}" * 300_000, "$.goal", found.append)

    assert len(references) == MAX_REFERENCES
    assert found == [
        Finding(
            "$.goal",
            "has more than 1,000 references; from character 10001 on it is read as text",
            Severity.ERROR,
            10_000,
        )
    ]


def test_of_very_many_faults_the_first_are_told() -> None:
    found: list[Finding] = []

    assert find_references("${TOOL: " * 300_000, "$.goal", found.append) == ()
    assert len(found) == MAX_REFERENCES + 1
