"""Streams without an end, long conversations, many sessions, and lists over many."""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator

from benchmarks.hostile.cases.base import Cases
from benchmarks.hostile.frames import UnfinishedCalls
from benchmarks.hostile.prey import LOCATION, Prey
from openplaybook.jsonvalues import JsonObject

case = Cases()

_STREAMING = "google.cloud.dialogflow.cx.v3.Sessions.StreamingDetectIntent"
_BIDI = "google.cloud.ces.v1beta.SessionService.BidiRunSession"
_PATH = "/google.cloud.dialogflow.cx.v3.Sessions/StreamingDetectIntent"
_HELD_S = 4.0


@case
async def bidi_held(prey: Prey) -> None:
    """Two hundred conversations by stream that say hello and nothing more."""

    async def requests() -> AsyncIterator[bytes]:
        session = f"{prey.app}/sessions/{uuid.uuid4()}"
        yield prey.written(_BIDI, {"config": {"session": session}})
        await asyncio.sleep(_HELD_S)

    await prey.together(200, lambda: prey.stream(_BIDI, requests(), patience_s=20))


@case
async def bidi_flood(prey: Prey) -> None:
    """Ten thousand inputs in one stream, sent without waiting for an answer."""

    async def requests() -> AsyncIterator[bytes]:
        session = f"{prey.app}/sessions/{uuid.uuid4()}"
        yield prey.written(_BIDI, {"config": {"session": session}})
        said = prey.written(_BIDI, {"realtimeInput": {"text": "Hello."}})
        for _ in range(10_000):
            yield said

    await prey.stream(_BIDI, requests(), patience_s=8)


@case
async def bidi_large_inputs(prey: Prey) -> None:
    """A hundred inputs of 5 MB in one stream."""

    async def requests() -> AsyncIterator[bytes]:
        session = f"{prey.app}/sessions/{uuid.uuid4()}"
        yield prey.written(_BIDI, {"config": {"session": session}})
        said = prey.written(_BIDI, {"realtimeInput": {"text": "a " * 2_500_000}})
        for _ in range(100):
            yield said

    await prey.stream(_BIDI, requests(), patience_s=20)


@case
async def bidi_last_byte(prey: Prey) -> None:
    """Forty messages of 15 MB on one connection that never have their last byte."""
    await _without_last_byte(prey, calls=40)


@case
async def bidi_last_byte_everywhere(prey: Prey) -> None:
    """Forty connections, each with such a message."""
    await prey.together(40, lambda: _without_last_byte(prey, calls=1))


