"""Plain text and Markdown in blocks."""

from hypothesis import given
from hypothesis import strategies as st

from openplaybook.retrieval.extraction.base import BlockKind, ExtractionLimits, TextBlock
from openplaybook.retrieval.extraction.block_collector import BlockCollector
from openplaybook.retrieval.extraction.plain_text import TextFacts, read_markdown, read_text

HEADING, PARAGRAPH, LIST, TABLE = BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.TABLE


def markdown(text: str) -> tuple[TextBlock, ...]:
    into = BlockCollector(ExtractionLimits())
    read_markdown(text, into)
    return into.blocks


def shapes(text: str) -> list[tuple[BlockKind, int, str]]:
    return [(block.kind, block.level, block.text) for block in markdown(text)]


def test_paragraphs_of_a_text_stand_between_empty_lines() -> None:
    into = BlockCollector(ExtractionLimits())
    read_text("Cats need\r\nwater.\r\n \r\n- fish\n- meat\n\nDogs\x00 walk.\n", into)
    assert [(block.kind, block.text) for block in into.blocks] == [
        (PARAGRAPH, "Cats need water."),
        (LIST, "- fish\n- meat"),
        (PARAGRAPH, "Dogs walk."),
    ]


def test_headings_of_both_kinds_have_their_levels() -> None:
    assert shapes("# One #\ntext\n\nTwo\n===\n\nThree\n---\n###### Six\n#no heading") == [
        (HEADING, 1, "One"),
        (PARAGRAPH, 0, "text"),
        (HEADING, 1, "Two"),
        (HEADING, 2, "Three"),
        (HEADING, 6, "Six"),
        (PARAGRAPH, 0, "#no heading"),
    ]


def test_marks_and_targets_are_left_out_and_words_stay() -> None:
    text = "**Cats** need _fresh_ `water`, see [the manual](https://example.org/a) ![cup](cup.png), snake_case, 2*3*4."
    assert shapes(text)[0][2] == "Cats need fresh water, see the manual cup, snake_case, 2*3*4."


def test_lists_tables_code_and_quotes() -> None:
    text = (
        "* fish\n  from the sea\n* [x] meat\n\n1. wake\n2. eat\n\n| Name | Price |\n|:--|--:|\n| a \\| b | 3 |\n\n"
        "```py\nfor x in y:\n    pass\n# no heading\n```\n> said\n> twice\n\n***\n<!-- hidden\n -->end"
    )
    assert shapes(text) == [
        (LIST, 0, "fish from the sea\nmeat"),
        (LIST, 0, "1. wake\n2. eat"),
        (TABLE, 0, "Name | Price\na | b | 3"),
        (PARAGRAPH, 0, "for x in y:\n    pass\n# no heading"),
        (PARAGRAPH, 0, "said twice"),
        (PARAGRAPH, 0, "end"),
    ]
    assert markdown(text)[2].header_lines == 1


def test_front_matter_says_title_and_language_and_is_no_text() -> None:
    into = BlockCollector(ExtractionLimits())
    facts = read_markdown('---\ntitle: "Care of cats"\nlang: de-AT\ntags: [a]\n---\n\nText\n', into)
    assert facts == TextFacts("Care of cats", "de")
    assert [block.text for block in into.blocks] == ["Text"]


WORDS = st.text(st.sampled_from("ab1 \n#*_`|-=[]()!<>~.:\t\\&"), max_size=80)


@given(WORDS)
def test_letters_and_digits_of_any_markdown_are_kept_in_order(text: str) -> None:
    kept = "".join(letter for block in markdown(text) for letter in block.text if letter.isalnum())
    rest = iter("".join(letter for letter in text if letter.isalnum()))
    assert all(letter in rest for letter in kept)
