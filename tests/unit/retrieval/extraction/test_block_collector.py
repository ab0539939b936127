"""Blocks as they are taken."""

from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import dumps, loads
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import (
    BlockKind,
    ExtractedDocument,
    ExtractionLimits,
    ExtractionOptions,
    TextBlock,
)
from openplaybook.retrieval.extraction.block_collector import BlockCollector, clean_text


def test_a_text_loses_what_nobody_sees() -> None:
    assert clean_text(" Ca\xadts\x00 \n need\ud800\ufeff water\u00a0now ") == "Cats need water now"


def test_blocks_without_text_are_left_out() -> None:
    into = BlockCollector(ExtractionLimits())
    into.heading(" \n", 1)
    into.paragraph("\x01")
    into.items(["", " "])
    into.table([["", " "], []])
    assert len(into) == 0


def test_levels_of_headings_are_one_to_six() -> None:
    into = BlockCollector(ExtractionLimits())
    into.heading("a", 0)
    into.heading("b", 9, page=3)
    assert into.blocks == (TextBlock(BlockKind.HEADING, "a", 1), TextBlock(BlockKind.HEADING, "b", 6, 3))


def test_a_heading_that_is_too_long_for_one_is_a_paragraph() -> None:
    into = BlockCollector(ExtractionLimits())
    into.heading("a" * 300, 1)
    into.heading("a" * 301, 1, page=2)
    assert into.blocks == (TextBlock(BlockKind.HEADING, "a" * 300, 1), TextBlock(BlockKind.PARAGRAPH, "a" * 301, 0, 2))


def test_a_header_counts_only_where_it_has_text() -> None:
    into = BlockCollector(ExtractionLimits())
    into.table([["", ""], ["a", "b"]], header_rows=1)
    into.table([["n", ""], ["", "b"]], header_rows=1)
    assert [(block.text, block.header_lines) for block in into.blocks] == [("a | b", 0), ("n |\n| b", 1)]


def test_a_table_without_end_is_refused_on_the_way() -> None:
    into = BlockCollector(ExtractionLimits(max_characters=1_000))
    with pytest.raises(InvalidSource, match="it has more than 1,000 characters of text"):
        into.table(repeat(["a", "b"]))


def test_more_blocks_than_may_be_are_refused() -> None:
    into = BlockCollector(ExtractionLimits(max_blocks=2))
    into.paragraph("a")
    into.paragraph("")
    into.heading("b", 1)
    with pytest.raises(InvalidSource, match="it has more than 2 headings, paragraphs, lists and tables"):
        into.items(["c"])


@given(
    st.lists(
        st.builds(
            TextBlock,
            st.sampled_from(BlockKind),
            st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])),
            st.integers(0, 6),
            st.integers(0, 5_000),
            st.integers(0, 9),
        ),
        max_size=5,
    )
)
def test_any_blocks_are_handed_over_as_they_are(blocks: list[TextBlock]) -> None:
    document = ExtractedDocument("", "", tuple(blocks))
    assert ExtractedDocument.from_json(loads(dumps(document.to_json()))) == document


def test_a_large_file_has_more_time_than_a_small_one() -> None:
    limits = ExtractionLimits(seconds=60, seconds_per_megabyte=5, most_seconds=300)
    assert [limits.time_for(size) for size in (0, 900_000, 20_000_000, 200_000_000)] == [60, 64, 160, 300]


def test_what_a_child_hands_over_is_what_it_read() -> None:
    block = TextBlock(BlockKind.TABLE, "a | b", 0, 2, 1)
    document = ExtractedDocument("T", "de", (block,), "text/html", "https://example.org/", ("odd",))
    assert ExtractedDocument.from_json(document.to_json()) == document
    limits = ExtractionLimits(max_pages=3)
    assert ExtractionLimits.from_json(limits.to_json()) == limits
    options = ExtractionOptions("utf-8", ("nav",), ("ad",), ("top",))
    assert ExtractionOptions.from_json(options.to_json()) == options
