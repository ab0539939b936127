"""Tokens of an identity provider, judged with keys that come over the wire."""

import asyncio
import time
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonValue, dumps
from openplaybook.server.access.oidc import TokenVerifier
from openplaybook.server.access.principals import Principal, PrincipalKind, Role
from openplaybook.server.access.provider_keys import ProviderKeys
from openplaybook.server.access.role_claims import RoleClaims, parse_role_map
from openplaybook.wire.errors import Code, RpcError
from tests.kit.identity_provider import AUDIENCE, IdentityProvider, identity_provider


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def provider() -> AsyncIterator[IdentityProvider]:
    async with identity_provider() as provider:
        yield provider


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def verifier(provider: IdentityProvider, clock: Clock) -> AsyncIterator[TokenVerifier]:
    transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.1")))
    keys = ProviderKeys(provider.issuer, transport, clock)
    yield TokenVerifier(provider.issuer, AUDIENCE, RoleClaims("roles", parse_role_map("")), keys)
    await transport.aclose()


async def refusal(verifier: TokenVerifier, token: str) -> tuple[Code, str]:
    with pytest.raises(RpcError) as refused:
        await verifier.principal(token)
    assert token not in refused.value.message
    return refused.value.code, refused.value.message


@pytest.mark.parametrize(("kind", "alg"), [("RSA", "RS256"), ("RSA", "PS256"), ("EC", "ES256")])
async def test_a_token_says_who_calls(provider: IdentityProvider, verifier: TokenVerifier, kind: str, alg: str) -> None:
    provider.new_key("two", kind)
    token = provider.token("two", alg, roles=["editor"])
    assert await verifier.principal(token) == Principal("ann", Role.EDITOR, PrincipalKind.TOKEN)


@pytest.mark.parametrize("typ", ["JWT", "at+jwt"])
@pytest.mark.parametrize("audience", [AUDIENCE, ["other", AUDIENCE]])
async def test_id_tokens_and_access_tokens_for_us_are_accepted(
    provider: IdentityProvider, verifier: TokenVerifier, typ: str, audience: JsonValue
) -> None:
    token = provider.token(header={"typ": typ}, aud=audience, roles="runtime")
    assert await verifier.principal(token) == Principal("ann", Role.RUNTIME, PrincipalKind.TOKEN)


NOW = int(time.time())


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"exp": NOW - 60}, "it has expired"),
        ({"exp": None}, "it has no expiry time"),
        ({"exp": "tomorrow"}, "its claim exp is not a time"),
        ({"exp": True}, "its claim exp is not a time"),
        ({"exp": 10**400}, "its claim exp is not a time"),
        ({"exp": float("inf")}, "its claim exp is not a time"),
        ({"exp": float("nan")}, "its claim exp is not a time"),
        ({"nbf": -(10**400)}, "its claim nbf is not a time"),
        ({"sub": "ann\nlogged in as root"}, "it has no subject of at most 255 printable characters"),
        ({"nbf": NOW + 86_400}, "it is not valid yet"),
        ({"iat": NOW + 86_400}, "it is not valid yet"),
        ({"iss": "https://elsewhere.example"}, "it comes from another issuer"),
        ({"iss": None}, "it comes from another issuer"),
        ({"aud": "other"}, "it is for another audience"),
        ({"aud": ["other"]}, "it is for another audience"),
        ({"aud": None}, "it is for another audience"),
        ({"sub": None}, "it has no subject of at most 255 printable characters"),
        ({"sub": 7}, "it has no subject of at most 255 printable characters"),
        ({"sub": "a" * 256}, "it has no subject of at most 255 printable characters"),
    ],
)
async def test_a_token_that_says_something_else_is_not(
    provider: IdentityProvider, verifier: TokenVerifier, claims: dict[str, JsonValue], reason: str
) -> None:
    code, message = await refusal(verifier, provider.token(roles=["admin"], **claims))
    assert (code, message) == (Code.UNAUTHENTICATED, f"The token is not accepted: {reason}.")


async def test_clocks_may_differ_a_little(provider: IdentityProvider, verifier: TokenVerifier) -> None:
    now = int(time.time())
    token = provider.token(exp=now - 10, nbf=now + 10, roles=["admin"])
    assert (await verifier.principal(token)).role is Role.ADMIN


def forged(provider: IdentityProvider, how: str) -> str:
    token = provider.token(roles=["admin"])
    header, payload, signature = token.split(".")
    public = provider.keys["one"].as_dict(private=False)
    text = {
        "unsigned": f"{encoded({'alg': 'none', 'kid': 'one'})}.{payload}.",
        "unsigned in capitals": f"{encoded({'alg': 'None', 'kid': 'one'})}.{payload}.",
        "signature cut": f"{header}.{payload}.",
        "signature of another": f"{header}.{payload}.{signature[:-8]}AAAAAAAA",
        "payload exchanged": f"{header}.{encoded({'sub': 'eve', 'roles': ['admin']})}.{signature}",
        "algorithm exchanged": f"{encoded({'alg': 'ES256', 'kid': 'one'})}.{payload}.{signature}",
        "no JSON": "eyJ.eyJ.eyJ",
        "header no object": f"{encoded([1])}.{payload}.{signature}",
        "extension": f"{encoded({'alg': 'RS256', 'kid': 'one', 'crit': 5})}.{payload}.{signature}",
        "header nested": f"{urlsafe_b64encode(b'[' * 9000).decode()}.{payload}.{signature}",
        "too long": token + "A" * 20_000,
    }
    if how == "shared secret":
        # The public key as if it were a secret: CVE-2016-10555 and its kin.
        secret = OctKey.import_key(dumps(public))
        return jwt.encode({"alg": "HS256", "kid": "one"}, {"sub": "eve"}, secret, algorithms=["HS256"])
    return text[how]


