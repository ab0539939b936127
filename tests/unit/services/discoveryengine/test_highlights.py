import pytest

from openplaybook.services.discoveryengine.highlights import WIDTH, snippet


@pytest.mark.parametrize(
    ("text", "terms", "query", "shown"),
    [
        ("A cat sleeps.", ["cat"], "", "A <b>cat</b> sleeps."),
        ("A cat sleeps.", [], "cat sleep", "A <b>cat</b> <b>sleeps</b>."),
        ("Cats & <dogs>.", ["cats"], "", "<b>Cats</b> &amp; &lt;dogs&gt;."),
        ("concatenate", ["cat"], "", "concatenate"),
        ("東京は日本の首都です。", ["首都"], "", "東京は日本の<b>首都</b>です。"),
        ("Nothing here.", [], "", "Nothing here."),
        ("", ["a"], "a", ""),
    ],
)
def test_terms_are_bold(text: str, terms: list[str], query: str, shown: str) -> None:
    assert snippet(text, terms, query) == shown


def test_a_long_text_is_cut_around_what_was_found() -> None:
    text = "before " * 100 + "the needle lies here " + "behind " * 100
    found = snippet(text, ["needle"], "")
    assert found.startswith("… ")
    assert found.endswith(" …")
    assert "<b>needle</b> lies here" in found
    assert len(found) < WIDTH + 40


def test_a_whole_document_of_nothing_but_what_is_sought_is_not_compared_with_itself() -> None:
    found = snippet("a " * 1_000_000, ["a"], "")
    assert found.startswith("<b>a</b> <b>a</b>")
    assert found.endswith(" …")


def test_of_a_query_of_thousands_of_words_the_first_ones_are_sought() -> None:
    words = " ".join(f"w{number}x" for number in range(2_000))
    assert snippet("w0x w1999x", [], words) == "<b>w0x</b> w1999x"
