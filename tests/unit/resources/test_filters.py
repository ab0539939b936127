import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.resources.errors import InvalidFilter
from openplaybook.resources.filters import All, FieldComparison, Filter, Not, Some, comparisons, holds, parse_filter


def field(name: str) -> st.SearchStrategy[Filter]:
    return st.just(FieldComparison(name, "=", "true", 0))


FILTERS: st.SearchStrategy[Filter] = st.recursive(
    st.sampled_from("abcd").flatmap(field),
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(All, st.lists(inner, min_size=2, max_size=3))
        | st.builds(Some, st.lists(inner, min_size=2, max_size=3))
    ),
    max_leaves=8,
)


def spelled(filter_: Filter) -> str:
    """A filter with parentheses around everything."""
    match filter_:
        case FieldComparison(name, operator, value):
            return f'{name} {operator} "{value}"'
        case Not(part):
            return f"NOT ({spelled(part)})"
        case All(parts):
            return " AND ".join(f"({spelled(part)})" for part in parts)
        case Some(parts):
            return " OR ".join(f"({spelled(part)})" for part in parts)


def truth(filter_: Filter, true: set[str]) -> bool:
    """What a filter says where these fields are true."""
    return holds(filter_, lambda comparison: comparison.field in true)


@given(FILTERS, st.sets(st.sampled_from("abcd")))
def test_a_filter_reads_back_as_it_was_meant(filter_: Filter, true: set[str]) -> None:
    assert truth(parse_filter(spelled(filter_)), true) == truth(filter_, true)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a=1 OR b=1 AND c=1", "(a=1 OR b=1) AND c=1"),
        ("a=1 b=1", "a=1 AND b=1"),
        ("a=1 b=1 OR c=1", "a=1 AND (b=1 OR c=1)"),
        ("-a=1 b=1", "(NOT a=1) AND b=1"),
        ("NOT(a=1)", "NOT a=1"),
    ],
)
@given(true=st.sets(st.sampled_from("abc")))
def test_or_binds_closer_than_and(text: str, meant: str, true: set[str]) -> None:
    assert truth(parse_filter(text), true) == truth(parse_filter(meant), true)


@pytest.mark.parametrize(
    ("text", "comparison"),
    [
        (
            'create_time > "2022-04-21T11:30:00-04:00"',
            FieldComparison("create_time", ">", "2022-04-21T11:30:00-04:00", 0),
        ),
        ("create_time>=2022-04-21T11:30:00Z", FieldComparison("create_time", ">=", "2022-04-21T11:30:00Z", 0)),
        ('  intents.display_name : "bill \\"me\\""', FieldComparison("intents.display_name", ":", 'bill "me"', 2)),
        ("metrics.has_end_interaction = true", FieldComparison("metrics.has_end_interaction", "=", "true", 0)),
    ],
)
def test_a_comparison_is_a_field_an_operator_and_a_value(text: str, comparison: FieldComparison) -> None:
    assert parse_filter(text) == comparison


def test_a_blank_filter_holds_for_everything() -> None:
    assert (parse_filter("  "), comparisons(parse_filter(""))) == (All(()), [])
    assert truth(parse_filter(""), set())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a", "expected one of = != < <= > >= : at character 2"),
        ("a =", "expected a value; put one with blanks or parentheses in double quotes at character 4"),
        ("(a = 1", "expected ) at character 7"),
        ("a = 1)", "expected AND, OR or the end at character 6"),
        ("a = 1 AND", "expected a field at character 7"),
        ("= 1", "expected a field at character 1"),
        ("(" * 40 + "a = 1" + ")" * 40, "nested more than 32 levels deep at character 33"),
        ("a" * 10_001, "it has 10001 characters; 10000 are allowed"),
    ],
)
def test_what_is_no_filter_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InvalidFilter) as refused:
        parse_filter(text)
    assert (refused.value.code, str(refused.value)) == ("INVALID_FILTER", f"filter: {message}")


@given(st.text(alphabet='ab.()"\\=<>!: -ANDORT\n', max_size=60) | st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse_filter(text)
    except InvalidFilter:
        return


def test_a_filter_has_a_limited_number_of_comparisons() -> None:
    assert len(comparisons(parse_filter(" OR ".join(["a = 1"] * 100)))) == 100
    with pytest.raises(InvalidFilter, match="more than 100 comparisons"):
        parse_filter(" OR ".join(["a = 1"] * 101))
