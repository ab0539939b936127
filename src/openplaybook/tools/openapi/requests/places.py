"""Where in a request an argument goes."""

from enum import Enum

BODY_ARGUMENT = "requestBody"
"""The argument that holds an operation's body."""


class Place(Enum):
    """Where in a request a parameter stands."""

    PATH = "path"
    QUERY = "query"
    HEADER = "header"
    COOKIE = "cookie"
