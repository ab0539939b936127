"""Recordings against agents out of packages, with OpenAPI tools: what they would send is checked, nothing is sent."""

import json
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.recordings.recording_yaml import parse_recording
from openplaybook.recordings.replay import Replays
from openplaybook.recordings.replay_outcomes import ReplayOutcome, ReportLine, report
from openplaybook.recordings.step_form import RecordedDecision
from openplaybook.server.errors import AgentUnusable
from openplaybook.server.replay_stage import staged
from openplaybook.server.settings import Settings
from tests.kit.http_peer import answer, http_peer

START = "00000000-0000-0000-0000-000000000000"

RECORDED = """
recording: 1
title: Ordering
agent: Shop
turns:
- user: two mugs for shop 7
  parameters: {shop: "7", token: "[redacted]"}
  steps:
  - enters: Desk
  - decides: Desk
    calls:
    - tool: orders
      action: placeOrder
      arguments: {requestBody: {item: mug, count: 2}}
      request: {method: POST, path: /v1/shops/7/orders, body: {count: 2, item: mug}}
      output: {"200": {id: 5}}
  - decides: Desk
    says: Order 5 is placed.
  at: Desk
"""


def write_shop(
    folder: Path, *, most: int = 10, path: str = "/shops/{shop}/orders", service: str = "https://orders.example.com"
) -> Path:
    """A package whose tool takes the shop from the session, and its credential, too."""
    body: JsonObject = {
        "type": "object",
        "required": ["item"],
        "properties": {"item": {"type": "string"}, "count": {"type": "integer", "maximum": most}},
    }
    shop: JsonObject = {
        "name": "shop",
        "in": "path",
        "required": True,
        "schema": {"type": "string", "x-agent-input-parameter": "shop"},
    }
    schema: JsonObject = {
        "openapi": "3.0.0",
        "info": {"title": "Orders", "version": "1"},
        "servers": [{"url": f"{service}/v1"}],
        "paths": {
            path: {
                "post": {
                    "operationId": "placeOrder",
                    "parameters": [shop],
                    "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
                    "responses": {"200": {"description": "placed"}},
                }
            }
        },
    }
    files: dict[str, JsonObject] = {
        "agent.json": {"displayName": "Shop", "defaultLanguageCode": "en", "startPlaybook": "Desk"},
        "playbooks/Desk/Desk.json": {
            "name": START,
            "displayName": "Desk",
            "goal": "Take orders.",
            "instruction": {"steps": [{"text": "Use ${TOOL: orders}."}]},
        },
        "tools/orders/orders.json": {
            "name": "6f0e2d6e-3b0e-4a0e-9d64-0d3c5a1f3a11",
            "displayName": "orders",
            "openApiSpec": {"authentication": {"bearerTokenConfig": {"token": "$session.params.token"}}},
        },
    }
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(content))
    (folder / "tools/orders/schema.yaml").write_text(json.dumps(schema))
    return folder


async def outcome(package: Path) -> ReplayOutcome:
    async with staged(package, Settings(data_dir=package), live_tools=False) as stage:
        return await Replays().run("order.yaml", parse_recording(RECORDED), stage)


def told(outcome: ReplayOutcome) -> list[ReportLine]:
    return list(report(outcome))


@pytest.mark.proves("X6")
async def test_the_agent_as_it_was_shows_no_difference(tmp_path: Path) -> None:
    assert told(await outcome(write_shop(tmp_path))) == [ReportLine("!", "same  order.yaml (Ordering): 1 turn")]


async def test_arguments_that_the_schema_refuses_now_are_shown_with_the_refusal(tmp_path: Path) -> None:
    assert told(await outcome(write_shop(tmp_path, most=1)))[2:] == [
        ReportLine(" ", "    orders.placeOrder fails"),
        ReportLine("+", "      + INVALID_ARGUMENTS: requestBody.count: 2 is greater than the maximum of 1"),
    ]


async def test_what_would_be_sent_elsewhere_is_shown(tmp_path: Path) -> None:
    assert told(await outcome(write_shop(tmp_path, path="/stores/{shop}/orders")))[2:] == [
        ReportLine(" ", "    orders.placeOrder request $.path"),
        ReportLine("-", "      - /v1/shops/7/orders"),
        ReportLine("+", "      + /v1/stores/7/orders"),
    ]


async def test_live_tools_are_called_and_their_answers_are_the_models_of_today(tmp_path: Path) -> None:
    async with http_peer(lambda received: answer(b'{"id": 6}')) as peer:
        package = write_shop(tmp_path, service=peer.url)
        settings = Settings(data_dir=tmp_path, egress_allow="127.0.0.1/32")
        async with staged(package, settings, live_tools=True) as stage:
            found = await Replays(live_tools=True).run("order.yaml", parse_recording(RECORDED), stage)
        assert [(each.method, each.target) for each in peer.requests] == [("POST", "/v1/shops/7/orders")]
    assert told(found) == [ReportLine("!", "same  order.yaml (Ordering): 1 turn")]
    assert found.happened is not None
    [called] = [
        call
        for step in found.happened.turns[0].steps or ()
        if isinstance(step, RecordedDecision)
        for call in step.calls
    ]
    assert called.output == {"200": {"id": 6}}


async def test_a_folder_without_an_agent_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AgentUnusable, match=r"agent\.json"):
        await outcome(tmp_path)
