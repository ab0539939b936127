"""What requests for turns may hold, what of it gRPC clients alone can send, and the files in their payloads."""

import base64
import math

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.services import turn_requests
from openplaybook.services.dialogflow.detect_intent_requests import turn_request
from openplaybook.services.turn_requests import (
    DEFAULT_TIMEOUT_S,
    MAX_FILES,
    MAX_FILES_BYTES,
    MAX_TIMEOUT_S,
    contents_bytes,
    take_files,
)
from openplaybook.tools.session_files import MAX_FILE_BYTES, file_handle
from openplaybook.turns.base import GivenFile
from openplaybook.wire.api import load_api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage

API = load_api()


def asked() -> ApiMessage:
    request = API.message("google.cloud.dialogflow.cx.v3beta1.DetectIntentRequest")()
    request.session = "projects/p/locations/l/agents/a/sessions/s"
    request.query_input.text.text = "hi"
    request.query_input.language_code = "en"
    return request


def context(timeout_s: float | None = None) -> RpcContext:
    return RpcContext("DetectIntent", "v3beta1", "grpc", {}, timeout_s)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_json_lacks_is_the_callers_error(number: float) -> None:
    request = asked()
    request.query_params.parameters.fields["x"].number_value = number
    with pytest.raises(RpcError) as caught:
        turn_request(API, request, context())
    message = "A parameter of the request cannot be used: $: a Value cannot give NaN or infinity as JSON"
    assert (caught.value.code, caught.value.message) == (Code.INVALID_ARGUMENT, message)


def test_a_life_of_any_length_can_be_asked_for() -> None:
    request = asked()
    request.query_params.session_ttl.seconds = 2**62
    assert turn_request(API, request, context()).session_ttl_s == float(2**62)


@pytest.mark.parametrize(
    ("deadline", "timeout"), [(None, DEFAULT_TIMEOUT_S), (0.0, 0.0), (5.0, 5.0), (1e300, MAX_TIMEOUT_S)]
)
def test_a_turn_takes_as_long_as_its_caller_waits_within_reason(deadline: float | None, timeout: float) -> None:
    assert turn_request(API, asked(), context(deadline)).timeout_s == timeout


SESSION = "projects/p/locations/global/agents/a/sessions/s"
CSV = b"city,days\nBonn,3\n"


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def csv(**more: JsonValue) -> JsonObject:
    return {"name": "trips.csv", "contents": encoded(CSV), **more}


def refusal(*files: JsonValue) -> str:
    with pytest.raises(RpcError) as caught:
        take_files({"files": list(files)}, SESSION)
    assert caught.value.code is Code.INVALID_ARGUMENT
    return caught.value.message


def test_files_are_taken_out_and_stand_by_their_handles() -> None:
    taken = take_files({"files": [csv(mimeType="text/csv")], "other": 1}, SESSION)
    handle = file_handle(SESSION, "trips.csv", "text/csv", CSV)
    kept = {"name": "trips.csv", "contents": handle, "mimeType": "text/csv"}
    assert taken.values == {"files": [kept], "other": 1}
    assert taken.files == (GivenFile("trips.csv", "text/csv", CSV),)


def test_equal_requests_keep_equal_payloads() -> None:
    assert take_files({"files": [csv()]}, SESSION) == take_files({"files": [csv()]}, SESSION)


@pytest.mark.parametrize(
    ("name", "media_type"),
    [("a.csv", "text/csv"), ("a.json", "application/json"), ("a", "application/octet-stream")],
)
def test_the_media_type_follows_from_the_name_where_none_is_given(name: str, media_type: str) -> None:
    [file] = take_files({"files": [csv(name=name)]}, SESSION).files
    assert (file.name, file.media_type) == (name, media_type)


def test_base64_may_have_line_breaks_and_a_file_may_be_empty() -> None:
    wrapped = f"{encoded(CSV)[:8]}\r\n{encoded(CSV)[8:]}\n"
    files = take_files({"files": [csv(contents=wrapped), csv(name="b", contents="")]}, SESSION).files
    assert [file.data for file in files] == [CSV, b""]


