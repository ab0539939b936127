"""Links of a page of HTML, and what it says of itself: work of a child process, since pages come from strangers."""

import codecs
from collections.abc import Iterable

from selectolax.lexbor import LexborHTMLParser, LexborNode

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.crawl.page_urls import canonical_url

MOST_LINKS = 5_000
MOST_LINK_CHARACTERS = 500_000
"""Of the links of one page, in their order; what is behind them is not followed."""

_BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_UNFOLLOWED = frozenset({"nofollow", "ugc", "sponsored"})
"""Words of `rel` by which a page does not vouch for a link."""


def notes_of(body: bytes, url: str, charset: str, agent: str) -> JsonObject:
    """What a page says to a crawler, as `PageNotes` is made of it. Takes time and memory as the page wants."""
    page = LexborHTMLParser(decoded(body, charset))
    base = canonical_url(_first(page, "base[href]", "href"), url) or url
    return {
        "links": _links(page, url, base),
        "canonical": canonical_url(_canonical_of(page.css("link[rel][href]")), base),
        "robots": _words_for_robots(page.css("meta[name][content]"), agent),
        "refresh": _refreshed(page.css("meta[http-equiv][content]"), base),
    }


def decoded(body: bytes, charset: str) -> str:
    """The text of a page: by its byte order mark, the charset that was declared, or as UTF-8; it cannot fail.

    What a page has in ASCII, as nearly all of its links, is the same whatever the charset.
    """
    for mark, name in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace")
    try:
        return body.decode(charset or "utf-8", "replace")
    except (LookupError, ValueError):
        # An unknown charset, or something of Python's that is no charset.
        return body.decode("utf-8", "replace")


def _links(page: LexborHTMLParser, url: str, base: str) -> list[str]:
    links: dict[str, None] = {}
    left = MOST_LINK_CHARACTERS
    for node in page.css("a[href], area[href], link[rel=next][href], link[rel=prev][href]"):
        if _UNFOLLOWED & set((node.attributes.get("rel") or "").lower().split()):
            continue
        link = canonical_url(node.attributes.get("href") or "", base)
        if not link or link == url or link in links:
            continue
        left -= len(link)
        if left < 0:
            break
        links[link] = None
        if len(links) == MOST_LINKS:
            break
    return list(links)


def _first(page: LexborHTMLParser, selector: str, attribute: str) -> str:
    node = page.css_first(selector)
    return "" if node is None else (node.attributes.get(attribute) or "")


def _canonical_of(nodes: Iterable[LexborNode]) -> str:
    for node in nodes:
        if "canonical" in (node.attributes.get("rel") or "").lower().split():
            return node.attributes.get("href") or "about:blank"
    # Of no page's scheme: an empty reference would be the page itself.
    return "about:blank"


def _words_for_robots(nodes: Iterable[LexborNode], agent: str) -> list[str]:
    names = ("robots", agent.lower())
    return [
        (node.attributes.get("content") or "")[:2000]
        for node in nodes
        if (node.attributes.get("name") or "").strip().lower() in names
    ][:20]


def _refreshed(nodes: Iterable[LexborNode], base: str) -> str:
    """Where the page sends visitors at once (`<meta http-equiv="refresh" content="0; url=…">`)."""
    for node in nodes:
        if (node.attributes.get("http-equiv") or "").strip().lower() != "refresh":
            continue
        seconds, _, rest = (node.attributes.get("content") or "").partition(";")
        name, _, target = rest.partition("=")
        if seconds.strip() in ("0", "0.0") and name.strip().lower() == "url":
            return canonical_url(target.strip().strip("'\""), base)
    return ""
