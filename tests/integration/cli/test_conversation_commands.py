"""`openplaybook conversations` beside a running server."""

import json
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject

from .conftest import Run, refusal
from .packages import write_agent


@pytest.fixture
def agent(run: Run, tmp_path: Path) -> str:
    """The full name of a new agent with three conversations: one, two and three."""
    name = run("agents", "import", str(write_agent(tmp_path, "Talker"))).stdout.strip()
    for id_ in ("one", "two", "three"):
        assert run("chat", name, "--session", id_, "-m", f"I am {id_}").exit_code == 0
    return name


def exported(path: Path) -> list[str]:
    """Ids of the conversations in a file."""
    return [json.loads(line)["name"].rsplit("/", 1)[1] for line in path.read_text().splitlines()]


def test_conversations_are_listed_newest_first(run: Run, agent: str) -> None:
    lines = run("conversations", "list", agent).output.splitlines()
    assert lines[0].split() == ["BEGAN", "LASTED", "TURNS", "LANGUAGE", "CONVERSATION"]
    assert [line.split()[-3:] for line in lines[1:]] == [["1", "en", id_] for id_ in ("three", "two", "one")]
    listed = json.loads(run("conversations", "list", agent, "--json", "--limit", "2").output)["conversations"]
    assert [one["name"] for one in listed] == [f"{agent}/conversations/{id_}" for id_ in ("three", "two")]
    assert run("conversations", "list", agent, "--filter", "create_time < 2020-01-01T00:00:00Z").output == ""
    assert "INVALID_ARGUMENT: filter: 'x' at character 1 cannot be used in a filter" in refusal(
        run("conversations", "list", agent, "--filter", "x = 1")
    )


def test_a_conversation_reads_like_one(run: Run, agent: str) -> None:
    words = ("-m", "weather in Oslo", "--result", '{"temperature": 7}', "-m", "thanks \x1b[31m")
    assert run("chat", agent, "--session", "talk", *words).exit_code == 0
    head, *lines = run("conversations", "show", agent, "talk").stdout.splitlines()
    assert head.startswith("talk  ")
    assert head.endswith(" 3 turns, en, model scripted:script.yaml")
    assert [line[9:] if line[2:3] == ":" else line.strip() for line in lines] == [
        "user: weather in Oslo",
        'asks: get_weather {"city": "Oslo"}',
        'user: [result of get_weather] {"temperature": 7}',
        'get_weather.get_weather {"city": "Oslo"} -> {"temperature": 7}',
        "agent: It is 7 degrees.",
        "user: thanks \\x1b[31m",
        "agent: You said: thanks \\x1b[31m",
    ]
    assert json.loads(run("conversations", "show", agent, "talk", "--json").output)["metrics"]["interactionCount"] == 3


def test_an_export_is_one_conversation_a_line(run: Run, agent: str, tmp_path: Path) -> None:
    target = tmp_path / "all.jsonl"
    assert run("conversations", "export", agent, "-o", str(target)).output == f"{target}: 3 conversations\n"
    assert exported(target) == ["three", "two", "one"]
    shown: JsonObject = json.loads(run("conversations", "show", agent, "one", "--json").output)
    assert json.loads(target.read_text().splitlines()[-1]) == shown
    assert run("conversations", "export", agent).output == target.read_text()
    assert not target.with_name("all.jsonl.part").exists()


def test_an_export_goes_on_where_it_broke_off(run: Run, agent: str, tmp_path: Path) -> None:
    target, side = tmp_path / "all.jsonl", tmp_path / "all.jsonl.part"
    whole = run("conversations", "export", agent).output.splitlines(keepends=True)
    side.write_text(whole[0] + whole[1][:40])
    assert run("chat", agent, "--session", "late", "-m", "I came later").exit_code == 0
    result = run("conversations", "export", agent, "-o", str(target), "--after", "three")
    assert result.output == f"{target}: 2 conversations\n"
    assert target.read_text() == "".join(whole)
    assert not side.exists()


def test_an_export_that_goes_on_without_its_first_part_holds_what_is_behind(
    run: Run, agent: str, tmp_path: Path
) -> None:
    target = tmp_path / "rest.jsonl"
    result = run("conversations", "export", agent, "-o", str(target), "--after", "three")
    assert (result.output, exported(target)) == (f"{target}: 2 conversations\n", ["two", "one"])


def test_an_export_does_not_go_on_in_the_file_of_another(run: Run, agent: str, tmp_path: Path) -> None:
    target, side = tmp_path / "all.jsonl", tmp_path / "all.jsonl.part"
    side.write_text('{"name": "other"}\n')
    said = refusal(run("conversations", "export", agent, "-o", str(target), "--after", "two"))
    assert said == (
        f"{side} does not contain {agent}/conversations/two; give the last conversation in it, or remove the file"
    )
    assert (side.read_text(), target.exists()) == ('{"name": "other"}\n', False)
    assert refusal(run("conversations", "export", agent, "-o", str(target), "--filter", "x = 1")).startswith(
        "INVALID_ARGUMENT: filter: 'x' at character 1"
    )
    missing = refusal(run("conversations", "export", agent, "-o", str(tmp_path / "none" / "a.jsonl")))
    assert missing == f"{tmp_path}/none/a.jsonl cannot be written: No such file or directory"


def test_a_deleted_conversation_is_gone(run: Run, agent: str) -> None:
    assert refusal(run("conversations", "delete", agent, "two", typed="n\n")) == "nothing was deleted"
    assert run("conversations", "delete", agent, "two", "one", "--yes").exit_code == 0
    assert [line.split()[-1] for line in run("conversations", "list", agent).output.splitlines()[1:]] == ["three"]
    assert refusal(run("conversations", "show", agent, "two")) == (
        f"NOT_FOUND: Conversation {agent}/conversations/two does not exist"
    )
