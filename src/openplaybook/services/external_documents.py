"""Fetches what a description refers to elsewhere when its tool is saved: once saved, a tool needs nobody's document."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.parser_process import read_text
from openplaybook.egress.base import HttpLimits, HttpRequest, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.workers.lanes import DOCUMENTS

MAX_DOCUMENTS = 20
MAX_BYTES = 10_000_000
"""Of one document."""

TOTAL_S = 20.0
"""For all documents of a description."""

_OK = 200

Missing: TypeAlias = Callable[[Mapping[str, str]], Sequence[str]]
"""From the texts that are there, by URI, to the URLs of those that are missing; blocks."""


class UnreachableDocument(Exception):
    """A document that a description refers to cannot be had; the message says which and why."""


class ExternalDocuments:
    """Gets documents through the one door out, so under its address policy."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def fetch(self, missing: Missing) -> Mapping[str, str]:
        """Texts by URI of what is missing, and of what these texts then refer to.

        Raises `UnreachableDocument`, and what `missing` raises.
        """
        fetched: dict[str, str] = {}
        try:
            async with asyncio.timeout(TOTAL_S):
                while wanted := await DOCUMENTS.run(partial(missing, fetched)):
                    if len(fetched) + len(wanted) > MAX_DOCUMENTS:
                        raise UnreachableDocument(f"it refers to more than {MAX_DOCUMENTS} documents elsewhere")
                    texts = await asyncio.gather(*(self._get(uri) for uri in wanted))
                    fetched.update(zip(wanted, texts, strict=True))
        except TimeoutError as error:
            raise UnreachableDocument(f"fetching what it refers to takes more than {TOTAL_S:g} s") from error
        return fetched

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
