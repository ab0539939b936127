"""How deep messages may lie within each other."""

from openplaybook.wire.codec.errors import JsonError

MAX_DEPTH = 90
"""Messages within messages, a map entry counting as one: protobuf reads 100 from the wire, and a resource travels
inside requests, lists and operations. An object in a Struct takes three, an array two."""


def too_deep() -> JsonError:
    """The error for a message below `MAX_DEPTH`."""
    return JsonError("nested too deeply: protobuf allows about 30 levels of objects")
