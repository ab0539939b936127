"""Requests that no sandbox takes."""

from dataclasses import replace

import pytest

from openplaybook.sandbox.base import DEFAULT_LIMITS, CodeFile, ExecutionLimits, InvalidRequest, Request
from openplaybook.sandbox.request_check import MOST_CODE_BYTES, check_request


def refusal(request: Request, most: ExecutionLimits = DEFAULT_LIMITS) -> str:
    with pytest.raises(InvalidRequest) as caught:
        check_request(request, most)
    return str(caught.value)


def files(*names: str) -> Request:
    return Request(code="", files=[CodeFile(name, b"x") for name in names])


def test_what_an_ordinary_request_holds_is_taken() -> None:
    check_request(files("data.csv", "a/b/c.txt", "Überschüsse 2024.xlsx", "..data"), DEFAULT_LIMITS)
    check_request(Request(code="print('\ud800')", tools=["get_weather"]), DEFAULT_LIMITS)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/etc/passwd",
        "../up",
        "a/../b",
        "a//b",
        "./a",
        "a/",
        "a\\b",
        "a\nb",
        "a\0b",
        "a\u202eb",
        "\ud800",
        "x" * 256,
    ],
)
def test_a_name_that_leads_out_of_the_workspace_or_hides_is_refused(name: str) -> None:
    assert refusal(files(name)).startswith(f"files: {name!r} is not the name of a file in the workspace; allowed are")


def test_files_that_cannot_lie_beside_each_other_are_refused() -> None:
    assert refusal(files("a", "b", "a")) == "files: 'a' is given twice"
    assert refusal(files("a/b", "a/b/c")) == "files: 'a/b' is both a file and the folder of 'a/b/c'"


def test_files_are_bounded_by_the_workspace() -> None:
    small = replace(DEFAULT_LIMITS, disk_bytes=1, inodes=4)
    assert refusal(replace(files("a", "b"), limits=small)) == "files: have 2 bytes together, the workspace holds 1"
    assert refusal(replace(files("a", "b", "c"), limits=small)) == "files: 3 are more than the 2 that are allowed"


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"wall_s": 31.0}, "limits.wall_s: 31 is more than the 30 that are allowed"),
        ({"processes": 1}, "limits.processes: 1 is more than the 0 that are allowed"),
        ({"wall_s": 0.0}, "limits.wall_s: 0 is not above 0"),
        ({"memory_bytes": -1}, "limits.memory_bytes: -1 is not above 0"),
        ({"processes": -1}, "limits.processes: -1 is not above 0"),
        ({"cpu_s": float("nan")}, "limits.cpu_s: nan is not above 0"),
    ],
)
def test_a_limit_out_of_range_is_named_with_what_is_allowed(limits: dict[str, float], said: str) -> None:
    assert refusal(Request(code="", limits=replace(DEFAULT_LIMITS, **limits))) == said


def test_no_files_back_and_no_processes_are_limits_too() -> None:
    check_request(
        Request(code="", limits=replace(DEFAULT_LIMITS, files=0, file_bytes=0, files_bytes=0)), DEFAULT_LIMITS
    )


def test_code_is_bounded_and_has_no_null_characters() -> None:
    assert refusal(Request(code="ä" * MOST_CODE_BYTES)).startswith(f"code: has {2 * MOST_CODE_BYTES} bytes")
    assert refusal(Request(code="a\0b")) == "code: holds a null character, which Python does not allow"


def test_tools_are_identifiers() -> None:
    assert refusal(Request(code="", tools=["good", "not-good"])) == "tools: 'not-good' is not a Python identifier"
