"""Google's client that makes itself from a discovery document, unpatched."""

import asyncio
import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httplib2
from googleapiclient.discovery import build_from_document

from openplaybook.jsonvalues import JsonObject
from tests.kit.discovery_documents import document, faults

Client = Any
"""What the document says, as methods: no type knows them."""


@dataclass
class ConnectorsClients:
    """Clients of both versions of Integration Connectors; each answer is held against its document."""

    url: str

    async def v1(self, schema: str, call: Callable[[Client], Any]) -> JsonObject:
        """The answer to a request that is made of `connections()` or of what stands beside it."""
        return await self._answer("v1", schema, call)

    async def v2(self, schema: str, call: Callable[[Client], Any]) -> JsonObject:
        """The same of v2."""
        return await self._answer("v2", schema, call)

    async def _answer(self, version: str, schema: str, call: Callable[[Client], Any]) -> JsonObject:
        def run() -> JsonObject:
            content, options = copy.deepcopy(document(f"connectors.{version}")), {"api_endpoint": self.url}
            with build_from_document(content, http=httplib2.Http(timeout=30), client_options=options) as client:
                return call(client.projects().locations()).execute()

        answer = await asyncio.to_thread(run)
        assert faults(f"connectors.{version}", answer, schema) == []
        return answer

    async def done(self, call: Callable[[Client], Any]) -> JsonObject:
        """The response of an operation, polled as Google's samples do it."""
        operation = await self.v1("Operation", call)
        for _ in range(200):
            if operation.get("done"):
                return operation["response"]
            await asyncio.sleep(0.02)
            name = operation["name"]
            operation = await self.v1("Operation", lambda at, name=name: at.operations().get(name=name))
        raise AssertionError(f"{operation} did not end")
