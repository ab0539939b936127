"""Cloud Storage at the wire: what is sent, and what its errors come to."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.buckets.cloud_storage import CloudStorageBucket
from openplaybook.buckets.errors import (
    BucketDenied,
    BucketError,
    BucketUnavailable,
    BucketUnusable,
    ObjectMissing,
    ObjectTooLarge,
)
from openplaybook.credentials.identity.google_tokens import OwnGoogleAccess
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import HttpLimits
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.egress.resilient_transport import ResilientTransport
from tests.kit.google_peer import ACCOUNT, GooglePeer
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.storage_peer import StoragePeer


@pytest.fixture
def storage() -> StoragePeer:
    return StoragePeer({"exports": {}}, tokens={"access-1"})


@pytest.fixture
async def peer(storage: StoragePeer) -> AsyncIterator[HttpPeer]:
    async with http_peer(storage) as service:
        yield service


@pytest.fixture
async def transport() -> AsyncIterator[ResilientTransport]:
    transport = ResilientTransport(HttpTransport(AddressPolicy(parse_allow("127.0.0.0/8"))), jitter=lambda: 0.0)
    yield transport
    await transport.aclose()


@pytest.fixture
async def google(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[GooglePeer]:
    """Google's token endpoint; this server has a key file for it."""
    pytest.importorskip("google.auth", reason="the extra openplaybook[google] is not here")
    google = GooglePeer()
    async with http_peer(google.reply) as service:
        google.url = service.url
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(google.key_file(tmp_path)))
        yield google


@pytest.fixture
def bucket(transport: ResilientTransport, peer: HttpPeer, google: GooglePeer) -> CloudStorageBucket:
    limits = HttpLimits(total_s=20, max_bytes=4_000_000)
    return CloudStorageBucket("exports", transport, OwnGoogleAccess(), peer.url, limits)


async def refusal(bucket: CloudStorageBucket, *, write: bool = False) -> BucketError:
    with pytest.raises(BucketError) as refused:
        await (bucket.write("a.zip", b"1") if write else bucket.read("a.zip"))
    return refused.value


@pytest.mark.parametrize("name", ["agents/a.zip", "a/../b", "zoë + 50%?&=#.zip", "a//b", "a\\b"])
async def test_an_object_of_any_name_is_stored_and_read(
    bucket: CloudStorageBucket, storage: StoragePeer, google: GooglePeer, name: str
) -> None:
    await bucket.write(name, b"\x00PK")
    assert storage.objects == {"exports": {name: b"\x00PK"}}
    assert await bucket.read(name) == b"\x00PK"
    assert [call.method for call in storage.calls] == ["insert", "get"]
    assert google.assertions[0]["iss"] == ACCOUNT
    assert len(google.assertions) == 1


async def test_an_object_of_megabytes_is_stored_and_read(bucket: CloudStorageBucket, storage: StoragePeer) -> None:
    content = bytes(range(256)) * 8192
    await bucket.write("large", content)
    assert storage.objects["exports"]["large"] == content
    assert await bucket.read("large") == content


@pytest.mark.parametrize("name", ["", ".", "..", "a\nb", "a" * 1025])
def test_a_name_that_no_object_has_is_refused(bucket: CloudStorageBucket, name: str) -> None:
    assert bucket.fault(name).startswith("has no name that an object can have: ")


async def test_an_object_that_is_missing_is_told_from_a_bucket_that_is(
    bucket: CloudStorageBucket, storage: StoragePeer
) -> None:
    error = await refusal(bucket)
    assert (type(error), str(error)) == (ObjectMissing, "the object gs://exports/a.zip does not exist")
    storage.objects.clear()
    for write in (False, True):
        error = await refusal(bucket, write=write)
        assert type(error) is BucketUnusable
        assert str(error).endswith(
            "Cloud Storage responded with 404 (The specified bucket does not exist.); create the bucket, or correct "
            "the setting bucket"
        )


async def test_a_refusal_names_the_account_and_no_token(bucket: CloudStorageBucket, storage: StoragePeer) -> None:
    storage.readers = {"access-1"}
    error = await refusal(bucket, write=True)
    assert (type(error), str(error)) == (
        BucketDenied,
        "gs://exports/a.zip cannot be written: Cloud Storage responded with 403 (robot does not have "
        f"storage.objects.create access.); the request was made as {ACCOUNT}",
    )


