"""Turns of a server as an OpenTelemetry collector hears of them."""

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.server.errors import SettingsError
from openplaybook.server.otel_export import observed
from openplaybook.server.settings import Settings
from tests.integration.server.conftest import running
from tests.kit.executing import Rest
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.openapi import operation
from tests.kit.otlp import Collector, attributes, collector

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
WORDS = "my-very-own-words"
ANSWERED = "the-agents-own-words"


def completion(id: str, message: JsonObject, finish: str) -> bytes:
    usage = {"prompt_tokens": 20, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 8}}
    choice = {"message": message, "finish_reason": finish}
    return answer(dumps({"id": id, "model": "m-2026", "choices": [choice], "usage": usage}))


def model(received: Received) -> bytes:
    """Calls the tool, then speaks; for words with `fail` in them it is broken."""
    messages = loads(received.body)["messages"]
    if "fail" in messages[-1]["content"]:
        return answer(b"{}", "401 Unauthorized")
    if messages[-1]["role"] == "tool":
        return completion("chat-2", {"content": ANSWERED}, "stop")
    called = {"id": "c1", "type": "function", "function": {"name": "act", "arguments": "{}"}}
    return completion("chat-1", {"tool_calls": [called]}, "tool_calls")


@pytest.fixture
async def otel(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Collector]:
    async with collector() as listening:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", listening.url)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield listening


async def talked(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str, stream: bool = False) -> HttpPeer:
    """A server from its start to its end, and one conversation with it; gives the model's peer."""
    method = "serverStreamingDetectIntent" if stream else "detectIntent"
    async with http_peer(lambda received: answer()) as api, http_peer(model) as provider:
        monkeypatch.setenv("OPENAI_BASE_URL", provider.url)
        settings = Settings(port=0, grpc_port=0, data_dir=folder, model="openai:m", egress_allow="127.0.0.1")
        async with running(settings) as server, aiohttp.ClientSession(server.http) as http:
            session = await conversation(Rest(http), api)
            for text in words:
                body = {"queryInput": {"text": {"text": text}, "languageCode": "en"}}
                headers = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
                async with http.post(f"/v3beta1/{session}:{method}", data=dumps(body), headers=headers) as answered:
                    await answered.read()
    return provider


async def conversation(server: Rest, api: HttpPeer) -> str:
    """A session with an agent that has one tool."""
    agent = await server.agent()
    tool = await server.tool(agent, operation() | {"servers": [{"url": api.url}]})
    playbook = {
        "displayName": "Desk",
        "goal": "g",
        "instruction": {"steps": [{"text": "Use ${TOOL: t}"}]},
        "referencedTools": [tool],
        "llmModelSettings": {"model": ""},
    }
    made = await server.ask("POST", f"/v3beta1/{agent}/playbooks", playbook)
    await server.ask("PATCH", f"/v3beta1/{agent}?updateMask=startPlaybook", {"startPlaybook": made["name"]})
    return f"{agent}/sessions/s1"


