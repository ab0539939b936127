# Runs in google-adk's own environment, which the type checker does not see.
# pyright: basic, reportMissingImports=false
"""The pet agent in google-adk: its Gemini model with another base URL, and its OpenAPIToolset.

Variables: BENCH_MODEL_URL; BENCH_PETS_API, the OpenAPI document; BENCH_KEPT_CLIENT, when not empty one HTTP client
serves all calls of the tool instead of a new one, with a new TLS context, each.
"""

import json
import os

import httpx
from google.adk.agents import Agent
from google.adk.models import Gemini
from google.adk.tools.openapi_tool import OpenAPIToolset


class Kept:
    """An async context that lends the same client to everybody."""

    client: httpx.AsyncClient | None = None

    async def __aenter__(self) -> httpx.AsyncClient:
        if Kept.client is None:
            Kept.client = httpx.AsyncClient(limits=httpx.Limits(max_connections=128, max_keepalive_connections=128))
        return Kept.client

    async def __aexit__(self, *error: object) -> None:
        return None


options = {"httpx_client_factory": Kept} if os.environ["BENCH_KEPT_CLIENT"] else {}

root_agent = Agent(
    name="pets",
    model=Gemini(model="gemini-2.5-flash", base_url=os.environ["BENCH_MODEL_URL"]),
    description="Answers questions about pets.",
    instruction="Answer questions about pets. Use the pets API to find a pet by its number.",
    # The API is on loopback, which the toolset else refuses.
    tools=[
        OpenAPIToolset(spec_dict=json.loads(os.environ["BENCH_PETS_API"]), allow_private_network_access=True, **options)
    ],
)
