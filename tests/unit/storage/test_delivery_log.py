"""Notes of delivered answers that outlive the process."""

from pathlib import Path

import pytest

from openplaybook.storage.delivery_log import DeliveryLog, forget_deliveries
from openplaybook.storage.errors import StoreUnusable


def left(path: Path) -> list[tuple[str, int]]:
    log = DeliveryLog(path)
    found = list(log.left())
    log.close()
    return found


def test_what_was_noted_is_there_for_the_next_process(tmp_path: Path) -> None:
    log = DeliveryLog(tmp_path / "log")
    assert log.left() == []
    log.note("agents/a/sessions/ü", 3)
    log.note("agents/a/sessions/b", 12)
    assert left(tmp_path / "log") == [("agents/a/sessions/ü", 3), ("agents/a/sessions/b", 12)]


def test_notes_that_are_replaced_are_gone_and_those_after_them_are_kept(tmp_path: Path) -> None:
    log = DeliveryLog(tmp_path / "log")
    for turn in range(1, 20):
        log.note("a-long-name-of-a-session", turn)
    log.replace([("b", 1)])
    assert left(tmp_path / "log") == [("b", 1)]
    log.replace([])
    assert left(tmp_path / "log") == []
    log.note("c", 2)
    assert left(tmp_path / "log") == [("c", 2)]


def test_a_note_that_was_cut_short_is_none(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"a\t1\nb\t\nc")
    assert left(tmp_path / "log") == [("a", 1)]


def test_what_is_no_log_holds_no_notes(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(bytes(range(256)) * 9)
    assert left(tmp_path / "log") == []


def test_a_full_log_takes_no_more_until_it_is_cleared(tmp_path: Path) -> None:
    log = DeliveryLog(tmp_path / "log")
    for turn in range(1200):
        log.note("s" * 1000, turn)
    assert (tmp_path / "log").stat().st_size <= 1 << 20
    assert [turn for _, turn in left(tmp_path / "log")] == list(range(len(left(tmp_path / "log"))))
    log.replace([])
    log.note("b", 1)
    assert left(tmp_path / "log") == [("b", 1)]


def test_only_its_user_reads_it(tmp_path: Path) -> None:
    DeliveryLog(tmp_path / "log").close()
    assert (tmp_path / "log").stat().st_mode & 0o777 == 0o600


def test_a_folder_that_takes_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="cannot be opened for writing"):
        DeliveryLog(tmp_path / "missing" / "log")


def test_they_can_be_forgotten_with_the_database(tmp_path: Path) -> None:
    forget_deliveries(tmp_path)
    (tmp_path / "deliveries.log").write_bytes(b"a\t1\n")
    forget_deliveries(tmp_path)
    assert list(tmp_path.iterdir()) == []
