"""Ordinary turns at a steady rate: `python -m benchmarks.hostile.ordinary HTTP_PORT GRPC_PORT PETS_URL PER_SECOND`.

Each is the first turn of a session and asks for another pet, by REST or, every fourth, by gRPC; it counts when the
answer names the pet, which only the tool's answer does. Once in two seconds an editor saves a small tool. Prints, as
JSON, `[due, seconds, door, fault]` for each; `fault` is empty where the answer was right.
"""

import asyncio
import itertools
import sys
import time
import uuid
from dataclasses import dataclass, field
from typing import cast

import grpc
import grpc.aio
import uvloop

from benchmarks.turns.client import Connection
from benchmarks.turns.pets_peer import document
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.wire.api import load_api
from openplaybook.wire.messages import message_class

_AGENTS = "/v3/projects/ordinary/locations/global/agents"
_RPC = "google.cloud.dialogflow.cx.v3.Sessions.DetectIntent"
_GRPC_EACH = 4
_SAVED_EVERY_S = 2.0
_PATIENCE_S = 60.0
_KEPT_S = 3.0
"""The server closes a connection that was idle for five seconds."""


@dataclass
class Ordinary:
    """An agent and who talks to it."""

    http: int
    agent: str
    channel: grpc.aio.Channel
    pets: str
    free: list[tuple[float, Connection]] = field(default_factory=list[tuple[float, Connection]])
    """Connections that nobody uses, with the moment since when."""

    async def rest(self, number: int) -> str:
        """What was wrong with a turn over REST."""
        path = f"/v3/{self.agent}/sessions/{uuid.uuid4()}:detectIntent"
        status, answer = await self._request("POST", path, asked(number))
        return "" if status == 200 and f"Pet-{number}" in str(answer) else f"{status} {str(answer)[:300]}"

    async def grpc(self, number: int) -> str:
        """What was wrong with a turn over gRPC."""
        method = load_api().methods[_RPC]
        session = f"{self.agent}/sessions/{uuid.uuid4()}"
        request = load_api().codec.from_json({"session": session, **asked(number)}, message_class(method.input)())
        try:
            answer = cast(bytes, await self.channel.unary_unary(method.path)(request.SerializeToString()))
        except grpc.aio.AioRpcError as error:
            return f"{error.code().name} {error.details()}"
        return "" if f"Pet-{number}".encode() in answer else f"OK {answer[:300]!r}"

    async def save(self, number: int) -> str:
        """What was wrong with saving a small tool."""
        tool: JsonObject = {
            "displayName": f"saved {number}",
            "description": "Finds pets.",
            "openApiSpec": {"textSchema": dumps(document(self.pets)).decode()},
        }
        status, answer = await self._request("POST", f"/v3/{self.agent}/tools", tool)
        if status != 200:
            return f"{status} {str(answer)[:300]}"
        await self._request("DELETE", f"/v3/{answer['name']}")
        return ""

    async def _request(self, method: str, path: str, body: JsonValue = None) -> tuple[int, JsonValue]:
        try:
            connection = await self._connection()
            answered = await connection.request(method, path, body)
        except OSError as error:
            return 0, str(error)
        self.free.append((time.monotonic(), connection))
        return answered

    async def _connection(self) -> Connection:
        while self.free:
            since, connection = self.free.pop()
            if time.monotonic() - since < _KEPT_S:
                return connection
            connection.close()
        return await Connection.open(self.http)


def asked(number: int) -> JsonObject:
    """The body of a turn that asks for a pet."""
    return {"queryInput": {"text": {"text": f"Show me pet {number}."}, "languageCode": "en"}}


async def made_agent(port: int, pets: str) -> str:
    """The name of a new agent with a tool for the pets."""
    connection = await Connection.open(port)
    about: JsonObject = {"displayName": "ordinary", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    agent = cast(str, (await connection.must("POST", _AGENTS, about))["name"])
    text = dumps(document(pets)).decode()
    tool: JsonObject = {"displayName": "pets", "description": "Finds pets.", "openApiSpec": {"textSchema": text}}
    made = await connection.must("POST", f"/v3/{agent}/tools", tool)
    playbook: JsonObject = {
        "displayName": "start",
        "goal": "Answer questions.",
        "referencedTools": [made["name"]],
        "instruction": {"steps": [{"text": "Use ${TOOL: pets} to find a pet by its number."}]},
    }
    start = await connection.must("POST", f"/v3/{agent}/playbooks", playbook)
    await connection.must("PATCH", f"/v3/{agent}?updateMask=startPlaybook", {"startPlaybook": start["name"]})
    connection.close()
    return agent


async def _timed(ordinary: Ordinary, door: str, number: int, due: float) -> None:
    try:
        async with asyncio.timeout(_PATIENCE_S):
            fault: str = await getattr(ordinary, door)(number)
    except TimeoutError:
        fault = "no answer"
    sys.stdout.buffer.write(dumps([due, time.monotonic() - due, door, fault]) + b"\n")
    sys.stdout.flush()


async def hold(http: int, grpc_port: int, pets: str, per_s: float) -> None:
    """Hold turns until the process is ended."""
    agent = await made_agent(http, pets)
    ordinary = Ordinary(http, agent, grpc.aio.insecure_channel(f"127.0.0.1:{grpc_port}"), pets)
    due, running = time.monotonic(), set[asyncio.Task[None]]()
    for number in itertools.count(1):
        due += 1 / per_s
        await asyncio.sleep(max(due - time.monotonic(), 0))
        doors = ["grpc" if number % _GRPC_EACH == 0 else "rest"]
        if number % round(per_s * _SAVED_EVERY_S) == 0:
            doors.append("save")
        for door in doors:
            task = asyncio.create_task(_timed(ordinary, door, number, due))
            running.add(task)
            task.add_done_callback(running.discard)


if __name__ == "__main__":
    uvloop.run(hold(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], float(sys.argv[4])))
