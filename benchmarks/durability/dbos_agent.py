# Runs in an environment of its own, with dbos, which the type checker does not see.
# pyright: basic, reportMissingImports=false
"""The pet agent by hand on DBOS: a turn is a workflow, each model call and each tool call a step of it.

    python dbos_agent.py PORT DATABASE_URL MODEL_URL PETS_URL

DATABASE_URL may be `none`: the same code with plain functions, so that what DBOS adds can be told.

The least that DBOS can cost: no agent framework, no sessions beside the workflow, one kept HTTP client, uvloop.
"""

import asyncio
import json
import logging
import sys
import uuid

import aiohttp
import uvicorn
from dbos import DBOS, SetWorkflowID
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route

PORT, DATABASE, MODEL, PETS = sys.argv[1:5]
SCHEMA = {"type": "object", "properties": {"petId": {"type": "integer"}}, "required": ["petId"]}
TOOLS = [{"type": "function", "function": {"name": "getPet", "description": "Finds a pet.", "parameters": SCHEMA}}]
IS_DURABLE = DATABASE != "none"
clients: list[aiohttp.ClientSession] = []


def as_is(function: object) -> object:
    return function


step, workflow = (DBOS.step(), DBOS.workflow()) if IS_DURABLE else (as_is, as_is)


@step
async def ask_model(messages: list) -> dict:
    request = {"model": "fake", "messages": messages, "tools": TOOLS}
    async with clients[0].post(f"{MODEL}/v1/chat/completions", json=request) as answer:
        return (await answer.json())["choices"][0]["message"]


@step
async def call_tool(arguments: str) -> str:
    async with clients[0].get(f"{PETS}/pets/{json.loads(arguments)['petId']}") as answer:
        return await answer.text()


@workflow
async def turn(text: str) -> str:
    messages = [{"role": "system", "content": "Find pets."}, {"role": "user", "content": text}]
    while True:
        reply = await ask_model(messages)
        messages.append(reply)
        if not reply.get("tool_calls"):
            return reply["content"]
        for call in reply["tool_calls"]:
            result = await call_tool(call["function"]["arguments"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})


async def run(request: Request) -> JSONResponse:
    asked = await request.json()
    if not IS_DURABLE:
        return JSONResponse({"text": await turn(asked["text"])})
    with SetWorkflowID(f"{asked['session']}-{uuid.uuid4()}"):
        return JSONResponse({"text": await turn(asked["text"])})


async def health(request: Request) -> PlainTextResponse:
    return PlainTextResponse("ok")


async def main() -> None:
    if IS_DURABLE:
        DBOS(
            config={"name": "pets", "system_database_url": DATABASE, "log_level": "WARNING", "run_admin_server": False}
        )
        DBOS.launch()
    logging.getLogger("dbos").setLevel(logging.WARNING)
    async with aiohttp.ClientSession() as client:
        clients.append(client)
        app = Starlette(routes=[Route("/run", run, methods=["POST"]), Route("/health", health)])
        await uvicorn.Server(uvicorn.Config(app, port=int(PORT), log_level="warning", access_log=False)).serve()


if __name__ == "__main__":
    import uvloop

    uvloop.install()
    asyncio.run(main())
