"""Values compared: the right one is taken as what the left one is."""

import operator
from collections.abc import Callable

from openplaybook.jsonvalues import JsonValue, is_number
from openplaybook.resources.conditions.coercion import as_number, to_text
from openplaybook.resources.conditions.expressions import Operator

_ORDERS: dict[Operator, Callable[[JsonValue, JsonValue], bool]] = {
    Operator.LESS: operator.lt,
    Operator.LESS_EQUALS: operator.le,
    Operator.GREATER: operator.gt,
    Operator.GREATER_EQUALS: operator.ge,
}


def compare(left: JsonValue, how: Operator, right: JsonValue) -> bool:
    """Whether a comparison holds. What cannot be compared is different, and neither less nor greater."""
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
