import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.retrieval.crawl.page_urls import canonical_url
from openplaybook.retrieval.crawl.sitemaps import MOST_CHARACTERS, MOST_UNPACKED, Sitemap, read_sitemap
from openplaybook.retrieval.errors import InvalidSource

URL = "https://e.example/sitemap.xml"
SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def pages(*locations: str) -> bytes:
    urls = "".join(f"<url><loc>{each}</loc><lastmod>2024-01-01</lastmod></url>" for each in locations)
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset {SPACE}>{urls}</urlset>'.encode()


def test_pages_are_listed_once_and_in_one_spelling() -> None:
    body = pages(
        "https://E.example/a", " \n https://e.example/b?x=1&amp;a=2 ", "/c", "https://e.example/a#x", "ftp://x/"
    )
    listed = ("https://e.example/a", "https://e.example/b?a=2&x=1", "https://e.example/c")
    assert read_sitemap(body, URL) == Sitemap(listed)


def test_an_index_lists_sitemaps() -> None:
    body = f"<sitemapindex {SPACE}><sitemap><loc>/one.xml.gz</loc></sitemap></sitemapindex>"
    assert read_sitemap(body.encode(), URL) == Sitemap(sitemaps=("https://e.example/one.xml.gz",))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_the_encoding_is_that_of_the_xml(encoding: str) -> None:
    declared = '<?xml version="1.0" encoding="ISO-8859-1"?>' if encoding == "latin-1" else ""
    body = f"{declared}<urlset><url><loc>https://e.example/é</loc></url></urlset>".encode(encoding)
    assert read_sitemap(body, URL).pages == ("https://e.example/%C3%A9",)


def test_prefixes_and_extensions_are_no_matter() -> None:
    body = """<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="x"><s:url>
      <s:loc>https://e.example/a</s:loc><i:image><i:loc>https://e.example/a.png</i:loc></i:image></s:url></s:urlset>"""
    assert read_sitemap(body.encode(), URL).pages == ("https://e.example/a",)


def test_a_list_in_plain_text_is_a_sitemap_too() -> None:
    assert read_sitemap(b"https://e.example/a\r\n\r\n/b\nnonsense://\n", URL).pages == (
        "https://e.example/a",
        "https://e.example/b",
    )


def test_gzip_is_unpacked() -> None:
    assert read_sitemap(gzip.compress(pages("/a")), URL).pages == ("https://e.example/a",)


def test_no_more_entries_are_taken_than_a_sitemap_may_have() -> None:
    entries = [f"/{number}" for number in range(12)]
    sitemap = read_sitemap(pages(*entries), URL, most=10)
    assert (len(sitemap.pages), sitemap.is_cut) == (10, True)
    text = read_sitemap("\n".join(entries).encode(), URL, most=10)
    assert (len(text.pages), text.is_cut) == (10, True)
    assert not read_sitemap(pages(*entries), URL, most=12).is_cut
    long = read_sitemap(pages(*(f"/{number}{'x' * 2_000}" for number in range(MOST_CHARACTERS // 2_000))), URL)
    assert (long.is_cut, sum(map(len, long.pages)) <= MOST_CHARACTERS) == (True, True)


PIECES = [
    *(
        b"<urlset>",
        b"<url>",
        b"<loc>",
        b"/a?b",
        b"</loc>",
        b"</url>",
        b"</urlset>",
        b"\n",
        b"&amp;",
        b"&#0;",
        b"<![CDATA[",
    ),
    *(
        b"<!DOCTYPE a [",
        b"<?xml version='1.0' encoding='",
        b"utf-16",
        b"'?>",
        b"\x1f\x8b",
        b"\xff\xfe",
        b"]]>",
        b"<!--",
    ),
]
HOSTILE = {
    "entity": b'<!DOCTYPE u [<!ENTITY a "b">]><urlset><url><loc>&a;</loc></url></urlset>',
    "billion laughs": b'<!DOCTYPE u [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><urlset><loc>&b;</loc></urlset>',
    "external entity": b'<!DOCTYPE u [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><loc>&a;</loc></urlset>',
    "parameter entity": b'<!DOCTYPE u [<!ENTITY % a SYSTEM "http://127.0.0.1/x"> %a;]><urlset/>',
    "undeclared entity": b"<urlset><url><loc>&a;</loc></url></urlset>",
    "depth": b"<a>" * 100_000,
    "broken": b"<urlset><url>",
    "nothing": b"<",
    "encoding": b'<?xml version="1.0" encoding="none-such"?><urlset/>',
    "broken gzip": gzip.compress(pages("/a"))[:-20],
    "no gzip": b"\x1f\x8bnonsense",
    "gzip bomb": gzip.compress(bytes(MOST_UNPACKED + 1)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_sitemap_is_refused(name: str) -> None:
    with pytest.raises(InvalidSource, match="sitemap"):
        read_sitemap(HOSTILE[name], URL)


@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=8)).map(b"".join))
def test_any_bytes_are_a_sitemap_or_refused(body: bytes) -> None:
    try:
        sitemap = read_sitemap(body, URL)
    except InvalidSource:
        return
    assert all(canonical_url(page) == page for page in sitemap.pages)


def test_a_document_type_elsewhere_is_not_read() -> None:
    body = b'<!DOCTYPE urlset SYSTEM "http://127.0.0.1:1/x.dtd"><urlset><url><loc>/a</loc></url></urlset>'
    assert read_sitemap(body, URL).pages == ("https://e.example/a",)


def test_a_page_of_html_in_its_place_lists_nothing() -> None:
    assert read_sitemap(b"<html><body><p>Not found</p></body></html>", URL) == Sitemap()
