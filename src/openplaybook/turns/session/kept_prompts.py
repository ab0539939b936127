"""What decisions sent to providers and what came back: kept beneath the session's name, and gone with it.

They are blobs rather than rows of the journal: a turn reads its session's journal, and what was sent says all of it
again. Nothing waits for them; a process that dies may lose the last one.
"""

import logging
import zlib
from dataclasses import dataclass
from functools import partial

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.models.base import ProviderExchange
from openplaybook.storage.base import Store
from openplaybook.storage.errors import StoreError
from openplaybook.telemetry.redaction import without_long
from openplaybook.turns.errors import NewerData
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import FILES

_LOG = logging.getLogger("openplaybook.turns")

_FORM = 1
"""Version of what is stored."""
LONGEST = 1024 * 1024
"""Bytes that are kept of a request, and of a reply: of a longer one its beginning and its end."""
_AT_ONCE = 32 * 1024
"""Bytes that are packed in the event loop."""
_LEFT_OUT = b"\n[%d bytes left out]\n"


@dataclass(frozen=True, slots=True)
class KeptPrompt:
    """What was sent for one decision, and what came back."""

    request: str
    """Mostly JSON, as the provider got it."""
    reply: str
    request_bytes: int
    """Of all of it."""
    reply_bytes: int

    @property
    def is_cut(self) -> bool:
        """Whether something in the middle is left out."""
        return max(self.request_bytes, self.reply_bytes) > LONGEST


class KeptPrompts:
    """Those of one session."""

    def __init__(self, store: Store, session: str) -> None:
        self._store = store
        self._prefix = f"{session}/prompts/"

    async def keep(self, key: str, exchange: ProviderExchange, secrets: tuple[str, ...] = ()) -> None:
        """Keep an exchange with these texts masked. A turn does not fail for it: what goes wrong is logged."""
        pack = partial(_packed, exchange, secrets)
        try:
            size = len(exchange.request) + len(exchange.reply)
            blob = pack() if size <= _AT_ONCE else await FILES.run(pack)
            await self._store.put_blob(f"{self._prefix}{key}", blob)
        except (StoreError, WorkError) as error:
            _LOG.warning("a prompt was not kept: %s", error)

    async def read(self, key: str) -> KeptPrompt | None:
        """One that was kept; None for a decision without one. Raises `NewerData`."""
        blob = await self._store.get_blob(f"{self._prefix}{key}")
        if blob is None:
            return None
        read = partial(_read, blob)
        return read() if len(blob) <= _AT_ONCE else await FILES.run(read)


def _packed(exchange: ProviderExchange, secrets: tuple[str, ...]) -> bytes:
    form: JsonObject = {
        "form": _FORM,
        "request": _shortened(without_long(exchange.request, secrets)),
        "reply": _shortened(without_long(exchange.reply, secrets)),
        "requestBytes": len(exchange.request),
        "replyBytes": len(exchange.reply),
    }
    return zlib.compress(dumps(form), 1)


def _shortened(text: bytes) -> str:
    if len(text) > LONGEST:
        half = LONGEST // 2
        text = text[:half] + _LEFT_OUT % (len(text) - 2 * half) + text[-half:]
    return text.decode("utf-8", "replace")


def _read(blob: bytes) -> KeptPrompt:
    form: JsonObject = loads(zlib.decompress(blob))
    if form["form"] > _FORM:
        raise NewerData(f"A prompt was written by a newer server (version {form['form']}; known: {_FORM}).")
    return KeptPrompt(form["request"], form["reply"], form["requestBytes"], form["replyBytes"])
