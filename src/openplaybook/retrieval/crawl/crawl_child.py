"""What the child processes of crawls do: they read pages of HTML and sitemaps, both of which come from strangers.

A job is a line of JSON and what came; its answer is JSON, and read by `page_notes`. The line has the `kind` of what
came and its `url`, that of a page besides the `charset` and our product token, the `agent`.
"""

from collections.abc import Callable, Mapping
from typing import Final

from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.retrieval.crawl.page_links import notes_of
from openplaybook.retrieval.crawl.sitemaps import read_sitemap
from openplaybook.retrieval.errors import InvalidSource

PAGE: Final = "page"
SITEMAP: Final = "sitemap"
"""Kinds of what came."""


def task(job: bytearray) -> bytes:
    """The answer to one job."""
    head, _, body = bytes(job).partition(b"\n")
    del job
    asked = as_object(loads(head))
    return dumps(_KINDS[asked["kind"]](body, asked))


def _page(body: bytes, asked: JsonObject) -> JsonObject:
    return notes_of(body, asked["url"], asked["charset"], asked["agent"])


def _sitemap(body: bytes, asked: JsonObject) -> JsonObject:
    """What a sitemap lists; why it cannot be read, as `refusal`."""
    try:
        found = read_sitemap(body, asked["url"])
    except InvalidSource as error:
        return {"refusal": str(error)}
    return {"pages": [*found.pages], "sitemaps": [*found.sitemaps], "isCut": found.is_cut}


_KINDS: Final[Mapping[str, Callable[[bytes, JsonObject], JsonObject]]] = {PAGE: _page, SITEMAP: _sitemap}
