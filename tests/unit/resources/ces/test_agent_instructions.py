import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.resources.ces.agent_instructions import compile_instructions, references_in, variables_in
from openplaybook.resources.compiled_forms import InstructionStep, Reference, ReferenceKind
from openplaybook.resources.findings import Finding, Severity

TOOL, AGENT = ReferenceKind.TOOL, ReferenceKind.PLAYBOOK


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("{@TOOL: get_pet}", TOOL, "get_pet"),
        ("{@TOOL:get_pet}", TOOL, "get_pet"),
        ("{@tool get_pet}", TOOL, "get_pet"),
        ("{@ Tool :  pets_api.getPet }", TOOL, "pets_api.getPet"),
        ("{@AGENT: Billing agent}", AGENT, "Billing agent"),
        ("{@AGENT: projects/p/locations/l/apps/a/agents/b}", AGENT, "projects/p/locations/l/apps/a/agents/b"),
    ],
)
def test_a_reference_is_read_in_every_spelling(text: str, kind: ReferenceKind, name: str) -> None:
    assert references_in(f"Use {text}.") == (Reference(kind, name, 4, 4 + len(text)),)


def test_other_braces_are_ordinary_text() -> None:
    assert references_in("<step name='x'>{name} {{name}} ${name} {'json': 1} {</step>") == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ab {@TOOL: x", "{@TOOL: has no closing brace (at character 4)"),
        ("{@TOOL: }", "{@TOOL: } lacks a name (at character 1)"),
        ("{@TOOL: a {@TOOL: b}", "{@TOOL: has no closing brace (at character 1)"),
        (
            "{@FLOW: x}",
            "{@FLOW…} refers to nothing; known are {@TOOL: name} and {@AGENT: name} (at character 1)",
        ),
    ],
)
def test_what_looks_like_a_reference_and_is_none_is_told(text: str, message: str) -> None:
    found: list[Finding] = []
    references_in(text, "$.instruction", found.append)
    assert [(each.path, each.message, each.severity) for each in found] == [
        ("$.instruction", message, Severity.WARNING)
    ]


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(exclude_characters="{", exclude_categories=["Cs"]), max_size=20),
            st.sampled_from(["TOOL", "AGENT"]),
            st.text(st.characters(exclude_characters="{}", exclude_categories=["Cs"]), max_size=10).filter(str.strip),
        )
    ),
    st.text(st.characters(exclude_characters="{", exclude_categories=["Cs"]), max_size=20),
)
def test_references_are_found_at_their_places_in_any_text(parts: list[tuple[str, str, str]], rest: str) -> None:
    text, expected = "", list[Reference]()
    for before, keyword, name in parts:
        written = f"{{@{keyword}: {name}}}"
        start = len(text) + len(before)
        kind = TOOL if keyword == "TOOL" else AGENT
        expected.append(Reference(kind, name.strip(), start, start + len(written)))
        text += before + written
    assert references_in(text + rest) == tuple(expected)


@given(st.text())
def test_any_text_is_kept_byte_for_byte(text: str) -> None:
    compiled = compile_instructions((text,))
    assert [step.text for step in compiled] == ([text] if text.strip() else [])


def test_the_apps_instruction_stands_before_the_agents_and_references_are_resolved() -> None:
    compiled = compile_instructions(("Be kind.", "  Use {@TOOL: a}.\n"), lambda each: each.name.upper())
    text = "Be kind.\n\n  Use {@TOOL: a}.\n"
    assert compiled == (InstructionStep(text, (Reference(TOOL, "A", 16, 26),)),)


def test_variables_are_found_in_single_and_double_braces() -> None:
    found = variables_in("{name} {{ other }} {1x} {@TOOL: x} { spaced } {a.b}")
    assert [(each.name, each.start) for each in found] == [("name", 0), ("other", 7), ("spaced", 35)]
