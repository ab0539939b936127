"""Documents cut into passages."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.retrieval.base import Passage
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import BlockKind, TextBlock
from openplaybook.retrieval.passages.passage_cutter import PassageOptions, cut_passages
from openplaybook.retrieval.passages.token_counter import count_tokens

SMALL = PassageOptions(chunk_size=100)


def heading(text: str, level: int, page: int = 0) -> TextBlock:
    return TextBlock(BlockKind.HEADING, text, level, page)


def paragraph(text: str, page: int = 0) -> TextBlock:
    return TextBlock(BlockKind.PARAGRAPH, text, page=page)


def table(rows: int, header_lines: int = 1) -> TextBlock:
    return TextBlock(
        BlockKind.TABLE, "\n".join(["name | price", *(f"n{i} | {i}" for i in range(rows))]), 0, 0, header_lines
    )


def test_passages_have_the_headings_that_they_stand_under() -> None:
    blocks = [
        paragraph("before"),
        heading("Cats", 1, 2),
        paragraph("a", 2),
        heading("Food", 2, 3),
        paragraph("b", 4),
        paragraph("c", 5),
        heading("Dogs", 1),
        paragraph("d"),
    ]
    assert cut_passages(blocks) == (
        Passage("before"),
        Passage("a", ("Cats",), 2),
        Passage("b\n\nc", ("Cats", "Food"), 4),
        Passage("d", ("Dogs",)),
    )


def test_a_heading_that_no_text_stands_under_is_a_passage_of_its_own() -> None:
    blocks = [heading("Cats", 1), heading("Food", 2, 7), heading("Water", 2), paragraph("a"), heading("End", 1)]
    assert cut_passages(blocks) == (
        Passage("Food", ("Cats",), 7),
        Passage("a", ("Cats", "Water")),
        Passage("End"),
    )


def test_without_headings_each_section_begins_with_its_own_one() -> None:
    blocks = [heading("Cats", 1), heading("Food", 2), paragraph("a"), paragraph("x " * 98 + "end.")]
    assert cut_passages(blocks, PassageOptions(chunk_size=100, include_headings=False)) == (
        Passage("Cats\n\nFood\n\na"),
        Passage("x " * 98 + "end."),
    )


def test_a_document_that_is_not_cut_is_one_passage_with_all_its_text() -> None:
    blocks = [heading("Cats", 1, 1), paragraph("a", 1), heading("Food", 2), table(1)]
    assert cut_passages(blocks, PassageOptions(is_whole=True)) == (
        Passage("Cats\n\na\n\nFood\n\nname | price\nn0 | 0", page=1),
    )
    assert cut_passages([], PassageOptions(is_whole=True)) == ()
    assert cut_passages([]) == ()


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    sentences = [f"Am 3. Oktober trank Dr. No {number} Tassen." for number in range(40)]
    texts = [passage.text for passage in cut_passages([paragraph(" ".join(sentences))], SMALL, "de")]
    assert " ".join(texts) == " ".join(sentences)
    assert all(text.startswith("Am 3.") and text.endswith("Tassen.") for text in texts)


def test_a_text_without_blanks_is_cut_between_its_sentences_too() -> None:
    texts = [passage.text for passage in cut_passages([paragraph("猫は水を飲みます。" * 30)], SMALL)]
    assert texts == ["猫は水を飲みます。" * 11, "猫は水を飲みます。" * 11, "猫は水を飲みます。" * 8]


def test_a_word_longer_than_a_passage_is_cut_within() -> None:
    texts = [passage.text for passage in cut_passages([paragraph("a" * 2_000)], SMALL)]
    assert [len(text) for text in texts] == [800, 800, 400]


def test_a_sentence_longer_than_a_passage_is_cut_between_words() -> None:
    texts = [passage.text for passage in cut_passages([paragraph("verylongword " * 120)], SMALL)]
    assert texts == ["verylongword " * 49 + "verylongword"] * 2 + ["verylongword " * 19 + "verylongword"]


def test_a_table_is_cut_between_rows_and_each_passage_has_its_header() -> None:
    block = table(80)
    texts = [passage.text.split("\n") for passage in cut_passages([block], SMALL)]
    assert all(lines[0] == "name | price" for lines in texts)
    assert [line for lines in texts for line in lines[1:]] == block.text.split("\n")[1:]
    assert len(texts) == 3


def test_a_table_without_header_has_each_row_once() -> None:
    block = table(80, header_lines=0)
    assert "\n".join(passage.text for passage in cut_passages([block], SMALL)) == block.text


def test_a_table_begins_where_its_header_and_first_row_fit() -> None:
    texts = [passage.text for passage in cut_passages([paragraph("x " * 96), table(2)], SMALL)]
    assert texts[1] == "name | price\nn0 | 0\nn1 | 1"


@pytest.mark.parametrize("size", [99, 501, 0, -1])
def test_a_size_out_of_range_is_refused(size: int) -> None:
    with pytest.raises(InvalidSource, match=f"chunkSize is {size}; 100 to 500 are allowed"):
        PassageOptions(chunk_size=size)


def test_headings_that_are_much_longer_than_what_stands_below_them_are_not_repeated() -> None:
    above = [heading(f"{level}" * 300, level) for level in range(1, 6)]
    blocks = [*above, *(block for number in range(100) for block in (heading(f"n{number}", 6), paragraph("x")))]
    passages = cut_passages(blocks)
    assert passages[1] == Passage("n1\n\nx")
    assert sum(len(passage.text) for passage in passages) < 2_500


TEXTS = st.text(st.sampled_from("ab猫ก. \n|!。"), min_size=1, max_size=300) | st.integers(1, 400).map(
    lambda n: "word. " * n
)
BLOCKS = st.lists(
    st.builds(TextBlock, st.just(BlockKind.HEADING), st.text("xyz", min_size=1, max_size=9), st.integers(1, 6))
    | st.builds(TextBlock, st.just(BlockKind.PARAGRAPH) | st.just(BlockKind.LIST), TEXTS)
    | st.builds(table, st.integers(0, 60), st.integers(0, 2)),
    max_size=8,
)


def letters(texts: Sequence[str]) -> Counter[str]:
    return Counter(letter for text in texts for letter in text if not letter.isspace())


@given(BLOCKS, st.sampled_from([100, 150, 500]), st.booleans(), st.booleans())
def test_no_letter_is_lost_and_no_passage_is_too_long(
    blocks: list[TextBlock], size: int, include_headings: bool, is_whole: bool
) -> None:
    passages = cut_passages(blocks, PassageOptions(size, include_headings, is_whole))
    found = letters([text for passage in passages for text in (passage.text, *passage.headings)])
    assert found >= letters([block.text for block in blocks])
    shown = {heading for passage in passages for heading in passage.headings}
    shown |= {part.strip() for passage in passages for part in passage.text.split("\n\n")}
    assert shown >= {block.text for block in blocks if block.kind is BlockKind.HEADING}
    assert all(passage.text.strip() for passage in passages)
    assert is_whole or all(count_tokens(passage.text) <= size for passage in passages)


@given(st.lists(TEXTS, max_size=5), st.sampled_from([100, 500]))
def test_paragraphs_are_in_passages_once_and_in_order(texts: list[str], size: int) -> None:
    passages = cut_passages([paragraph(text) for text in texts], PassageOptions(size))
    assert "".join("".join(passage.text for passage in passages).split()) == "".join("".join(texts).split())
