"""The API of the documents' pet schema, on a loopback socket that records what reaches it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from openplaybook.jsonvalues import JsonObject, dumps
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer

PRINTED_URL = "https://api.pet-service-example.com/v1"
PRINTED_SCHEMA = (Path(__file__).parents[2] / "fixtures" / "pets_verbatim.yaml").read_text()
"""The schema as the documents print it."""

PETS: list[JsonObject] = [
    {"id": 1, "name": "Bella", "owner": "Maria", "label": ["dog", "small"]},
    {"id": 2, "name": "Milo", "owner": "Tom", "label": ["cat"]},
    {"id": 3, "name": "Luna", "owner": "Aisha", "label": ["cat", "indoor"]},
]


def schema_of(peer: HttpPeer) -> str:
    """The printed schema with the service's address in place of the example's."""
    assert PRINTED_SCHEMA.count(PRINTED_URL) == 1
    return PRINTED_SCHEMA.replace(PRINTED_URL, f"{peer.url}/v1")


@asynccontextmanager
async def pets_service() -> AsyncGenerator[HttpPeer]:
    """The service while the context lasts."""
    async with http_peer(_reply) as peer:
        yield peer


def _reply(received: Received) -> bytes:
    place = urlsplit(received.target)
    if received.method == "POST":
        return answer(received.body, "201 Created")
    if place.path == "/v1/pets":
        labels = parse_qs(place.query).get("label", [])
        return answer(dumps([pet for pet in PETS if set(labels) <= set(pet["label"])]))
    found = [pet for pet in PETS if place.path == f"/v1/pets/{pet['id']}"]
    return (
        answer(dumps(found[0]))
        if found
        else answer(b'{"error": {"message": "There is no such pet."}}', "404 Not Found")
    )
