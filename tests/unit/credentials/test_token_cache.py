import asyncio
from dataclasses import dataclass, field

import pytest

from openplaybook.credentials.errors import CredentialRefused, CredentialUnavailable
from openplaybook.credentials.token_cache import LONGEST_S, IssuedToken, TokenCache


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Issuer:
    """Gives `token-1`, `token-2` and so on; or nothing."""

    life_s: float = 3600
    fails: bool = False
    asked: int = 0
    open: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.open.set()

    async def __call__(self) -> IssuedToken:
        self.asked += 1
        token = IssuedToken(f"token-{self.asked}", self.life_s)
        await self.open.wait()
        if self.fails:
            raise CredentialRefused("no")
        return token


@pytest.mark.proves("A4")
async def test_a_hundred_callers_ask_once() -> None:
    tokens, issuer = TokenCache(), Issuer()
    found = await asyncio.gather(*(tokens.get("key", issuer, 5) for _ in range(100)))
    assert (set(found), issuer.asked) == ({"token-1"}, 1)


async def test_a_failure_is_told_to_all_who_wait_and_not_kept() -> None:
    tokens, issuer = TokenCache(), Issuer(fails=True)
    found = await asyncio.gather(*(tokens.get("key", issuer, 5) for _ in range(3)), return_exceptions=True)
    assert [type(each) for each in found] == [CredentialRefused] * 3
    issuer.fails = False
    assert (await tokens.get("key", issuer, 5), issuer.asked) == ("token-2", 2)


async def test_who_gives_up_does_not_take_the_token_from_the_others() -> None:
    tokens, issuer = TokenCache(), Issuer()
    issuer.open.clear()
    impatient = asyncio.create_task(tokens.get("key", issuer, 5))
    patient = asyncio.create_task(tokens.get("key", issuer, 5))
    await asyncio.sleep(0)
    impatient.cancel()
    with pytest.raises(CredentialUnavailable, match=r"no access token arrived within 0 s"):
        await tokens.get("key", issuer, 0)
    issuer.open.set()
    assert (await patient, issuer.asked) == ("token-1", 1)


@pytest.mark.parametrize(
    ("life_s", "kept_until"),
    [(3600, 3540), (100, 90), (1, 0.9), (1e12, LONGEST_S - 60)],
)
async def test_a_token_is_replaced_a_tenth_of_its_life_or_a_minute_before_it_ends(
    life_s: float, kept_until: float
) -> None:
    clock, issuer = Clock(), Issuer(life_s)
    tokens = TokenCache(clock)
    await tokens.get("key", issuer, 5)
    clock.now = kept_until - 0.001
    assert await tokens.get("key", issuer, 5) == "token-1"
    clock.now = kept_until
    assert await tokens.get("key", issuer, 5) == "token-2"


@pytest.mark.parametrize("life_s", [0, -3600])
async def test_a_token_without_life_is_used_and_not_kept(life_s: float) -> None:
    tokens, issuer = TokenCache(), Issuer(life_s)
    assert [await tokens.get("key", issuer, 5) for _ in range(2)] == ["token-1", "token-2"]


async def test_a_valid_token_is_used_while_no_other_can_be_had() -> None:
    clock, issuer = Clock(), Issuer(3600)
    tokens = TokenCache(clock)
    await tokens.get("key", issuer, 5)
    issuer.fails = True
    clock.now = 3541
    assert [await tokens.get("key", issuer, 5) for _ in range(3)] == ["token-1"] * 3
    assert issuer.asked == 2
    clock.now = 3600
    with pytest.raises(CredentialRefused):
        await tokens.get("key", issuer, 5)


async def test_a_valid_token_is_used_while_another_is_slow_to_come() -> None:
    clock, issuer = Clock(), Issuer(3600)
    tokens = TokenCache(clock, patience_s=0)
    await tokens.get("key", issuer, 0.1)
    clock.now = 3541
    issuer.open.clear()
    assert await tokens.get("key", issuer, 5) == "token-1"
    issuer.open.set()
    clock.now = 3600
    assert (await tokens.get("key", issuer, 5), issuer.asked) == ("token-2", 2)


async def test_a_token_that_was_refused_is_forgotten_once() -> None:
    tokens, issuer = TokenCache(), Issuer()
    first = await tokens.get("key", issuer, 5)
    assert [tokens.forget(first), tokens.forget(first)] == [True, False]
    assert await tokens.get("key", issuer, 5) == "token-2"


async def test_the_least_used_of_more_than_a_thousand_tokens_is_dropped() -> None:
    tokens, issuer = TokenCache(), Issuer()
    for number in range(1001):
        await tokens.get(number, issuer, 5)
        await tokens.get(0, issuer, 5)
    assert issuer.asked == 1001
    await tokens.get(1, issuer, 5)
    assert issuer.asked == 1002


def test_a_token_does_not_show_itself() -> None:
    assert "hidden" not in repr(IssuedToken("hidden", 1))
