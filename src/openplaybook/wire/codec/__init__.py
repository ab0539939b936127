"""The proto3 JSON mapping, compiled from descriptors.

Equal to protobuf's own `json_format` in what it accepts and gives, except that whole numbers in a Struct are given as
`1` rather than `1.0`, that field masks may be written in snake_case as well, and that errors name a JSON path and what
is allowed there.
"""

from openplaybook.wire.codec.encoder import Codec
from openplaybook.wire.codec.json_parser import JsonError, parse_text

__all__ = ["Codec", "JsonError", "parse_text"]