def encoded(value: JsonValue) -> str:
    return urlsafe_b64encode(dumps(value)).rstrip(b"=").decode()


@pytest.mark.parametrize(
    "how",
    [
        "unsigned",
        "unsigned in capitals",
        "signature cut",
        "signature of another",
        "payload exchanged",
        "algorithm exchanged",
        "no JSON",
        "header no object",
        "extension",
        "header nested",
        "too long",
        "shared secret",
    ],
)
async def test_a_forged_token_is_refused(provider: IdentityProvider, verifier: TokenVerifier, how: str) -> None:
    code, _ = await refusal(verifier, forged(provider, how))
    assert code is Code.UNAUTHENTICATED


async def test_a_token_without_a_role_is_known_and_may_nothing(
    provider: IdentityProvider, verifier: TokenVerifier
) -> None:
    code, message = await refusal(verifier, provider.token(roles=["visitor"]))
    assert code is Code.PERMISSION_DENIED
    assert message == "The token gives no role on this server: its claim roles names none."


async def test_keys_are_asked_for_once(provider: IdentityProvider, verifier: TokenVerifier) -> None:
    for _ in range(3):
        await verifier.principal(provider.token(roles=["admin"]))
    assert provider.asked == ["/.well-known/openid-configuration", "/keys"]


async def test_a_new_key_is_found_and_unknown_ones_do_not_make_us_ask_without_end(
    provider: IdentityProvider, verifier: TokenVerifier, clock: Clock
) -> None:
    await verifier.principal(provider.token(roles=["admin"]))
    provider.new_key("two")
    clock.now += 11
    assert (await verifier.principal(provider.token("two", roles=["admin"]))).name == "ann"
    provider.new_key("three")
    for _ in range(20):
        code, message = await refusal(verifier, provider.token("three", roles=["admin"]))
        assert (code, message) == (Code.UNAUTHENTICATED, "The token is not accepted: it is signed with an unknown key.")
    assert provider.asked.count("/keys") == 2


async def test_a_key_that_was_withdrawn_is_refused_within_the_hour(
    provider: IdentityProvider, verifier: TokenVerifier, clock: Clock
) -> None:
    token = provider.token(roles=["admin"])
    await verifier.principal(token)
    del provider.keys["one"]
    provider.new_key("two")
    clock.now += 3601
    assert await refusal(verifier, token) == (
        Code.UNAUTHENTICATED,
        "The token is not accepted: it is signed with an unknown key.",
    )


async def test_while_the_provider_is_away_tokens_cannot_be_judged(
    provider: IdentityProvider, verifier: TokenVerifier, clock: Clock
) -> None:
    token = provider.token(roles=["admin"])
    provider.is_away = True
    assert await refusal(verifier, token) == (
        Code.UNAVAILABLE,
        "The identity provider cannot be reached to check tokens; try again.",
    )
    provider.is_away = False
    clock.now += 11
    assert (await verifier.principal(token)).name == "ann"
    provider.is_away = True
    clock.now += 3601
    assert (await verifier.principal(token)).name == "ann", "known keys stay good while no others can be had"


class SlowOnDemand:
    """A way out that lets nothing through while it is shut."""

    def __init__(self, way_out: Transport) -> None:
        self._way_out = way_out
        self.open = asyncio.Event()
        self.knocked = asyncio.Event()
        self.open.set()

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        self.knocked.set()
        await self.open.wait()
        return await self._way_out.send(request, limits)

    async def aclose(self) -> None:
        await self._way_out.aclose()


async def test_old_keys_do_until_a_slow_provider_has_answered(provider: IdentityProvider, clock: Clock) -> None:
    way_out = SlowOnDemand(HttpTransport(AddressPolicy(parse_allow("127.0.0.1"))))
    keys = ProviderKeys(provider.issuer, way_out, clock)
    await keys.find("one")
    clock.now += 3601
    way_out.open.clear()
    way_out.knocked.clear()
    asking = asyncio.create_task(keys.find("one"))
    await way_out.knocked.wait()
    assert await asyncio.wait_for(keys.find("one"), 5) is not None
    waiting = asyncio.create_task(keys.find("unknown"))
    clock.now += 60
    way_out.open.set()
    assert await asking is not None
    assert await waiting is None
    assert provider.asked.count("/keys") == 2, "who waited does not ask at once again"
    await way_out.aclose()


async def test_documents_of_another_issuer_are_not_believed(
    provider: IdentityProvider, verifier: TokenVerifier
) -> None:
    provider.says_issuer = "https://elsewhere.example"
    assert (await refusal(verifier, provider.token(roles=["admin"])))[0] is Code.UNAVAILABLE
    assert provider.asked == ["/.well-known/openid-configuration"]
