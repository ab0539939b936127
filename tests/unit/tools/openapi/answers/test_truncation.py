import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue, as_list, as_object, dumps, loads
from openplaybook.tools.openapi.answers.truncation import cut, salvage

VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=6), inner, max_size=6),
    max_leaves=40,
)


def test_what_fits_is_not_touched() -> None:
    value = {"a": [1, 2, {"b": None}]}
    assert cut(value, 100) == (value, "")


@pytest.mark.parametrize(
    ("value", "budget", "kept", "note"),
    [
        ("abcdefghijklmnop", 10, "abcde…", "Cut to fit: $ has the first 5 of 16 characters."),
        ("äöüäöüäöü", 11, "äöü…", "Cut to fit: $ has the first 3 of 9 characters."),
        ('""""""""""', 10, '""…', "Cut to fit: $ has the first 2 of 10 characters."),
        ([1, 2, 3, 4, 5, 6, 7], 9, [1, 2, 3, 4], "Cut to fit: $ has the first 4 of 7 items."),
        ([10**9, 1], 5, [], "Cut to fit: $ has the first 0 of 2 items."),
        ({"a": 10**9, "b": 1}, 10, {"b": 1}, "Cut to fit: $ lacks 1 of 2 members."),
        (10**9, 5, None, "Cut to fit: $ does not fit."),
        ("abcdef", 4, None, "Cut to fit: $ does not fit."),
        (
            {"id": 1, "text": "x" * 50, "name": "Rex"},
            50,
            {"id": 1, "text": "x" * 16 + "…", "name": "Rex"},
            "Cut to fit: $.text has the first 16 of 50 characters.",
        ),
        (
            [{"a": "x" * 50}, 2],
            30,
            [{"a": "x" * 17 + "…"}],
            "Cut to fit: $[0].a has the first 17 of 50 characters; $ has the first 1 of 2 items.",
        ),
    ],
)
def test_the_beginning_is_kept_and_the_note_says_what_is_gone(
    value: JsonValue, budget: int, kept: JsonValue, note: str
) -> None:
    assert cut(value, budget) == (kept, note)


def test_a_note_stays_short_however_much_is_cut() -> None:
    _, note = cut({str(number): "x" * 100 for number in range(50)}, 2_000)
    assert note.count(";") == 5
    assert note.endswith("and 45 more places.")


def test_many_small_members_are_held_to_the_budget_too() -> None:
    kept, note = cut({str(number): 1_234_567_890 for number in range(3_000)})
    assert 31_900 < len(dumps(kept)) <= 32_000
    assert note == f"Cut to fit: $ lacks {3_000 - len(kept)} of 3000 members."


@given(VALUES, st.integers(4, 400))
def test_any_value_is_cut_to_its_budget_and_stays_json(value: JsonValue, budget: int) -> None:
    kept, note = cut(value, budget)
    assert loads(dumps(kept)) == kept
    assert len(dumps(kept)) <= budget
    assert note != "" or kept == value
    assert (note == "") == (len(dumps(value)) <= budget)


def is_part(kept: JsonValue, whole: JsonValue) -> bool:
    """Whether `kept` is what cutting may leave of `whole`."""
    if isinstance(kept, dict):
        parts = as_object(kept)
        return isinstance(whole, dict) and all(is_part(part, whole[key]) for key, part in parts.items())
    if isinstance(kept, list):
        items = as_list(kept)
        return isinstance(whole, list) and all(is_part(part, whole[place]) for place, part in enumerate(items))
    if isinstance(kept, str) and isinstance(whole, str):
        return kept == whole or (kept.endswith("…") and whole.startswith(kept[:-1]))
    return kept is None or kept == whole


@given(VALUES, st.integers(4, 400))
def test_what_is_kept_is_the_beginning_of_what_there_was(value: JsonValue, budget: int) -> None:
    assert is_part(cut(value, budget)[0], value)


@given(VALUES, st.integers(4, 400))
def test_what_was_cut_once_is_not_cut_again(value: JsonValue, budget: int) -> None:
    kept, _ = cut(value, budget)
    assert cut(kept, budget) == (kept, "")


@given(VALUES, st.integers(30, 200))
def test_more_room_never_keeps_less_of_a_text_or_an_array(value: JsonValue, budget: int) -> None:
    if isinstance(value, str):
        assert len(cut(value, budget)[0] or "") <= len(cut(value, budget + 50)[0] or "") + 1
    elif isinstance(value, list):
        assert len(cut(value, budget)[0]) <= len(cut(value, budget + 50)[0])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, "b": [1, 2, {"c": tru', {"a": 1, "b": [1, 2]}),
        ('{"a": 1, "b": [1, 2, {"c": "hel', {"a": 1, "b": [1, 2, {"c": "hel…"}]}),
        ('[{"a": 1}, {"a": 2}, {"a', [{"a": 1}, {"a": 2}]),
        ('{"data": {"te', {}),
        ('{"data": {"text": "hel', {"data": {"text": "hel…"}}),
        ('{"data": {"text": "hel"', {"data": {"text": "hel"}}),
        ('["a\\', ["a…"]),
        ('["a\\\\', ["a\\…"]),
        ('["a\\u00e', ["a…"]),
        ('["a\\ud83d', ["a…"]),
        ('["a\\ud83d\\ude00b', ["a😀b…"]),
        ('["a", "line\nbreak', ["a"]),
        ('["', []),
        ("[1, 2, 3", [1, 2]),
        ('{"a": "x, ]}", "b": tru', {"a": "x, ]}"}),
        ('[1, "a, b], c', [1, "a, b], c…"]),
        ("[", []),
        ("{}", {}),
    ],
)
def test_a_text_without_its_end_gives_what_is_whole(text: str, value: JsonValue) -> None:
    assert salvage(text) == value


@pytest.mark.parametrize("text", ["", "hello", "<html>", "]"])
def test_a_text_that_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="line 1 column"):
        salvage(text)


@given(VALUES, st.data())
def test_any_piece_of_a_json_container_can_be_salvaged(value: JsonValue, data: st.DataObject) -> None:
    text = dumps([value]).decode()
    piece = text[: data.draw(st.integers(1, len(text)))]
    assert isinstance(salvage(piece), list)