async def _without_last_byte(prey: Prey, *, calls: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", prey.grpc)
    with contextlib.suppress(TimeoutError, OSError, asyncio.IncompleteReadError):
        async with asyncio.timeout(_HELD_S):
            await UnfinishedCalls(reader, writer).send(_PATH, calls, 15_000_000)
            await asyncio.sleep(_HELD_S)
    writer.transport.abort()


@case
async def bidi_audio(prey: Prey) -> None:
    """A stream of a thousand pieces of audio, which is not taken."""

    async def requests() -> AsyncIterator[bytes]:
        session = f"{prey.app}/sessions/{uuid.uuid4()}"
        yield prey.written(_BIDI, {"config": {"session": session}})
        for _ in range(1_000):
            yield prey.written(_BIDI, {"realtimeInput": {"audio": "A" * 40_000}})

    await prey.stream(_BIDI, requests(), patience_s=20)


@case
async def streaming_never_ends(prey: Prey) -> None:
    """A hundred streaming turns whose client never says that it is through."""

    async def requests() -> AsyncIterator[bytes]:
        yield prey.written(_STREAMING, {"session": prey.session()})
        await asyncio.sleep(_HELD_S)

    await prey.together(100, lambda: prey.stream(_STREAMING, requests(), patience_s=20))


@case
async def streaming_audio(prey: Prey) -> None:
    """A streaming turn of 100 MB of audio."""

    async def requests() -> AsyncIterator[bytes]:
        yield prey.written(_STREAMING, {"session": prey.session(), "queryInput": {"languageCode": "en"}})
        piece = prey.written(_STREAMING, {"queryInput": {"audio": {"audio": "A" * 1_400_000}, "languageCode": "en"}})
        for _ in range(100):
            yield piece

    await prey.stream(_STREAMING, requests(), patience_s=20)


@case
async def server_streaming_many(prey: Prey) -> None:
    """Thirty streams of answers at once, over REST."""
    asked: JsonObject = {"queryInput": {"text": {"text": "Hello."}, "languageCode": "en"}}
    await prey.together(30, lambda: prey.rest("POST", f"/v3/{prey.session()}:serverStreamingDetectIntent", asked))


@case
async def long_conversation(prey: Prey) -> None:
    """A conversation of 60 turns of 20 kB each."""
    path = f"/v3/{prey.session()}:detectIntent"
    for number in range(60):
        text = f"{number} " + "something else entirely " * 800
        await prey.rest("POST", path, {"queryInput": {"text": {"text": text}, "languageCode": "en"}})


@case
async def many_sessions(prey: Prey) -> None:
    """Two hundred sessions begun, ten at once."""
    for _ in range(20):
        await prey.together(10, lambda: prey.says("Hello."))


@case
async def one_session_at_once(prey: Prey) -> None:
    """Fifty turns of one session at once."""
    path = f"/v3/{prey.session()}:detectIntent"
    body: JsonObject = {"queryInput": {"text": {"text": "Hello."}, "languageCode": "en"}}
    await prey.together(50, lambda: prey.rest("POST", path, body))


@case
async def parameters_thousands(prey: Prey) -> None:
    """Five turns of one session with 8,000 session parameters each."""
    path = f"/v3/{prey.session()}:detectIntent"
    for turn in range(5):
        given = {f"p{turn}-{n}": f"value {n}" for n in range(8_000)}
        asked: JsonObject = {"text": {"text": "Hello."}, "languageCode": "en"}
        await prey.rest("POST", path, {"queryInput": asked, "queryParams": {"parameters": given}})


@case
async def parameters_filled_into_texts(prey: Prey) -> None:
    """A playbook that names a parameter of 500 kB two thousand times."""
    playbook: JsonObject = {
        "displayName": "big",
        "goal": "{big} ${big} " * 1_000,
        "instruction": {"steps": [{"text": "$session.params.big {big} " * 50} for _ in range(20)]},
    }
    agent: JsonObject = {"displayName": "big", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    name = (await prey.made(f"/v3/{LOCATION}/agents", agent))["name"]
    start = (await prey.made(f"/v3/{name}/playbooks", playbook))["name"]
    await prey.rest("PATCH", f"/v3/{name}?updateMask=startPlaybook", {"startPlaybook": start})
    asked: JsonObject = {"text": {"text": "Hello."}, "languageCode": "en"}
    given: JsonObject = {"parameters": {"big": "x" * 500_000}}
    body: JsonObject = {"queryInput": asked, "queryParams": given}
    await prey.rest("POST", f"/v3/{name}/sessions/s:detectIntent", body)


@case
async def lists_over_many(prey: Prey) -> None:
    """Two hundred playbooks made and listed in pages of all and of one."""
    for start in range(0, 200, 10):
        makes = (
            prey.rest("POST", f"/v3/{prey.agent}/playbooks", {"displayName": f"l{uuid.uuid4()}", "goal": "g" * 2_000})
            for _ in range(start, start + 10)
        )
        await asyncio.gather(*makes)
    for query in ("pageSize=1000000", "pageSize=1", "pageSize=-1", "pageSize=99999999999", "pageToken=" + "A" * 60_000):
        await prey.rest("GET", f"/v3/{prey.agent}/playbooks?{query}")


@case
async def many_agents_validated(prey: Prey) -> None:
    """An agent validated ten times at once."""
    await prey.together(10, lambda: prey.rest("POST", f"/v3/{prey.agent}:validate", {}))


@case
async def recorded_and_listed(prey: Prey) -> None:
    """A conversation of 40 turns recorded five times at once, and all conversations listed."""
    session = prey.session()
    body: JsonObject = {"queryInput": {"text": {"text": "word " * 4_000}, "languageCode": "en"}}
    for _ in range(40):
        await prey.rest("POST", f"/v3/{session}:detectIntent", body)
    await prey.together(5, lambda: prey.rest("GET", f"/v3/{session}:record"))
    await prey.rest("GET", f"/v3beta1/{prey.agent}/conversations?pageSize=1000")
