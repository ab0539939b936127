"""Secrets in apps: Google takes none, and what others wrote is sealed and never shown."""

import pytest

from openplaybook.credentials.sealer import Sealer
from openplaybook.jsonvalues import JsonObject, as_object, loads
from openplaybook.services.collection import Collection
from openplaybook.services.resource_kinds import APP_TOOL
from openplaybook.services.resource_seals import reseal_resources
from openplaybook.telemetry.redaction import MASK
from openplaybook.wire.errors import Code
from tests.integration.services.ces.studio import Studio
from tests.kit.sealing import KEY

NEW_KEY = bytes(32)

pytestmark = pytest.mark.proves("S1", "A4")


def tool(token: str) -> JsonObject:
    return {"openApiTool": {"name": "pets", "openApiSchema": "t", **authenticated(token)}}


def authenticated(token: str) -> JsonObject:
    return {"apiAuthentication": {"bearerTokenConfig": {"token": token}}}


def token_of(told: JsonObject) -> str:
    return told["openApiTool"]["apiAuthentication"]["bearerTokenConfig"]["token"]


async def imported(studio: Studio, app: str) -> str:
    """The name of a tool that holds a secret, written as an import would."""
    collection = Collection(APP_TOOL, studio.call.parts)
    name = f"{app}/tools/pets"
    message = studio.call.parts.api.codec.from_json({"name": name, **tool("planted")}, collection.new())
    await studio.call.parts.store.apply([collection.put(message, expect=0)])
    return name


async def test_a_variable_is_taken_and_shown_as_it_is(studio: Studio) -> None:
    made = await studio("CreateTool", {"parent": await studio.app(), "tool": tool("$context.variables.token")})
    assert token_of(made) == "$context.variables.token"


async def test_a_secret_is_refused_with_its_place(studio: Studio) -> None:
    app = await studio.app()
    where = "api_authentication.bearer_token_config.token"
    told = "is not $context.variables.NAME; an app never contains secrets, a variable supplies them"
    refused = await studio.refusal("CreateTool", {"parent": app, "tool": tool("planted")})
    assert refused == (Code.INVALID_ARGUMENT, f"tool.open_api_tool.{where}: {told}")
    toolset = {"openApiToolset": {"openApiSchema": "t", **authenticated("planted")}}
    refused = await studio.refusal("CreateToolset", {"parent": app, "toolset": toolset})
    assert refused == (Code.INVALID_ARGUMENT, f"toolset.open_api_toolset.{where}: {told}")


async def test_one_that_was_imported_is_sealed_masked_and_kept_by_updates(studio: Studio) -> None:
    app = await studio.app()
    name = await imported(studio, app)
    told = await studio("GetTool", {"name": name})
    assert token_of(told) == MASK
    told["openApiTool"]["description"] = "d"
    assert token_of(await studio("UpdateTool", {"tool": told})) == MASK
    version = await studio.version(app)
    assert token_of(version["snapshot"]["tools"][0]) == MASK
    *_, entry = (await studio("ListChangelogs", {"parent": app, "filter": "action:update"}))["changelogs"]
    assert (token_of(entry["originalResource"]), token_of(entry["newResource"])) == (MASK, MASK)
    store = studio.call.parts.store
    bodies = [record.body for record in (*await store.scan(app), *await store.list(app, "app_changelog"))]
    assert [body for body in bodies if b"planted" in body] == []


async def test_sealed_ones_get_the_new_key_in_tools_and_versions(studio: Studio) -> None:
    app = await studio.app()
    name = await imported(studio, app)
    await studio.version(app)
    store, both = studio.call.parts.store, Sealer([NEW_KEY, KEY])
    assert [await reseal_resources(store, both), await reseal_resources(store, both)] == [2, 0]
    for place in (name, f"{app}/versions/one"):
        record = await store.get(place)
        assert record is not None
        body = as_object(loads(record.body))
        held = body if place == name else body["snapshot"]["tools"][0]
        assert Sealer([NEW_KEY]).unseal(token_of(held), name) == "planted"
