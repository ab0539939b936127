import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.resources.conditions.errors import CannotParse
from openplaybook.resources.conditions.expressions import (
    Comparison,
    Condition,
    Junction,
    ListLiteral,
    Literal,
    Negation,
    Operator,
    SystemFunctionCall,
    ValueReference,
    valueless,
)
from openplaybook.resources.conditions.parser import MAX_LENGTH, parse_condition

A = ValueReference(("session", "params", "a"), 0)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("true", Literal(True, 0)),
        ("$session.params.a", A),
        ("$session.params.a = 5", Comparison(A, Operator.EQUALS, Literal(5, 20))),
        ("$session.params.a=-1.5", Comparison(A, Operator.EQUALS, Literal(-1.5, 18))),
        ('$session.params.a : "say \\"hi\\""', Comparison(A, Operator.HAS, Literal('say "hi"', 20))),
        ("$session.params.a != SUCCESS", Comparison(A, Operator.NOT_EQUALS, Literal("SUCCESS", 21))),
        ("$session.params.a >= null", Comparison(A, Operator.GREATER_EQUALS, Literal(None, 21))),
        ("NOT $session.params.a", Negation(ValueReference(A.path, 4))),
        ("NOT true < 1", Negation(Comparison(Literal(True, 4), Operator.LESS, Literal(1, 11)))),
        (
            "($session.params.a OR false) AND true",
            Junction(True, (Junction(False, (ValueReference(A.path, 1), Literal(False, 22))), Literal(True, 33))),
        ),
        (
            "$sys.func.CONTAIN($session.params.a, [1, 'x']) = true",
            Comparison(
                SystemFunctionCall(
                    "CONTAIN",
                    (ValueReference(A.path, 18), ListLiteral((Literal(1, 38), Literal("x", 41)), 37)),
                    0,
                ),
                Operator.EQUALS,
                Literal(True, 49),
            ),
        ),
        ("$last-action.output.orders[0].id = x", Comparison(
            ValueReference(("last-action", "output", "orders", 0, "id"), 0), Operator.EQUALS, Literal("x", 35)
        )),
    ],
)  # fmt: skip
def test_conditions_of_the_documented_forms_are_read(text: str, tree: Condition) -> None:
    assert parse_condition(text) == tree


@pytest.mark.parametrize(
    ("text", "start", "message"),
    [
        ("", 0, "a value is missing here"),
        ("hello", 0, "a value alone is not a condition: compare it, or write true or false"),
        ("$session.params.a =", 19, "a value is missing here"),
        ("$session.params.a == 1", 19, "'=' is not a value"),
        ("$session.params.a = hello world", 26, "'w' is not expected here"),
        ("true OR false AND true", 14, "AND and OR next to each other need parentheses"),
        ("(true", 5, "')' is missing here"),
        ("true AND", 8, "a value is missing here"),
        ("true and false", 5, "'a' is not expected here"),
        ('$session.params.a = "x', 20, 'the text that begins with " does not end'),
        ("$foo = 1", 0, "$foo refers to nothing (known: $session, $playbook, $last-action, $next-action, $request, "
         "$page, $intent, $flow)"),
        ("$ = 1", 0, "'$' does not begin a reference"),
        ("$sys.func.NOPE() = 1", 0, "system function NOPE does not exist"),
        ("$sys.func.FILTER($session.params.a, x) = 1", 0, "system function FILTER is not run here"),
        ("$sys.func.MINUS(1) = 1", 0, "system function MINUS takes 2 arguments, not 1"),
        ("$sys.func.ADD() = 1", 0, "system function ADD takes at least 1 arguments, not 0"),
        ("$sys.func.LEN = 1", 14, "'(' is missing here"),
        ("(" * 40 + "true" + ")" * 40, 33, "nested more than 32 levels deep"),
        ("NOT " * 40 + "true", 131, "nested more than 32 levels deep"),
        ("$session" + ".a" * 80 + " = 1", 0, "a reference has at most 64 names"),
        ("true" + " " * MAX_LENGTH, MAX_LENGTH, "the condition is longer than 10000 characters"),
    ],
)  # fmt: skip
def test_what_is_no_condition_is_told_with_its_place(text: str, start: int, message: str) -> None:
    with pytest.raises(CannotParse) as raised:
        parse_condition(text)
    assert (raised.value.message, raised.value.start) == (message, start)


_PIECES = (
    *("$", "session", "params", "sys.func.ADD", ".", "(", ")", "[", "]", '"', "'", "\\", "AND", "OR", "NOT", " "),
    *("=", "!=", "<", ":", "1", "-2.5", "true", "null", ",", "x", "ü", "\n"),
)


@given(st.one_of(st.text(), st.lists(st.sampled_from(_PIECES)).map("".join)))
def test_any_text_is_a_condition_or_is_refused_with_a_place_in_it(text: str) -> None:
    assert _refused_at(text) in range(-1, len(text) + 1)


def _refused_at(text: str) -> int:
    """Where a text is refused; -1 when it is a condition."""
    try:
        parse_condition(text)
    except CannotParse as error:
        return error.start
    return -1


def test_references_into_flows_are_known_to_have_no_value() -> None:
    condition = parse_condition(
        "NOT ($page.params.status = FINAL AND $sys.func.ADD([$intent.params.n], 1) = 1) AND $session.params.a = $flow.b"
    )
    assert [reference.path[0] for reference in valueless(condition)] == ["page", "intent", "flow"]
