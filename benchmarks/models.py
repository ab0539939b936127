"""CPU of one model decision: our Chat Completions adapter against the openai SDK and pydantic-ai's model layer.

    python -m benchmarks.models [--decisions 2000]

The same question with the same tools goes to the same loopback server (a process of its own, zero delay), in rounds
that take turns. CPU is user and system time of this process, which only asks; figures are medians of the rounds.
Prints a row per measure (see `benchmarks.rows`).
"""

import argparse
import asyncio
import gc
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from typing import TypeAlias

import uvloop
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolUnionParam
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelRequest, SystemPromptPart, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.tools import ToolDefinition

from benchmarks.rows import cost, report
from openplaybook.models.base import Declaration, DeclarationKind, ModelTurn, UserText
from openplaybook.models.model_registry import create_model
from openplaybook.models.prompt.prompt_head import render_head

Decide: TypeAlias = Callable[[int], Awaitable[object]]
"""One decision about pet number N."""
Peer: TypeAlias = tuple[Decide, Callable[[], Awaitable[object]]]
"""How to decide, and how to close."""

ROUNDS = 5
SERVER = """
import asyncio
BODY = (b'{"id":"c","object":"chat.completion","created":1700000000,"model":"m","choices":[{"index":0,"message":'
        b'{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":'
        b'{"name":"getPet","arguments":"{\\\\"petId\\\\":37}"}}]},"finish_reason":"tool_calls"}],'
        b'"usage":{"prompt_tokens":200,"completion_tokens":12,"total_tokens":212}}')
ANSWER = b"HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(BODY) + BODY

async def serve(reader, writer):
    try:
        while True:
            head = await reader.readuntil(b"\\r\\n\\r\\n")
            length = next(l for l in head.lower().split(b"\\r\\n") if l.startswith(b"content-length:"))
            await reader.readexactly(int(length.partition(b":")[2]))
            writer.write(ANSWER)
    except asyncio.IncompleteReadError:
        writer.close()

async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""

TOOLS = tuple(
    Declaration(
        name,
        f"{name} of the pet service.",
        {"type": "object", "properties": {"petId": {"type": "integer"}}, "required": ["petId"]},
        None,
        DeclarationKind.TOOL,
        "pets",
        name,
    )
    for name in ("getPet", "listPets", "createPet")
)


def question(number: int) -> ModelTurn:
    """A turn that asks about a pet."""
    return ModelTurn("Pets", TOOLS, "Help with pets.", (), (), (UserText(f"What is pet {number} called?"),), "en")


def ours(base_url: str) -> Peer:
    model = create_model("openai:m", {"OPENAI_BASE_URL": base_url, "OPENAI_API_KEY": "k"})
    return lambda number: model.decide(question(number)), model.aclose


def openai_sdk(base_url: str) -> Peer:
    client = AsyncOpenAI(base_url=base_url, api_key="k", max_retries=0)
    system = render_head(question(0)).system
    tools: list[ChatCompletionToolUnionParam] = [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.input_schema},
        }
        for tool in TOOLS
    ]

    def decide(number: int) -> Awaitable[object]:
        words = f"What is pet {number} called?"
        messages: list[ChatCompletionMessageParam] = [
            {"role": "system", "content": system},
            {"role": "user", "content": words},
        ]
        return client.chat.completions.create(model="m", messages=messages, tools=tools)

    return decide, client.close


def pydantic_ai(base_url: str) -> Peer:
    client = AsyncOpenAI(base_url=base_url, api_key="k", max_retries=0)
    model = OpenAIChatModel("m", provider=OpenAIProvider(openai_client=client))
    system = SystemPromptPart(render_head(question(0)).system)
    tools = [
        ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=tool.input_schema)
        for tool in TOOLS
    ]
    parameters = ModelRequestParameters(function_tools=tools)

    def decide(number: int) -> Awaitable[object]:
        messages = [ModelRequest([system, UserPromptPart(f"What is pet {number} called?")])]
        return model_request(model, messages, model_request_parameters=parameters, instrument=False)

    return decide, client.close


async def cpu_ms(decide: Decide, decisions: int, at_once: int) -> float:
    async def worker() -> None:
        for number in range(decisions // at_once):
            await decide(number)

    begin = time.process_time()
    await asyncio.gather(*(worker() for _ in range(at_once)))
    return (time.process_time() - begin) / (decisions // at_once * at_once) * 1000


async def measure(decisions: int) -> None:
    server = await asyncio.create_subprocess_exec(sys.executable, "-c", SERVER, stdout=asyncio.subprocess.PIPE)
    assert server.stdout is not None
    base_url = f"http://127.0.0.1:{int(await server.stdout.readline())}/v1"
    peers = {"openplaybook": ours(base_url), "openai": openai_sdk(base_url), "pydantic-ai": pydantic_ai(base_url)}
    # The modules of all peers are loaded: none of them pays for collecting the others'.
    gc.collect()
    gc.freeze()
    for at_once in (1, 16):
        taken: dict[str, list[float]] = {name: [] for name in peers}
        for decide, _ in peers.values():
            await cpu_ms(decide, 200, at_once)
        for _ in range(ROUNDS):
            for name, (decide, _) in peers.items():
                taken[name].append(await cpu_ms(decide, decisions // ROUNDS, at_once))
        medians = {name: statistics.median(figures) for name, figures in taken.items()}
        for name, package in (("openai", "openai"), ("pydantic-ai", "pydantic-ai-slim")):
            title = f"models: CPU of a decision, {at_once} at once"
            report(cost(title, "ms", medians["openplaybook"], medians[name], f"{package} {version(package)}"))
    for _, close in peers.values():
        await close()
    server.terminate()
    await server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=2000)
    uvloop.run(measure(parser.parse_args().decisions))


if __name__ == "__main__":
    main()
