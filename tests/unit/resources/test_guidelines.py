from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from openplaybook.resources.guidelines import MAX_LEVELS, split_guidelines


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
