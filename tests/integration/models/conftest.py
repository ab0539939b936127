from collections.abc import AsyncGenerator, AsyncIterator
from typing import TypeAlias

import pytest

from openplaybook.models.base import Model, ModelReply, TextDelta
from openplaybook.models.model_registry import create_model
from tests.integration.models import chat_peer
from tests.integration.models.peer import Peer

Items: TypeAlias = AsyncIterator[TextDelta | ModelReply]


@pytest.fixture
async def chat() -> AsyncGenerator[Peer, None]:
    """A strict Chat Completions server; every request has to be faultless."""
    async with Peer(chat_peer.faults).serving() as peer:
        yield peer
    assert peer.faults == []


@pytest.fixture
async def model(chat: Peer) -> AsyncGenerator[Model, None]:
    """Our adapter for that server, retries included."""
    made = create_model("openai:m", {"OPENAI_BASE_URL": f"{chat.base_url}/v1/", "OPENAI_API_KEY": "sk-secret"})
    yield made
    await made.aclose()