async def test_a_turn_is_exported_as_the_conventions_say(
    otel: Collector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = await talked(tmp_path, monkeypatch, WORDS)
    assert [span.name for span in otel.spans] == ["chat m", "execute_tool act", "chat m", "invoke_agent Desk"]
    first, tool, second, root = otel.spans
    assert (root.trace_id.hex(), root.parent_span_id.hex()) == (TRACE, PARENT)
    assert {span.parent_span_id for span in (first, tool, second)} == {root.span_id}
    assert (first.kind, tool.kind) == (first.SPAN_KIND_CLIENT, tool.SPAN_KIND_INTERNAL)
    assert root.start_time_unix_nano <= first.start_time_unix_nano <= first.end_time_unix_nano
    assert second.end_time_unix_nano <= root.end_time_unix_nano
    session = attributes(root.attributes)["gen_ai.conversation.id"]
    assert str(session).endswith("/sessions/s1")
    assert attributes(second.attributes) == {
        "openplaybook.step": 3,
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.conversation.id": session,
        "gen_ai.request.model": "m",
        "gen_ai.response.model": "m-2026",
        "gen_ai.response.id": "chat-2",
        "gen_ai.response.finish_reasons": ["stop"],
        "gen_ai.usage.input_tokens": 20,
        "gen_ai.usage.output_tokens": 5,
        "gen_ai.usage.cache_read.input_tokens": 8,
        "server.address": "127.0.0.1",
        "server.port": provider.port,
    }
    assert attributes(tool.attributes) == {
        "openplaybook.step": 2,
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "act",
        "gen_ai.tool.type": "extension",
        "gen_ai.tool.call.id": "call-1-1-1",
        "gen_ai.agent.name": "Desk",
    }
    assert [resource["service.name"] for resource in otel.resources] == ["openplaybook"]


async def test_nothing_that_was_said_is_exported_unless_asked_for(
    otel: Collector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await talked(tmp_path / "one", monkeypatch, WORDS)
    assert WORDS.encode() not in otel.heard
    assert ANSWERED.encode() not in otel.heard
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
    await talked(tmp_path / "two", monkeypatch, WORDS)
    events = {event.name: attributes(event.attributes) for event in otel.spans[-1].events}
    said = {
        name: next(loads(str(text)) for key, text in told.items() if "messages" in key) for name, told in events.items()
    }
    assert said == {
        "openplaybook.user": [{"role": "user", "parts": [{"type": "text", "content": WORDS}]}],
        "openplaybook.agent": [{"role": "assistant", "parts": [{"type": "text", "content": ANSWERED}]}],
    }


async def test_a_turn_that_fails_is_exported_with_what_went_wrong(
    otel: Collector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await talked(tmp_path, monkeypatch, "fail")
    chat, root = otel.spans
    found = {span.name: (span.status.code, attributes(span.attributes)["error.type"]) for span in (chat, root)}
    assert found == {
        "chat m": (chat.status.STATUS_CODE_ERROR, "MODEL_REJECTED"),
        "invoke_agent Desk": (root.status.STATUS_CODE_ERROR, "MODEL_FAILED"),
    }


async def test_the_metrics_of_the_conventions_are_exported(
    otel: Collector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await talked(tmp_path, monkeypatch, WORDS, stream=True)
    counted = {metric.name: sum(point.count for point in metric.histogram.data_points) for metric in otel.metrics}
    assert counted == {
        "gen_ai.client.operation.duration": 2,
        "gen_ai.client.operation.time_to_first_chunk": 1,
        "gen_ai.client.token.usage": 4,
        "gen_ai.execute_tool.duration": 1,
        "gen_ai.invoke_agent.duration": 1,
    }
    tokens = next(metric for metric in otel.metrics if metric.name == "gen_ai.client.token.usage")
    sums = {attributes(point.attributes)["gen_ai.token.type"]: point.sum for point in tokens.histogram.data_points}
    assert sums == {"input": 40, "output": 10}


async def test_a_collector_that_is_gone_holds_up_neither_turns_nor_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with collector() as gone:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", gone.url)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    provider = await talked(tmp_path, monkeypatch, WORDS)
    assert len(provider.requests) == 2


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"OTEL_TRACES_EXPORTER": "console"}, "OTEL_TRACES_EXPORTER is 'console'; it must be otlp or none"),
        (
            {"OTEL_METRICS_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
            "OTEL_EXPORTER_OTLP_PROTOCOL is 'grpc'; this server exports by http/protobuf",
        ),
    ],
)
async def test_what_cannot_be_exported_as_asked_is_refused(variables: dict[str, str], sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        async with observed(variables):
            raise AssertionError("it was not refused")


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_SDK_DISABLED": "true"},
        {
            "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1",
            "OTEL_TRACES_EXPORTER": "none",
            "OTEL_METRICS_EXPORTER": "none",
        },
    ],
)
async def test_nobody_listens_unless_the_variables_ask_for_it(variables: dict[str, str]) -> None:
    async with observed(variables) as spans:
        assert not spans.wanted
