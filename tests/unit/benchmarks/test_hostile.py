"""How hostile requests are judged; the cases themselves are played by `make bench` and `make proof`."""

import gzip
import io
import zipfile

import pytest

from benchmarks.hostile.cases import CASES, FIRST, zips
from benchmarks.hostile.frames import HEADERS, fields, frame
from benchmarks.hostile.judgement import GRACE_S, deadline_of, violations
from benchmarks.hostile.plans import Turn, Window
from benchmarks.hostile.prey import Told

SAVE = "google.cloud.dialogflow.cx.v3.Tools.CreateTool"


def told(status: str, waited_s: float | None, seconds: float = 0.0, rpc: str = SAVE) -> Told:
    return Told(rpc, status, max(seconds, waited_s or 0.0), "a sentence", waited_s)


def test_each_case_says_what_it_does_and_a_hundred_were_asked_for() -> None:
    assert all(case.sentence for case in CASES.values())
    assert set(FIRST) <= set(CASES)
    assert len(CASES) >= 120


def test_an_answer_is_late_after_its_deadline() -> None:
    limit = deadline_of(SAVE)
    assert limit is not None
    assert limit == 30.0
    assert violations("c", [told("200", limit + GRACE_S)]) == []
    [late] = violations("c", [told("504", limit + GRACE_S + 0.2)])
    assert (late.case, late.what) == ("c", f"{SAVE} answered 504 after 31.2 s")


def test_a_request_that_never_arrives_has_no_deadline() -> None:
    assert violations("c", [told("408", None, 100.0)]) == []


@pytest.mark.parametrize("status", ["500", "INTERNAL", "UNKNOWN"])
def test_a_fault_of_the_server_is_a_violation_however_soon_it_comes(status: str) -> None:
    [fault] = violations("c", [told(status, 0.1)])
    assert fault.what == f"{SAVE} answered {status}: a sentence"


def test_what_is_no_rpc_has_no_deadline() -> None:
    assert violations("c", [told("404", 100.0, rpc="")]) == []


def test_a_window_tells_of_latencies_and_of_what_was_answered_wrong() -> None:
    turns = [Turn(float(n), n / 1000, "rest", "") for n in range(1, 101)] + [Turn(101.0, 2.0, "grpc", "no answer")]
    window = Window(turns, gap_ms=12.0, memory_mb=300.0, threads=9, descriptors=50)
    assert (window.p50_ms(), window.p99_ms(), window.longest_ms()) == (51.0, 100.0, 2000.0)
    assert window.wrong == ["no answer"]


def test_bombs_are_what_they_say_though_nobody_took_the_time_to_make_them() -> None:
    assert gzip.decompress(zips.gzipped(3, b"ab" * 1000, b"xyz")) == b"xyz" + b"ab" * 3000
    with zipfile.ZipFile(io.BytesIO(zips.bomb("a/b.json", 4, b"[" * 1000))) as archive:
        [entry] = archive.infolist()
        assert (entry.filename, entry.file_size) == ("a/b.json", 4000)
        with archive.open(entry) as file:
            assert file.read(4) == b"[[[["


def test_frames_are_written_as_http_2_has_them() -> None:
    assert frame(HEADERS, 0x4, 3, b"xy") == b"\x00\x00\x02\x01\x04\x00\x00\x00\x03xy"
    assert fields([(b"a", b"b")]) == b"\x00\x01a\x01b"
