"""Fetches what a description refers to elsewhere when its tool is saved: once saved, a tool needs nobody's document."""

import asyncio
from collections.abc import Mapping
from functools import partial

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.parser_process import read_text
from openplaybook.egress.base import HttpLimits, HttpRequest, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.tools.openapi.description.documents import NOWHERE
from openplaybook.tools.openapi.description.external import missing_documents
from openplaybook.tools.openapi.settings import ToolSettings
from openplaybook.workers.lanes import DOCUMENTS

MAX_DOCUMENTS = 20
MAX_BYTES = 10_000_000
"""Of one document."""

TOTAL_S = 20.0
"""For all documents of a description."""

_OK = 200


class UnreachableDocument(Exception):
    """A document that a description refers to cannot be had; the message says which and why."""


class ExternalDocuments:
    """Gets documents through the one door out, so under its address policy."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def fetch(self, text: str, settings: ToolSettings) -> Mapping[str, str]:
        """Texts by URI of what the description `text` needs and the settings do not have yet.

        Raises `UnreachableDocument`.
        """
        fetched: dict[str, str] = {}
        try:
            async with asyncio.timeout(TOTAL_S):
                while wanted := await self._wanted(text, settings, fetched):
                    if len(fetched) + len(wanted) > MAX_DOCUMENTS:
                        raise UnreachableDocument(f"it refers to more than {MAX_DOCUMENTS} documents elsewhere")
                    texts = await asyncio.gather(*(self._get(uri) for uri in wanted))
                    fetched.update(zip(wanted, texts, strict=True))
        except TimeoutError as error:
            raise UnreachableDocument(f"fetching what it refers to takes more than {TOTAL_S:g} s") from error
        return fetched

    async def _wanted(self, text: str, settings: ToolSettings, fetched: Mapping[str, str]) -> list[str]:
        known = {**settings.documents, **fetched}
        missing = await DOCUMENTS.run(partial(missing_documents, text, known, settings.document_uri))
        return [uri for uri in missing if uri.startswith(("http://", "https://")) and not uri.startswith(NOWHERE)]

    async def _get(self, uri: str) -> str:
        request = HttpRequest("GET", uri, (("Accept", "application/yaml, application/json, */*;q=0.5"),))
        try:
            response = await self._transport.send(request, HttpLimits(total_s=TOTAL_S, max_bytes=MAX_BYTES))
        except EgressError as error:
            raise UnreachableDocument(f"{uri} cannot be fetched: {error}") from error
        if response.status != _OK:
            raise UnreachableDocument(f"{uri} cannot be fetched: the response is {response.status}")
        if response.truncated:
            raise UnreachableDocument(f"{uri} is larger than {MAX_BYTES // 1_000_000} MB")
        try:
            text = response.body.decode("utf-8-sig")
            await DOCUMENTS.run(partial(read_text, text, is_foreign=True))
        except (UnicodeDecodeError, UnreadableDocument) as error:
            raise UnreachableDocument(f"{uri} cannot be read: {error}") from error
        return text
