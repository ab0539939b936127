"""Folders that stand for buckets."""

from pathlib import Path

import pytest

from openplaybook.services import buckets as module
from openplaybook.services.buckets import Buckets, buckets_in
from openplaybook.wire.errors import Code, RpcError


@pytest.fixture
def buckets(tmp_path: Path) -> Buckets:
    (tmp_path / "exports").mkdir()
    return buckets_in(f"exports={tmp_path / 'exports'}")


async def refusal(buckets: Buckets, uri: str) -> tuple[Code, str]:
    with pytest.raises(RpcError) as refused:
        await buckets.read(uri, where="agent_uri")
    return refused.value.code, refused.value.message


async def test_what_is_written_is_read(buckets: Buckets, tmp_path: Path) -> None:
    for content in (b"one", b"two"):
        await buckets.write("gs://exports/agents/a.zip", content, where="agent_uri")
        assert await buckets.read("gs://exports/agents/a.zip", where="agent_uri") == content
    assert [path.name for path in (tmp_path / "exports" / "agents").iterdir()] == ["a.zip"]


@pytest.mark.parametrize(
    "uri",
    [
        "https://exports/a",
        "gs://exports",
        "gs://exports/",
        "gs:///a",
        "gs://exports/../a",
        "gs://exports/a/../../b",
        "gs://exports//a",
        "gs://exports/./a",
        "gs://exports/a\\b",
        "gs://exports/a\x00",
        f"gs://exports/{'a' * 256}",
    ],
)
async def test_what_is_no_object_of_a_bucket_is_refused(buckets: Buckets, uri: str) -> None:
    code, message = await refusal(buckets, uri)
    assert code is Code.INVALID_ARGUMENT
    assert message.endswith("is no Cloud Storage URI; write gs://BUCKET/OBJECT")


async def test_a_link_does_not_lead_out(buckets: Buckets, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    (tmp_path / "exports" / "link").symlink_to(tmp_path / "secret")
    code, message = await refusal(buckets, "gs://exports/link")
    assert (code, message) == (Code.INVALID_ARGUMENT, "agent_uri: 'gs://exports/link' leads out of its bucket")


async def test_a_bucket_that_is_not_known_is_told_with_what_makes_it_known(buckets: Buckets) -> None:
    assert await refusal(buckets, "gs://other/a") == (
        Code.FAILED_PRECONDITION,
        "agent_uri: the bucket other is not known here; start the server with --bucket other=FOLDER, or leave it empty "
        "and send the content itself",
    )


async def test_an_object_that_is_not_there_or_too_large_is_told(
    buckets: Buckets, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await refusal(buckets, "gs://exports/a") == (Code.NOT_FOUND, "Object gs://exports/a does not exist")
    await buckets.write("gs://exports/a", b"12345", where="agent_uri")
    monkeypatch.setattr(module, "_MOST_BYTES", 4)
    code, message = await refusal(buckets, "gs://exports/a")
    assert (code, message) == (Code.INVALID_ARGUMENT, "agent_uri: gs://exports/a is larger than 4 bytes")


async def test_what_cannot_be_written_is_told_without_the_servers_path(buckets: Buckets) -> None:
    await buckets.write("gs://exports/a", b"1", where="agent_uri")
    with pytest.raises(RpcError) as refused:
        await buckets.write("gs://exports/a/b", b"1", where="agent_uri")
    assert refused.value.message == "agent_uri: gs://exports/a/b cannot be written: File exists"


@pytest.mark.parametrize(("text", "message"), [("a", "'a' is no NAME=FOLDER"), ("a=/no/such", "/no/such is no folder")])
def test_a_setting_that_names_no_folder_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        buckets_in(text)
