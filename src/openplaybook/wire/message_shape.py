"""How many values a message in protobuf's binary form has, counted before anything is built.

Long texts and files cost what they have bytes; many small values cost many times that. REST counts them in JSON
(`codec.text`).
"""

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from openplaybook.wire.codec.json_parser import MAX_VALUES
from openplaybook.wire.errors import Code, RpcError

_WIDTHS = {1: 8, 5: 4}
"""Bytes of a value, by wire type, where all have as many."""
_VARINT, _DELIMITED = 0, 2


def check_shape(data: bytes, descriptor: Descriptor) -> None:
    """Count the values of a message, those of messages within it too. INVALID_ARGUMENT for more than `MAX_VALUES`.

    What is no message passes, and fails where it is read."""
    try:
        _count(data, descriptor)
    except IndexError:
        return


def _count(data: bytes, descriptor: Descriptor) -> None:
    values = 0
    parts: list[tuple[Descriptor, int, int]] = [(descriptor, 0, len(data))]
    while parts:
        kind, at, end = parts.pop()
        while at < end:
            tag, at = _varint(data, at)
            values += 1
            wire_type, field = tag & 7, kind.fields_by_number.get(tag >> 3)
            if wire_type == _VARINT:
                _, at = _varint(data, at)
            elif wire_type in _WIDTHS:
                at += _WIDTHS[wire_type]
            elif wire_type == _DELIMITED:
                length, at = _varint(data, at)
                if field is not None and field.message_type is not None:
                    parts.append((field.message_type, at, min(at + length, end)))
                elif field is not None and _is_packed(field):
                    values += length
                at += length
            else:
                return  # a group: no message of the API has any
            if values > MAX_VALUES:
                raise RpcError(Code.INVALID_ARGUMENT, f"The request has more than {MAX_VALUES:,} values.")


def _is_packed(field: FieldDescriptor) -> bool:
    """Whether bytes under the field's number are many numbers, of one byte at least."""
    return field.type not in (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number and where it ends; `IndexError` beyond the end."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
        if shift > 63:
            raise IndexError
