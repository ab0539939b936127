"""Bytes of a text as text: by their mark, by what was declared where that is true, else by what they look like."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_HEAD: Final = 4096
_SAMPLE: Final = 64 * 1024
_NAMED: Final = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})|<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{2,40})",
    re.I,
)
_ALLOWED: Final = re.compile(
    r"(?:utf-?(?:8|16|32)(?:-?[lb]e)?|(?:iso-?)?8859-\d+|iso-8859-\d+|(?:windows|cp)-?\d{3,4}|koi8-[rut]"
    r"|gb-?(?:2312|k|18030)|big5(?:-?hkscs)?|shift[-_]?jis|sjis|euc-(?:jp|kr|tw)|iso-2022-(?:jp|kr)|tis-620|macintosh)"
)
"""Names of character sets in which texts come; Python knows many more codecs, some of which are no character sets."""
_WIDER: Final = {
    "iso-8859-1": "windows-1252",
    "8859-1": "windows-1252",
    "latin1": "windows-1252",
    "latin-1": "windows-1252",
    "us-ascii": "windows-1252",
    "ascii": "windows-1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "euc-kr": "cp949",
    "iso-8859-9": "windows-1254",
    "macintosh": "mac-roman",
}
"""What browsers take in place of a name (WHATWG's Encoding Standard): texts are said to be in the smaller set."""
_USUAL: Final = (
    *("cp1252", "cp1251", "cp1250", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8_r"),
    *("gb18030", "big5", "cp932", "euc_jp", "cp949", "tis_620"),
)
"""Character sets among which is guessed: of many more a short text could be."""
_LAST_RESORT: Final = "windows-1252"


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A text, and what was odd with its bytes."""

    text: str
    charset: str
    notes: tuple[str, ...] = ()


def decode_text(data: bytes, declared: str = "", *, has_markup: bool = False) -> DecodedText:
    """The text of some bytes; `declared` is the character set that a header names, `has_markup` says that the text may
    name one itself. What fits no character set is replaced by U+FFFD, and said in a note."""
    for mark, charset in _MARKS:
        if data.startswith(mark):
            return DecodedText(data[len(mark) :].decode(charset, "replace"), charset)
    for charset in _candidates(data, declared, has_markup):
        try:
            return DecodedText(data.decode(charset), charset, _notes(declared, charset))
        except (UnicodeDecodeError, LookupError):
            continue
    charset = _guessed(data)
    return DecodedText(data.decode(charset, "replace"), charset, (f"its character set was guessed to be {charset}",))


def _candidates(data: bytes, declared: str, has_markup: bool) -> Iterator[str]:
    if not data.isascii():
        # What is valid UTF-8 beyond ASCII was hardly meant as anything else, whatever is declared.
        yield "utf-8"
    found = _NAMED.search(data[:_HEAD]) if has_markup else None
    named = (found[1] or found[2]).decode("ascii") if found else ""
    for name in (declared, named):
        if charset := _known(name):
            yield charset
    yield "utf-8"


def _known(name: str) -> str:
    """The codec for the name of a character set; empty where it is none that texts come in."""
    lower = name.strip().lower()
    return _WIDER.get(lower, lower if _ALLOWED.fullmatch(lower) else "")


def _notes(declared: str, charset: str) -> tuple[str, ...]:
    known = _known(declared)
    if not declared or known == charset or (charset == "utf-8" and known.startswith("utf")):
        return ()
    return (f"its character set is {charset}, although {declared[:40]} was declared",)


def _guessed(data: bytes) -> str:
    # A heavy library, which few files need.
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE], cp_isolation=list(_USUAL)).best()
    return best.encoding if best else _LAST_RESORT
