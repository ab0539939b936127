"""A JSON array read item by item while it is still being written."""

import json
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator

from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject, as_object

_BETWEEN = " \t\r\n,["


def array_items(chunks: Iterable[bytes]) -> Iterator[JsonObject]:
    """The objects of an array that comes in pieces, each as soon as it is whole.

    Raises `CommandError` when the array ends in the middle of an item.
    """
    decode = getincrementaldecoder("utf-8")().decode
    read = json.JSONDecoder().raw_decode
    text = ""
    for chunk in chunks:
        text = (text + decode(chunk)).lstrip(_BETWEEN)
        while text and text[0] != "]":
            try:
                item, end = read(text)
            except ValueError:
                break
            yield as_object(item)
            text = text[end:].lstrip(_BETWEEN)
    if text.strip() != "]":
        raise CommandError("the server's response ended early")
