"""Path templates: literal pieces and the parameters between them (OAS 3.1.1 §4.8.8.2)."""

import re
from collections.abc import Container
from urllib.parse import quote

_EXPRESSION = re.compile(r"\{([^{}]*)\}")
_LITERAL = "/:?@!$&'()*+,;=%"


def expressions(path: str) -> list[str]:
    """What stands in braces, in order."""
    return _EXPRESSION.findall(path)


def name_of(expression: str, declared: Container[str]) -> str:
    """The parameter that an expression names: itself where it is declared so, else without RFC 6570's operator.

    Google's descriptions have `{+name}`, whose value may hold slashes; gateways have `{name+}` and `{name*}`.
    """
    return expression if expression in declared else expression.strip("+*") or expression


def keeps_slashes(expression: str, declared: Container[str]) -> bool:
    """Whether the value may be several segments of the path."""
    return name_of(expression, declared) != expression


def literal(text: str) -> str:
    """A piece of a path between expressions, in which only what a path cannot hold is encoded."""
    return quote(text, safe=_LITERAL)


def split(path: str) -> list[str]:
    """Literal pieces at even places, expressions at odd ones."""
    return _EXPRESSION.split(path)
