# Runs in google-adk's own environment, which the type checker does not see.
# pyright: basic, reportMissingImports=false
"""google-adk's OpenAPIToolset with one kept HTTP client; by default it makes a client, with a TLS context, per call."""

import httpx
from google.adk.tools.openapi_tool import OpenAPIToolset
from loop import DOCUMENT, GET_ARGUMENTS, PET, Calls, work


class Kept:
    """An async context that lends the same client to everybody."""

    client: httpx.AsyncClient | None = None

    async def __aenter__(self) -> httpx.AsyncClient:
        if Kept.client is None:
            Kept.client = httpx.AsyncClient(limits=httpx.Limits(max_connections=128, max_keepalive_connections=128))
        return Kept.client

    async def __aexit__(self, *error: object) -> None:
        return None


async def prepare() -> Calls:
    # The service is on loopback, which the toolset else refuses.
    toolset = OpenAPIToolset(spec_dict=DOCUMENT, allow_private_network_access=True, httpx_client_factory=Kept)
    tools = {tool.name: tool for tool in await toolset.get_tools()}
    # Its names are in snake case.
    arguments = {"pet_id": GET_ARGUMENTS["petId"], "label": GET_ARGUMENTS["label"]}
    return {
        "get": lambda: tools["get_pet"].run_async(args=arguments, tool_context=None),
        "post": lambda: tools["create_pet"].run_async(args=dict(PET), tool_context=None),
    }


if __name__ == "__main__":
    work(prepare)
