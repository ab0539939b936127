"""Every style, every value and every kind of body, byte for byte, through the real transport to a real socket."""

import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass

import pytest

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Call, Failure, Outcome, StoredFile, Success, ToolContext
from openplaybook.tools.toolbox import Toolbox
from tests.kit.held_files import HeldFiles
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.openapi import operation, resource
from tests.kit.wire_bodies import BODIES, HANDLE, PNG, BodyCase
from tests.kit.wire_table import NAME, REFUSED, ROWS, SPECIALS, VALUES, Row, Special

FILES = HeldFiles(StoredFile(HANDLE, "cat.png", "image/png", PNG))


@dataclass
class Wire:
    """A service, and the way to it."""

    peer: HttpPeer
    transport: HttpTransport

    async def call(self, document: JsonObject, arguments: JsonObject) -> tuple[Outcome, list[Received]]:
        """The outcome of calling the document's only operation, and what reached the service."""
        del self.peer.requests[:]
        tool = Toolbox(self.transport).build(resource({**document, "servers": [{"url": self.peer.url}]}))
        (action,) = tool.actions()
        outcome = await tool.invoke(Call("c", action, arguments), ToolContext("session-1", files=FILES))
        return outcome, list(self.peer.requests)


@pytest.fixture
async def wire() -> AsyncGenerator[Wire]:
    transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.0/8")))
    async with http_peer(lambda _: answer()) as peer:
        yield Wire(peer, transport)
        await transport.aclose()


def written(place: str, received: Received) -> str:
    """What stands in the parameter's place."""
    if place == "path":
        return received.target.removeprefix("/")
    if place == "query":
        return received.target.removeprefix("/?") if "?" in received.target else received.target.removeprefix("/")
    text = received.header("Cookie" if place == "cookie" else NAME) or ""
    return text.encode("latin-1").decode()


@pytest.mark.proves("O4", "O5")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.place} {row.style} {row.explode}")
async def test_every_value_is_written_as_its_style_says(wire: Wire, row: Row) -> None:
    is_path = row.place == "path"
    parameter: JsonObject = {"in": row.place, "name": NAME, "required": is_path, "schema": {}}
    document = operation(
        [{**parameter, "style": row.style, "explode": row.explode}], path=f"/{{{NAME}}}" if is_path else "/"
    )
    sent: dict[str, str | None] = {}
    for column, value in VALUES.items():
        outcome, requests = await wire.call(document, {NAME: value})
        if isinstance(outcome, Failure):
            assert (outcome.code, requests) == ("INVALID_ARGUMENTS", [])
            sent[column] = REFUSED
        else:
            (received,) = requests
            sent[column] = written(row.place, received)
    assert sent == row.cells


@pytest.mark.proves("O4", "O5")
@pytest.mark.parametrize("case", SPECIALS, ids=lambda case: case.title)
async def test_what_goes_beyond_the_table_is_written_like_this(wire: Wire, case: Special) -> None:
    place = str(case.parameter["in"])
    is_path = place == "path"
    parameter: JsonObject = {"name": "p", "required": is_path, "schema": {}, **case.parameter}
    if "content" in parameter:
        del parameter["schema"]
    outcome, (received,) = await wire.call(operation([parameter], path="/{p}" if is_path else "/"), {"p": case.value})
    assert isinstance(outcome, Success)
    header = {"header": "p", "cookie": "Cookie"}.get(place)
    assert (received.target.removeprefix("/") if header is None else received.header(header)) == case.written


def told(received: Received) -> tuple[str, bytes]:
    """Media type and body, the boundary replaced by a fixed one."""
    media_type = received.header("Content-Type") or ""
    found = re.search(r"boundary=(\w+)", media_type)
    if found is None:
        return media_type, received.body
    return media_type.replace(found[1], "BOUNDARY"), received.body.replace(found[1].encode(), b"BOUNDARY")


@pytest.mark.proves("O6")
@pytest.mark.parametrize("case", BODIES, ids=lambda case: case.title)
async def test_a_body_is_written_as_its_media_type_says(wire: Wire, case: BodyCase) -> None:
    document = operation(body={"content": case.content}) | {"components": {"schemas": case.components}}
    outcome, requests = await wire.call(document, {"requestBody": case.value})
    assert isinstance(outcome, Success), outcome
    (received,) = requests
    assert told(received) == (case.media_type, case.written)


UNKNOWN: JsonValue = HANDLE.replace("f1", "f2")
PHOTO: JsonObject = {"type": "object", "properties": {"photo": {"type": "string", "format": "binary"}}}


@pytest.mark.parametrize(
    ("media_type", "schema", "value", "message"),
    [
        (
            "multipart/form-data",
            PHOTO,
            {"photo": {"contents": "AAE"}},
            "requestBody.photo.contents is not base64: Incorrect padding",
        ),
        (
            "multipart/form-data",
            PHOTO,
            {"photo": UNKNOWN},
            f"requestBody.photo: this conversation has no file {UNKNOWN!r}",
        ),
        (
            "image/png",
            {},
            {"file": UNKNOWN},
            f"requestBody: this conversation has no file {UNKNOWN!r}",
        ),
        (
            "image/png",
            {},
            "a picture",
            'requestBody must be a file: {"name", "contents" (base64), "mimeType"}, the handle of a file of this '
            'conversation, or {"file": handle}',
        ),
        (
            "application/octet-stream",
            {},
            {"name": "a"},
            'requestBody fits none of the allowed forms: {"name":"a"} is not of type "string"; "contents" is a '
            'required property; "file" is a required property',
        ),
        ("application/xml", {}, {"a b": 1}, "'a b' cannot be the name of an XML element or attribute"),
        ("application/xml", {}, {"a": "\x00"}, "XML cannot hold the character U+0000"),
        (
            "text/plain; charset=ascii",
            {},
            "ü",
            "requestBody cannot be written in ascii: ordinal not in range(128)",
        ),
        (
            "multipart/form-data",
            PHOTO,
            {"photo": {"contents": "AAEC", "mimeType": "a/b\r\nX: y"}},
            "the header Content-Type of photo must not hold line breaks or control characters",
        ),
    ],
)
async def test_what_cannot_be_sent_is_told_and_nothing_is_sent(
    wire: Wire, media_type: str, schema: JsonObject, value: JsonValue, message: str
) -> None:
    document = operation(body={"content": {media_type: {"schema": schema}}})
    assert await wire.call(document, {"requestBody": value}) == (Failure("INVALID_ARGUMENTS", message), [])
