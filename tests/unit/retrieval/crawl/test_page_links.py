import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.crawl.page_links import MOST_LINK_CHARACTERS, MOST_LINKS, decoded, notes_of

URL = "https://e.example/docs/a"


def notes(page: str | bytes, charset: str = "") -> JsonObject:
    body = page.encode() if isinstance(page, str) else page
    return notes_of(body, URL, charset, "openplaybook-crawler")


def test_links_are_found_once_in_their_order_and_spelling() -> None:
    page = """<a href=b>b</a><a href="/c?utm_source=x">c</a><a href="#top">t</a><a href=B>B</a><a href="b#x">b</a>
      <area href=//other.example><link rel="next" href="?page=2"><link rel=stylesheet href=s.css>
      <a>none</a><a href>empty</a><a href="javascript:x()">j</a><a href="mailto:a@b">m</a><a href="http://u:p@h/">u</a>
      <iframe src=frame></iframe><form action=send></form><A HREF=' d '>d</A>"""
    assert notes(page)["links"] == [
        "https://e.example/docs/b",
        "https://e.example/c",
        "https://e.example/docs/B",
        "https://other.example/",
        "https://e.example/docs/a?page=2",
        "https://e.example/docs/d",
    ]


@pytest.mark.parametrize("rel", ["nofollow", "NOFOLLOW noopener", "ugc", "sponsored"])
def test_links_that_the_page_does_not_vouch_for_are_left_out(rel: str) -> None:
    assert notes(f'<a rel="{rel}" href=b>b</a>')["links"] == []


def test_what_stands_in_comments_and_scripts_is_no_link() -> None:
    page = "<!-- <a href=a1> --><script>'<a href=a2>'</script><template><a href=a3></template><textarea><a href=a4>"
    assert notes(page)["links"] == []


@pytest.mark.parametrize(
    ("base", "link"),
    [
        ('<base href="/other/">', "https://e.example/other/b"),
        ('<base href="http://x.example">', "http://x.example/b"),
        ('<base href="javascript:x">', "https://e.example/docs/b"),
        ("<base target=x>", "https://e.example/docs/b"),
    ],
)
def test_links_are_read_against_the_base(base: str, link: str) -> None:
    assert notes(f"{base}<a href=b>b</a>")["links"] == [link]


@pytest.mark.parametrize(
    ("head", "canonical"),
    [
        ('<link rel="canonical" href="/c#x">', "https://e.example/c"),
        ('<link rel="alternate Canonical" href="http://x.example">', "http://x.example/"),
        ('<link rel="canonical" href="">', ""),
        ('<link rel="alternate" href="/c">', ""),
        ("", ""),
    ],
)
def test_the_url_under_which_a_page_wants_to_be_known_is_found(head: str, canonical: str) -> None:
    assert notes(head)["canonical"] == canonical


def test_words_for_robots_are_those_for_all_and_for_us() -> None:
    page = """<meta name=robots content=noindex><meta name="OpenPlaybook-Crawler" content="nofollow">
      <meta name=otherbot content=none><meta name=robots>"""
    assert notes(page)["robots"] == ["noindex", "nofollow"]


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=/b", "https://e.example/b"),
        ("0;URL='b'", "https://e.example/docs/b"),
        ("5; url=/b", ""),
        ("0", ""),
        ("0; url=javascript:x()", ""),
    ],
)
def test_a_page_may_send_its_visitors_on(content: str, target: str) -> None:
    assert notes(f'<meta http-equiv="Refresh" content="{content}">')["refresh"] == target


def test_no_more_links_are_taken_than_a_page_may_have() -> None:
    many = notes("".join(f"<a href=/{number}>x</a>" for number in range(MOST_LINKS + 1)))["links"]
    assert len(many) == MOST_LINKS
    long = notes("".join(f"<a href=/{number}{'x' * 2_000}>x</a>" for number in range(1_000)))["links"]
    assert MOST_LINK_CHARACTERS - 4_000 < sum(map(len, long)) <= MOST_LINK_CHARACTERS


@pytest.mark.parametrize(
    ("body", "charset", "text"),
    [
        ("é".encode(), "", "é"),
        ("é".encode("latin-1"), "iso-8859-1", "é"),
        ("é".encode("latin-1"), "", "\ufffd"),
        ("é".encode(), "no-such-charset", "é"),
        ("é".encode(), "zip", "é"),
        ("é".encode(), "rot13", "é"),
        ("é".encode("utf-16"), "iso-8859-1", "é"),
        ("\ufeffé".encode(), "iso-8859-1", "é"),
        (b"", "", ""),
    ],
)
def test_any_bytes_are_a_text(body: bytes, charset: str, text: str) -> None:
    assert decoded(body, charset) == text


@pytest.mark.parametrize(
    "page", [b"", b"\x00" * 1000, bytes(range(256)) * 20, b"<" * 5000, b"<a href=" * 500, b"%PDF-1.7"]
)
def test_nonsense_is_a_page_without_links_that_count(page: bytes) -> None:
    assert len(notes(page)["links"]) <= 1
