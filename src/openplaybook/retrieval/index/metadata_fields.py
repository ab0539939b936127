"""How the data of a document stand in the index, so that filters are answered from it.

Two fields hold them, whatever their names: `metadata_terms`, the texts, booleans and site folders as exact terms, and
`metadata_numbers`, the numbers and dates as columns, one for each path. Every passage of a document repeats them.
"""

import re
import struct
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, cast

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.retrieval.filters.field_values import number_in
from openplaybook.retrieval.filters.site_patterns import site_address

if TYPE_CHECKING:
    import tantivy

TERMS: Final = "metadata_terms"
NUMBERS: Final = "metadata_numbers"

MAX_SITE_FOLDERS: Final = 16
"""Folders of an address that are terms, outermost first; deeper ones are told apart on the hits."""

_MAX_TERM: Final = 200
"""Bytes of a term; the engine leaves out those of more than 255, so that longer ones are digests."""
_HALF_PAIR: Final = re.compile("[\ud800-\udfff]")

SAMPLE_TERM: Final = "?"
"""The term of one document in `_SAMPLED`, whatever it holds: how many of these meet a filter tells how many of all."""
_SAMPLED: Final = 256

LARGEST_CODE: Final = 0x7FEF_FFFF_FFFF_FFFF
"""Code of the largest double."""


def add_metadata_fields(builder: "tantivy.SchemaBuilder") -> None:
    """Add to a schema the fields that `metadata_members` fills."""
    builder.add_text_field(TERMS, tokenizer_name="raw", index_option="basic")
    builder.add_json_field(NUMBERS, fast=True, tokenizer_name="raw", index_option="basic")


def metadata_members(data: JsonObject, uri: str, id: str = "") -> dict[str, JsonValue]:
    """What an index document has in these fields, of each passage of a document with these data and this address.

    The id decides, or the address where none is given, whether the document is one of the sample.
    """
    terms = {*_site_folders(uri)} if uri else set[str]()
    if int.from_bytes(_digest(id or uri)[:4], "big") % _SAMPLED == 0:
        terms.add(SAMPLE_TERM)
    numbers: dict[str, list[int]] = {}
    for path, value in _leaves(data):
        if isinstance(value, str):
            terms.add(text_term(path, value))
            # Most texts are no dates, and each is looked at.
            if not "0" <= value[:1] <= "9":
                continue
        elif isinstance(value, bool):
            terms.add(boolean_term(path, value=value))
            continue
        number = number_in(value)
        if number is not None:
            numbers.setdefault(number_column(path), []).append(number_code(number))
    members: dict[str, JsonValue] = {}
    if terms:
        members[TERMS] = sorted(terms)
    if numbers:
        members[NUMBERS] = numbers
    return members


def text_term(path: str, text: str) -> str:
    """The term of a document that has this text in a field."""
    return _term(f"t{len(path)}:{path}={text}")


def boolean_term(path: str, *, value: bool) -> str:
    """The term of a document that has this boolean in a field."""
    return _term(f"b{len(path)}:{path}={value}")


def folder_term(folder: str) -> str:
    """The term of a document whose address is in this folder, such as `example.com/help/`."""
    return _term(f"s{folder}")


@lru_cache(maxsize=4096)
def number_column(path: str) -> str:
    """The member of the numbers that holds those of a field: a digest, as the engine gives dots a meaning."""
    return f"k{_digest(path).hex()[:16]}"


def number_code(number: float) -> int:
    """An integer of 64 bits for a double: the codes of two numbers are ordered as the numbers are.

    The engine types a column by what is in it, and reads `5` and `5.5` as values of two types; integers are of one.
    """
    bits = int.from_bytes(struct.pack("<d", abs(number)), "little")
    return -bits if number < 0 else bits


def _term(text: str) -> str:
    if text.isascii():
        return text if len(text) <= _MAX_TERM else f"#{_digest(text).hex()}"
    is_short = len(text.encode("utf-8", "surrogatepass")) <= _MAX_TERM
    return text if is_short and not _HALF_PAIR.search(text) else f"#{_digest(text).hex()}"


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=24).digest()


def _site_folders(uri: str) -> Iterator[str]:
    if not uri:
        return
    address, end = site_address(uri), 0
    for _ in range(MAX_SITE_FOLDERS):
        end = address.find("/", end) + 1
        if not end:
            return
        yield folder_term(address[:end])


def _leaves(data: JsonObject) -> Iterator[tuple[str, JsonValue]]:
    """All values that are neither objects nor lists, with their paths; without recursion, as data may be deep."""
    left: list[tuple[str, JsonValue]] = list(data.items())
    while left:
        path, value = left.pop()
        if isinstance(value, dict):
            members = cast(JsonObject, value)
            left.extend((f"{path}.{key}", item) for key, item in members.items())
        elif isinstance(value, list):
            items = cast(list[JsonValue], value)
            left.extend((path, item) for item in items)
        else:
            yield path, value
