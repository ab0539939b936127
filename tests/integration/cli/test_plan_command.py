"""`openplaybook plan`."""

import json
from pathlib import Path

from typer.testing import CliRunner

from openplaybook.cli.main import app
from tests.integration.cli.conftest import refusal

TOOL = {
    "name": "get_weather",
    "description": "Get the weather of a city",
    "parameters": {"type": "dict", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


def case(number: int, text: str) -> str:
    return json.dumps({"id": str(number), "messages": [{"role": "user", "content": text}], "tools": [TOOL]})


def test_each_case_gets_a_line(tmp_path: Path) -> None:
    cases, out = tmp_path / "cases.jsonl", tmp_path / "out.jsonl"
    cases.write_text(f"{case(1, 'Get the weather of the city Oslo')}\n\n{case(2, 'Good evening!')}\n")
    result = CliRunner().invoke(app, ["plan", "--cases", str(cases), "--out", str(out)])
    assert result.exit_code == 0, result.output
    first, second = map(json.loads, out.read_text().splitlines())
    assert first["call"] == {"name": "get_weather", "arguments": {"city": "Oslo"}}
    assert (second["id"], second["call"], second["ask"]) == ("2", None, [])


def test_a_case_that_cannot_be_read_is_told_by_its_line(tmp_path: Path) -> None:
    cases, out = tmp_path / "cases.jsonl", tmp_path / "out.jsonl"
    cases.write_text(f"{case(1, 'Hello')}\n{{}}\n")
    out.write_text("what was there before")
    result = CliRunner().invoke(app, ["plan", "--cases", str(cases), "--out", str(out)])
    assert refusal(result) == f"{cases}, line 2: `id` must be a string"
    assert out.read_text() == "what was there before"
    assert sorted(tmp_path.iterdir()) == [cases, out]


def test_a_device_is_written_to_as_it_is(tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(f"{case(1, 'Hello')}\n")
    result = CliRunner().invoke(app, ["plan", "--cases", str(cases), "--out", "/dev/null"])
    assert result.exit_code == 0, result.output
    assert Path("/dev/null").is_char_device()


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    missing = tmp_path / "none.jsonl"
    result = CliRunner().invoke(app, ["plan", "--cases", str(missing), "--out", str(tmp_path / "out.jsonl")])
    assert refusal(result) == f"{missing}: No such file or directory"
