"""The demo's pets service on a real socket."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
import uvicorn

from openplaybook.demo.pets_service import create_app


@pytest.fixture
async def pets(tmp_path: Path) -> AsyncIterator[aiohttp.ClientSession]:
    """A client of a freshly started service."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(create_app(tmp_path / "pets.db"), log_level="warning", lifespan="off")
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve(sockets=[listener]))
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    async with aiohttp.ClientSession(base) as session:
        with contextlib.ExitStack() as closing:
            closing.callback(listener.close)
            yield session
            server.should_exit = True
            await running


async def test_pets_are_listed_and_filtered(pets: aiohttp.ClientSession) -> None:
    async with pets.get("/v1/pets", headers={"X-SESSION": "abc"}) as answer:
        assert answer.status == 200
        assert [pet["id"] for pet in await answer.json()] == [1, 2, 3, 4, 5, 6, 7, 8]
    async with pets.get("/v1/pets?label=dog&label=large", headers={"X-OWNER": "Maria"}) as answer:
        assert await answer.json() == [{"id": 4, "name": "Oscar", "owner": "Maria", "label": ["dog", "large"]}]
    async with pets.get("/v1/pets", params={"petName": "Milo"}) as answer:
        assert await answer.json() == [{"id": 2, "name": "Milo", "owner": "Tom", "label": ["cat"]}]


async def test_an_added_pet_can_be_looked_up(pets: aiohttp.ClientSession) -> None:
    rex = {"id": 9, "name": "Rex", "owner": "Kim", "label": ["dog"]}
    async with pets.post("/v1/pets", json={"name": "Rex", "owner": "Kim", "label": ["dog"]}) as answer:
        assert (answer.status, await answer.json()) == (201, rex)
    async with pets.get("/v1/pets/9") as answer:
        assert (answer.status, await answer.json()) == (200, rex)


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        ("/v1/pets/99", 404, {"code": "NOT_FOUND", "message": "There is no pet 99."}),
        ("/v1/pets/rex", 400, {"code": "BAD_REQUEST", "message": "petId must be a whole number, not 'rex'."}),
        ("/v1/dogs", 404, {"code": "NOT_FOUND", "message": "Not Found"}),
    ],
)
async def test_errors_are_json(pets: aiohttp.ClientSession, path: str, status: int, error: dict[str, str]) -> None:
    async with pets.get(path) as answer:
        assert (answer.status, await answer.json()) == (status, {"error": error})


async def test_a_body_that_is_not_json_is_refused(pets: aiohttp.ClientSession) -> None:
    async with pets.post("/v1/pets", data=b"{oops") as answer:
        assert answer.status == 400
        assert (await answer.json())["error"]["code"] == "BAD_REQUEST"


async def test_a_method_that_is_not_served_is_refused(pets: aiohttp.ClientSession) -> None:
    async with pets.delete("/v1/pets/1") as answer:
        assert (answer.status, set(answer.headers["Allow"].split(", "))) == (405, {"GET", "HEAD"})
