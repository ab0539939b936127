"""Conditions judged, values compared and operands computed."""

import operator
from collections.abc import Callable

from openplaybook.jsonvalues import JsonValue, is_number
from openplaybook.resources.conditions.coercion import as_number, to_text
from openplaybook.resources.conditions.environment import Environment
from openplaybook.resources.conditions.errors import CannotEvaluate, CannotParse
from openplaybook.resources.conditions.expressions import (
    Comparison,
    Condition,
    Junction,
    Literal,
    Negation,
    Operand,
    Operator,
    SystemFunctionCall,
    ValueReference,
)
from openplaybook.resources.conditions.functions import FUNCTIONS
from openplaybook.resources.conditions.functions.system_function import BadArgument
from openplaybook.resources.conditions.parser import parse_condition

_ORDERS: dict[Operator, Callable[[JsonValue, JsonValue], bool]] = {
    Operator.LESS: operator.lt,
    Operator.LESS_EQUALS: operator.le,
    Operator.GREATER: operator.gt,
    Operator.GREATER_EQUALS: operator.ge,
}


def compare(left: JsonValue, how: Operator, right: JsonValue) -> bool:
    """Whether a comparison holds; the right value is taken as what the left one is. What cannot be compared is
    different, and neither less nor greater."""
    if how is Operator.NOT_EQUALS:
        return not compare(left, Operator.EQUALS, right)
    if left is None or right is None:
        return how in (Operator.EQUALS, Operator.HAS) and left is right
    if isinstance(left, bool):
        return how in (Operator.EQUALS, Operator.HAS) and to_text(left) == to_text(right).casefold()
    if is_number(left):
        number = as_number(right)
        return number is not None and _ordered(left, how, number)
    if isinstance(left, str):
        text = to_text(right)
        return text in left if how is Operator.HAS else _ordered(left, how, text)
    return how in (Operator.EQUALS, Operator.HAS) and left == right


def _ordered(left: JsonValue, how: Operator, right: JsonValue) -> bool:
    order = _ORDERS.get(how)
    return left == right if order is None else order(left, right)


def holds(condition: Condition, environment: Environment) -> bool:
    """Whether a condition is true. Raises `CannotEvaluate`."""
    match condition:
        case Comparison(left, how, right):
            return compare(value_of(left, environment), how, value_of(right, environment))
        case Negation(part):
            return not holds(part, environment)
        case Junction(is_all, parts):
            judged = (holds(part, environment) for part in parts)
            return all(judged) if is_all else any(judged)
        case _:
            return is_true(value_of(condition, environment))


def is_true(value: JsonValue) -> bool:
    """Whether a value alone is a condition that holds."""
    return value is True or (isinstance(value, str) and value.casefold() == "true")


def value_of(operand: Operand, environment: Environment) -> JsonValue:
    """The value of an operand; None for a reference that leads nowhere. Raises `CannotEvaluate`."""
    match operand:
        case Literal(value):
            return value
        case ValueReference(path):
            return environment.find(path)
        case SystemFunctionCall():
            return _called(operand, environment)
        case _:
            return [value_of(item, environment) for item in operand.items]


def _called(call: SystemFunctionCall, environment: Environment) -> JsonValue:
    if call.name == "IF":
        return _chosen(call, environment)
    arguments = [value_of(argument, environment) for argument in call.arguments]
    try:
        return FUNCTIONS[call.name].run(arguments, environment)
    except BadArgument as error:
        raise CannotEvaluate(f"system function {call.name}: {error}", call.start) from None


def _chosen(call: SystemFunctionCall, environment: Environment) -> JsonValue:
    """IF takes its condition as a text, and only the value that is chosen is computed.

    A text that is computed is no condition, whatever it says: users may have written it.
    """
    written, test = call.arguments[0], value_of(call.arguments[0], environment)
    if isinstance(test, str):
        try:
            test = holds(parse_condition(test), environment) if isinstance(written, Literal) else is_true(test)
        except CannotParse as error:
            raise CannotEvaluate(f"the condition of IF: {error.message}", call.arguments[0].start) from None
    return value_of(call.arguments[1 if test is True else 2], environment)
