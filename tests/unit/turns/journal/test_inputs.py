import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.turns.base import EventInput, NoInput, TextInput, ToolResultInput, ToolResultsInput, TurnInput
from openplaybook.turns.journal.messages import input_json, input_of, results_of

TEXTS = st.text(max_size=5)
RESULTS = st.one_of(
    st.builds(ToolResultInput, TEXTS, TEXTS, TEXTS, output=st.dictionaries(TEXTS, st.integers(), max_size=2)),
    st.builds(ToolResultInput, TEXTS, TEXTS, TEXTS, error=TEXTS),
)
INPUTS: st.SearchStrategy[TurnInput] = st.one_of(
    st.builds(TextInput, TEXTS),
    st.builds(EventInput, TEXTS),
    RESULTS,
    st.builds(ToolResultsInput, st.lists(RESULTS, min_size=1, max_size=3).map(tuple)),
    st.just(NoInput()),
)


@given(INPUTS)
def test_what_is_kept_of_an_input_is_all_of_it(given: TurnInput) -> None:
    assert input_of(input_json(given)) == given


ONE = ToolResultInput("t", "a", output={})


@pytest.mark.parametrize(
    ("given", "begins", "results"),
    [
        (TextInput("hi"), True, ()),
        (EventInput("e"), True, ()),
        (NoInput(), False, ()),
        (ONE, False, (ONE,)),
        (ToolResultsInput((ONE, ONE)), False, (ONE, ONE)),
    ],
)
def test_words_and_events_begin_a_turn_and_all_else_goes_on_with_a_paused_one(
    given: TurnInput, begins: bool, results: tuple[ToolResultInput, ...]
) -> None:
    assert ("text" in input_json(given)) is begins
    assert results_of(given) == results
