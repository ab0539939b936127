"""A file that one call gets is sent by the next, through the files of the conversation and a real socket."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from werkzeug.formparser import parse_form_data
from werkzeug.test import EnvironBuilder

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.tools.base import Call, Success, ToolContext
from openplaybook.tools.session_files import SessionFiles
from openplaybook.tools.toolbox import Toolbox
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.openapi import description, resource

SESSION = "projects/p/locations/global/agents/a/sessions/s"
PICTURE = b"\x89PNG\r\n--boundary\r\n" + bytes(range(256))
BINARY: JsonObject = {"type": "string", "format": "binary"}
FORM: JsonObject = {
    "type": "object",
    "required": ["photo"],
    "properties": {"photo": BINARY, "note": {"type": "string"}},
}
PATHS: JsonObject = {
    "/photo": {
        "get": {
            "operationId": "getPhoto",
            "responses": {"200": {"description": "It", "content": {"image/png": {"schema": BINARY}}}},
        },
        "post": {
            "operationId": "addPhoto",
            "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": FORM}}},
            "responses": {"200": {"description": "Done"}},
        },
        "put": {
            "operationId": "setPhoto",
            "requestBody": {"required": True, "content": {"image/*": {"schema": BINARY}}},
            "responses": {"200": {"description": "Done"}},
        },
    }
}


def reply(received: Received) -> bytes:
    is_get = received.method == "GET"
    disposition = 'attachment; filename="rex.png"'
    if not is_get:
        return answer()
    return answer(PICTURE, content_type="image/png", Content_Disposition=disposition)


@pytest.fixture
async def peer() -> AsyncGenerator[HttpPeer]:
    async with http_peer(reply) as peer:
        yield peer


@pytest.fixture
async def context(tmp_path: Path) -> AsyncGenerator[ToolContext]:
    store = SqliteStore(tmp_path / "store.db")
    await store.open()
    yield ToolContext("s", files=SessionFiles(store, SESSION))
    await store.close()


def uploaded(received: Received) -> tuple[str | None, str, bytes, dict[str, str]]:
    """Name, media type and contents of the photo, and the other fields."""
    media_type = received.header("Content-Type")
    builder = EnvironBuilder(method="POST", data=received.body, content_type=media_type)
    _, form, files = parse_form_data(builder.get_environ())
    photo = files["photo"]
    read = (photo.filename, photo.mimetype, photo.read(), form.to_dict())
    photo.close()
    return read


@pytest.mark.proves("O6")
@pytest.mark.parametrize("form", ["handle", "object", "whole"])
async def test_a_file_that_was_got_is_sent_on(peer: HttpPeer, context: ToolContext, form: str) -> None:
    transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.0/8")))
    tool = Toolbox(transport).build(resource({**description(PATHS), "servers": [{"url": peer.url}]}))
    actions = {action.action: action for action in tool.actions()}
    got = await tool.invoke(Call("1", actions["getPhoto"], {}), context)
    assert isinstance(got, Success)
    told: JsonObject = got.output["200"]["file"]
    photo: JsonValue = {"handle": told["handle"], "object": {"file": told["handle"]}, "whole": {"file": told}}[form]
    added = await tool.invoke(Call("2", actions["addPhoto"], {"requestBody": {"photo": photo, "note": "ü"}}), context)
    replaced = await tool.invoke(Call("3", actions["setPhoto"], {"requestBody": photo}), context)
    await transport.aclose()
    assert (type(added), type(replaced)) == (Success, Success)
    _, as_form, as_body = peer.requests
    assert uploaded(as_form) == ("rex.png", "image/png", PICTURE, {"note": "ü"})
    assert (as_body.header("Content-Type"), as_body.body) == ("image/png", PICTURE)
