"""Endpoints that do not answer as Google does."""

import asyncio
import gc
import json

import pytest

from openplaybook.sync.errors import SyncError
from openplaybook.sync.google_remote import RemoteOptions, remote_of
from tests.kit.http_peer import answer, http_peer

_NONE = "the endpoint is not an API of Google: "
_EMPTY = {"@type": "type.googleapis.com/google.protobuf.Empty"}


@pytest.fixture(scope="module", autouse=True)
def nothing_is_left() -> None:
    """A collection within the deeply nested answer would close what earlier tests left, with no stack to do it on."""
    gc.collect()


@pytest.mark.parametrize("name", ["projects/p/locations/global/agents/a", "projects/p/locations/global/apps/a"])
@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"<html>", _NONE + "Failed to load JSON"),
        (b"", _NONE + "Failed to load JSON"),
        (b'{"a":' * 50_000, _NONE + "Failed to load JSON"),
        (b'{"name": 5}', _NONE + "Failed to parse name field"),
        (json.dumps({"name": "o", "done": True, "response": _EMPTY}).encode(), _NONE + "Could not convert"),
        (b'{"name": "o", "done": true}', "Google answered None: Unexpected state"),
    ],
)
async def test_what_is_no_answer_of_googles_is_said(name: str, body: bytes, said: str) -> None:
    async with http_peer(lambda _: answer(body)) as peer:
        remote = remote_of(name, RemoteOptions(endpoint=peer.url, is_anonymous=True))
        with pytest.raises(SyncError) as refusal:
            await asyncio.to_thread(remote.export, lambda _: None)
    assert str(refusal.value).startswith(said)
