"""What a remote back end answered is kept for a short time, and longer while it is disturbed."""

import asyncio
import logging

import pytest

from openplaybook.credentials.errors import CredentialRefused, CredentialUnavailable
from openplaybook.credentials.secrets.secret_cache import CachedSecrets
from openplaybook.resources.secret_names import SecretName, SecretVersionName

LATEST = SecretName("p", "key").version("latest")
FIRST = SecretName("p", "key").version("1")


class Remote:
    """A back end on which the test's value stands."""

    about = "remote"

    def __init__(self) -> None:
        self.now = 0.0
        self.value: str | Exception | None = "v1"
        self.asked = 0
        self.gate: asyncio.Event | None = None

    def clock(self) -> float:
        return self.now

    async def access(self, name: SecretVersionName) -> str | None:
        self.asked += 1
        if self.gate is not None:
            await self.gate.wait()
        if isinstance(self.value, Exception):
            raise self.value
        return self.value

    async def check(self) -> None:
        raise CredentialUnavailable("it is down")


@pytest.fixture
def remote() -> Remote:
    return Remote()


@pytest.fixture
def kept(remote: Remote) -> CachedSecrets:
    return CachedSecrets(remote, remote.clock)


async def test_a_new_version_is_used_after_half_a_minute(remote: Remote, kept: CachedSecrets) -> None:
    assert [await kept.access(LATEST), await kept.access(LATEST)] == ["v1", "v1"]
    remote.value, remote.now = "v2", 29.9
    assert (await kept.access(LATEST), remote.asked) == ("v1", 1)
    remote.now = 30.0
    assert (await kept.access(LATEST), remote.asked) == ("v2", 2)


async def test_a_numbered_version_is_kept_for_five_minutes(remote: Remote, kept: CachedSecrets) -> None:
    await kept.access(FIRST)
    remote.now = 299.9
    assert (await kept.access(FIRST), remote.asked) == ("v1", 1)
    remote.now, remote.value = 300.0, None
    assert (await kept.access(FIRST), remote.asked) == (None, 2)


async def test_what_is_not_there_is_looked_for_again_after_half_a_minute(remote: Remote, kept: CachedSecrets) -> None:
    remote.value = None
    assert [await kept.access(FIRST), await kept.access(FIRST)] == [None, None]
    remote.value, remote.now = "v1", 30.0
    assert (await kept.access(FIRST), remote.asked) == ("v1", 2)


async def test_of_many_who_ask_at_once_one_goes(remote: Remote, kept: CachedSecrets) -> None:
    remote.gate = asyncio.Event()
    asking = [asyncio.create_task(kept.access(LATEST)) for _ in range(100)]
    await asyncio.sleep(0)
    asking[0].cancel()
    remote.gate.set()
    answers = await asyncio.gather(*asking, return_exceptions=True)
    assert isinstance(answers[0], asyncio.CancelledError)
    assert (answers[1:], remote.asked) == (["v1"] * 99, 1)


async def test_a_disturbance_is_bridged_for_five_minutes_with_a_warning(
    remote: Remote, kept: CachedSecrets, caplog: pytest.LogCaptureFixture
) -> None:
    await kept.access(LATEST)
    remote.value, remote.now = CredentialUnavailable("down"), 31.0
    with caplog.at_level(logging.WARNING, "openplaybook.secrets"):
        assert [await kept.access(LATEST), await kept.access(LATEST)] == ["v1", "v1"]
    assert [record.message for record in caplog.records] == [
        "a cached secret is used, because its store does not respond"
    ]
    assert remote.asked == 2
    remote.now = 36.1
    assert (await kept.access(LATEST), remote.asked) == ("v1", 3)
    remote.now = 330.0
    with pytest.raises(CredentialUnavailable):
        await kept.access(LATEST)


async def test_a_refusal_is_no_disturbance(remote: Remote, kept: CachedSecrets) -> None:
    await kept.access(LATEST)
    remote.value, remote.now = CredentialRefused("no"), 31.0
    with pytest.raises(CredentialRefused):
        await kept.access(LATEST)


async def test_a_disturbance_before_the_first_answer_is_told(remote: Remote, kept: CachedSecrets) -> None:
    remote.value = CredentialUnavailable("down")
    with pytest.raises(CredentialUnavailable, match="down"):
        await kept.access(LATEST)
    remote.value = "v1"
    assert await kept.access(LATEST) == "v1"


async def test_a_check_asks_the_back_end_itself(kept: CachedSecrets) -> None:
    assert kept.about == "remote"
    with pytest.raises(CredentialUnavailable, match="it is down"):
        await kept.check()
