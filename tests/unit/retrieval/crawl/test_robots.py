import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.retrieval.crawl.robots import RobotWords, read_robots, robot_words

AGENT = "openplaybook-crawler"
SITE = "https://e.example"


def allowed(text: str, *paths: str) -> list[bool]:
    rules = read_robots(text.encode(), AGENT)
    return [rules.allows(SITE + path) for path in paths]


@pytest.mark.parametrize(
    ("text", "path", "is_allowed"),
    [
        ("", "/a", True),
        ("User-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\nDisallow:", "/a", True),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b", True),
        ("User-agent: *\nDisallow: /*.pdf$", "/x.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x.pdfs", True),
        ("User-agent: *\nDisallow: /é", "/%C3%A9", False),
        ("User-agent: other\nDisallow: /", "/a", True),
        ("User-agent: *\nDisallow: /\nUser-agent: OpenPlaybook-Crawler\nDisallow: /x", "/a", True),
        ("User-agent: OpenPlaybook-Crawler/1.0\nDisallow: /x", "/x", False),
        ("User-agent: openplaybook\nDisallow: /x", "/x", True),
        ("User-agent: other\nUser-agent: *\nDisallow: /x", "/x", False),
        ("user-agent:*\r\ndisallow:/x # why", "/x", False),
        ("\ufeffUser-agent: *\nDisallow: /x", "/x", False),
        ("User-agent: *\nDisallow: /x\n\nUser-agent: *\nDisallow: /y", "/y", False),
        ("Disallow: /", "/a", True),
        ("<html><body>Not found</body></html>", "/a", True),
        ("\x00\xff", "/a", True),
    ],
)
def test_rules_are_read_as_rfc_9309_has_them(text: str, path: str, is_allowed: bool) -> None:
    assert allowed(text, path) == [is_allowed]


def test_a_delay_is_read_from_our_group_and_sitemaps_from_all_lines() -> None:
    text = "Sitemap: /a.xml\nUser-agent: other\nCrawl-delay: 9\nUser-agent: *\nCrawl-delay: 2.5\nSitemap: /b.xml\n"
    rules = read_robots(text.encode(), AGENT)
    assert (rules.delay_s, rules.sitemaps) == (2.5, ("/a.xml", "/b.xml"))
    assert read_robots(b"User-agent: *\nRequest-rate: 1/10s\n", AGENT).delay_s == 10
    assert read_robots(b"User-agent: *\nCrawl-delay: nan\n", AGENT).delay_s == 0
    assert read_robots(b"User-agent: *\nRequest-rate: 1/%s\n" % (b"9" * 4_000), AGENT).delay_s == 10**9
    assert read_robots(b"User-agent: *\nRequest-rate: %s/1\n" % (b"9" * 4_000), AGENT).delay_s == 0


def test_thousands_of_other_crawlers_and_their_rules_cost_nothing() -> None:
    names = "".join(f"User-agent: bot{number}\n" for number in range(10_000))
    rules = "".join(f"Disallow: /{number}\n" for number in range(10_000))
    assert allowed(f"{names}{rules}User-agent: *\nDisallow: /x\n", "/x", "/1") == [False, True]


def test_a_file_of_blanks_is_read_in_proportion_to_its_length() -> None:
    lines = ["User-agent: *", "Disallow: /x", *(f"a:b{' ' * 8_000}c" for _ in range(60)), "Disallow: /y # why"]
    assert allowed("\n".join(lines), "/x", "/y", "/z") == [False, False, True]


def test_many_rules_with_stars_are_work_for_a_thread() -> None:
    few, many = (f"User-agent: *\n{''.join(f'Allow: /*{n}' + chr(10) for n in range(count))}" for count in (20, 2_000))
    assert not read_robots(few.encode(), AGENT).takes_long
    assert read_robots(many.encode(), AGENT).takes_long


def test_a_site_with_more_rules_than_can_be_judged_is_not_crawled() -> None:
    text = "User-agent: *\n" + "".join(f"Allow: /*{number}\n" for number in range(10_001))
    assert allowed(text, "/", "/a1") == [False, False]


LINES = [
    "User-agent: *",
    "user-agent:",
    "Disallow: /",
    "Allow: /a*$",
    "Crawl-delay: x",
    "Crawl-delay: -1",
    "Sitemap: ://",
]


@given(st.lists(st.sampled_from(LINES) | st.text(max_size=12)).map("\n".join), st.text("/a%*$?é", max_size=6))
def test_any_text_is_a_robots_txt(text: str, path: str) -> None:
    rules = read_robots(text.encode("utf-8", "surrogatepass"), AGENT)
    assert isinstance(rules.allows(f"{SITE}/{path}"), bool)
    assert rules.delay_s >= 0


def test_what_is_behind_the_first_half_megabyte_is_not_read() -> None:
    assert allowed("User-agent: *\n" + "#" * 512_000 + "\nDisallow: /x", "/x") == [True]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([], RobotWords()),
        (["index, follow"], RobotWords()),
        (["NOINDEX"], RobotWords(is_indexed=False)),
        (["noindex, nofollow"], RobotWords(False, False)),
        (["none"], RobotWords(False, False)),
        (["max-snippet: 20", " nofollow "], RobotWords(is_followed=False)),
        (["otherbot: noindex"], RobotWords()),
        (["otherbot: noindex, nofollow"], RobotWords()),
        (["OpenPlaybook-Crawler: noindex"], RobotWords(is_indexed=False)),
        (["unavailable_after: 25 Jun 2010 15:00:00 PST, noindex"], RobotWords(is_indexed=False)),
        (["nonindex"], RobotWords()),
    ],
)
def test_a_page_says_whether_it_is_indexed_and_followed(values: list[str], words: RobotWords) -> None:
    assert robot_words(values, AGENT) == words
