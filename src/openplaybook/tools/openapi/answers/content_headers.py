"""What kind of thing an answer is, by its headers."""

import codecs
import mimetypes
import re
from dataclasses import dataclass
from email.message import Message
from functools import lru_cache
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from openplaybook.tools.openapi.requests.bodies import is_json

_CHARSET = re.compile(
    r"(utf-?(8|16|32)([_-]?[bl]e)?|us-ascii|ascii|latin-?1|iso-?8859-\d{1,2}|windows-\d{3,4}|cp\d{3,4}"
    r"|shift[_-]?jis|euc-(jp|kr)|iso-2022-(jp|kr)|gb2312|gbk|gb18030|big5|koi8-[ru]|macintosh)"
)
"""Encodings of text on the web. Python knows more by that name, of which some take quadratic time or raise."""

_TEXT_SUBTYPES = frozenset(
    {
        *("xml", "yaml", "x-yaml", "csv", "x-ndjson", "ndjson", "jsonl", "x-jsonlines", "jsonlines", "json-seq"),
        *("javascript", "ecmascript", "graphql", "sql", "toml", "x-www-form-urlencoded", "x-sh", "xml-dtd"),
    }
)
"""Of `application/…`: what people read as text although its name does not begin with `text/`."""

_PAGES = ("text/html", "application/xhtml+xml")

_EXTENDED_NAME = re.compile(r"filename\*\s*=\s*([\w-]+)'[^']*'([^;\s]+)", re.IGNORECASE)
"""RFC 8187 §3.2, which goes before a plain `filename` (RFC 6266 §4.3)."""

_LONGEST_NAME = 100
_LONGEST_DISPOSITION = 2_000


@dataclass(frozen=True, slots=True)
class ContentType:
    """A `Content-Type`, read."""

    essence: str
    """Lower case, without parameters; empty where there is none."""
    charset: str
    is_json: bool
    is_text: bool
    """XML and pages included, JSON not."""
    is_page: bool


@lru_cache(maxsize=256)
def media_of(content_type: str) -> ContentType:
    """What a `Content-Type` says; an encoding that is none of the web's counts as UTF-8."""
    essence = content_type.partition(";")[0].strip().lower()
    declared = content_type.lower().partition("charset=")[2].partition(";")[0].strip(" \"'")
    charset = declared if _is_charset(declared) else "utf-8"
    top, _, subtype = essence.partition("/")
    is_text = (
        top == "text" or subtype.endswith(("+xml", "+yaml")) or (top == "application" and subtype in _TEXT_SUBTYPES)
    )
    return ContentType(essence, charset, is_json(essence), is_text, essence in _PAGES)


def is_attachment(disposition: str) -> bool:
    """Whether a `Content-Disposition` says that the answer is to be saved (RFC 6266 §4.2)."""
    return disposition.partition(";")[0].strip().lower() == "attachment"


def file_name(disposition: str, url: str, media_type: str) -> str:
    """What to call an answer: as its `Content-Disposition` says, else as the URL's path ends, with an extension.

    The name has no folder and no control character, whatever the header says.
    """
    raw_name = _disposed(disposition) or unquote(PurePosixPath(urlsplit(url).path).name)
    name = _harmless(raw_name) or "file"
    if PurePosixPath(name).suffix or not media_type:
        return name
    return f"{name}{mimetypes.guess_extension(media_type) or ''}"


def _disposed(disposition: str) -> str:
    extended = _EXTENDED_NAME.search(disposition)
    if extended and _is_charset(extended[1].lower()):
        return unquote(extended[2], encoding=extended[1], errors="replace")
    # Long ones take the library quadratic time.
    if "filename" not in disposition.lower() or len(disposition) > _LONGEST_DISPOSITION:
        return ""
    message = Message()
    message["Content-Disposition"] = disposition
    try:
        return message.get_filename("")
    except (TypeError, ValueError, LookupError):
        # The library fails at parts that are numbered (RFC 2231 §3) in part only.
        return ""


def _is_charset(name: str) -> bool:
    if not _CHARSET.fullmatch(name):
        return False
    try:
        codecs.lookup(name)
    except LookupError:
        return False
    return True


def _harmless(name: str) -> str:
    base = re.split(r"[/\\]", name)[-1]
    printable = "".join(char if char.isprintable() else "_" for char in base).strip(" .")
    if len(printable) <= _LONGEST_NAME:
        return printable
    suffix = PurePosixPath(printable).suffix[:10]
    return printable[: _LONGEST_NAME - len(suffix)] + suffix
