"""Whatever is asked: code that was not given as code is made of known parts alone, and says what was computed."""

import ast
import contextlib
import io
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from openplaybook.tools.code_interpreter.without_model.algebra import read_algebra
from openplaybook.tools.code_interpreter.without_model.arithmetic import read_arithmetic
from openplaybook.tools.code_interpreter.without_model.base import OutOfReach, Plan
from openplaybook.tools.code_interpreter.without_model.bounded_numbers import CONSTANTS, FUNCTIONS
from openplaybook.tools.code_interpreter.without_model.query_plan import bare
from openplaybook.tools.code_interpreter.without_model.written_lists import read_list

MODULES = {"math", "statistics", "sympy"}
SYMPY = {
    *("Symbol", "S", "Eq", "E", "pi", "solve", "integrate", "diff", "simplify", "expand", "factor", "Abs", "exp"),
    *("sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos", "atan", "sinh", "cosh", "tanh", "log", "sqrt"),
}
NODES = (
    *(ast.Module, ast.Import, ast.alias, ast.Assign, ast.Expr, ast.Call, ast.keyword, ast.Attribute, ast.Name),
    *(ast.Load, ast.Store, ast.Constant, ast.List, ast.Tuple, ast.BinOp, ast.UnaryOp, ast.Compare),
    *(ast.operator, ast.unaryop, ast.cmpop),
)
PIECES = st.sampled_from(
    [
        *(
            "solve ",
            "integrate ",
            "simplify ",
            "sum of ",
            "max of ",
            "sort ",
            "what is ",
            "=",
            " for x",
            " from 0 to 1",
        ),
        *("__import__", "('os')", ".system", "eval", "exec", "lambda x:", "[", "]", "(", ")", ",", ".", "'", '"', "\\"),
        *(
            "x",
            "y",
            "e",
            "sin",
            "sqrt",
            "1",
            "2.5",
            "10",
            "+",
            "-",
            "*",
            "**",
            "/",
            "^",
            "<<",
            "%",
            " ",
            "\n",
            "f'{x}'",
        ),
        *("import os", "open", "globals()", "@", ":=", "if", "and ", "True", "None", "{", "}", ";", "#", "math.", "é"),
    ]
)
TEXTS = st.one_of(
    st.text(max_size=60),
    st.text(string.printable, max_size=60),
    st.lists(PIECES, max_size=12).map("".join),
)


def read(text: str) -> Plan | None:
    core = bare(text)
    try:
        return read_arithmetic(core) or read_list(core) or read_algebra(core)
    except OutOfReach:
        return None


def is_known(node: ast.AST) -> bool:
    """Whether a part of a program is one that the readers write."""
    match node:
        case ast.Name(id=name):
            known = {*MODULES, *FUNCTIONS, *CONSTANTS, "print"}
            return name in known or (len(name) == 1 and name.isascii() and name.isalpha())
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            return module in MODULES and (name in SYMPY or name in FUNCTIONS or name in CONSTANTS)
        case ast.alias(name=name):
            return name in MODULES
        case ast.keyword(arg=name):
            return name == "reverse"
        case _:
            return isinstance(node, NODES) and not isinstance(node, ast.Attribute)


@pytest.mark.proves("B6")
@given(TEXTS)
@example("what is 2 + 2?")
@example("solve x^2 = __import__('os').getpid() for x")
@example("sum of [().__class__, 1]")
def test_code_is_written_from_known_parts_alone(text: str) -> None:
    planned = read(text)
    if planned is not None:
        unknown = [ast.dump(node) for node in ast.walk(ast.parse(planned.code)) if not is_known(node)]
        assert unknown == []


NUMBERS = st.one_of(
    st.integers(-999, 999).map(str),
    st.floats(-1e6, 1e6, allow_nan=False).map(lambda number: f"{number:.3f}"),
)
OPERATORS = st.sampled_from(["+", "-", "*", "/", "//", "%", "**", "<", "==", "<<", ">>", "&", "|"])
EXPRESSIONS = st.recursive(
    NUMBERS,
    lambda inner: st.one_of(
        st.tuples(
            inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "**", "<", "==", "<<", ">>", "&", "|"]), inner
        ).map(lambda parts: f"({' '.join(parts)})"),
        st.tuples(st.sampled_from(["-", "+", "~"]), inner).map("".join),
        st.tuples(st.sampled_from(["abs", "round", "sqrt", "floor", "factorial", "int", "sin", "exp"]), inner).map(
            lambda parts: f"{parts[0]}({parts[1]})"
        ),
        st.lists(inner, min_size=1, max_size=4).flatmap(
            lambda items: st.sampled_from(["max", "sum", "mean", "median", "sorted", "len", "prod"]).map(
                lambda name: f"{name}([{', '.join(items)}])"
            )
        ),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS)
@example("(2 ** 200) - (2 ** 199)")
@example("round(2.5)")
def test_an_answer_is_what_its_code_prints(expression: str) -> None:
    try:
        planned = read_arithmetic(expression)
    except OutOfReach:
        return
    if planned is None:
        return
    assert planned == outcome(planned.code)


def outcome(code: str) -> Plan:
    """What code of bounded arithmetic comes to when Python runs it."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(code, {})
    except (ArithmeticError, ValueError, TypeError) as error:
        return Plan(code, error=f"{type(error).__name__}: {error}")
    return Plan(code, answer=printed.getvalue().removesuffix("\n"))
