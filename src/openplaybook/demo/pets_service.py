"""The HTTP service behind the demo agent: the pets API of the documentation, made real.

    GET  /v1/pets          petName, label (repeated); headers X-OWNER, X-SESSION
    POST /v1/pets          {name, owner?, label?}; the service gives the id
    GET  /v1/pets/{petId}

An error is `{"error": {"code", "message"}}` with status 400, 404 or 405.
"""

import json
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from openplaybook.demo.pet_store import PetStore
from openplaybook.jsonvalues import JsonValue, as_list, as_object

_MOST_BYTES = 65_536
"""Of a body."""
_PET_MEMBERS = ("name", "owner", "label")
_LONGEST_TEXT = 200
"""Characters of a text in it."""
_LARGEST_ID = 2**63 - 1


class BadPet(ValueError):
    """The body describes no pet; the message names the JSON path."""


@dataclass(frozen=True, slots=True)
class NewPet:
    """A pet that is to be registered."""

    name: str
    owner: str | None
    label: tuple[str, ...]


def create_app(database: Path) -> Starlette:
    """The service on the SQLite file `database`, which is made and filled when it is new."""
    handlers = _Handlers(PetStore(database))
    return Starlette(
        routes=[
            Route("/v1/pets", handlers.list_pets, methods=["GET"]),
            Route("/v1/pets", handlers.create_pet, methods=["POST"]),
            Route("/v1/pets/{pet_id}", handlers.get_pet, methods=["GET"]),
        ],
        exception_handlers={HTTPException: _refuse},
    )


class _Handlers:
    """One method a route. `X-SESSION` is accepted and of no consequence: the register keeps no sessions."""

    def __init__(self, store: PetStore) -> None:
        self._store = store

    async def list_pets(self, request: Request) -> JSONResponse:
        """All pets, or those that the given filters leave."""
        pets = await run_in_threadpool(
            self._store.find,
            name=request.query_params.get("petName"),
            owner=request.headers.get("X-OWNER"),
            labels=request.query_params.getlist("label"),
        )
        return JSONResponse([pet.to_json() for pet in pets])

    async def create_pet(self, request: Request) -> JSONResponse:
        """Register the pet in the body: 201 with the pet and its new number."""
        new = _read_body(await _body(request))
        pet = await run_in_threadpool(self._store.add, new.name, new.owner, new.label)
        return JSONResponse(pet.to_json(), status_code=HTTPStatus.CREATED)

    async def get_pet(self, request: Request) -> JSONResponse:
        """The pet of the number in the path; 404 when there is none."""
        text = request.path_params["pet_id"]
        if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= _LARGEST_ID):
            raise HTTPException(HTTPStatus.BAD_REQUEST, f"petId must be a whole number, not {text[:40]!r}.")
        pet = await run_in_threadpool(self._store.get, int(text))
        if pet is None:
            raise HTTPException(HTTPStatus.NOT_FOUND, f"There is no pet {int(text)}.")
        return JSONResponse(pet.to_json())


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BYTES:
            raise HTTPException(HTTPStatus.BAD_REQUEST, f"The body may have at most {_MOST_BYTES} bytes.")
    return bytes(body)


def _read_body(body: bytes) -> NewPet:
    try:
        return read_new_pet(json.loads(body))
    except BadPet as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST, str(error)) from error
    except (ValueError, RecursionError) as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"The body is not JSON: {error}.") from error


async def _refuse(request: Request, error: Exception) -> JSONResponse:
    status = HTTPStatus(error.status_code) if isinstance(error, HTTPException) else HTTPStatus.INTERNAL_SERVER_ERROR
    message = error.detail if isinstance(error, HTTPException) else status.phrase
    headers = error.headers if isinstance(error, HTTPException) else None
    return JSONResponse({"error": {"code": status.name, "message": message}}, status_code=status, headers=headers)


def read_new_pet(body: JsonValue) -> NewPet:
    """The pet in a decoded body; `BadPet` says what is wrong."""
    if not isinstance(body, dict):
        raise BadPet("$ must be an object.")
    pet = as_object(body)
    if "id" in pet:
        raise BadPet("$.id is given by the service; leave it out.")
    for member in pet:
        if member not in _PET_MEMBERS:
            raise BadPet(f"$.{member} is not known; a pet has {', '.join(_PET_MEMBERS)}.")
    if "name" not in pet:
        raise BadPet("$.name is required.")
    owner = pet.get("owner")
    return NewPet(
        name=_text(pet["name"], "$.name"),
        owner=None if owner is None else _text(owner, "$.owner"),
        label=_labels(pet.get("label", [])),
    )


def _labels(value: JsonValue) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise BadPet("$.label must be an array of strings.")
    return tuple(_text(label, f"$.label[{index}]") for index, label in enumerate(as_list(value)))


def _text(value: JsonValue, path: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise BadPet(f"{path} must be a string with at least one letter.")
    if len(value) > _LONGEST_TEXT:
        raise BadPet(f"{path} may have at most {_LONGEST_TEXT} characters.")
    return value.strip()
