# Runs in fastmcp's own environment, which the type checker does not see.
# pyright: basic, reportMissingImports=false
"""fastmcp's tools of an OpenAPI document, run as objects: the protocol between client and server is left out."""

from typing import Any

import httpx2
from fastmcp import FastMCP
from loop import DOCUMENT, GET_ARGUMENTS, PET, URL, Calls, work


async def prepare() -> Calls:
    limits = httpx2.Limits(max_connections=128, max_keepalive_connections=128)
    server = FastMCP.from_openapi(DOCUMENT, client=httpx2.AsyncClient(base_url=f"{URL}/v1", limits=limits))
    get, post = await server.get_tool("getPet"), await server.get_tool("createPet")

    async def run(tool: Any, arguments: dict[str, Any]) -> object:
        return (await tool.run(arguments)).structured_content

    return {"get": lambda: run(get, GET_ARGUMENTS), "post": lambda: run(post, dict(PET))}


if __name__ == "__main__":
    work(prepare)
