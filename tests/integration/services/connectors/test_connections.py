"""Connections: stored, held against their connector, looked at, and given to whoever opens them."""

import pytest

from openplaybook.connectors.errors import AuthenticationRefused, ConnectionSuspended, ConnectorError, SystemUnavailable
from openplaybook.connectors.settings import AccessToken, Destination, OAuthRefresh, UserPassword
from openplaybook.credentials.errors import SecretNotFound
from openplaybook.credentials.sealer import Sealer
from openplaybook.egress.errors import AddressRefused, EgressError
from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.services.connectors.stored_connections import StoredConnections
from openplaybook.services.resource_seals import reseal_resources
from openplaybook.storage.base import Put
from openplaybook.wire.errors import Code
from openplaybook.wire.messages import ApiMessage
from tests.integration.services.connectors.connected import (
    BODY,
    CONNECTION,
    LOCATION,
    PASSWORD,
    VERSION,
    Connected,
)
from tests.kit.sealing import KEY

CREATE = "Connections.CreateConnection"


def creation(**more: object) -> JsonObject:
    return {"parent": LOCATION, "connectionId": "shop", "connection": {**BODY, **more}}


async def test_a_connection_is_created_by_an_operation_that_ends_with_a_look_at_the_system(shop: Connected) -> None:
    operation = await shop.done(CREATE, creation(description="Ours", labels={"team": "pets"}))

    assert operation["metadata"]["target"] == CONNECTION
    assert operation["metadata"]["verb"] == "create"
    created = operation["response"]
    assert created.pop("@type") == "type.googleapis.com/google.cloud.connectors.v1.Connection"
    assert created == await shop.v1("Connections.GetConnection", {"name": CONNECTION})
    assert created == {
        **BODY,
        "name": CONNECTION,
        "description": "Ours",
        "labels": {"team": "pets"},
        "createTime": created["createTime"],
        "updateTime": created["createTime"],
        "connectionRevision": "1",
        "connectorVersionLaunchStage": "GA",
        "status": {"state": "ACTIVE"},
    }


async def test_the_system_is_opened_with_what_the_connection_says_and_its_secrets(shop: Connected) -> None:
    await shop.create(
        destinationConfigs=[{"key": "host", "destinations": [{"host": "10.0.0.7", "port": 99}]}],
        sslConfig={"type": "TLS", "trustModel": "INSECURE"},
        authOverrideEnabled=True,
    )

    [settings] = shop.system.opened
    assert (settings.name, settings.connector) == (CONNECTION, "shop-system")
    assert settings.config == {"host": "db.example.com", "port": 4712}
    assert settings.authentication == UserPassword("kim", "hunter2")
    assert settings.destinations == {"host": Destination("10.0.0.7", 99)}
    assert (settings.tls.is_used, settings.tls.skips_verification) == (True, True)
    assert settings.allows_override
    assert "hunter2" not in repr(settings)


@pytest.mark.parametrize(
    ("failure", "state"),
    [
        (AuthenticationRefused("password authentication failed for user kim"), "AUTHORIZATION_REQUIRED"),
        (SystemUnavailable("connection refused by db.example.com:4712"), "ERROR"),
        (AddressRefused("10.0.0.7 is a private address", rule="private"), "ERROR"),
    ],
)
async def test_a_connection_to_a_system_that_refuses_is_stored_and_says_why(
    shop: Connected, failure: ConnectorError | EgressError, state: str
) -> None:
    shop.system.failure = failure

    created = await shop.create()

    assert created["status"] == {"state": state, "description": str(failure)}


async def test_a_secret_that_is_not_there_is_an_error_of_the_connection(shop: Connected) -> None:
    shop.secrets.values.clear()

    created = await shop.create()

    assert created["status"] == {"state": "ERROR", "description": f"there is no secret {PASSWORD}"}
    with pytest.raises(SecretNotFound):
        await shop.stored.settings(CONNECTION)


async def test_a_destination_stands_for_host_and_port(shop: Connected) -> None:
    created = await shop.create(
        configVariables=[], destinationConfigs=[{"key": "host", "destinations": [{"host": "db.example.com"}]}]
    )

    assert created["status"] == {"state": "ACTIVE"}


@pytest.mark.parametrize("id", ["", "Shop", "a b", "-a", "a" * 64])
async def test_an_id_is_needed_and_has_its_form(shop: Connected, id: str) -> None:
    violations = await shop.violations(CREATE, {**creation(), "connectionId": id})

    assert list(violations) == ["connection_id"]
    assert "is required" in violations["connection_id"] or "63 lower-case letters" in violations["connection_id"]


async def test_no_two_connections_have_one_name(shop: Connected) -> None:
    await shop.create()

    assert (await shop.refusal("v1", CREATE, creation()))[0] is Code.ALREADY_EXISTS


