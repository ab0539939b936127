"""Where in a request arguments go, and how their text is encoded there (RFC 3986 §2, RFC 6570 §3.2.1, RFC 6265); path
templates, with the parameters between literal pieces (OAS 3.1.1 §4.8.8.2)."""

import re
from collections.abc import Container
from enum import Enum
from urllib.parse import quote, quote_plus

BODY_ARGUMENT = "requestBody"
"""The argument that holds an operation's body."""

_RESERVED = ":/?@!$'()*,;"
"""Reserved characters that mean nothing in a query: not `[ ] #`, which it cannot hold, nor `= & +`, which form it
(OAS 3.1.1, `allowReserved`)."""
_IN_COOKIE = "!#$&'()*+/:<=>?@[]^`{|}"
_IN_FORM = ":,"
"""Left as they are in a form, as in the example of OAS 3.1.1 §4.8.15.2."""
_TRIPLE = re.compile("(%[0-9A-Fa-f]{2})")
_EXPRESSION = re.compile(r"\{([^{}]*)\}")
_LITERAL = "/:?@!$&'()*+,;=%"


class ParameterPlace(Enum):
    """Where in a request a parameter stands."""

    PATH = "path"
    QUERY = "query"
    HEADER = "header"
    COOKIE = "cookie"


class InvalidArguments(Exception):
    """The arguments do not fit; no request is made. The message is for the model."""


def percent_encoded(value: str) -> str:
    """Everything encoded but unreserved characters."""
    # Most names and values need no encoding, and finding that out is far cheaper than encoding.
    return value if value.isascii() and value.isalnum() else quote(value, safe="")


def reserved_kept(value: str) -> str:
    """Reserved characters that mean nothing in a query stay, and so does what is encoded already."""
    pieces = _TRIPLE.split(value)
    return "".join(piece if place % 2 else quote(piece, safe=_RESERVED) for place, piece in enumerate(pieces))


def segments_encoded(value: str) -> str:
    """Like `percent_encoded`, but slashes stay: several segments of a path (RFC 6570 §3.2.3)."""
    return quote(value, safe="/:@!$'()*,;")


def cookie_encoded(value: str) -> str:
    """Everything encoded that a cookie's value cannot hold (RFC 6265 §4.1.1), and `%`, `,` and `;`."""
    return value if value.isascii() and value.isalnum() else quote(value, safe=_IN_COOKIE)


def form_encoded(value: str) -> str:
    """As in `application/x-www-form-urlencoded`: a space is `+` (RFC 1866 §8.2.1)."""
    return quote_plus(value, safe=_IN_FORM)


def path_expressions(path: str) -> list[str]:
    """What stands in braces, in order."""
    return _EXPRESSION.findall(path)


def parameter_name(expression: str, declared: Container[str]) -> str:
    """The parameter that an expression names: itself where it is declared so, else without RFC 6570's operator.

    Google's descriptions have `{+name}`, whose value may hold slashes; gateways have `{name+}` and `{name*}`.
    """
    return expression if expression in declared else expression.strip("+*") or expression


def keeps_slashes(expression: str, declared: Container[str]) -> bool:
    """Whether the value may be several segments of the path."""
    return parameter_name(expression, declared) != expression


def path_literal(text: str) -> str:
    """A piece of a path between expressions, in which only what a path cannot hold is encoded."""
    return quote(text, safe=_LITERAL)


def path_pieces(path: str) -> list[str]:
    """Literal pieces at even places, expressions at odd ones."""
    return _EXPRESSION.split(path)