def test_a_file_that_the_session_has_is_given_again_by_its_handle() -> None:
    payload: JsonObject = {"files": [{"name": "a.csv", "contents": f"{SESSION}/files/abc"}]}
    assert take_files(payload, SESSION).values == payload
    assert take_files(payload, SESSION).files == ()


@pytest.mark.parametrize("files", [None, "a.csv", 3, {"a": 1}, [], ["a.csv"], [{"name": "a.csv", "url": "https://x"}]])
def test_files_without_contents_are_the_clients_own(files: JsonValue) -> None:
    assert take_files({"files": files}, SESSION).values == {"files": files}


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        (csv(name=""), "name: is required: the name of the file, such as sales.csv"),
        (csv(name=None), "name: is required: the name of the file, such as sales.csv"),
        (csv(name="ä" * 128), "name: is longer than 255 bytes"),
        (
            csv(name="../etc/passwd"),
            "name: '../etc/passwd' is not a file name; folders and control characters are not allowed",
        ),
        (csv(name="a\\b"), "name: 'a\\\\b' is not a file name; folders and control characters are not allowed"),
        (csv(name=".."), "name: '..' is not a file name; folders and control characters are not allowed"),
        (csv(name="a\n"), "name: 'a\\n' is not a file name; folders and control characters are not allowed"),
        (csv(contents=3), "contents: is required: the file in base64"),
        (csv(contents="a"), "contents: is not base64: "),
        (csv(contents="ab*="), "contents: is not base64: "),
        (csv(mimeType="csv"), "mimeType: is not a media type such as text/csv"),
        (csv(mimeType="text/csv\r\nX: y"), "mimeType: is not a media type such as text/csv"),
    ],
)
def test_what_is_no_file_is_refused_with_its_place(file: JsonObject, sentence: str) -> None:
    assert refusal(csv(), file).startswith(f"query_params.payload.files[1].{sentence}")


def test_an_item_among_files_that_is_none_is_refused() -> None:
    assert refusal(csv(), "x") == (
        "query_params.payload.files[1].name: is required: the name of the file, such as sales.csv"
    )


def test_too_much_is_refused() -> None:
    path = "query_params.payload.files"
    assert refusal(*[csv()] * (MAX_FILES + 1)) == f"{path}: has 33 files; at most 32 fit into one request"
    large = csv(contents=encoded(bytes(MAX_FILE_BYTES + 1)))
    assert refusal(large) == f"{path}[0].contents: has 16777217 bytes; a file can have at most 16777216"
    half = csv(contents=encoded(bytes(MAX_FILE_BYTES)))
    assert refusal(half, half, csv()) == (
        f"{path}: have {MAX_FILES_BYTES + len(CSV)} bytes together; at most 33554432 fit into one request"
    )


def test_the_bytes_of_contents_are_told_without_reading_them() -> None:
    message = API.message("google.protobuf.Struct")()
    assert contents_bytes(message) == 0
    payload: JsonObject = {"files": [csv(), "x", {"name": "b", "contents": "abc"}, {"contents": 3}], "contents": "no"}
    assert contents_bytes(API.codec.from_json(payload, message)) == len(encoded(CSV)) + 3


@pytest.mark.parametrize("line", [3, 4, 5, 76])
@pytest.mark.parametrize("size", [46, 47, 48])
def test_a_file_is_read_in_pieces_wherever_its_lines_and_its_padding_are_cut(
    line: int, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = bytes(range(size))
    digits = base64.b64encode(data).decode()
    lines = "".join(f"{digits[at : at + line]}\n" for at in range(0, len(digits), line))
    for piece in range(1, len(lines) + 2):
        monkeypatch.setattr(turn_requests, "PIECE", piece)
        [file] = take_files({"files": [csv(contents=lines)]}, SESSION).files
        assert file.data == data


@pytest.mark.parametrize("contents", ["QQ==QUJD", "Q=QQ", "QUJDQQ=Q", "QQ=", "QUJDQ", "QUJDQQ===", "QUJD*"])
def test_what_is_no_base64_is_refused_however_it_is_cut(contents: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for piece in (1, 4, 5, 100):
        monkeypatch.setattr(turn_requests, "PIECE", piece)
        assert "is not base64" in refusal(csv(contents=contents))
