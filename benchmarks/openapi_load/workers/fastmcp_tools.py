# Runs in fastmcp's own environment, which the type checker does not see.
# pyright: basic, reportMissingImports=false
"""fastmcp's server of an OpenAPI document and the tools that it lists."""

import asyncio
import json
from collections.abc import Sequence

import httpx2
import yaml
from fastmcp import FastMCP
from loading import work


def load(text: str) -> Sequence[str]:
    return asyncio.run(_load(text))


async def _load(text: str) -> Sequence[str]:
    # It takes documents that are already read.
    document = json.loads(text) if text.lstrip()[:1] == "{" else yaml.load(text, Loader=yaml.CSafeLoader)
    client = httpx2.AsyncClient(base_url="https://api.example.com")
    server = FastMCP.from_openapi(document, client=client)
    listed = [tool.to_mcp_tool().model_dump_json(exclude_none=True) for tool in await server.list_tools()]
    await client.aclose()
    return listed


if __name__ == "__main__":
    work(load)