async def test_an_update_changes_what_its_mask_names_and_is_looked_at_again(shop: Connected) -> None:
    await shop.create()
    shop.system.failure = SystemUnavailable("gone")
    body = {"name": CONNECTION, "description": "New", "configVariables": []}

    operation = await shop.done(
        "Connections.UpdateConnection", {"connection": body, "updateMask": "description,authOverrideEnabled"}
    )

    updated = operation["response"]
    assert (updated["description"], updated["connectionRevision"]) == ("New", "2")
    assert updated["configVariables"] == BODY["configVariables"]
    assert updated["status"] == {"state": "ERROR", "description": "gone"}


async def test_an_update_is_held_against_the_connector_too(shop: Connected) -> None:
    await shop.create()
    body = {"name": CONNECTION, "configVariables": [{"key": "port", "intValue": "1"}]}

    violations = await shop.violations(
        "Connections.UpdateConnection", {"connection": body, "updateMask": "configVariables"}
    )

    assert list(violations) == ["connection.config_variables"]


async def test_a_connection_stays_with_its_connector(shop: Connected) -> None:
    await shop.create()
    other = {"name": CONNECTION, "connectorVersion": VERSION.replace("gcp", "other")}

    request = {"connection": other, "updateMask": "connectorVersion"}
    violations = await shop.violations("Connections.UpdateConnection", request)

    assert list(violations) == ["connection.connector_version"]


async def test_what_was_opened_of_a_changed_connection_is_not_used_again(shop: Connected) -> None:
    await shop.create()
    shop.secrets.values[PASSWORD] = "new one"

    await shop.v2("Connections.CheckStatus", {"name": CONNECTION})

    assert [each.authentication for each in shop.system.opened] == [
        UserPassword("kim", "hunter2"),
        UserPassword("kim", "new one"),
    ]
    assert shop.system.closed == 1


async def test_a_suspended_connection_is_not_used(shop: Connected) -> None:
    created = await shop.create(suspended=True)

    assert created["status"] == {"state": "INACTIVE", "description": "The connection is suspended."}
    assert shop.system.opened == []
    with pytest.raises(ConnectionSuspended):
        await shop.stored.settings(CONNECTION)
    code, sentence = await shop.refusal("v2", "EntityTypes.ListEntityTypes", {"parent": CONNECTION})
    assert code is Code.FAILED_PRECONDITION
    assert "is suspended" in sentence


async def test_a_locked_connection_is_neither_changed_nor_deleted(shop: Connected) -> None:
    await shop.create(lockConfig={"locked": True, "reason": "in use by sales"})
    update: JsonObject = {"connection": {"name": CONNECTION, "description": "New"}, "updateMask": "description"}
    unlock: JsonObject = {"connection": {"name": CONNECTION}, "updateMask": "lockConfig"}

    for rpc, request in (("UpdateConnection", update), ("DeleteConnection", {"name": CONNECTION})):
        code, sentence = await shop.refusal("v1", f"Connections.{rpc}", request)
        assert code is Code.FAILED_PRECONDITION
        assert "is locked: in use by sales" in sentence
    await shop.done("Connections.UpdateConnection", unlock)
    await shop.done("Connections.DeleteConnection", {"name": CONNECTION})


async def test_deleting_closes_what_is_open(shop: Connected) -> None:
    await shop.create()

    operation = await shop.done("Connections.DeleteConnection", {"name": CONNECTION})

    assert operation["response"] == {"@type": "type.googleapis.com/google.protobuf.Empty"}
    assert (await shop.refusal("v1", "Connections.GetConnection", {"name": CONNECTION}))[0] is Code.NOT_FOUND
    assert (await shop.refusal("v2", "Connections.CheckStatus", {"name": CONNECTION}))[0] is Code.NOT_FOUND
    assert await shop.stored.settings(CONNECTION) is None


async def test_lists_are_filtered_ordered_and_paged(shop: Connected) -> None:
    for id, team in (("b", "pets"), ("a", "toys"), ("c", "pets")):
        await shop.create(id, description=team)
    request: JsonObject = {"parent": LOCATION, "filter": 'description="pets"', "orderBy": "name desc", "pageSize": 1}

    first = await shop.v1("Connections.ListConnections", request)
    second = await shop.v1("Connections.ListConnections", {**request, "pageToken": first["nextPageToken"]})

    assert [each["name"][-1] for each in (*first["connections"], *second["connections"])] == ["c", "b"]
    assert "nextPageToken" not in second
    everywhere = await shop.v1("Connections.ListConnections", {"parent": "projects/-/locations/-"})
    assert [each["name"][-1] for each in everywhere["connections"]] == ["b", "a", "c"]


async def test_search_finds_connections_with_all_words(shop: Connected) -> None:
    await shop.create("first", description="Pets and toys", labels={"team": "blue"})
    await shop.create("second", description="Pets")

    found = await shop.v1("Connections.SearchConnections", {"name": f"{LOCATION}/connections", "query": "BLUE pets"})

    assert [each["connection"]["name"][-5:] for each in found["connections"]] == ["first"]


