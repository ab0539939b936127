"""Sitemaps: the pages that a site lists itself (sitemaps.org), read from XML, gzip and plain text of strangers.

No entity is ever declared or read from elsewhere, and nothing is unpacked or nested without end.
"""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from openplaybook.retrieval.crawl.page_urls import canonical_url
from openplaybook.retrieval.errors import InvalidSource

MOST_ENTRIES = 50_000
"""Of one sitemap; what is behind them is not taken (sitemaps.org's own limit)."""
MOST_LEVELS = 3
"""Of indexes that list indexes."""
MOST_UNPACKED = 50 * 1024 * 1024
"""Bytes of one sitemap (sitemaps.org's own limit)."""
MOST_CHARACTERS = 10_000_000
"""Of the URLs that are taken from one sitemap together."""

_DEEPEST = 16
"""Elements within each other; a sitemap has three, and extensions add some."""
_LONGEST_LOCATION = 8192
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What a sitemap lists: pages, or other sitemaps where it is an index."""

    pages: tuple[str, ...] = ()
    """Canonical URLs."""
    sitemaps: tuple[str, ...] = ()
    """Canonical URLs."""
    is_cut: bool = False
    """Whether it lists more than are taken."""


def read_sitemap(body: bytes, url: str, most: int = MOST_ENTRIES) -> Sitemap:
    """What a sitemap from `url` lists, up to `most` entries. Takes some seconds, and memory as the XML wants: work of a
    child process.

    Raises `InvalidSource` for XML that is broken, declares entities or nests too deeply, and for gzip that is broken or
    holds more than `MOST_UNPACKED` bytes.
    """
    if body.startswith(_GZIP):
        body = unpacked(body)
    if len(body) > MOST_UNPACKED:
        raise InvalidSource(f"the sitemap {url} has more than {MOST_UNPACKED:,} bytes")
    start = body.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start != b"<" and not body.startswith((b"\xff\xfe", b"\xfe\xff")):
        lines = body.decode("utf-8", "replace").split("\n", most)
        pages, is_cut = _canonical(lines[:most], url)
        return Sitemap(pages, is_cut=is_cut or len(lines) > most)
    reader = _SitemapReader(url, most)
    reader.read(body)
    (pages, is_cut), (sitemaps, are_cut) = _canonical(reader.pages, url), _canonical(reader.sitemaps, url)
    return Sitemap(pages, sitemaps, reader.is_cut or is_cut or are_cut)


def unpacked(body: bytes) -> bytes:
    """The content of gzip. Raises `InvalidSource` where it is broken, or more than `MOST_UNPACKED` bytes."""
    unpacker = zlib.decompressobj(zlib.MAX_WBITS + 16)
    try:
        content = unpacker.decompress(body, MOST_UNPACKED + 1)
    except zlib.error as error:
        raise InvalidSource("the sitemap is packed by gzip, and cannot be unpacked") from error
    if len(content) > MOST_UNPACKED:
        raise InvalidSource(f"the sitemap is packed by gzip, and holds more than {MOST_UNPACKED:,} bytes")
    if not unpacker.eof:
        raise InvalidSource("the sitemap is packed by gzip, and ends too early")
    return content


class _Enough(Exception):
    """As many entries as are taken."""


@dataclass(slots=True)
class _SitemapReader:
    """Reads the `loc` of each `url` and `sitemap`; other elements are of no interest."""

    url: str
    most: int
    pages: list[str] = field(default_factory=list[str])
    sitemaps: list[str] = field(default_factory=list[str])
    is_cut: bool = False
    _open: list[str] = field(default_factory=list[str])
    _text: str = ""

    def read(self, body: bytes) -> None:
        """Read the whole. Raises `InvalidSource`."""
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._refuse_entity
        parser.ExternalEntityRefHandler = self._refuse_reference
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        try:
            parser.Parse(body, True)
        except _Enough:
            self.is_cut = True
        except expat.ExpatError as error:
            raise InvalidSource(f"the sitemap {self.url} is no XML: {error}") from error
        except (LookupError, ValueError) as error:
            raise InvalidSource(f"the sitemap {self.url} has an encoding that cannot be read") from error

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) == _DEEPEST:
            raise InvalidSource(f"the sitemap {self.url} has elements within each other in more than {_DEEPEST} levels")
        self._open.append(name.rpartition(":")[2].lower())
        self._text = ""

    def _end(self, name: str) -> None:
        path, self._open = self._open[-2:], self._open[:-1]
        if path == ["url", "loc"]:
            self.pages.append(self._text)
        elif path == ["sitemap", "loc"]:
            self.sitemaps.append(self._text)
        self._text = ""
        if len(self.pages) + len(self.sitemaps) > self.most:
            del self.pages[self.most :], self.sitemaps[self.most :]
            raise _Enough

    def _characters(self, text: str) -> None:
        if self._open[-1] == "loc" and len(self._text) < _LONGEST_LOCATION:
            self._text += text

    def _refuse_entity(self, *declaration: object) -> NoReturn:
        raise InvalidSource(f"the sitemap {self.url} declares an entity, which is not allowed")

    def _refuse_reference(self, *reference: object) -> NoReturn:
        raise InvalidSource(f"the sitemap {self.url} refers to an entity elsewhere, which is not allowed")


def _canonical(locations: Iterable[str], url: str) -> tuple[tuple[str, ...], bool]:
    """The URLs once each, and whether there are more of them than are taken."""
    found: dict[str, None] = {}
    left = MOST_CHARACTERS
    for location in locations:
        each = canonical_url(location, url) if location.strip() else ""
        if each and each not in found:
            left -= len(each)
            if left < 0:
                return tuple(found), True
            found[each] = None
    return tuple(found), False
