from hypothesis import given
from hypothesis import strategies as st

from openplaybook.models.base import AgentText, Entry, FunctionCall, FunctionResult, UserText
from openplaybook.turns.journal.messages import entry_json, entry_of, history_digest, paired

TEXTS = st.text(max_size=5)
ENTRIES: st.SearchStrategy[Entry] = st.one_of(
    st.builds(UserText, TEXTS),
    st.builds(AgentText, TEXTS),
    st.builds(FunctionCall, TEXTS, TEXTS, st.dictionaries(TEXTS, st.integers(), max_size=2)),
    st.builds(FunctionResult, TEXTS, TEXTS, st.integers(), st.booleans()),
)


@given(ENTRIES)
def test_what_is_kept_of_an_entry_is_all_of_it(entry: Entry) -> None:
    assert entry_of(entry_json(entry)) == entry


def test_calls_without_a_result_and_results_without_a_call_are_left_out() -> None:
    whole = [UserText("hi"), FunctionCall("1", "f", {}), FunctionResult("1", "f", {}), AgentText("done")]
    assert paired([*whole, FunctionCall("2", "f", {}), FunctionResult("3", "f", {})]) == whole


def test_a_history_has_one_digest_and_no_history_has_none() -> None:
    assert history_digest([]) == ""
    assert history_digest([UserText("a")]) == history_digest((UserText("a"),))
    assert history_digest([UserText("a")]) != history_digest([AgentText("a")])
