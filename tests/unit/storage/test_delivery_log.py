"""Notes of delivered answers that outlive the process."""

import os
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


@pytest.mark.parametrize("cut", [b"b\t1", b"b\t12", b"b\t12\0\n", b"b\t", b"b"])
def test_a_last_line_without_its_end_is_not_read_as_a_smaller_turn(cut: bytes, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"a\t1\n" + cut)
    assert left(tmp_path / "log") == [("a", 1)]


def test_only_a_line_end_ends_a_note(tmp_path: Path) -> None:
    log = DeliveryLog(tmp_path / "log")
    log.note("agents/a/sessions/b\u2028c\x85d", 12)
    assert left(tmp_path / "log") == [("agents/a/sessions/b\u2028c\x85d", 12)]


def test_a_note_that_a_full_disk_takes_in_part_is_none_and_the_next_goes_over_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    write = os.pwrite
    log = DeliveryLog(tmp_path / "log")
    log.note("a", 1)
    with monkeypatch.context() as full:
        full.setattr(os, "pwrite", lambda file, data, place: write(file, data[:4], place))
        log.note("b", 123)
        log.note("b", 124)
    assert left(tmp_path / "log") == [("a", 1)]
    log.note("c", 3)
    assert left(tmp_path / "log") == [("a", 1), ("c", 3)]
    assert [record.getMessage() for record in caplog.records] == [
        "deliveries cannot be noted next to the store: No space left on device"
    ]


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


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"of somebody else")
    (tmp_path / "log").symlink_to(tmp_path / "other")
    (tmp_path / "to-nothing").symlink_to(tmp_path / "missing")
    for name in ("log", "to-nothing"):
        with pytest.raises(StoreUnusable, match=f"{name}: cannot be opened for writing: .*symbolic link"):
            DeliveryLog(tmp_path / name)
    assert (tmp_path / "other").read_bytes() == b"of somebody else"
    assert not (tmp_path / "missing").exists()


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log")
    with pytest.raises(StoreUnusable, match="log: is not a regular file"):
        DeliveryLog(tmp_path / "log")


def test_they_can_be_forgotten_with_the_database(tmp_path: Path) -> None:
    forget_deliveries(tmp_path)
    (tmp_path / "deliveries.log").write_bytes(b"a\t1\n")
    forget_deliveries(tmp_path)
    assert list(tmp_path.iterdir()) == []
