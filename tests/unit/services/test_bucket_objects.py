"""URIs of Cloud Storage in requests."""

import asyncio
from pathlib import Path

import pytest
from google.protobuf.empty_pb2 import Empty

from openplaybook.buckets.errors import BucketUnavailable
from openplaybook.buckets.folder_bucket import FolderBucket
from openplaybook.services.bucket_objects import Buckets
from openplaybook.wire.errors import Code, RpcError


@pytest.fixture
def buckets(tmp_path: Path) -> Buckets:
    return Buckets({"exports": FolderBucket("exports", tmp_path)})


def refusal(buckets: Buckets, uri: str) -> tuple[Code, str]:
    with pytest.raises(RpcError) as refused:
        buckets.object(uri, where="agent_uri")
    return refused.value.code, refused.value.message


@pytest.mark.parametrize("uri", ["https://exports/a", "gs://exports", "gs://exports/", "gs:///a"])
def test_what_is_no_object_of_a_bucket_is_refused(buckets: Buckets, uri: str) -> None:
    message = f"agent_uri: {uri!r} is not a Cloud Storage URI; write gs://BUCKET/OBJECT"
    assert refusal(buckets, uri) == (Code.INVALID_ARGUMENT, message)


def test_a_name_that_the_bucket_cannot_have_is_refused(buckets: Buckets) -> None:
    assert refusal(buckets, "gs://exports/../a") == (
        Code.INVALID_ARGUMENT,
        "agent_uri: 'gs://exports/../a' cannot be a file in the folder that stands for the bucket",
    )


def test_a_bucket_that_is_not_known_is_refused_with_what_makes_it_known(buckets: Buckets) -> None:
    assert refusal(buckets, "gs://other/a") == (
        Code.FAILED_PRECONDITION,
        "agent_uri: the bucket other is not known here; start the server with --bucket other=gs:, or other=FOLDER for "
        "a folder that stands for it; or leave the field empty and send the content itself",
    )


async def test_content_comes_with_the_request_or_from_the_bucket(buckets: Buckets, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"stored")
    async with buckets.content("", b"sent", where="agent_uri")() as sent:
        assert sent == b"sent"
    async with buckets.content("gs://exports/a", b"", where="agent_uri")() as stored:
        assert stored == b"stored"


async def test_one_object_is_in_memory_at_a_time(buckets: Buckets, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"stored")
    async with buckets.content("gs://exports/a", b"", where="agent_uri")():
        assert buckets.reading.locked()
    assert not buckets.reading.locked()


@pytest.mark.parametrize(
    ("uri", "found"),
    [
        ("gs://exports/a/1.txt", ["a/1.txt"]),
        ("gs://exports/missing", ["missing"]),
        ("gs://exports/a/*", ["a/1.txt", "a/2.md"]),
        ("gs://exports/a/*.txt", ["a/1.txt"]),
        ("gs://exports/**.txt", ["a/1.txt", "a/b/3.txt"]),
        ("gs://exports/a/", ["a/1.txt", "a/2.md", "a/b/3.txt"]),
        ("gs://exports/*", ["c"]),
        ("gs://exports/no*", []),
    ],
)
async def test_a_pattern_means_the_objects_that_fit(
    buckets: Buckets, tmp_path: Path, uri: str, found: list[str]
) -> None:
    for name in ("a/1.txt", "a/2.md", "a/b/3.txt", "c"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert await buckets.matching(uri, where="input_uris[0]") == [f"gs://exports/{name}" for name in found]


async def test_a_pattern_that_is_hard_to_match_is_refused(buckets: Buckets) -> None:
    with pytest.raises(RpcError, match=r"input_uris\[0\]: .* has more than 6 stars"):
        await buckets.matching("gs://exports/*a*a*a*a*a*a*a", where="input_uris[0]")


class SlowBucket(FolderBucket):
    """Takes an object when it is told."""

    opened = asyncio.Event()

    async def write(self, name: str, content: bytes) -> None:
        await self.opened.wait()


async def test_exports_beyond_a_few_at_a_time_are_refused(tmp_path: Path) -> None:
    bucket = SlowBucket("exports", tmp_path)
    buckets = Buckets({"exports": bucket})

    async def export() -> str:
        try:
            await buckets.object("gs://exports/a", where="agent_uri").write(b"", Empty())
        except BucketUnavailable as error:
            return str(error)
        return "written"

    exports = [asyncio.create_task(export()) for _ in range(5)]
    refused, _ = await asyncio.wait(exports, return_when=asyncio.FIRST_COMPLETED)
    assert [task.result() for task in refused] == ["agent_uri: too many exports to buckets are running; try again"]
    bucket.opened.set()
    assert sorted(await asyncio.gather(*exports))[1:] == ["written"] * 4
