"""Our tokens, with keys kept in a real store, as Google's own verifier sees them."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from joserfc.jwk import RSAKey

from openplaybook.credentials.errors import SealedValueUnreadable
from openplaybook.credentials.identity.issuer import Issuer
from openplaybook.credentials.identity.signing_keys import PUBLISHED_AFTER_S, RECORD, ROTATED_AFTER_S, SigningKeys
from openplaybook.credentials.sealer import Sealer
from openplaybook.jsonvalues import JsonObject
from openplaybook.storage.sqlite import SqliteStore

google_jwt = pytest.importorskip("google.auth.jwt", reason="the extra openplaybook[google] is not here")

URL = "https://us.example"
AGENT = "projects/my-project/locations/global/agents/a"
API = "https://api.example:8443"
SEALER = Sealer([bytes(32)])
NOW = 1_700_000_000.0


@dataclass
class Clock:
    now: float = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "store.db")
    await opened.open()
    yield opened
    await opened.close()


def verified(token: str, jwks: JsonObject, audience: str = API) -> JsonObject:
    """The claims, once Google's library has found signature, audience and times right."""
    certificates = {key["kid"]: RSAKey.import_key(key).as_pem(private=False) for key in jwks["keys"]}
    return dict(google_jwt.decode(token, certs=certificates, audience=audience, clock_skew_in_seconds=0))


@pytest.mark.proves("A1")
async def test_an_id_token_names_issuer_service_agent_audience_and_agent(store: SqliteStore) -> None:
    issuer = Issuer(URL, SigningKeys(store, SEALER))
    token = await issuer.id_token(API, AGENT)
    claims = verified(token.value, await issuer.jwks())
    assert claims.pop("exp") - claims.pop("iat") == token.life_s == 3600
    email = "service-my-project@us.example"
    assert claims == {"iss": URL, "sub": email, "aud": API, "email": email, "email_verified": True, "agent": AGENT}
    with pytest.raises(ValueError, match="audience"):
        verified(token.value, await issuer.jwks(), "https://other.example")


@pytest.mark.proves("A1")
async def test_an_access_token_is_a_jwt_of_the_kind_for_apis(store: SqliteStore) -> None:
    issuer = Issuer(URL, SigningKeys(store, SEALER))
    first, second = [(await issuer.access_token(API, AGENT)).value for _ in range(2)]
    claims = verified(first, await issuer.jwks())
    assert google_jwt.decode_header(first)["typ"] == "at+jwt"
    assert claims.pop("jti") != verified(second, await issuer.jwks())["jti"]
    assert claims.pop("exp") - claims.pop("iat") == 3600
    sub = "service-my-project@us.example"
    assert claims == {"iss": URL, "sub": sub, "client_id": sub, "aud": API, "agent": AGENT}


async def test_the_discovery_document_leads_to_the_keys(store: SqliteStore) -> None:
    issuer = Issuer(URL, SigningKeys(store, SEALER))
    document = issuer.discovery()
    assert (document["issuer"], document["jwks_uri"]) == (URL, f"{URL}/.well-known/jwks.json")
    (key,) = (await issuer.jwks())["keys"]
    assert set(key) == {"kty", "n", "e", "kid", "use", "alg"}


async def test_keys_outlive_the_server_and_are_kept_sealed(store: SqliteStore) -> None:
    first = (await SigningKeys(store, SEALER).signing()).id
    assert (await SigningKeys(store, SEALER).signing()).id == first
    record = await store.get(RECORD)
    assert record is not None
    assert b'"sealed":"sealed:v1:' in record.body
    assert b'"d":' not in record.body
    with pytest.raises(SealedValueUnreadable):
        await SigningKeys(store, Sealer([bytes([1] * 32)])).signing()


async def test_an_old_key_signs_no_more_and_is_published_until_its_tokens_have_ended(store: SqliteStore) -> None:
    clock = Clock()
    keys = SigningKeys(store, SEALER, clock)
    old = (await keys.signing()).id
    clock.now += ROTATED_AFTER_S
    new = (await keys.signing()).id
    assert [key.id for key in await keys.published()] == [new, old] != [old, old]
    clock.now += PUBLISHED_AFTER_S - 1
    assert [key.id for key in await keys.published()] == [new, old]
    clock.now += 1
    assert [key.id for key in await keys.published()] == [new]


async def test_a_token_of_the_old_key_is_good_after_a_rotation(store: SqliteStore) -> None:
    keys = SigningKeys(store, SEALER)
    issuer = Issuer(URL, keys)
    token = await issuer.id_token(API, AGENT)
    await keys.rotate()
    assert verified(token.value, await issuer.jwks())["iss"] == URL
    new = (await issuer.id_token(API, AGENT)).value
    assert google_jwt.decode_header(new)["kid"] != google_jwt.decode_header(token.value)["kid"]


async def test_servers_that_share_a_store_share_the_key_of_whoever_was_first(store: SqliteStore) -> None:
    clock = Clock()
    one, other = SigningKeys(store, SEALER, clock), SigningKeys(store, SEALER, clock)
    assert (await one.signing()).id == (await other.signing()).id
    clock.now += ROTATED_AFTER_S
    assert (await one.signing()).id == (await other.signing()).id
    assert len(await other.published()) == 2


async def test_keys_are_sealed_anew_when_the_master_key_is_exchanged(store: SqliteStore) -> None:
    first = (await SigningKeys(store, SEALER).signing()).id
    old, new = bytes(32), bytes([1] * 32)
    assert [await SigningKeys(store, Sealer([new, old])).reseal() for _ in range(2)] == [1, 0]
    assert (await SigningKeys(store, Sealer([new])).signing()).id == first


async def test_a_store_without_keys_has_none_to_seal_anew(store: SqliteStore) -> None:
    assert await SigningKeys(store, SEALER).reseal() == 0
