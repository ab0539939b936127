"""The page on models says what there is: its spellings are taken, its commands print what stands below them."""

import asyncio
import re
import subprocess
from pathlib import Path
from typing import cast

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.models.errors import ModelNotConfigured
from openplaybook.models.model_registry import SPECIFICATIONS, create_model
from openplaybook.models.model_trial import try_model
from openplaybook.server.settings import SETTINGS
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import clean_environment, running
from tests.integration.models import chat_peer
from tests.integration.models.peer import Peer, answer
from tests.kit.guides import DOCS, block_of, blocks, printed
from tests.kit.preloaded.commands import quick_command, searched

PAGE = "models.md"
TEXT = (DOCS / PAGE).read_text()
ADDRESSES = ("OLLAMA_BASE_URL", "VLLM_BASE_URL")


def without_times(text: str) -> str:
    return re.sub(r"\d+\.\d s$", "0.0 s", text, flags=re.MULTILINE)


def rows(first_header: str) -> list[list[str]]:
    """The cells of the table whose head begins so."""
    table = TEXT.split(f"| {first_header} |")[1].split("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()[2:]]


def test_the_commands_of_the_page_print_what_stands_below_them(tmp_path: Path) -> None:
    (tmp_path / "openplaybook.toml").write_text(blocks(PAGE, "toml"))
    assert without_times(printed(PAGE, tmp_path, clean_environment())) == without_times(blocks(PAGE, "text"))
    assert "calls a tool" in (tmp_path / "tried").read_text()


async def test_the_commands_for_another_model_try_it_and_start_a_server_with_it(tmp_path: Path) -> None:
    export, try_it, serve_it = block_of(PAGE, "console", "export OPENAI_API_KEY").replace("…", "key").splitlines()
    call = chat_peer.call("c1", "get_weather", '{"city":"Paris"}')
    sunny = chat_peer.chunk({"content": "Sunny."}), chat_peer.chunk({}, "stop")
    program, command, *flags = serve_it.split()
    environment = {**clean_environment(), "PATH": searched(clean_environment()["PATH"])}

    def typed(base_url: str) -> str:
        ran = subprocess.run(
            ["sh", "-euc", f"{export}\n{try_it}"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**environment, "OPENAI_BASE_URL": base_url},
            check=True,
        )
        with running(tmp_path, *flags, command=command, OPENAI_API_KEY="sk-key", OPENAI_BASE_URL=base_url) as server:
            return f"{ran.stdout}\n{server.facts['Model']}"

    async with Peer(chat_peer.faults).serving() as peer:
        peer.will(chat_peer.asked(call), chat_peer.streamed(*sunny))
        told = await asyncio.to_thread(typed, f"{peer.base_url}/v1")
    assert (program, re.findall("^ok", told, re.MULTILINE), peer.faults) == ("openplaybook", ["ok"] * 6, [])
    assert [request.headers["authorization"] for request in peer.requests] == ["Bearer sk-key"] * 2
    assert told.splitlines()[-1].startswith("openai:gpt-4o-mini")


async def test_a_wrong_key_prints_what_the_page_shows(tmp_path: Path) -> None:
    shown = block_of(PAGE, "console", "$ openplaybook models test")
    command, expected = shown.removeprefix("$ ").split("\n", 1)
    async with Peer(chat_peer.faults).serving() as peer:
        peer.will(answer({"error": {"message": "Incorrect API key provided: sk-wr****g"}}, 401))
        environment = {
            **clean_environment(),
            "OPENAI_BASE_URL": f"{peer.base_url}/v1",
            "OPENAI_API_KEY": "sk-wrong-key",
        }
        program = [str(quick_command()), *command.split()[1:]]
        ran = await asyncio.to_thread(
            subprocess.run, program, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
        )
        host = peer.base_url.removeprefix("http://")
    assert (ran.returncode, ran.stderr) == (1, "")
    assert without_times(ran.stdout) == without_times(expected.replace("api.openai.com", host))


async def test_every_spelling_of_a_model_on_the_page_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ADDRESSES:
        monkeypatch.setenv(name, "http://localhost:1/v1")
    monkeypatch.setenv("DEEPSEEK_API_KEY", "k")
    keys = {"OPENAI_API_KEY": "k", "GOOGLE_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}
    written = set(re.findall(r"\b((?:openai|google|anthropic|pydantic-ai):[\w.:/-]*\w)", TEXT))
    assert {"openai:gpt-4o-mini", "openai:qwen3", "pydantic-ai:ollama:NAME", "openai:Qwen/Qwen3-8B"} <= written
    # The general form names no provider, and Google Cloud's has credentials of its own.
    for each in written - {"pydantic-ai:PROVIDER:NAME", "pydantic-ai:google-cloud:NAME"}:
        model = create_model(each, keys)
        assert model.name == each
        await model.aclose()


def test_the_table_of_models_has_every_kind_with_the_variable_that_it_lacks() -> None:
    told = {row[0].strip("`"): row for row in rows("`--model`")}
    kinds = {re.split("[: ]", each)[0] for each in SPECIFICATIONS}
    assert {name.partition(":")[0] for name in told} == kinds
    for name in ("openai:NAME", "google:NAME", "anthropic:NAME"):
        with pytest.raises(ModelNotConfigured) as caught:
            create_model(name, {})
        assert re.findall(r"`(\w+)`", told[name][2])[0] in str(caught.value)


async def test_the_addresses_in_the_table_are_those_that_are_asked() -> None:
    for kind, _, key, address in rows("`--model`")[1:4]:
        async with Peer(lambda body: []).serving() as peer:
            peer.will(answer({"error": {"message": "no"}}, 401))
            environment = {key.split("`")[1]: "k", address.strip("`"): peer.base_url}
            model = create_model(kind.strip("`"), environment)
            asked = [observation.ok for observation in (await try_model(model, None, 60)).observations][1]
            await model.aclose()
        assert (kind, asked, len(peer.requests)) == (kind, True, 1)


def test_local_servers_are_given_addresses_that_end_as_the_page_says_and_other_ports_than_ours() -> None:
    addresses = re.findall(r"OPENAI_BASE_URL=(\S+)", TEXT)
    assert len(addresses) == 3
    assert all(re.fullmatch(r"http://localhost:(?!8080|8081)\d+/v1", each) for each in addresses)


def test_the_options_on_the_page_are_options_of_serve() -> None:
    assert {"model", "model_aliases"} <= SETTINGS.keys()
    assert "--model-aliases" in TEXT


def test_the_script_of_the_page_is_read(tmp_path: Path) -> None:
    path = tmp_path / "weather.yaml"
    path.write_text(blocks(PAGE, "yaml"))
    assert create_model(f"scripted:{path}", {}).name == "scripted:weather.yaml"


def test_hints_for_operators_are_in_the_trace_once_and_never_in_words_to_the_user(tmp_path: Path) -> None:
    with running(tmp_path, command="demo") as server:
        rest, session = Rest(server.http), f"{server.facts['Agent']}/sessions/s"
        first, second = (_said(rest, session, "qwertz") for _ in range(2))
    assert first["diagnosticInfo"]["Notices"] == blocks(PAGE, "notice").splitlines()
    assert "Notices" not in second["diagnosticInfo"]
    for result in (first, second):
        # The store of the demo is asked before the model gives up.
        evidence = result["diagnosticInfo"]["Model Calls"][-1]["Evidence"]
        assert (evidence["rule"], "docs/models.md" in evidence["hint"]) == ("not_understood", True)
        words = dumps(result["responseMessages"]).decode()
        assert "did not understand" in words
        assert not re.search(r"docs|--model|alias", words)


def test_every_part_that_the_page_points_to_is_there() -> None:
    headings = {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in re.findall(r"^#+ (.+)$", TEXT, re.M)}
    assert set(re.findall(r"\]\(#([\w-]+)\)", TEXT)) <= headings
    for file in re.findall(r"\]\(([\w./-]+)", TEXT):
        assert (DOCS / file).exists(), file
    assert "(models.md)" in (DOCS / "README.md").read_text()


def _said(rest: Rest, session: str, text: str) -> JsonObject:
    request = {
        "queryInput": {"text": {"text": text}, "languageCode": "en"},
        "queryParams": {"llmModelSettings": {"model": "gemini-9"}},
    }
    told = rest.send("POST", f"/v3/{session}:detectIntent", dumps(request))
    assert told.status == 200, told.body
    return cast(JsonObject, told.json["queryResult"])
