"""Bodies: large, endless, lying, and of shapes that grow when they are read."""

import asyncio
import base64
import functools
import json
import struct
import uuid
from collections.abc import AsyncIterator

import grpc

from benchmarks.hostile.cases import zips
from benchmarks.hostile.cases.base import Cases
from benchmarks.hostile.exchange import each, sliced
from benchmarks.hostile.frames import DATA, END_HEADERS, END_STREAM, HEADERS, call_fields, connection, frame, pour
from benchmarks.hostile.prey import LOCATION, Prey
from openplaybook.jsonvalues import JsonObject

case = Cases()

_TURN = "google.cloud.dialogflow.cx.v3.Sessions.DetectIntent"
_HELD_S = 4.0
_95_MB = 95 * 1024 * 1024


@functools.cache
def _large_turn(size: int = _95_MB) -> bytes:
    head, tail = b'{"queryInput":{"text":{"text":"', b'"},"languageCode":"en"}}'
    return head + b"a " * (size // 2) + tail


def _turn_path(prey: Prey) -> str:
    return f"/v3/{prey.session()}:detectIntent"


@case
async def bodies_20_of_95mb(prey: Prey) -> None:
    """Twenty turns of 95 MB at once."""
    await prey.together(20, lambda: prey.rest("POST", _turn_path(prey), _large_turn()))


@case
async def bodies_grpc_20_of_95mb(prey: Prey) -> None:
    """Twenty turns of 95 MB at once, by gRPC."""
    size = 95_000_000
    text = b"\x0a" + _varint(size) + bytes([97]) * size  # TextInput.text
    inner = b"\x12" + _varint(len(text)) + text  # QueryInput.text
    request = b"\x1a" + _varint(len(inner)) + inner  # DetectIntentRequest.query_input
    await prey.together(20, lambda: prey.rpc(_TURN, request))


@case
async def bodies_imports_of_95mb(prey: Prey) -> None:
    """Ten imports of 90 MB at once."""
    body = b'{"appId":"x","displayName":"x","appContent":"' + b"A" * (90 * 2**20) + b'"}'
    await prey.together(10, lambda: prey.rest("POST", f"/v1beta/{LOCATION}/apps:importApp", body))


@case
async def bodies_tools_of_90mb(prey: Prey) -> None:
    """Five tools whose description is 90 MB."""
    body = b'{"displayName":"t","description":"d","openApiSpec":{"textSchema":"' + b"a: b " * (18 * 2**20) + b'"}}'
    await prey.together(5, lambda: prey.rest("POST", f"/v3/{prey.agent}/tools", body))


@case
async def body_chunked_endless(prey: Prey) -> None:
    """A turn in chunks without an end."""

    async def chunks() -> AsyncIterator[bytes]:
        piece = b"40000\r\n" + b" " * 0x40000 + b"\r\n"
        for _ in range(2_000):
            yield piece

    await prey.raw("POST", _turn_path(prey), chunks(), {"Transfer-Encoding": "chunked"})


@case
async def body_one_byte_chunks(prey: Prey) -> None:
    """A turn of one megabyte in chunks of one byte each."""
    pieces = [*[b"1\r\na\r\n" * 10_000] * 100, b"0\r\n\r\n"]
    await prey.raw("POST", _turn_path(prey), each(pieces), {"Transfer-Encoding": "chunked"}, patience_s=40)


@case
async def body_chunk_extensions(prey: Prey) -> None:
    """Chunks whose extensions are a megabyte."""
    pieces = [*[b"1;" + b"a" * 1_000_000 + b"\r\na\r\n"] * 20, b"0\r\n\r\n"]
    await prey.raw("POST", _turn_path(prey), each(pieces), {"Transfer-Encoding": "chunked"}, patience_s=40)


@case
async def body_shorter_than_said(prey: Prey) -> None:
    """Ten turns that say one megabyte and send a part of it."""
    attack = functools.partial(prey.raw, "POST", headers={"Content-Length": "1000000"}, patience_s=45)
    await prey.together(10, lambda: attack(_turn_path(prey), body=each([b'{"a":'])))


@case
async def body_longer_than_said(prey: Prey) -> None:
    """A turn that says ten bytes and sends ten megabytes."""
    await prey.raw("POST", _turn_path(prey), each(sliced(_large_turn(10_000_000))), {"Content-Length": "10"})


@case
async def body_lengths_that_lie(prey: Prey) -> None:
    """Lengths that are negative, huge, two, or beside chunks."""
    for length in ("-1", "99999999999999999999", "1e3", "0x10", "5, 6"):
        await prey.raw("POST", _turn_path(prey), each([b"{}"]), {"Content-Length": length}, patience_s=40)
    both = {"Content-Length": "2", "Transfer-Encoding": "chunked"}
    await prey.raw("POST", _turn_path(prey), each([b"{}"]), both, patience_s=40)


@case
async def body_expect_continue(prey: Prey) -> None:
    """95 MB announced with `Expect: 100-continue`, ten times, and sent without waiting."""
    headers = {"Content-Length": str(len(_large_turn())), "Expect": "100-continue"}
    await prey.together(
        10, lambda: prey.raw("POST", _turn_path(prey), each(sliced(_large_turn())), headers, patience_s=60)
    )


@case
async def body_gzip_bomb(prey: Prey) -> None:
    """A turn of 1 MB that would inflate to 1 GB."""
    await prey.rest("POST", _turn_path(prey), zips.gzipped(1000), {"Content-Encoding": "gzip"})


@case
async def body_gzip_of_gzip(prey: Prey) -> None:
    """A gzip of a gzip, said as two codings."""
    twice = zips.gzipped(1, zips.gzipped(1000)[: 2**16])
    await prey.rest("POST", _turn_path(prey), twice, {"Content-Encoding": "gzip, gzip"})
    await prey.rest("POST", _turn_path(prey), twice, {"Content-Encoding": "deflate"})


@case
async def grpc_compressed_bomb(prey: Prey) -> None:
    """A turn of 120 MB of one letter, compressed by gRPC's own client."""
    size = 120_000_000
    request = b"\x1a" + _varint(size) + b"a" * size
    await prey.rpc(_TURN, request, compression=grpc.Compression.Gzip)


@case
async def grpc_compressed_100(prey: Prey) -> None:
    """A hundred turns of 50 MB at once, each in 50 kB of gzip."""
    message = zips.gzipped(50, b"a" * 2**20, b"\x1a" + _varint(50 * 2**20))
    assert len(message) < 60_000, "it has to fit into the window that a stream begins with"
    named = call_fields("/google.cloud.dialogflow.cx.v3.Sessions/DetectIntent", (b"grpc-encoding", b"gzip"))
    data = b"\x01" + struct.pack(">I", len(message)) + message
    pieces = [data[start : start + 16_000] for start in range(0, len(data), 16_000)]
    frames_ = [*(frame(DATA, 0, 1, piece) for piece in pieces), frame(DATA, END_STREAM, 1)]

    async def one() -> None:
        async with connection(prey.grpc) as writer:
            await pour(writer, [frame(HEADERS, END_HEADERS, 1, named), *frames_])
            await asyncio.sleep(_HELD_S)

    await prey.together(100, one)


@case
async def grpc_bytes_that_are_no_message(prey: Prey) -> None:
    """Groups and lengths without an end, as a turn's message."""
    for request in (
        b"\x0b" * 3_000_000,
        b"\x1a\xff\xff\xff\xff\x0f",
        b"\xff" * 100_000,
        b"\x1a" + _varint(3) + b"\x0a\xff\xff",
    ):
        await prey.rpc(_TURN, request)


@case
async def grpc_nested_struct(prey: Prey) -> None:
    """Session parameters nested 5,000 deep, by gRPC."""
    inner = b""
    for _ in range(5_000):
        # Value.struct_value { fields { key "a" value … } }
        entry = b"\x0a\x01a" + (b"\x12" + _varint(len(inner)) + inner)
        fields = b"\x0a" + _varint(len(entry)) + entry
        inner = b"\x2a" + _varint(len(fields)) + fields
    entry = b"\x0a\x01a\x12" + _varint(len(inner)) + inner
    struct = b"\x0a" + _varint(len(entry)) + entry
    params = b"\x2a" + _varint(len(struct)) + struct  # QueryParameters.parameters
    request = b"\x0a" + _varint(len(prey.session())) + prey.session().encode() + b"\x12" + _varint(len(params)) + params
    await prey.rpc(_TURN, request)


@case
async def grpc_many_fields(prey: Prey) -> None:
    """3 MB of unknown fields, and a million empty elements of a repeated one."""
    await prey.rpc(_TURN, b"\xa2\x1f\x00" * 1_000_000)
    playbook = "google.cloud.dialogflow.cx.v3.Playbooks.CreatePlaybook"
    inner = b"\x5a\x00" * 1_000_000
    await prey.rpc(
        playbook, b"\x0a" + _varint(len(prey.agent)) + prey.agent.encode() + b"\x12" + _varint(len(inner)) + inner
    )


@case
async def json_deep(prey: Prey) -> None:
    """A turn whose JSON is nested 400,000 deep."""
    await prey.rest("POST", _turn_path(prey), b'{"queryParams":{"parameters":' + b'{"a":' * 200_000)
    await prey.rest(
        "POST", _turn_path(prey), b'{"queryParams":{"payload":{"a":' + b"[" * 400_000 + b"]" * 400_000 + b"}}}"
    )


@case
async def json_within_the_limit_deep(prey: Prey) -> None:
    """Session parameters nested as deep as JSON may be, in each of 300 members."""
    deep = json.loads('{"a":' * 90 + "1" + "}" * 90)
    await prey.says("Hello.", queryParams={"parameters": {f"k{n}": deep for n in range(300)}})


@case
async def turn_empty_objects(prey: Prey) -> None:
    """30 MB of empty objects, which take a hundred times as much when they are read."""
    await prey.rest("POST", _turn_path(prey), b'{"queryParams":{"payload":{"a":[' + b"{}," * 10_000_000 + b"{}]}}}")


@case
async def json_empty_objects_in_a_tool(prey: Prey) -> None:
    """20 MB of empty objects where a tool takes a small message."""
    body = b'{"displayName":"t","functionSpec":{"inputSchema":{"a":[' + b"{}," * 6_000_000 + b"{}]}}}"
    await prey.together(4, lambda: prey.rest("POST", f"/v3/{prey.agent}/tools", body))


@case
async def json_numbers(prey: Prey) -> None:
    """Numbers of a hundred thousand digits, and 200,000 long ones."""
    await prey.rest("POST", _turn_path(prey), b'{"queryParams":{"parameters":{"a":' + b"9" * 900_000 + b"}}}")
    many = b",".join([b"1234567890123456789012345678901234567890"] * 20_000)
    await prey.rest("POST", _turn_path(prey), b'{"queryParams":{"parameters":{"a":[' + many + b"]}}}")


@case
async def json_same_key(prey: Prey) -> None:
    """The same member 300,000 times, and a key of 900 kB."""
    await prey.rest("POST", _turn_path(prey), b'{"queryParams":{' + b'"a":1,' * 150_000 + b'"a":1}}')
    await prey.rest("POST", _turn_path(prey), b'{"' + b"k" * 900_000 + b'":1}')


@case
async def json_odd_bytes(prey: Prey) -> None:
    """Bytes that are no UTF-8, UTF-16, zeros, and surrogates."""
    for body in (
        b"\xff" * 1_000_000,
        "é".encode("utf-16") * 100_000,
        bytes(1_000_000),
        b'{"a":"' + b"\\ud800" * 100_000 + b'"}',
    ):
        await prey.rest("POST", _turn_path(prey), body)


@case
async def file_15mb(prey: Prey) -> None:
    """A file of 15 MB in a turn's payload."""
    await _with_file(prey, base64.b64encode(bytes(15_000_000)).decode(), "application/octet-stream")


@case
async def file_15mb_six_at_once(prey: Prey) -> None:
    """Six of them at once."""
    contents = base64.b64encode(bytes(15_000_000)).decode()
    await prey.together(6, lambda: _with_file(prey, contents, "image/png"))


@case
async def file_that_is_no_base64(prey: Prey) -> None:
    """A file of 15 MB that is no base64 from its last character on, and 2,000 files of a byte."""
    await _with_file(prey, "A" * 15_000_000 + "!", "image/png")
    many = [{"name": f"f{n}", "contents": "eA==", "mimeType": "text/plain"} for n in range(2_000)]
    await prey.says("Hello.", queryParams={"payload": {"files": many}})


@case
async def blob_to_an_app(prey: Prey) -> None:
    """A blob of 15 MB and an image of 15 MB for an app."""
    data = base64.b64encode(bytes(15_000_000)).decode()
    for kind in ("image", "blob"):
        session = f"{prey.app}/sessions/{uuid.uuid4()}"
        inputs = [{kind: {"mimeType": "image/png", "data": data}}, {"text": "Hello."}]
        await prey.rest("POST", f"/v1beta/{session}:runSession", {"config": {"session": session}, "inputs": inputs})


@case
async def audio_10mb(prey: Prey) -> None:
    """A turn of 10 MB of audio, which is not taken, by both doors."""
    audio = base64.b64encode(bytes(10_000_000)).decode()
    asked: JsonObject = {"audio": {"config": {"audioEncoding": "AUDIO_ENCODING_LINEAR_16"}, "audio": audio}}
    await prey.rest("POST", _turn_path(prey), {"queryInput": {**asked, "languageCode": "en"}})
    session = f"{prey.app}/sessions/{uuid.uuid4()}"
    inputs = [{"audio": audio}]
    await prey.rest("POST", f"/v1beta/{session}:runSession", {"config": {"session": session}, "inputs": inputs})


@case
async def bodies_mixed_small(prey: Prey) -> None:
    """Forty turns of 900 kB at once."""
    body = _large_turn(900_000)
    await prey.together(40, lambda: prey.rest("POST", _turn_path(prey), body))


@case
async def bodies_to_no_path(prey: Prey) -> None:
    """95 MB to paths that no RPC has, and to health."""
    for path in ("/v3/nothing", "/healthz", "/metrics", "/v3/projects/p/locations/l/agents/a"):
        await prey.rest("POST", path, _large_turn(), patience_s=40)


@case
async def pipelined(prey: Prey) -> None:
    """A thousand requests on one connection before the first is answered."""
    request = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    await prey.raw("GET", "/healthz", each([request * 1_000]), {})
    await asyncio.sleep(0)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


async def _with_file(prey: Prey, contents: str, mime_type: str) -> None:
    given: JsonObject = {"name": "f", "contents": contents, "mimeType": mime_type}
    await prey.says("Hello.", queryParams={"payload": {"files": [given]}})
