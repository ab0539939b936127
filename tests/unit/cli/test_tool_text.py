"""What a tool did, for people to read."""

import json
from base64 import b64encode

import pytest

from openplaybook.cli.tool_text import print_tool_run


def test_each_request_is_shown_with_its_answer_and_where_the_whole_of_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    exchange = {
        "method": "POST",
        "url": "https://api.example/pets",
        "requestBody": "{}",
        "status": 200.0,
        "elapsedMs": 12.25,
        "responseFile": "…/files/f",
    }
    trace = {"exchanges": [exchange], "note": "Cut to fit."}
    print_tool_run({"trace": trace, "outputParameters": {"200": {"name": "Rex", "id": 3}}})
    assert capsys.readouterr().out.splitlines() == [
        "→ POST https://api.example/pets",
        "  {}",
        "← 200  12.25 ms",
        "  the whole response: …/files/f",
        "  Cut to fit.",
        "{",
        '  "200": {',
        '    "id": 3,',
        '    "name": "Rex"',
        "  }",
        "}",
    ]


def test_a_failure_is_shown_with_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    exchange = {"method": "GET", "url": "https://api.example/pets", "error": "nobody there"}
    error = {"code": "CONNECTION_FAILED", "message": "nobody there"}
    print_tool_run({"trace": {"exchanges": [exchange]}, "error": error})
    assert capsys.readouterr().out.splitlines() == [
        "→ GET https://api.example/pets",
        "← nobody there  0 ms",
        "CONNECTION_FAILED: nobody there",
    ]


def test_nothing_that_a_service_says_steers_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    exchange = {"method": "GET", "url": "https://api.example/", "error": "signed by \x1b[2Jthem \x9b2J"}
    output = {"200": "\x9b31m red \x7f \u202eback \x1b]0;title\x07"}
    print_tool_run({"trace": {"exchanges": [exchange]}, "outputParameters": output})
    assert capsys.readouterr().out.splitlines()[1:] == [
        r"← signed by \x1b[2Jthem \x9b2J  0 ms",
        "{",
        r'  "200": "\u009b31m red \u007f \u202eback \u001b]0;title\u0007"',
        "}",
    ]


def test_a_file_is_told_by_its_size_in_place_of_its_contents(capsys: pytest.CaptureFixture[str]) -> None:
    empty, plot = {"name": "", "contents": ""}, {"name": "plot.png", "contents": b64encode(b"x" * 100).decode()}
    print_tool_run({"outputParameters": {"output": {"output_files": [plot, empty]}}})
    assert json.loads(capsys.readouterr().out) == {
        "output": {"output_files": [{"name": "plot.png", "contents": "100 bytes; --json shows them in base64"}, empty]}
    }
