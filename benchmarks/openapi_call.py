"""CPU of one OpenAPI tool call against the same request by plain aiohttp, in one run.

    python -m benchmarks.openapi_call [--calls 4000]

The service is another process, so only the caller's CPU is counted. Plain aiohttp checks nothing and keeps no trace:
it is what a call costs at least. Prints a row per measure (see `benchmarks.rows`).
"""

import argparse
import asyncio
import json
import multiprocessing
import time
from collections.abc import Awaitable, Callable, Sequence
from multiprocessing.connection import Connection
from typing import TypeAlias, cast

import aiohttp
import uvloop

from benchmarks.rows import cost, report
from openplaybook.egress.base import HttpLimits, HttpRequest
from openplaybook.egress.http import HttpTransport
from openplaybook.egress.policy import AddressPolicy, parse_allow
from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import Call, Success, ToolContext
from openplaybook.tools.toolbox import Toolbox

ROUNDS = 9
ANSWER = b'{"id":3,"name":"Rex","owner":"Kim","label":["dog","brown"],"note":"a good dog, likes long walks"}'
SCHEMA = """
openapi: 3.0.0
info: {title: Pets, version: 1.0.0}
servers: [{url: 'http://127.0.0.1:PORT/v1'}]
paths:
  /pets/{petId}:
    get:
      operationId: getPet
      parameters:
        - {in: path, name: petId, required: true, schema: {type: integer}}
        - {in: query, name: label, schema: {type: array, items: {type: string}}}
        - {in: header, name: X-SESSION, schema: {$ref: '@dialogflow/sessionId'}}
      responses: {'200': {description: The pet}}
  /pets:
    post:
      operationId: createPet
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
      responses: {'201': {description: The new pet}}
components:
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties:
        id: {type: integer}
        name: {type: string}
        owner: {type: string}
        label: {type: array, items: {type: string}}
"""
HEADERS = (("X-SESSION", "session"),)
LIMITS = HttpLimits()
Step: TypeAlias = Callable[[], Awaitable[None]]
PET: JsonObject = {"id": 3, "name": "Rex", "owner": "Kim", "label": ["dog", "brown"]}


class Service(asyncio.Protocol):
    """Answers every request with the same JSON; requests here always come in one piece."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(ANSWER)
        self._transport.write(head + ANSWER)


def serve(ready: Connection) -> None:
    async def run() -> None:
        server = await asyncio.get_running_loop().create_server(Service, "127.0.0.1", 0)
        ready.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    uvloop.run(run())


async def cpu_us(calls: Sequence[Step], count: int, concurrency: int) -> list[float]:
    """The least CPU a call of several rounds, in microseconds; in turns, so that all see the same machine."""

    async def worker(call: Step, times: int) -> None:
        for _ in range(times):
            await call()

    best = [float("inf")] * len(calls)
    for _ in range(ROUNDS):
        for position, call in enumerate(calls):
            started = time.process_time()
            await asyncio.gather(*(worker(call, count // concurrency) for _ in range(concurrency)))
            best[position] = min(best[position], time.process_time() - started)
    return [each / (count // concurrency * concurrency) * 1e6 for each in best]


async def measure(port: int, calls: int) -> None:
    transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.0/8")))
    resource = {"name": "t", "displayName": "pets", "openApiSpec": {"textSchema": SCHEMA.replace("PORT", str(port))}}
    tool = Toolbox(transport).build(resource)
    actions = {action.name: action for action in tool.actions()}

    async def ours_get() -> None:
        call = Call("1", actions["getPet"], {"petId": 3, "label": ["dog", "brown"]})
        assert isinstance(await tool.invoke(call, ToolContext("session")), Success)

    async def ours_post() -> None:
        call = Call("1", actions["createPet"], {"requestBody": PET})
        assert isinstance(await tool.invoke(call, ToolContext("session")), Success)

    async with aiohttp.ClientSession() as session:

        async def peer_get() -> None:
            query = [("label", "dog"), ("label", "brown")]
            url = f"http://127.0.0.1:{port}/v1/pets/3"
            async with session.get(url, params=query, headers={"X-SESSION": "session"}) as answer:
                json.loads(await answer.read())

        async def peer_post() -> None:
            async with session.post(f"http://127.0.0.1:{port}/v1/pets", json=PET) as answer:
                json.loads(await answer.read())

        async def door_get() -> None:
            request = HttpRequest("GET", f"http://127.0.0.1:{port}/v1/pets/3?label=dog&label=brown", HEADERS)
            json.loads((await transport.send(request, LIMITS)).body)

        for concurrency in (1, 64):
            get = await cpu_us((ours_get, door_get, peer_get), calls, concurrency)
            post = await cpu_us((ours_post, peer_post), calls, concurrency)
            _print(f"an OpenAPI tool's GET, {concurrency} at once", get[0], get[2])
            _print(f"the transport's GET, {concurrency} at once", get[1], get[2])
            _print(f"an OpenAPI tool's POST, {concurrency} at once", post[0], post[1])
    await transport.aclose()


def _print(name: str, ours: float, peer: float) -> None:
    report(cost(f"openapi_call: CPU of {name}", "µs", ours, peer, f"aiohttp {aiohttp.__version__} by itself"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=4000)
    arguments = parser.parse_args()
    spawn = multiprocessing.get_context("spawn")
    receiver, sender = spawn.Pipe(duplex=False)
    process = spawn.Process(target=serve, args=(sender,), daemon=True)
    process.start()
    try:
        uvloop.run(measure(int(receiver.recv()), arguments.calls))
    finally:
        process.terminate()
        process.join()


if __name__ == "__main__":
    main()