async def test_a_look_whose_server_stopped_is_not_under_way_for_ever(shop: Connected) -> None:
    codec, records = shop.caller.parts.api.codec, shop.caller.parts.store
    await shop.create()
    record = await records.get(CONNECTION)
    assert record is not None
    message = codec.from_json({**BODY, "name": CONNECTION, "status": {"state": "CREATING"}}, _connection(shop))
    message.update_time.FromMicroseconds(shop.caller.clock())
    await records.apply([Put(CONNECTION, record.kind, record.parent, record.root, dumps(codec.to_json(message)))])
    at_once = await shop.v1("Connections.GetConnection", {"name": CONNECTION})
    shop.caller.clock.advance(200)
    later = await shop.v1("Connections.GetConnection", {"name": CONNECTION})

    assert at_once["status"] == {"state": "CREATING"}
    assert later["status"]["state"] == "ERROR"


def _connection(shop: Connected) -> ApiMessage:
    return shop.caller.parts.api.message("google.cloud.connectors.v1.Connection")()


async def test_a_connection_that_needs_consent_says_so_until_a_token_is_kept(shop: Connected) -> None:
    section = {"clientId": "app", "clientSecret": {"secretVersion": PASSWORD}}
    created = await shop.create(authConfig={"authType": "OAUTH2_AUTH_CODE_FLOW", "oauth2AuthCodeFlow": section})

    await shop.stored.keep_refresh_token(CONNECTION, "1//refresh")

    settings = await shop.stored.settings(CONNECTION)
    assert created["status"]["state"] == "AUTHORIZATION_REQUIRED"
    assert settings is not None
    assert settings.authentication == OAuthRefresh("app", "hunter2", "1//refresh")
    record = await shop.caller.parts.store.get(f"{CONNECTION}/consent")
    assert record is not None
    assert b"1//refresh" not in record.body
    assert settings.overridden(AccessToken("t")).authentication == AccessToken("t")


async def test_a_kept_token_opens_with_a_new_master_key_once_it_is_sealed_anew(shop: Connected) -> None:
    await shop.create()
    await shop.stored.keep_refresh_token(CONNECTION, "1//refresh")
    store, both = shop.caller.parts.store, Sealer([bytes(32), KEY])

    assert [await reseal_resources(store, both), await reseal_resources(store, both)] == [1, 0]

    new = StoredConnections(store, shop.secrets, Sealer([bytes(32)]))
    assert [await new.refresh_token(CONNECTION), await new.current(CONNECTION)] == ["1//refresh", "1//refresh"]


async def test_a_deleted_connection_leaves_no_token(shop: Connected) -> None:
    await shop.create()
    await shop.stored.keep_refresh_token(CONNECTION, "1//refresh")

    await shop.done("Connections.DeleteConnection", {"name": CONNECTION})

    assert await shop.stored.refresh_token(CONNECTION) == ""


async def test_whoever_brings_another_credential_gets_none_of_the_connections_own(shop: Connected) -> None:
    secret = {"key": "api_key", "secretValue": {"secretVersion": PASSWORD}}
    parts = {name: {"secretVersion": PASSWORD} for name in ("clientCertificate", "clientPrivateKey")}
    await shop.create(authConfig={"additionalVariables": [secret]}, authOverrideEnabled=True)
    await shop.create("second", sslConfig={"type": "MTLS", **parts})
    shop.secrets.values.clear()

    by_key = await shop.stored.settings(CONNECTION, with_credential=False)
    by_password = await shop.stored.settings(f"{LOCATION}/connections/second", with_credential=False)

    assert by_key is not None
    assert by_password is not None
    assert (by_key.authentication, by_password.authentication) == (None, None)
    assert (by_password.tls.is_used, by_password.tls.client_key) == (True, "")
    assert by_key.config == {"host": "db.example.com", "port": 4712}


async def test_check_status_keeps_what_it_found(shop: Connected) -> None:
    shop.system.failure = SystemUnavailable("down")
    await shop.create()
    shop.system.failure = None

    checked = await shop.v2("Connections.CheckStatus", {"name": CONNECTION})

    assert checked == {"state": "ACTIVE"}
    assert (await shop.v1("Connections.GetConnection", {"name": CONNECTION}))["status"] == {"state": "ACTIVE"}


async def test_check_status_of_a_refused_credential_is_an_answer(shop: Connected) -> None:
    await shop.create()
    shop.system.failure = AuthenticationRefused("no")

    assert await shop.v2("Connections.CheckStatus", {"name": CONNECTION}) == {
        "state": "AUTH_ERROR",
        "description": "no",
    }
    assert await shop.v2("Connections.CheckReadiness", {"name": CONNECTION}) == {"status": "READY"}
