import pytest

from openplaybook.retrieval.crawl.url_patterns import MOST_PATTERNS, MOST_STARS, UrlPatterns, page_pattern, url_pattern
from openplaybook.retrieval.errors import InvalidSource

GENERATED = {
    ("www.example.com/docs/*", False): "www.example.com/docs/*",
    ("https://www.Example.com/docs/*", False): "www.example.com/docs/*",
    ("www.example.com", False): "www.example.com/*",
    ("www.example.com/faq", False): "www.example.com/faq*",
    ("www.example.com/faq", True): "www.example.com/faq",
    ("www.example.com/faq?id=*", True): "www.example.com/faq?id=*",
    ("*.example.com/*", False): "*.example.com/*",
    ("example.com:8080/a", True): "example.com:8080/a",
    ("example.com:443/a", True): "example.com/a",
    ("//example.com/a#part", True): "example.com/a",
    ("bücher.example/é/*", False): "xn--bcher-kva.example/%C3%A9/*",
    ("[::1]:81/*", False): "[::1]:81/*",
    ("example.com?x=1", True): "example.com/?x=1",
}


@pytest.mark.parametrize(("provided", "is_exact"), GENERATED)
def test_a_target_site_has_a_pattern(provided: str, is_exact: bool) -> None:
    assert url_pattern(provided, is_exact=is_exact).generated == GENERATED[provided, is_exact]


@pytest.mark.parametrize(
    "provided",
    [
        "",
        " ",
        "*",
        "*/docs",
        "*.com/*",
        "a b.com",
        "user@example.com/",
        "127.1/*",
        "ex*mple.com",
        "x" * 3000,
        "e.example/" + "*a" * 21,
    ],
)
def test_what_names_no_host_beyond_doubt_is_no_pattern(provided: str) -> None:
    with pytest.raises(InvalidSource, match="URL pattern"):
        url_pattern(provided)


@pytest.mark.parametrize(
    ("provided", "is_exact", "url", "matches"),
    [
        ("www.example.com/docs/*", False, "https://www.example.com/docs/a", True),
        ("www.example.com/docs/*", False, "http://www.example.com/docs/", True),
        ("www.example.com/docs/*", False, "http://www.example.com/docs", True),
        ("www.example.com/docs/*", False, "http://www.example.com/docsy", False),
        ("www.example.com/docs/*", False, "http://www.example.com:8080/docs/", False),
        ("www.example.com/docs/*", False, "http://example.com/docs/a", False),
        ("www.example.com/docs/*", False, "http://evil.example/www.example.com/docs/a", False),
        ("www.example.com/docs/*", False, "http://www.example.com.evil.example/docs/a", False),
        ("www.example.com", False, "https://www.example.com/", True),
        ("www.example.com/faq", True, "https://www.example.com/faq", True),
        ("www.example.com/faq", True, "https://www.example.com/faq/", True),
        ("www.example.com/faq", True, "https://www.example.com/faq?x=1", False),
        ("www.example.com/faq", True, "https://www.example.com/faq/more", False),
        ("www.example.com/faq", False, "https://www.example.com/faq?x=1", True),
        ("*.example.com/*", False, "https://example.com/", True),
        ("*.example.com/*", False, "https://a.b.example.com/x", True),
        ("*.example.com/*", False, "https://evilexample.com/x", False),
        ("example.com/*/print", True, "https://example.com/a/b/print", True),
        ("example.com/*/print", True, "https://example.com/a/b/prints", False),
        ("example.com/a*b*c", True, "https://example.com/aXbYc", True),
        ("example.com/a*b*c", True, "https://example.com/aXcYb", False),
        ("example.com/ab*ba", True, "https://example.com/aba", False),
        ("example.com/*.pdf", True, "https://example.com/x.pdf", True),
        ("example.com/Docs", False, "https://example.com/docs", False),
    ],
)
def test_a_pattern_means_these_urls(provided: str, is_exact: bool, url: str, matches: bool) -> None:
    assert url_pattern(provided, is_exact=is_exact).matches(url) is matches


def test_what_is_excluded_is_out_whatever_includes_it() -> None:
    patterns = UrlPatterns((url_pattern("e.example/*"),), (url_pattern("e.example/search/*"),))
    urls = ["https://e.example/a", "https://e.example/search/a", "https://other.example/"]
    assert [patterns.allows(url) for url in urls] == [True, False, False]
    assert [patterns.includes(url) for url in urls] == [True, True, False]


def test_many_stars_are_matched_in_a_moment() -> None:
    pattern = url_pattern("e.example/" + "*a" * MOST_STARS, is_exact=True)
    assert pattern.matches("https://e.example/" + "a" * 2000)
    assert not pattern.matches("https://e.example/" + "a" * (MOST_STARS - 1) + "b" * 2000)


def test_more_sites_than_a_store_may_have_are_refused() -> None:
    with pytest.raises(InvalidSource, match=f"at most {MOST_PATTERNS}"):
        UrlPatterns((url_pattern("e.example/*"),) * (MOST_PATTERNS + 1))


def test_a_crawl_can_begin_where_the_patterns_begin() -> None:
    provided = ["www.example.com/docs/*", "*.e.example/*", "e.example:81/a/b*c", "[::1]/x", "HTTP://plain.example/*"]
    patterns = UrlPatterns(tuple(url_pattern(each, is_exact=True) for each in provided))
    assert list(patterns.seeds()) == [
        "https://www.example.com/docs/",
        "https://e.example/",
        "https://e.example:81/a/",
        "https://[::1]/x",
        "http://plain.example/",
    ]


def test_other_patterns_have_another_digest() -> None:
    one = UrlPatterns((url_pattern("e.example/*"),))
    other = UrlPatterns((url_pattern("e.example/*"),), (url_pattern("e.example/x"),))
    assert one.digest == UrlPatterns((url_pattern("https://e.example"),)).digest != other.digest


@pytest.mark.parametrize("url", ["https://e.example/docs/*", "http://e.example:8080/a?b=*", "https://[::1]/a"])
def test_the_pattern_of_a_page_means_it_alone(url: str) -> None:
    pattern = page_pattern(url)
    assert pattern.matches(url)
    assert not pattern.matches(url.replace("*", "b") + "c")
    assert UrlPatterns((pattern,)).seeds() == (url,)
