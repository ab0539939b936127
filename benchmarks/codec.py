"""The JSON codec against protobuf's own json_format, on the request and response of a turn.

Prints a row per measure (see `benchmarks.rows`).
Text to message and back is the work of a server; "by orjson" gives json_format a faster text parser than its own.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version

import orjson
from google.protobuf import json_format

from benchmarks.rows import NO_GOAL, Goal, cost, report
from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.api import load_api
from openplaybook.wire.codec import parse_text
from openplaybook.wire.messages import ApiMessage

PACKAGE = "google.cloud.dialogflow.cx.v3beta1"
ROUNDS, CALLS = 60, 50
GOAL = Goal(ratio_at_least=3)
"""For all that a turn needs; single steps are shown to see where it comes from."""
API = load_api()
TOOL = "projects/p/locations/global/agents/a/tools/t"

REQUEST: JsonObject = {
    "queryInput": {"languageCode": "en", "text": {"text": "What is the weather in Paris tomorrow?"}},
    "queryParams": {
        "timeZone": "Europe/Paris",
        "parameters": {"city": "Paris", "days": 3, "units": {"temperature": "C", "metric": True}},
        "sessionTtl": "3600s",
        "endUserMetadata": {"tier": "gold"},
    },
}

RESPONSE: JsonObject = {
    "responseId": "0a1b2c3d-0000-1111-2222-333344445555",
    "queryResult": {
        "text": "What is the weather in Paris tomorrow?",
        "languageCode": "en",
        "parameters": {"city": "Paris", "days": 3, "units": {"temperature": "C", "metric": True}},
        "responseMessages": [
            {"text": {"text": ["Tomorrow it will be 23.5 degrees in Paris, with a light wind from the west."]}},
            {"toolCall": {"tool": TOOL, "action": "get_weather", "inputParameters": {"city": "Paris", "days": 1}}},
            {
                "payload": {
                    "snippets": [
                        {"title": f"Page {n}", "uri": f"https://example.com/{n}", "text": "word " * 20, "score": n / 7}
                        for n in range(3)
                    ]
                }
            },
        ],
        "match": {"matchType": "PLAYBOOK", "confidence": 1.0},
        "generativeInfo": {
            "currentPlaybooks": ["projects/p/locations/global/agents/a/playbooks/b"],
            "actionTracingInfo": {
                "actions": [
                    {"userUtterance": {"text": "What is the weather in Paris tomorrow?"}},
                    {
                        "toolUse": {
                            "tool": TOOL,
                            "action": "get_weather",
                            "inputActionParameters": {"city": "Paris"},
                            "outputActionParameters": {"200": {"temperature": 23.5, "wind": "west", "rain": False}},
                        }
                    },
                    {"agentUtterance": {"text": "Tomorrow it will be 23.5 degrees in Paris."}},
                ]
            },
        },
    },
    "responseType": "FINAL",
}


def measures() -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """Name, our way, json_format's way."""
    request_type = API.message(f"{PACKAGE}.DetectIntentRequest")
    text, response = orjson.dumps(REQUEST), API.message(f"{PACKAGE}.DetectIntentResponse")
    message = API.codec.from_json(RESPONSE, response())

    def ours() -> object:
        API.codec.from_json(parse_text(text), request_type())
        return orjson.dumps(API.codec.to_json(message))

    def peer() -> object:
        json_format.Parse(text, request_type(), descriptor_pool=API.pool)
        return json_format.MessageToJson(message, descriptor_pool=API.pool).encode()

    def compact_peer() -> object:
        json_format.Parse(text, request_type(), descriptor_pool=API.pool)
        return json_format.MessageToJson(message, indent=None, descriptor_pool=API.pool).encode()

    yield "turn: request read, response written", ours, peer
    yield "turn: the same, theirs without its indents", ours, compact_peer
    yield from parsers("request", text, request_type)
    yield from parsers("response", orjson.dumps(RESPONSE), response)
    yield from renderers("request", API.codec.from_json(REQUEST, request_type()))
    yield from renderers("response", message)


def parsers(
    name: str, text: bytes, message_type: type[ApiMessage]
) -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """From text to message."""

    def ours() -> object:
        return API.codec.from_json(parse_text(text), message_type())

    def peer() -> object:
        return json_format.Parse(text, message_type(), descriptor_pool=API.pool)

    def peer_by_orjson() -> object:
        return json_format.ParseDict(orjson.loads(text), message_type(), descriptor_pool=API.pool)

    yield f"{name}: text to message", ours, peer
    yield f"{name}: text to message by orjson", ours, peer_by_orjson


def renderers(name: str, message: ApiMessage) -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """From message to text."""

    def ours() -> object:
        return orjson.dumps(API.codec.to_json(message))

    def peer() -> object:
        return json_format.MessageToJson(message, indent=None, descriptor_pool=API.pool).encode()

    def peer_by_orjson() -> object:
        return orjson.dumps(json_format.MessageToDict(message, descriptor_pool=API.pool))

    yield f"{name}: message to text", ours, peer
    yield f"{name}: message to text by orjson", ours, peer_by_orjson


def microseconds(ours: Callable[[], object], peer: Callable[[], object]) -> tuple[float, float]:
    """Median time of one call of each, in turns so that both see the same machine."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for index, call in enumerate((ours, peer)):
            start = time.process_time_ns()
            for _ in range(CALLS):
                call()
            times[index].append((time.process_time_ns() - start) / CALLS / 1000)
    return statistics.median(times[0]), statistics.median(times[1])


def main() -> None:
    """Runs all measures."""
    for name, ours, peer in measures():
        ours_us, peer_us = microseconds(ours, peer)
        goal = GOAL if name.startswith("turn") else NO_GOAL
        report(cost(f"codec: CPU, {name}", "µs", ours_us, peer_us, f"protobuf {version('protobuf')} json_format", goal))


if __name__ == "__main__":
    main()
