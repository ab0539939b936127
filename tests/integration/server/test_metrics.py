"""What a scraper reads from a server, and that no caller can add to it."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import aiohttp
import pytest

from openplaybook.jsonvalues import dumps
from openplaybook.server.lifecycle import RunningServer
from tests.integration.server.conftest import Start
from tests.kit.executing import AGENTS, Rest

SCRIPT = "rules: [{reply: {text: 'You said: {{user}}'}}]"

Series = dict[str, float]
"""Value by metric and labels, as they are written."""


@pytest.fixture
async def http(start: Start, tmp_path: Path) -> AsyncIterator[aiohttp.ClientSession]:
    (tmp_path / "script.yaml").write_text(SCRIPT)
    server: RunningServer = await start(model=f"scripted:{tmp_path / 'script.yaml'}")
    async with aiohttp.ClientSession(server.http) as session:
        yield session


async def scraped(http: aiohttp.ClientSession) -> Series:
    async with http.get("/metrics") as answered:
        text = await answered.text()
    lines = [line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#")]
    return {name: float(value) for name, value in lines}


async def agent(http: aiohttp.ClientSession) -> str:
    server = Rest(http)
    name = await server.agent()
    playbook = {"displayName": "p", "goal": "g", "instruction": {"steps": [{"text": "Talk."}]}}
    made = await server.ask("POST", f"/v3beta1/{name}/playbooks", playbook)
    await server.ask("PATCH", f"/v3beta1/{name}?updateMask=startPlaybook", {"startPlaybook": made["name"]})
    return name


async def say(http: aiohttp.ClientSession, session: str) -> int:
    body = {"queryInput": {"text": {"text": "hi"}, "languageCode": "en"}}
    async with http.post(f"/v3beta1/{session}:detectIntent", data=dumps(body)) as answered:
        await answered.read()
        return answered.status


async def test_a_turn_shows_in_every_figure_that_it_concerns(http: aiohttp.ClientSession) -> None:
    name = await agent(http)
    before = await scraped(http)
    assert await say(http, f"{name}/sessions/s") == 200
    after = await scraped(http)
    grown = {key: after[key] - before.get(key, 0) for key in after if after[key] != before.get(key, 0)}
    counts = {key: value for key, value in grown.items() if re.search(r"_(total|count)\b", key)}
    commits = counts.pop("openplaybook_commit_seconds_count")
    assert counts.pop("openplaybook_commit_writes_total") >= commits >= 2
    counts.pop("process_cpu_seconds_total", None)
    (model,) = (key for key in counts if key.startswith("openplaybook_model_calls_total"))
    assert re.fullmatch(r'openplaybook_model_calls_total\{model="scripted:.*",outcome="OK"\}', model)
    detect = 'method="google.cloud.dialogflow.cx.v3beta1.Sessions.DetectIntent"'
    assert {key: value for key, value in counts.items() if "model" not in key} == {
        f'openplaybook_rpc_total{{code="OK",{detect}}}': 1.0,
        f"openplaybook_rpc_seconds_count{{{detect}}}": 1.0,
        'openplaybook_turns_total{state="DONE"}': 1.0,
        "openplaybook_turn_seconds_count": 1.0,
    }
    assert grown["openplaybook_conversations_kept"] == 1.0
    assert after["openplaybook_turns_running"] == 0.0
    assert after["openplaybook_commit_queue"] == 0.0


async def test_names_that_callers_make_up_add_no_series(http: aiohttp.ClientSession) -> None:
    name = await agent(http)
    paths = (
        "/v3/none/{}",
        "/{}",
        f"{AGENTS}/{{}}",
        f"/v3beta1/{name}/tools/{{}}",
        "/v3beta1/projects/{}/locations/x/agents/y",
    )

    async def made_up() -> None:
        assert await say(http, f"{name}/sessions/{uuid4().hex[:20]}") == 200
        assert await say(http, f"{name}{uuid4().hex[:5]}/sessions/s") == 404
        for path in paths:
            async with http.get(path.format(uuid4().hex), headers={"x-goog-request-id": uuid4().hex}) as answered:
                assert answered.status >= 400

    await made_up()
    known = (await scraped(http)).keys()
    for _ in range(20):
        await made_up()
    assert (await scraped(http)).keys() == known