async def test_a_token_that_comes_back_in_an_error_is_masked(bucket: CloudStorageBucket, storage: StoragePeer) -> None:
    storage.instead = lambda received: answer(
        json.dumps({"error": {"message": f"bad {received.header('Authorization')}"}}).encode(), "403 Forbidden"
    )
    error = await refusal(bucket)
    assert "access-1" not in str(error)
    assert "(bad Bearer [redacted])" in str(error)


async def test_a_token_that_is_no_longer_taken_is_fetched_again(
    bucket: CloudStorageBucket, storage: StoragePeer
) -> None:
    await bucket.write("a.zip", b"1")
    storage.tokens = {"access-2"}
    assert await bucket.read("a.zip") == b"1"
    storage.tokens = {"none"}
    assert type(await refusal(bucket)) is BucketDenied


async def test_an_object_that_is_too_large_is_refused_when_it_is(
    bucket: CloudStorageBucket, storage: StoragePeer
) -> None:
    storage.objects["exports"]["a.zip"] = bytes(4_000_001)
    error = await refusal(bucket)
    assert (type(error), str(error)) == (ObjectTooLarge, "gs://exports/a.zip is larger than 4000000 bytes")


@pytest.mark.parametrize("status", ["500 Internal Server Error", "503 Service Unavailable", "429 Too Many Requests"])
async def test_trouble_at_google_passes(bucket: CloudStorageBucket, storage: StoragePeer, status: str) -> None:
    storage.instead = lambda received: answer(b"", status)
    for write in (False, True):
        assert type(await refusal(bucket, write=write)) is BucketUnavailable


async def test_a_connection_that_breaks_is_trouble_that_passes(
    bucket: CloudStorageBucket, storage: StoragePeer
) -> None:
    storage.instead = lambda received: None
    assert type(await refusal(bucket)) is BucketUnavailable


async def test_a_service_that_is_too_slow_is_trouble_that_passes(
    transport: ResilientTransport, google: GooglePeer
) -> None:
    async def silent(received: Received) -> bytes | None:
        return b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"

    async with http_peer(silent) as slow:
        limits = HttpLimits(total_s=0.2)
        bucket = CloudStorageBucket("exports", transport, OwnGoogleAccess(), slow.url, limits)
        error = await refusal(bucket)
    assert type(error) is BucketUnavailable
    assert "within 0.2 s" in str(error)


async def test_no_token_follows_a_redirect(bucket: CloudStorageBucket, storage: StoragePeer) -> None:
    async with http_peer(StoragePeer()) as elsewhere:
        storage.instead = lambda received: answer(b"", "307 Temporary Redirect", Location=f"{elsewhere.url}/x")
        for write in (False, True):
            assert type(await refusal(bucket, write=write)) is BucketUnusable
        assert elsewhere.requests == []


async def test_what_the_account_may_not_do_is_known_without_a_transfer(
    bucket: CloudStorageBucket, storage: StoragePeer
) -> None:
    await bucket.check()
    storage.readers = {"access-1"}
    with pytest.raises(BucketDenied) as refused:
        await bucket.check()
    assert str(refused.value) == (
        f"gs://exports cannot be used: {ACCOUNT} lacks storage.objects.create, storage.objects.delete"
    )
    storage.objects.clear()
    with pytest.raises(BucketUnusable, match="The specified bucket does not exist"):
        await bucket.check()


async def test_an_emulator_gets_no_token(transport: ResilientTransport, storage: StoragePeer, peer: HttpPeer) -> None:
    storage.tokens = None
    bucket = CloudStorageBucket("exports", transport, None, peer.url)
    await bucket.write("a.zip", b"1")
    assert await bucket.read("a.zip") == b"1"


async def test_credentials_that_give_no_token_are_reported(
    bucket: CloudStorageBucket, google: GooglePeer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "gone.json"))
    error = await refusal(bucket)
    assert type(error) is BucketUnusable
    assert str(error).startswith("gs://exports/a.zip cannot be read: this server's Google credentials ")


async def test_names_are_listed_over_all_pages(bucket: CloudStorageBucket, storage: StoragePeer) -> None:
    storage.objects["exports"] = dict.fromkeys(("a/1", "a/2", "a/b/3", "a/b/", "c"), b"x")
    assert await bucket.names("a/") == ["a/1", "a/2", "a/b/3"]
    assert await bucket.names("nothing") == []
    assert len([call for call in storage.calls if call.method == "list"]) == 3


async def test_a_bucket_that_is_missing_cannot_be_listed(bucket: CloudStorageBucket, storage: StoragePeer) -> None:
    storage.objects.clear()
    with pytest.raises(BucketUnusable, match=r"gs://exports/a\* cannot be listed"):
        await bucket.names("a")
