"""`openplaybook models`, against a server on the loopback."""

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from openplaybook.cli.main import app
from tests.integration.models import chat_peer
from tests.integration.models.chat_peer import asked, call, chunk, streamed
from tests.integration.models.peer import Peer, answer

CALL = asked(call("c1", "get_weather", '{"city":"Paris"}'))
SUNNY = streamed(chunk({"content": "It is "}), chunk({"content": "\x1b[31msunny."}), chunk({}, "stop"))


@pytest.fixture
async def chat(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncGenerator[Peer, None]:
    """A Chat Completions server that the environment leads to; no other settings are found."""
    monkeypatch.chdir(tmp_path)
    for name in ("OPENPLAYBOOK_MODEL", "OPENPLAYBOOK_MODEL_ALIASES", "GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    async with Peer(chat_peer.faults).serving() as peer:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{peer.base_url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
        yield peer
    assert peer.faults == []


async def models(*words: str) -> Result:
    """Runs the command beside the loop in which the server answers."""
    return await asyncio.to_thread(CliRunner().invoke, app, ["models", *words])


async def test_a_model_that_works_is_said_to_line_by_line(chat: Peer) -> None:
    chat.will(CALL, SUNNY)
    result = await models("test", "openai:m")
    *lines, time = result.output.splitlines()
    assert result.exit_code == 0
    assert lines == [
        f"openai:m at {chat.base_url}",
        "ok      configured",
        "ok      reachable",
        "ok      key accepted  OPENAI_API_KEY",
        'ok      answers text  "It is \\x1b[31msunny."',
        'ok      calls a tool  get_weather {"city":"Paris"}',
        "ok      streams       in 2 pieces",
    ]
    assert time.startswith("        time taken    ")


async def test_a_wrong_key_is_one_sentence_without_the_key_and_exit_code_1(chat: Peer) -> None:
    chat.will(answer({"error": {"message": "Incorrect API key provided: sk-secret."}}, 401))
    result = await models("test", "openai:m")
    host = chat.base_url.removeprefix("http://")
    said = f"{host} rejects the API key (401): set OPENAI_API_KEY to one that it accepts."
    assert (result.exit_code, result.output.splitlines()[3]) == (1, f"FAIL    key accepted  {said}")
    assert "sk-secret" not in result.output


async def test_the_report_as_json_has_the_documented_members(chat: Peer) -> None:
    chat.will(CALL, SUNNY)
    result = await models("test", "openai:m", "--json")
    report = json.loads(result.output)
    assert (result.exit_code, list(report)) == (0, ["model", "url", "ok", "seconds", "checks"])
    assert (report["model"], report["url"], report["ok"]) == ("openai:m", chat.base_url, True)
    assert report["checks"][2] == {"name": "key accepted", "ok": True, "detail": "OPENAI_API_KEY"}
    names = ["configured", "reachable", "key accepted", "answers text", "calls a tool", "streams"]
    assert [check["name"] for check in report["checks"]] == names


async def test_an_alias_is_tried_by_its_name_and_no_name_is_the_default(
    chat: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENPLAYBOOK_MODEL", "openai:big")
    monkeypatch.setenv("OPENPLAYBOOK_MODEL_ALIASES", "gemini-1.5-flash=openai:small")
    chat.will(CALL, SUNNY, CALL, SUNNY)
    assert (await models("test", "gemini-1.5-flash")).exit_code == 0
    assert (await models("test")).exit_code == 0
    assert [request.body["model"] for request in chat.requests] == ["small", "small", "big", "big"]


@pytest.mark.usefixtures("chat")
async def test_a_model_that_cannot_be_made_is_a_failed_check_in_either_form() -> None:
    result = await models("test", "google:m")
    assert result.exit_code == 1
    assert result.output.splitlines()[1] == "FAIL    configured    google:m needs GOOGLE_API_KEY."
    report = json.loads((await models("test", "google:m", "--json")).output)
    assert (report["ok"], report["checks"][0]["detail"]) == (False, "google:m needs GOOGLE_API_KEY.")


async def test_the_list_says_which_models_can_be_used_and_sends_nothing(
    chat: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await models("list")).output == "(default)  offline  can be used\n"
    monkeypatch.setenv("OPENPLAYBOOK_MODEL_ALIASES", "gemini-1.5-flash=openai:small,big=google:m")
    result = await models("list")
    assert (result.exit_code, result.output.splitlines()) == (
        1,
        [
            "(default)         offline       can be used",
            "gemini-1.5-flash  openai:small  can be used",
            "big               google:m      google:m needs GOOGLE_API_KEY.",
        ],
    )
    listed = json.loads((await models("list", "--json")).output)["models"]
    assert listed[2] == {"alias": "big", "model": "google:m", "ok": False, "detail": "google:m needs GOOGLE_API_KEY."}
    assert chat.requests == []
