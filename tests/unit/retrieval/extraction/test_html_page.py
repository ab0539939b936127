"""HTML pages in blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import BlockKind, ExtractionLimits, ExtractionOptions
from openplaybook.retrieval.extraction.html_page import PageFacts, read_page

LIMITS = ExtractionLimits()
PAGE = """<!doctype html><html lang="de-CH"><head><title> Katzen
 | Zoo</title><link rel="Canonical" href="/tiere/katzen"></head><body>
<header><a href="/">Zoo Bern</a></header><nav><ul><li>Start<li>Tickets</ul></nav>
<main><h1>Katzen<a href="#k">¶</a></h1>
<p>Katzen brauchen <b>viel</b> Wasser,<br>besonders im Sommer. <span class="ad">Jetzt kaufen!</span></p>
<h2 id="food">Futter</h2><ul><li>Fleisch<li>Fisch<ul><li>Lachs</ul></ul>
<table><caption>Preise</caption><tr><th>Name<th>Preis<tr><td>Fisch<td>3 Franken</table>
<pre>eins
  zwei</pre>
<div>Ohne Absatz <em>im Text</em><p>Mit Absatz.</p>Danach</div><p hidden>Versteckt</p><script>var x = "nein"</script>
<aside>Werbung</aside></main><footer>Impressum und Kontakt</footer></body></html>"""


def page(html: str, **options: tuple[str, ...]) -> PageFacts:
    return read_page(html, "https://zoo.example/x/y.html", ExtractionOptions(**options), LIMITS)  # pyright: ignore[reportArgumentType]


def texts(facts: PageFacts) -> list[str]:
    return [block.text for block in facts.blocks]


def test_the_main_content_is_read_in_its_order() -> None:
    found = page(PAGE)
    assert [(block.kind.value, block.level, block.text) for block in found.blocks] == [
        ("heading", 1, "Katzen"),
        ("paragraph", 0, "Katzen brauchen viel Wasser, besonders im Sommer. Jetzt kaufen!"),
        ("heading", 2, "Futter"),
        ("list", 0, "Fleisch\nFisch\nLachs"),
        ("paragraph", 0, "Preise"),
        ("table", 0, "Name | Preis\nFisch | 3 Franken"),
        ("paragraph", 0, "eins\n  zwei"),
        ("paragraph", 0, "Ohne Absatz im Text"),
        ("paragraph", 0, "Mit Absatz."),
        ("paragraph", 0, "Danach"),
    ]
    assert [block.header_lines for block in found.blocks if block.kind is BlockKind.TABLE] == [1]


def test_a_page_says_its_title_its_language_and_its_address() -> None:
    found = page(PAGE)
    assert (found.title, found.language, found.uri) == ("Katzen | Zoo", "de", "https://zoo.example/tiere/katzen")


@pytest.mark.parametrize(
    ("head", "address"),
    [
        ('<link rel="canonical" href="javascript:alert(1)">', ""),
        ('<link rel="canonical" href="http://[">', ""),
        ('<link rel="canonical" href="">', ""),
        ('<link rel="alternate" href="/b">', ""),
        ('<link rel="canonical" href="https://other.example/b?c">', "https://other.example/b?c"),
    ],
)
def test_a_canonical_address_is_one_of_the_web(head: str, address: str) -> None:
    assert page(f"<html><head>{head}</head><body><p>x").uri == address


def test_elements_classes_and_ids_are_left_out_with_all_that_they_contain() -> None:
    found = page(
        PAGE, exclude_html_elements=("TABLE", "ul", "li"), exclude_html_classes=("ad",), exclude_html_ids=("food",)
    )
    assert texts(found)[:3] == ["Katzen", "Katzen brauchen viel Wasser, besonders im Sommer.", "eins\n  zwei"]


def test_a_page_without_main_content_is_read_whole() -> None:
    assert texts(page("<title>x</title><p>one<p>two")) == ["one", "two"]


def test_a_heading_without_kept_text_below_it_is_left_out_with_it() -> None:
    article = "".join(
        f"<p>The cat drinks much water on day {day}, as all cats of the house do.</p>" for day in range(20)
    )
    html = f"<body><div id=a><h1>Cats</h1><h2>Water</h2>{article}</div><div class=related><h2>More</h2></div>"
    assert texts(page(html))[:2] == ["Cats", "Water"]
    assert "More" not in texts(page(html))


def test_cells_hold_tables_that_lay_out_a_page() -> None:
    found = texts(page("<table><tr><td><h1>Cats</h1><p>Drink.</p><table><tr><td>a<td>b</table></td></tr></table>"))
    assert found == ["Cats", "Drink.", "a | b"]


def test_elements_too_deep_within_each_other_are_refused() -> None:
    with pytest.raises(InvalidSource, match="its elements lie in each other more than 400 levels deep"):
        page("<div>" * 3_000 + "x")


PARTS = [
    "<p>",
    "</p>",
    "<div class='ad x'>",
    "</div>",
    "<ul>",
    "<li>",
    "</ul>",
    "<table>",
    "<tr>",
    "<td>",
    "<th>",
    "<h2>",
]
MORE_PARTS = [
    "</h2>",
    "<pre>",
    "<b>",
    "</b>",
    "<!--",
    "-->",
    "<nav id=n>",
    "</nav>",
    "<main>",
    "<br>",
    "<svg>",
    "&amp;",
    "a b ",
]


@given(st.lists(st.sampled_from([*PARTS, *MORE_PARTS]), max_size=25), st.booleans())
def test_any_soup_of_tags_is_read(parts: list[str], excludes: bool) -> None:
    excluded = {"exclude_html_elements": ("li", "b"), "exclude_html_classes": ("x",), "exclude_html_ids": ("n",)}
    found = page("".join(parts), **(excluded if excludes else {}))
    assert all(block.text.strip() for block in found.blocks)
