"""Files of conversations: what tools get, what is kept of it, and for how long."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonValue, dumps
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.tools.base import Failure, StoredFile, Success, ToolContext
from openplaybook.tools.session_files import MAX_FILE_BYTES, SessionFiles, read_file
from tests.kit.made_tables import with_tables
from tests.kit.openapi import harness, operation, responds

SESSION = "projects/p/locations/global/agents/a/sessions/s"
PICTURE = b"\x89PNG\r\n" + bytes(range(256))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(with_tables(tmp_path / "store.db"))
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def files(store: SqliteStore) -> SessionFiles:
    return SessionFiles(store, SESSION)


@pytest.fixture
def context(files: SessionFiles) -> ToolContext:
    return ToolContext("s", files=files)


def reply(body: bytes, content_type: str = "image/png", status: int = 200, disposition: str = "") -> HttpResponse:
    headers = (("Content-Type", content_type), ("Content-Disposition", disposition))
    return HttpResponse(status, headers, body, False, 0.001)


class TestSessionFiles:
    async def test_a_file_is_read_back_by_its_handle(self, store: SqliteStore, files: SessionFiles) -> None:
        file = await files.put("rex\n.png", "image/png", PICTURE)
        assert file.handle.startswith(f"{SESSION}/files/")
        assert file == StoredFile(file.handle, "rex\n.png", "image/png", PICTURE)
        assert (await files.get(file.handle), await read_file(store, file.handle)) == (file, file)

    async def test_an_empty_file_is_a_file(self, files: SessionFiles) -> None:
        assert await files.get((await files.put("a", "b", b"")).handle) == await files.put("a", "b", b"")

    async def test_equal_files_are_kept_once(self, store: SqliteStore, files: SessionFiles) -> None:
        same = {(await files.put("a", "text/plain", b"1")).handle for _ in range(3)}
        other = {(await files.put(*each)).handle for each in (("b", "text/plain", b"1"), ("a", "text/css", b"1"))}
        kept = {blob.key for blob in await store.blobs(SESSION)}
        assert (len(same), kept) == (1, same | other)

    async def test_a_handle_of_another_conversation_is_none_of_this_one(
        self, store: SqliteStore, files: SessionFiles
    ) -> None:
        theirs = await SessionFiles(store, f"{SESSION}2").put("a", "text/plain", b"1")
        assert await files.get(theirs.handle) is None
        assert await files.get(f"{SESSION}/files/unknown") is None
        assert await files.get("") is None

    async def test_the_oldest_go_when_there_are_too_many(self, store: SqliteStore) -> None:
        files = SessionFiles(store, SESSION, most=1_000)
        kept = [await files.put(str(number), "text/plain", bytes(300)) for number in range(5)]
        found = [await files.get(file.handle) for file in kept]
        assert found == [None, None, None, *kept[3:]]
        assert sum(blob.size for blob in await store.blobs(SESSION)) <= 1_000

    async def test_small_ones_may_be_too_many_too(self, store: SqliteStore) -> None:
        files = SessionFiles(store, SESSION, most_files=3)
        kept = [await files.put(str(number), "text/plain", b"") for number in range(5)]
        assert {blob.key for blob in await store.blobs(SESSION)} == {file.handle for file in kept[2:]}

    async def test_a_file_that_is_too_large_is_refused(self, files: SessionFiles) -> None:
        with pytest.raises(ValueError, match="a file may have 16,777,216 bytes, not 16,777,217"):
            await files.put("a", "b", bytes(MAX_FILE_BYTES + 1))

    async def test_files_go_with_their_session(self, store: SqliteStore, files: SessionFiles) -> None:
        file = await files.put("a", "text/plain", b"1")
        await store.delete_session(SESSION)
        assert await files.get(file.handle) is None


class TestAnswers:
    @pytest.mark.proves("O6")
    async def test_bytes_become_a_file_that_the_model_is_given_the_handle_of(
        self, files: SessionFiles, context: ToolContext
    ) -> None:
        tool = harness(operation(), reply(PICTURE, disposition='attachment; filename="rex.png"'))
        outcome = await tool.call({}, context)
        kept = await files.put("rex.png", "image/png", PICTURE)
        told = {"handle": kept.handle, "name": "rex.png", "mimeType": "image/png", "sizeBytes": len(PICTURE)}
        assert outcome == Success({"200": {"file": told}})
        assert context.exchanges[0].response_file == kept.handle

    @pytest.mark.parametrize(
        ("answer", "name"),
        [
            (reply(PICTURE, "application/octet-stream"), "things.bin"),
            (reply(b"\xff\xfe", ""), "things.bin"),
            (reply(b"%PDF-1.7", "application/pdf; version=1"), "things.pdf"),
            (reply(b"a,b", "text/csv", disposition="attachment; filename=a.csv"), "a.csv"),
            (reply(b"<html>", "text/html", disposition="attachment"), "things.html"),
        ],
    )
    async def test_what_is_not_read_as_text_and_what_is_to_be_saved_is_a_file(
        self, answer: HttpResponse, name: str, files: SessionFiles, context: ToolContext
    ) -> None:
        outcome = await harness(operation(), answer).call({}, context)
        assert isinstance(outcome, Success)
        file = await files.get(outcome.output["200"]["file"]["handle"])
        assert file is not None
        assert (file.name, file.data) == (name, answer.body)

    async def test_json_is_read_even_where_it_is_to_be_saved(self, context: ToolContext) -> None:
        answer = reply(b'{"a":1}', "application/json", disposition='attachment; filename="f.txt"')
        assert await harness(operation(), answer).call({}, context) == Success({"200": {"a": 1}})

    async def test_half_a_file_is_a_failure_that_says_so(self, context: ToolContext) -> None:
        outcome = await harness(operation(), responds(PICTURE, 200, "image/png", truncated=True)).call({}, context)
        assert outcome == Failure(
            "ANSWER_TOO_LARGE",
            "the API answered 200 with a file of image/png that is longer than 262 bytes, the most that is read: half "
            "a file is of no use, so it was not kept",
        )

    async def test_a_file_in_place_of_an_error_is_no_output(self, context: ToolContext) -> None:
        outcome = await harness(operation(), reply(PICTURE, status=500)).call({}, context)
        assert outcome == Failure("HTTP_ERROR", "the API answered 500 Internal Server Error", {"500": None})
        assert context.exchanges[0].response_file == ""

    async def test_an_error_that_is_to_be_saved_is_still_read(self, context: ToolContext) -> None:
        answer = reply(b"no such report", "text/plain", 404, "attachment; filename=a.txt")
        outcome = await harness(operation(), answer).call({}, context)
        assert outcome == Failure(
            "HTTP_ERROR", "the API answered 404 Not Found: no such report", {"404": "no such report"}
        )

    @pytest.mark.proves("O12")
    async def test_what_a_trace_cuts_is_kept_whole_and_without_secrets(
        self, files: SessionFiles, context: ToolContext
    ) -> None:
        key = {"keyName": "X-Key", "requestLocation": "HEADER", "apiKey": "abcdef-123456"}
        body = dumps({"you": "sent abcdef-123456", "items": ["x" * 100] * 200})
        tool = harness(operation(), responds(body), authentication={"apiKeyConfig": key})
        assert isinstance(await tool.call({}, context), Success)
        (exchange,) = context.exchanges
        assert len(exchange.response_body) == 8_001
        file = await files.get(exchange.response_file)
        assert file is not None
        assert (file.name, file.media_type) == ("things.json", "application/json")
        assert file.data == body.replace(b"abcdef-123456", b"[redacted]")

    async def test_what_a_trace_shows_whole_is_not_kept(self, store: SqliteStore, context: ToolContext) -> None:
        await harness(operation(), responds(dumps(["x" * 100] * 70))).call({}, context)
        assert context.exchanges[0].response_file == ""
        assert list(await store.blobs("")) == []


@pytest.mark.parametrize("spelt", [lambda handle: handle, lambda handle: {"file": handle}])
@pytest.mark.proves("O6")
async def test_a_file_that_one_call_got_is_sent_by_the_next(
    spelt: Callable[[str], JsonValue], context: ToolContext
) -> None:
    got = await harness(operation(), reply(PICTURE)).call({}, context)
    assert isinstance(got, Success)
    upload = harness(operation(body={"content": {"image/png": {}}}))
    await upload.call({"requestBody": spelt(got.output["200"]["file"]["handle"])}, context)
    assert (upload.sent.body, dict(upload.sent.headers)["Content-Type"]) == (PICTURE, "image/png")
