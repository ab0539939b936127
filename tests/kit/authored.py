"""What somebody wrote in the files of a package."""

import json
from collections.abc import Iterator, Mapping

from openplaybook.jsonvalues import JsonValue, as_list, as_object


def texts_of(files: Mapping[str, bytes]) -> set[str]:
    """Everything that somebody wrote: texts and keys of JSON, and other files as they are."""
    found: set[str] = set()
    for path, content in files.items():
        found.update(_texts_in(json.loads(content)) if path.endswith(".json") else [content.decode()])
    return found


def _texts_in(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for key, member in as_object(value).items():
        yield key
        yield from _texts_in(member)
    for item in as_list(value):
        yield from _texts_in(item)
