import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from openplaybook.retrieval.crawl.page_urls import MAX_URL, canonical_url

SPELLINGS = {
    "HTTP://Example.COM": "http://example.com/",
    "http://example.com:80/": "http://example.com/",
    "https://example.com:443/a": "https://example.com/a",
    "https://example.com:8443/a": "https://example.com:8443/a",
    "https://example.com./a": "https://example.com/a",
    "https://bücher.example/": "https://xn--bcher-kva.example/",
    "https://BÜCHER.example/": "https://xn--bcher-kva.example/",
    "http://[2001:DB8:0::1]/": "http://[2001:db8::1]/",
    "https://e.example/a#part": "https://e.example/a",
    "https://e.example/a?": "https://e.example/a",
    "https://e.example/%7Euser/%c3%a9": "https://e.example/~user/%C3%A9",
    "https://e.example/é": "https://e.example/%C3%A9",
    "https://e.example/100%": "https://e.example/100%25",
    "https://e.example/%%35": "https://e.example/%255",
    "https://e.example/a/./b/../c": "https://e.example/a/c",
    "https://e.example/a/%2e%2E/b": "https://e.example/b",
    "https://e.example/../../a": "https://e.example/a",
    "https://e.example/a/..": "https://e.example/",
    "https://e.example/a/b/..": "https://e.example/a/",
    "https://e.example/a b": "https://e.example/a%20b",
    "https://e.example\\a\\b": "https://e.example/a/b",
    " \t\nhttps://e.example/a\n/b \x00": "https://e.example/a/b",
    "https://e.example/a;jsessionid=12ab?x=1": "https://e.example/a?x=1",
    "https://e.example/a?utm_source=mail&b=2&gclid=z&a=1&PHPSESSID=9": "https://e.example/a?a=1&b=2",
    "https://e.example/a?b=2&a=3&a=1&&": "https://e.example/a?a=3&a=1&b=2",
    "https://e.example/a?q=a%2Fb+c&r=[1]": "https://e.example/a?q=a%2Fb+c&r=%5B1%5D",
    "https://e.example/A/B": "https://e.example/A/B",
    "https://e.example//a": "https://e.example//a",
}

NONE = [
    "",
    "about",
    "ftp://e.example/",
    "javascript:alert(1)",
    "mailto:a@e.example",
    "data:text/html,x",
    "file:///etc/passwd",
    "https://user@e.example/",
    "https://user:secret@e.example/",
    "http://127.1/",
    "http://0x7f000001/",
    "http://[::1",
    "http://e.example:99999/",
    "http:///a",
    "https://e.example/" + "a" * MAX_URL,
]


@pytest.mark.parametrize("url", SPELLINGS, ids=repr)
def test_a_url_has_one_spelling(url: str) -> None:
    assert canonical_url(url) == SPELLINGS[url]


@pytest.mark.parametrize("url", NONE, ids=lambda url: repr(url[:40]))
def test_what_is_no_pages_url_has_none(url: str) -> None:
    assert canonical_url(url) == ""


@pytest.mark.parametrize(
    ("reference", "url"),
    [
        ("b", "https://e.example/docs/b"),
        ("/b?x=1", "https://e.example/b?x=1"),
        ("?x=1", "https://e.example/docs/a?x=1"),
        ("//other.example/c", "https://other.example/c"),
        ("\\\\other.example\\c", "https://other.example/c"),
        ("../../..", "https://e.example/"),
        ("#top", "https://e.example/docs/a"),
        ("", "https://e.example/docs/a"),
        ("http:x", ""),
        ("mailto:a@b", ""),
    ],
)
def test_a_reference_is_read_against_its_page(reference: str, url: str) -> None:
    assert canonical_url(reference, "https://e.example/docs/a") == url


HOSTS = st.sampled_from(
    ["e.example", "E.Example.", "bücher.example", "[::1]", "127.0.0.1", "e.example:80", "a_b.c:8080"]
)
TEXTS = st.text(st.sampled_from("ab/.%25e2E?&=;#\\ é\u2028\ud800*[]+:@~\t"), max_size=40)


@given(st.sampled_from(["http://", "https://", "HTTPS://"]), HOSTS, TEXTS)
@example("http://", "e.example", "/%2e%2e/%252e")
@example("http://", "e.example", "/a?%75tm_source=1&b")
@example("http://", "e.example", "/a;jsession%69d=1;jsessionid=;jsessionid=2/..")
def test_the_one_spelling_is_its_own(scheme: str, host: str, rest: str) -> None:
    once = canonical_url(f"{scheme}{host}{rest}")
    assert canonical_url(once) == once
    assert once.isascii()


@given(TEXTS, TEXTS)
def test_a_reference_of_any_kind_has_a_spelling_or_none(base: str, reference: str) -> None:
    url = canonical_url(reference, canonical_url(f"https://e.example/{base}"))
    assert canonical_url(url) == url
