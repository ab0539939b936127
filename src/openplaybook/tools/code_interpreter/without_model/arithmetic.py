"""(a) A Python expression of numbers, operators and functions that are known."""

import ast
from collections.abc import Callable, Sequence
from typing import TypeAlias, cast

from openplaybook.tools.code_interpreter.without_model.base import OutOfReach, Plan, parsed
from openplaybook.tools.code_interpreter.without_model.bounded_numbers import (
    COMPARISONS,
    CONSTANTS,
    FUNCTIONS,
    OPERATORS,
    Number,
    NumericFunction,
    bounded,
)

Value: TypeAlias = Number | Sequence[Number]

_MAX_CHARS = 4_000
MAX_DEPTH = 100
"""Levels of an expression: whoever visits and writes it calls itself several times for each."""
_SIGNS = {"UAdd": "+", "USub": "-", "Invert": "~"}


def read_arithmetic(text: str) -> Plan | None:
    """The plan for an expression; None where the text is no expression of this grammar.

    Raises `OutOfReach` for one that is too large.
    """
    expression = _expression(text)
    if expression is None or isinstance(expression, ast.Name | ast.Attribute):
        # A name alone is a word, not arithmetic.
        return None
    reader = _Reader()
    try:
        value = reader.value(expression, 0)
    except _NotArithmetic:
        return None
    except (ArithmeticError, ValueError, TypeError) as error:
        return Plan(reader.program(expression), error=f"{type(error).__name__}: {error}")
    return Plan(reader.program(expression), answer=str(value))


def number_of(node: ast.expr) -> Number | None:
    """What an expression comes to; None where it is none of this grammar, or no number.

    Raises `OutOfReach` for one that is too large.
    """
    try:
        value = _Reader().value(node, 0)
    except (_NotArithmetic, ArithmeticError, ValueError, TypeError):
        return None
    return value if isinstance(value, int | float) else None


def _expression(text: str) -> ast.expr | None:
    if len(text) > _MAX_CHARS or "\n" in text.strip():
        return None
    module = parsed(text.strip())
    only = module.body[0] if module and len(module.body) == 1 else None
    return only.value if isinstance(only, ast.Expr) else None


class _NotArithmetic(Exception):
    """The expression is none of this grammar."""


class _Reader:
    """Computes an expression, and notes what code needs that says the same."""

    def __init__(self) -> None:
        self._modules: set[str] = set()

    def program(self, expression: ast.expr) -> str:
        """Code that prints the expression's value."""
        imports = "".join(f"import {module}\n" for module in sorted(self._modules))
        return f"{imports}print({ast.unparse(_Spelled().visit(expression))})"

    def value(self, node: ast.expr, depth: int) -> Value:
        """What the expression comes to."""
        if depth > MAX_DEPTH:
            raise OutOfReach(f"it is nested more than {MAX_DEPTH} levels deep")
        deeper = depth + 1
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return bounded(number)
            case ast.UnaryOp(op=sign, operand=operand) if type(sign).__name__ in _SIGNS:
                return _signed(type(sign).__name__, self._number(operand, deeper))
            case ast.BinOp(left=left, op=operator, right=right):
                operands = self._number(left, deeper), self._number(right, deeper)
                return bounded(_operation(operator)(*operands))
            case ast.Compare(left=left, ops=operators, comparators=others):
                return self._compared(left, operators, others, deeper)
            case ast.Call(func=function, args=arguments, keywords=[]):
                return self._called(function, arguments, deeper)
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="math"), attr=name) if name in CONSTANTS:
                self._modules.add("math")
                return CONSTANTS[name]
            case _:
                raise _NotArithmetic

    def _number(self, node: ast.expr, depth: int) -> Number:
        value = self.value(node, depth)
        if isinstance(value, int | float):
            return value
        raise _NotArithmetic

    def _compared(self, left: ast.expr, operators: Sequence[ast.cmpop], others: Sequence[ast.expr], depth: int) -> bool:
        before = self._number(left, depth)
        for operator, other in zip(operators, others, strict=True):
            compare = COMPARISONS.get(type(operator).__name__)
            if compare is None:
                raise _NotArithmetic
            after = self._number(other, depth)
            if not compare(before, after):
                return False
            before = after
        return True

    def _called(self, called: ast.expr, arguments: Sequence[ast.expr], depth: int) -> Value:
        function = _function(called)
        if function.module:
            self._modules.add(function.module)
        values = [self._argument(argument, depth) for argument in arguments]
        if len(values) > function.most:
            raise _NotArithmetic
        value = function.compute(*values)
        return bounded(value) if isinstance(value, int | float) else cast(list[Number], value)

    def _argument(self, node: ast.expr, depth: int) -> Value:
        if isinstance(node, ast.List | ast.Tuple):
            return [self._number(item, depth) for item in node.elts]
        return self.value(node, depth)


def _operation(operator: ast.operator) -> Callable[[Number, Number], Number]:
    name = type(operator).__name__
    if name == "BitXor":
        raise OutOfReach("`^` is a power to some and an exclusive or to Python; write ** for a power")
    if name not in OPERATORS:
        raise _NotArithmetic
    return OPERATORS[name]


def _signed(sign: str, value: Number) -> Number:
    if sign == "Invert":
        if isinstance(value, float):
            raise TypeError("bad operand type for unary ~: 'float'")
        return ~value
    return -value if sign == "USub" else +value


def _function(called: ast.expr) -> NumericFunction:
    match called:
        case ast.Name(id=name) if name in FUNCTIONS:
            return FUNCTIONS[name]
        case ast.Attribute(value=ast.Name(id=module), attr=name) if FUNCTIONS.get(name, _NONE).module == module:
            return FUNCTIONS[name]
        case _:
            raise _NotArithmetic


class _Spelled(ast.NodeTransformer):
    """Writes names of modules in front of what they have."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A function or a constant."""
        if node.id == "math" or node.id == "statistics":
            return node
        module = "math" if node.id in CONSTANTS else FUNCTIONS[node.id].module
        return ast.Attribute(ast.Name(module), node.id) if module else node


_NONE = NumericFunction(abs)
