"""Office files as the zip archives that they are: what they may unpack to is weighed before anything is unpacked."""

import zlib
from io import BytesIO
from typing import Final
from zipfile import BadZipFile, ZipFile, ZipInfo

from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import ExtractionLimits

_MB: Final = 1_000_000
_RATIO_COUNTS_FROM: Final = 10 * _MB
"""Bytes unpacked; what is smaller does no harm, however well it was packed."""
_ENCRYPTED: Final = 0x1
"""Bit of a member's flags."""
BROKEN: Final = (
    *(BadZipFile, zlib.error, SyntaxError, KeyError, ValueError, TypeError, AttributeError, IndexError, EOFError),
    NotImplementedError,
)
"""What the libraries raise where a file is not as they expect it; the errors of XML parsers are syntax errors."""
_PROLOG: Final = 64 * 1024
"""Bytes of an XML member in which a document type may be declared."""
_DECLARATIONS: Final = tuple(
    word.encode(code) for word in ("<!DOCTYPE", "<!ENTITY") for code in ("utf-8", "utf-16-le", "utf-16-be")
)


def judge_archive(data: bytes, limits: ExtractionLimits) -> None:
    """Refuse an Office file that unpacks to too much, has a password, or declares entities in its XML.

    Sizes are those that the archive states: `zipfile` never unpacks more of a member. Raises `InvalidSource`.
    """
    try:
        with ZipFile(BytesIO(data)) as archive:
            members = archive.infolist()
            _weigh(members, len(data), limits)
            for member in members:
                if member.filename.lower().endswith((".xml", ".rels")):
                    _refuse_declarations(archive, member)
    except BROKEN as error:
        raise InvalidSource(f"it is a broken zip archive: {error}") from error


def _weigh(members: list[ZipInfo], packed: int, limits: ExtractionLimits) -> None:
    if len(members) > limits.max_members:
        raise InvalidSource(f"it is an archive of more than {limits.max_members:,} members")
    if any(member.flag_bits & _ENCRYPTED for member in members):
        raise InvalidSource("it is protected by a password")
    unpacked = sum(member.file_size for member in members)
    if unpacked > limits.max_unpacked:
        raise InvalidSource(f"it unpacks to more than {limits.max_unpacked // _MB:,} MB")
    if unpacked > max(_RATIO_COUNTS_FROM, limits.max_ratio * packed):
        raise InvalidSource(f"it unpacks to more than {limits.max_ratio:,} times its size")


def _refuse_declarations(archive: ZipFile, member: ZipInfo) -> None:
    """Office files have no document type; entities are declared in one to have them loaded, or multiplied."""
    with archive.open(member) as file:
        head = file.read(_PROLOG)
    if any(word in head for word in _DECLARATIONS):
        raise InvalidSource(f"its part {member.filename} declares a document type or entities")
