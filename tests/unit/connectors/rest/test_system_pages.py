"""Where the next page is, by each kind of paging, and that it is never on another host."""

import pytest

from openplaybook.connectors.errors import InvalidValue, SystemFault
from openplaybook.connectors.rest.manifest.kinds import PagingKind
from openplaybook.connectors.rest.manifest.list_model import PagingManifest
from openplaybook.connectors.rest.system_pages import (
    SystemPage,
    is_address,
    next_cursor,
    page_parameters,
    page_size,
)
from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonValue

URL = "https://api.acme.example/v1/items"
OFFSET = PagingManifest(PagingKind.OFFSET, "start", size_param="limit", most=100)
PAGE = PagingManifest(PagingKind.PAGE, "page", size_param="per_page", first=1)
CURSOR = PagingManifest(PagingKind.CURSOR, "after", next="meta.next")
LINK = PagingManifest(PagingKind.LINK_HEADER)
NEXT_URL = PagingManifest(PagingKind.NEXT_URL, next="next")
IN_URL = PagingManifest(PagingKind.NEXT_URL, param="cursor", next="next")


def page(reply: JsonValue = None, count: int = 2, size: int = 2, *headers: tuple[str, str]) -> SystemPage:
    items: list[JsonValue] = [{"id": number} for number in range(count)]
    return SystemPage(URL, HttpResponse(200, headers, b"", False, 0.0), reply, items, size)


def test_the_size_is_what_the_system_gives_at_most() -> None:
    assert [page_size(OFFSET, wanted) for wanted in (0, 1, 100, 200)] == [1, 1, 100, 100]


def test_the_first_page_is_asked_for_without_a_cursor() -> None:
    assert page_parameters(OFFSET, None, 10) == [("limit", 10), ("start", 0)]
    assert page_parameters(PAGE, None, 10) == [("per_page", 10)]
    assert page_parameters(CURSOR, None, 10) == []


def test_the_next_page_is_asked_for_with_its_number_or_cursor() -> None:
    assert page_parameters(OFFSET, 20, 10) == [("limit", 10), ("start", 20)]
    assert page_parameters(PAGE, 3, 10) == [("per_page", 10), ("page", 3)]
    assert page_parameters(CURSOR, "abc", 10) == [("after", "abc")]


def test_an_offset_grows_by_what_came_and_a_page_by_one() -> None:
    assert next_cursor(OFFSET, None, page()) == 2
    assert next_cursor(OFFSET, 4, page()) == 6
    assert next_cursor(PAGE, None, page()) == 2
    assert next_cursor(PAGE, 2, page()) == 3


@pytest.mark.parametrize("paging", [OFFSET, PAGE])
def test_a_page_that_is_not_full_is_the_last(paging: PagingManifest) -> None:
    assert next_cursor(paging, None, page(count=1)) is None
    assert next_cursor(paging, None, page(count=0)) is None


def test_the_end_is_where_the_total_or_the_number_of_pages_says() -> None:
    totalled = PagingManifest(PagingKind.OFFSET, "start", total="total")
    assert next_cursor(totalled, 2, page({"total": 5})) == 4
    assert next_cursor(totalled, 2, page({"total": "4"})) is None
    counted = PagingManifest(PagingKind.PAGE, "page", first=1, pages="header.X-Pages")
    assert next_cursor(counted, 1, page(None, 2, 2, ("X-Pages", "2"))) == 2
    assert next_cursor(counted, 2, page(None, 2, 2, ("X-Pages", "2"))) is None


def test_the_end_is_where_the_reply_says_so_also_with_a_full_page() -> None:
    last = PagingManifest(PagingKind.OFFSET, "start", last="isLast")
    assert next_cursor(last, None, page({"isLast": True})) is None
    assert next_cursor(last, None, page({"isLast": False}, count=1)) == 1
    more = PagingManifest(PagingKind.CURSOR, "after", next="last_item.id", more="has_more")
    assert next_cursor(more, None, page({"has_more": False})) is None
    assert next_cursor(more, None, page({"has_more": True})) == 1


def test_a_cursor_is_found_in_the_reply_its_last_item_or_a_header() -> None:
    assert next_cursor(CURSOR, None, page({"meta": {"next": "abc"}})) == "abc"
    assert next_cursor(CURSOR, None, page({"meta": {"next": ""}})) is None
    header = PagingManifest(PagingKind.CURSOR, "after", next="header.X-Next")
    assert next_cursor(header, None, page(None, 2, 2, ("x-next", "abc"))) == "abc"


def test_a_system_that_gives_the_same_cursor_twice_is_not_followed_for_ever() -> None:
    with pytest.raises(SystemFault, match="twice"):
        next_cursor(CURSOR, "abc", page({"meta": {"next": "abc"}}))


@pytest.mark.parametrize(
    "header",
    [
        '</v1/items?page=2>; rel="next"',
        '<https://api.acme.example/v1/items?page=2>; rel=next, <x>; rel="last"',
        '<x>; rel="prev", <https://API.acme.example:443/v1/items?page=2>; title="a, b"; rel="last next"',
    ],
)
def test_a_link_to_the_next_page_is_followed(header: str) -> None:
    assert next_cursor(LINK, None, page(None, 2, 2, ("Link", header))) == "/v1/items?page=2"


def test_without_a_link_to_the_next_page_there_is_none() -> None:
    assert next_cursor(LINK, None, page(None, 2, 2, ("Link", '<x>; rel="prev"; title="next"'))) is None
    assert next_cursor(NEXT_URL, None, page({"next": None})) is None


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/v1/items?page=2",
        "http://api.acme.example/v1/items",
        "https://api.acme.example:8443/v1/items",
        "//evil.example/x",
        "https://api.acme.example@evil.example/x",
        "ftp://api.acme.example/x",
    ],
)
def test_a_next_page_on_another_origin_is_not_asked_for(target: str) -> None:
    with pytest.raises(SystemFault, match="another host"):
        next_cursor(NEXT_URL, None, page({"next": target}))
    with pytest.raises(SystemFault, match="another host"):
        next_cursor(LINK, None, page(None, 2, 2, ("Link", f'<{target}>; rel="next"')))


def test_an_offset_beyond_what_the_system_lists_is_refused_with_the_reason() -> None:
    paging = PagingManifest(PagingKind.OFFSET, "from", max_offset=10_000)
    assert page_parameters(paging, 10_000, 100) == [("from", 10_000)]
    with pytest.raises(InvalidValue, match="beyond the 10,000 entities"):
        page_parameters(paging, 10_100, 100)


def test_of_a_next_page_elsewhere_its_cursor_is_sent_to_the_address_that_was_asked() -> None:
    reply: JsonValue = {"next": "https://other.example/a?limit=2&cursor=x%3D1"}
    assert next_cursor(IN_URL, None, page(reply)) == "x=1"
    assert page_parameters(IN_URL, "x=1", 2) == [("cursor", "x=1")]
    assert not is_address(IN_URL, "x=1")
    assert next_cursor(IN_URL, None, page({"next": "/a?limit=2"})) is None
    with pytest.raises(SystemFault, match="twice"):
        next_cursor(IN_URL, "x=1", page(reply))
