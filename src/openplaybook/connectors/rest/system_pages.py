"""How the next page of a system is asked for, by what the manifest says of its paging.

A cursor is a JSON value: an offset, a page's number, the system's own cursor, or the path and query of the next page,
which stays on the origin that was asked.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urljoin, urlsplit

from openplaybook.connectors.errors import InvalidValue, SystemFault
from openplaybook.connectors.rest.manifest.kinds import PagingKind
from openplaybook.connectors.rest.manifest.list_model import PagingManifest
from openplaybook.connectors.rest.reply_paths import reply_value, value_at
from openplaybook.egress.base import HttpResponse
from openplaybook.egress.web_origin import origin_of
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object

_LAST_ITEM = "last_item"
_LINK = re.compile(r"<([^<>]{1,4000})>((?:\s*;\s*[\w*-]+\s*=\s*(?:\"[^\"]*\"|[^\s,;]*))*)")
_IS_NEXT = re.compile(r";\s*rel\s*=\s*(?:\"(?:[^\"]*\s)?next(?:\s[^\"]*)?\"|next\b)", re.IGNORECASE)
_URLS = (PagingKind.LINK_HEADER, PagingKind.NEXT_URL)


@dataclass(frozen=True, slots=True)
class ListPosition:
    """Where in a listing."""

    cursor: JsonValue = None
    """Of the system's page; None for the first."""
    skip: int = 0
    """Entities of that page that were given already."""
    source: str = ""
    """Which of the ways to list it is."""
    size: int = 0
    """Entities of a page of the system, which stays the same over a listing: numbers of pages mean nothing without; 0
    before the first."""

    @property
    def packed(self) -> JsonObject:
        """As a page token holds it."""
        return {"c": self.cursor, "s": self.skip, "w": self.source, "n": self.size}


def list_position(packed: JsonValue) -> ListPosition:
    """What a page token holds; the first page without one."""
    members = as_object(packed)
    size, skip = int(members.get("n") or 0), int(members.get("s") or 0)
    return ListPosition(members.get("c"), skip, str(members.get("w") or ""), size)


@dataclass(frozen=True, slots=True)
class SystemPage:
    """A reply with some entities."""

    url: str
    """That was asked."""
    response: HttpResponse
    reply: JsonValue
    items: Sequence[JsonValue]
    size: int
    """How many were asked for."""
    has_large: bool = True
    """Whether there may be integers beyond 2^53, or decimals, in the items."""


def page_size(paging: PagingManifest, wanted: int) -> int:
    """How many entities to ask for."""
    return max(1, min(wanted, paging.most))


def page_parameters(paging: PagingManifest, cursor: JsonValue, size: int) -> list[tuple[str, JsonValue]]:
    """Parameters of the page at a cursor, None for the first. Raises `InvalidValue` beyond the system's last offset."""
    pairs: list[tuple[str, JsonValue]] = [(paging.size_param, size)] if paging.size_param else []
    if paging.kind in (PagingKind.OFFSET, PagingKind.PAGE):
        position = paging.first if cursor is None else cursor
        if paging.max_offset and _offset(paging, position, size) > paging.max_offset:
            raise InvalidValue(
                "pageToken",
                f"leads beyond the {paging.max_offset:,} entities that the system lists; narrow the condition",
            )
        if paging.param and (cursor is not None or paging.kind is PagingKind.OFFSET):
            pairs.append((paging.param, position))
    elif cursor is not None and paging.kind in (PagingKind.CURSOR, PagingKind.NEXT_URL):
        pairs.append((paging.param, cursor))
    return pairs


def is_address(paging: PagingManifest, cursor: JsonValue) -> bool:
    """Whether a cursor is the path and query of the next page."""
    return paging.kind in _URLS and not paging.param and isinstance(cursor, str)


def next_cursor(paging: PagingManifest, cursor: JsonValue, page: SystemPage) -> JsonValue:
    """Where the page after this one is; None where this is the last. Raises `SystemFault`."""
    if paging.kind is PagingKind.NONE or _says_end(paging, page):
        return None
    if paging.kind in (PagingKind.OFFSET, PagingKind.PAGE):
        return _next_number(paging, cursor, page)
    if paging.kind is PagingKind.LINK_HEADER:
        return local_address(_linked(page.response), page.url)
    found = _found_cursor(paging, page)
    if found in (None, "", False):
        return None
    if paging.kind is PagingKind.NEXT_URL and paging.param:
        found = _parameter_of(str(found), paging.param)
    elif paging.kind is PagingKind.NEXT_URL:
        return local_address(str(found), page.url)
    if found is not None and found == cursor:
        raise SystemFault("the system gave the same page cursor twice")
    return found


def _says_end(paging: PagingManifest, page: SystemPage) -> bool:
    if paging.more and not value_at(page.reply, paging.more):
        return True
    return bool(paging.last) and value_at(page.reply, paging.last) is True


def _next_number(paging: PagingManifest, cursor: JsonValue, page: SystemPage) -> JsonValue:
    position = paging.first if cursor is None else int(cursor)
    following = position + (len(page.items) if paging.kind is PagingKind.OFFSET else 1)
    if not page.items:
        return None
    total = _count(page, paging.total)
    seen = _offset(paging, position, page.size) + len(page.items)
    if total is not None:
        return following if seen < total else None
    pages = _count(page, paging.pages)
    if pages is not None:
        return following if following - paging.first < pages else None
    says_more = bool(paging.more or paging.last)
    return following if says_more or len(page.items) >= page.size else None


def _offset(paging: PagingManifest, position: int, size: int) -> int:
    first = position - paging.first
    return first * size if paging.kind is PagingKind.PAGE else first


def _count(page: SystemPage, path: str) -> int | None:
    found = reply_value(page.response, page.reply, path) if path else None
    try:
        return int(found) if found is not None else None
    except (TypeError, ValueError):
        return None


def _found_cursor(paging: PagingManifest, page: SystemPage) -> JsonValue:
    if paging.next.partition(".")[0] == _LAST_ITEM:
        return value_at(page.items[-1], paging.next.partition(".")[2]) if page.items else None
    return reply_value(page.response, page.reply, paging.next)


def _linked(response: HttpResponse) -> str:
    """The target of `rel="next"` (RFC 8288); empty without one."""
    for name, value in response.headers:
        if name.lower() == "link":
            for found in _LINK.finditer(value[:20_000]):
                if _IS_NEXT.search(found[2]):
                    return found[1]
    return ""


def _parameter_of(url: str, name: str) -> str | None:
    """A parameter in the query of a URL; None without it."""
    return next((value for key, value in parse_qsl(urlsplit(url).query) if key == name), None)


def local_address(target: str, asked: str) -> str | None:
    """Path and query of what a reply leads to, None for nothing. Raises `SystemFault` for another origin than that
    which was asked: our credential would go there."""
    if not target:
        return None
    url = urljoin(asked, target)
    origin = origin_of(url)
    if origin is None or origin != origin_of(asked):
        raise SystemFault("the system's reply leads to another host; it is not asked there")
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")
