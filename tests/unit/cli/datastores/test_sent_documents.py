"""What `datastores ingest` says of how far it is."""

import pytest

from openplaybook.cli.datastores.sent_documents import files_line, site_line


@pytest.mark.parametrize(
    ("documents", "sent", "took_s", "line"),
    [
        (12, 0, 3.0, "12 documents, 0.0 of 8.0 MB"),
        (1_200, 2_000_000, 4.0, "1,200 documents, 2.0 of 8.0 MB, 0.5 MB/s, 12 s left"),
        (4_800, 8_000_000, 16.0, "4,800 documents, 8.0 of 8.0 MB, 0.5 MB/s, 0 s left"),
    ],
)
def test_files_are_told_with_counts_rate_and_time_left(documents: int, sent: int, took_s: float, line: str) -> None:
    assert files_line(documents, sent, 8_000_000, took_s) == line


@pytest.mark.parametrize(
    ("taken", "left_out", "pending", "line"),
    [
        (0, 0, 1, "0 pages taken, 0 left out"),
        (1_990, 10, 400, "1,990 pages taken, 10 left out, 20.0 pages/s, 400 known to come, 20 s"),
        (2_000, 0, 0, "2,000 pages taken, 0 left out, 20.0 pages/s"),
    ],
)
def test_a_site_is_told_with_the_pages_that_are_known_to_come(
    taken: int, left_out: int, pending: int, line: str
) -> None:
    assert site_line(taken, left_out, pending, 100.0) == line
