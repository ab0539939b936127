import pytest

from openplaybook.retrieval.crawl.base import CrawlLimits, SkipReason
from openplaybook.retrieval.crawl.url_traps import UrlTraps, shape

SITE = "https://e.example"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/", None),
        ("/a/b/a/b", None),
        ("/a/b/a/b/a/b", SkipReason.REPEATED_PATH),
        ("/x/a/a/a", SkipReason.REPEATED_PATH),
        ("/a/x/a/y/a", None),
        ("/a/x/a/y/a/z/a", SkipReason.REPEATED_PATH),
        ("/2011/11/11/11/news", None),
        ("/" + "/".join(map(chr, range(97, 121))), None),
        ("/" + "/".join(map(chr, range(97, 122))), SkipReason.LONG_PATH),
        ("/photo.JPG", SkipReason.MEDIA_TYPE),
        ("/data.tar.gz", SkipReason.MEDIA_TYPE),
        ("/js", None),
        ("/about.html", None),
        ("/manual.pdf", None),
        ("/photo.jpg/details", None),
        ("/?a&b&c&d&e&f&g&h", None),
        ("/?a&b&c&d&e&f&g&h&i", SkipReason.MANY_PARAMETERS),
    ],
)
def test_a_url_is_judged_by_itself(path: str, reason: SkipReason | None) -> None:
    assert UrlTraps(CrawlLimits()).verdict(SITE + path) is reason


def test_pages_that_differ_in_numbers_alone_are_taken_up_to_a_limit() -> None:
    traps = UrlTraps(CrawlLimits(shape_pages=3))
    verdicts = [traps.verdict(f"{SITE}/calendar/{month}") for month in range(5)]
    assert verdicts == [None] * 3 + [SkipReason.MANY_ALIKE] * 2
    assert traps.verdict(f"{SITE}/archive/1") is None


def test_pages_that_differ_in_their_query_alone_are_taken_up_to_a_limit() -> None:
    traps = UrlTraps(CrawlLimits(path_queries=2))
    verdicts = [traps.verdict(f"{SITE}/search?{name}=x") for name in "abc"]
    assert verdicts == [None, None, SkipReason.MANY_QUERIES]
    assert traps.verdict(f"{SITE}/search") is None
    assert traps.verdict(f"{SITE}/other?a=x") is None


def test_what_is_counted_elsewhere_leaves_less_to_links() -> None:
    traps = UrlTraps(CrawlLimits(shape_pages=2))
    traps.count(f"{SITE}/a/1")
    traps.count(f"{SITE}/a/2")
    assert traps.verdict(f"{SITE}/a/3") is SkipReason.MANY_ALIKE


def test_a_shape_is_a_url_without_its_numbers_and_values() -> None:
    assert shape(f"{SITE}/p/12-of-300?a=1&b=x") == f"{SITE}/p/#-of-#?a&b"
    assert shape(f"{SITE}/o/d41d8cd98f00b204e9800998ecf8427e") == f"{SITE}/o/#?"
