"""Archives that machines run, and what they leave."""

import json
import zipfile
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as some

from openplaybook.jsonvalues import JsonObject
from openplaybook.sandbox.base import DEFAULT_LIMITS, CodeFile, Ended, Execution, ExecutionLimits, Request, Skipped
from openplaybook.sandbox.remote.base import MachineLost
from openplaybook.sandbox.remote.job_archive import largest_result, packed, unpacked

TOLD: JsonObject = {
    "ended": "exit",
    "exit_code": 0,
    "stdout": 3,
    "stderr": 2,
    "dropped": 4,
    "fresh": False,
    "cpu_s": 0.5,
    "wall_s": 1.5,
    "files": [["a/b.txt", 1], ["c", 0]],
    "skipped": [["d", "too large"]],
}


def result(content: bytes = b"outerf", changes: JsonObject | None = None) -> bytes:
    return json.dumps(TOLD | (changes or {})).encode() + b"\n" + content


def test_a_result_is_told_whole() -> None:
    assert unpacked(result(), DEFAULT_LIMITS) == Execution(
        ended=Ended.EXIT,
        exit_code=0,
        stdout="out",
        stderr="er",
        files=(CodeFile("a/b.txt", b"f"), CodeFile("c", b"")),
        skipped=(Skipped("d", "too large"),),
        dropped=4,
        fresh=False,
        cpu_s=0.5,
        wall_s=1.5,
    )


def test_code_that_a_limit_ended_has_no_exit_code() -> None:
    execution = unpacked(result(changes={"ended": "time", "exit_code": None}), DEFAULT_LIMITS)
    assert (execution.ended, execution.exit_code) == (Ended.TIME, None)


def test_output_that_is_not_utf_8_can_be_shown() -> None:
    assert unpacked(result(b"\xff\xfeuerf"), DEFAULT_LIMITS).stdout == "��u"


def test_of_what_is_left_out_a_little_is_told_and_shows_itself() -> None:
    told = [["a\u202e\n", "x" * 500], *([["b", "too large"]] * 50)]
    skipped = unpacked(result(changes={"skipped": told}), DEFAULT_LIMITS).skipped
    assert skipped == (Skipped("a\\u202e\\n", "x" * 120), *([Skipped("b", "too large")] * 19))


@pytest.mark.parametrize(
    "changes",
    [
        {"cpu_s": "nan"},
        {"wall_s": 1e300},
        {"wall_s": -1},
        {"files": [["../up", 1], ["c", 0]]},
        {"files": [["/etc/passwd", 1], ["c", 0]]},
        {"files": [["a\u202eb", 1], ["c", 0]]},
        {"files": [["a", -1], ["c", 2]]},
        {"files": [["a", True], ["c", 0]]},
        {"files": [["a"]]},
        {"files": [[7, 1], ["c", 0]]},
        {"files": [["f", 0]] * 33},
        {"stdout": 1 << 40},
        {"stdout": 4},
        {"stdout": "3"},
        {"exit_code": None},
        {"exit_code": 1 << 40},
        {"ended": "never"},
        {"cpu_s": "long"},
        {"skipped": [["d"]]},
        {"skipped": [["d", 7]]},
        {"dropped": -1},
    ],
)
def test_a_result_that_does_not_fit_itself_or_the_limits_is_none(changes: JsonObject) -> None:
    with pytest.raises(MachineLost, match="something that is not a result"):
        unpacked(result(changes=changes), DEFAULT_LIMITS)


@pytest.mark.parametrize(
    ("limits", "size"),
    [(ExecutionLimits(file_bytes=5), 6), (ExecutionLimits(files_bytes=5), 6), (ExecutionLimits(stdout_bytes=2), 1)],
)
def test_more_than_the_limits_grant_is_no_result(limits: ExecutionLimits, size: int) -> None:
    content = b"outer" + b"f" * size
    with pytest.raises(MachineLost):
        unpacked(result(content, {"files": [["a", size]]}), limits)


@given(
    some.binary(max_size=200)
    | some.recursive(
        some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=5),
        lambda inner: (
            some.lists(inner, max_size=3) | some.dictionaries(some.sampled_from(sorted(TOLD)), inner, max_size=9)
        ),
    ).map(lambda value: json.dumps(value).encode() + b"\nouterf")
)
def test_whatever_a_machine_leaves_is_a_result_or_none(left: bytes) -> None:
    try:
        unpacked(left, DEFAULT_LIMITS)
    except MachineLost:
        return
    raise AssertionError("nothing of this is a whole result")


@given(some.sampled_from(sorted(TOLD)), some.none() | some.booleans() | some.integers() | some.text(max_size=5))
def test_a_result_with_one_strange_value_is_a_result_or_none(name: str, value: object) -> None:
    try:
        execution = unpacked(result(changes={name: value}), DEFAULT_LIMITS)
    except MachineLost:
        return
    assert (execution.stdout, execution.stderr) == ("out", "er")


def test_the_largest_result_is_bounded_by_the_limits() -> None:
    limits = ExecutionLimits(stdout_bytes=10, stderr_bytes=20, files_bytes=30)
    assert largest_result(limits) == 1024 * 1024 + 60


def test_an_archive_holds_code_files_and_what_runs_them() -> None:
    request = Request(code="print('ü \ud800')", files=[CodeFile("in/a.csv", b"1,2")], context={"a": [1]})
    with zipfile.ZipFile(BytesIO(packed(request, keep=True))) as archive:
        job = json.loads(archive.read("job.json"))
        assert (job["code"], job["context"], job["keep"]) == (request.code, {"a": [1]}, True)
        assert job["limits"]["wall_s"] == 30.0
        assert archive.read("files/in/a.csv") == b"1,2"
        names = archive.namelist()
    assert {
        "__main__.py",
        "sandbox/__init__.py",
        "sandbox/remote/__init__.py",
        "sandbox/remote/shipped/archive_run.py",
        "sandbox/inside/runtime.py",
    } <= set(names)
    assert len(names) == len(set(names))
