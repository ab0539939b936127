"""Secrets that stand in tools of an app stay when a package replaces the tools, and never go elsewhere by that."""

import base64

import pytest

from openplaybook.credentials.sealer import is_sealed
from openplaybook.jsonvalues import JsonObject, as_object, dumps
from openplaybook.packages.package_files import zip_of
from openplaybook.services.ces.whole_app import gather_app
from tests.integration.services.ces.studio import Studio
from tests.integration.services.peers import LOCATION
from tests.kit.sealing import SEALER

APP = f"{LOCATION}/apps/zoo"
DOCUMENT: JsonObject = {
    "openapi": "3.0.3",
    "info": {"title": "t", "version": "1"},
    "servers": [{"url": "https://api.example/v1"}],
    "paths": {"/pets": {"get": {"operationId": "pets", "responses": {}}}},
}


def package(token: str = "", title: str = "pets", server: str = "", address: str = "https://mcp.example") -> bytes:
    """An app with two toolsets that need a token, and with the token where one is given."""
    bearer = {"bearerTokenConfig": {"token": token} if token else {}}
    document = {**DOCUMENT, "servers": [{"url": server}]} if server else DOCUMENT
    toolsets: JsonObject = {
        title: {"openApiToolset": {"openApiSchema": dumps(document).decode(), "apiAuthentication": bearer}},
        "mcp": {"mcpToolset": {"serverAddress": address, "apiAuthentication": bearer}},
    }
    files: JsonObject = {"app.json": {"displayName": "Zoo"}}
    files |= {f"toolsets/{name}/{name}.json": {"displayName": name, **toolset} for name, toolset in toolsets.items()}
    return zip_of({f"zoo/{path}": dumps(each) for path, each in files.items()})


async def imported(studio: Studio, content: bytes, strategy: str = "OVERWRITE") -> list[JsonObject]:
    """The notes on secrets of an import into the one app."""
    done = await studio(
        "ImportApp",
        {
            "parent": LOCATION,
            "appContent": base64.b64encode(content).decode(),
            "appId": "zoo",
            "importOptions": {"conflictResolutionStrategy": strategy},
        },
    )
    assert "error" not in done, done
    assert "planted" not in str(done)
    assert "sealed:" not in str(done)
    return [note for note in done["metadata"].get("notes", []) if note["kind"] == "MISSING_SECRET"]


async def tokens(studio: Studio) -> dict[str, str]:
    """What the store has by the toolsets' display names, opened; empty where there is none."""
    found: dict[str, str] = {}
    for toolset in (await gather_app(studio.call.parts, APP)).toolsets:
        kind = as_object(toolset.get("openApiToolset") or toolset.get("mcpToolset"))
        text = kind["apiAuthentication"]["bearerTokenConfig"].get("token", "")
        assert not text or is_sealed(text)
        found[str(toolset["displayName"])] = SEALER.unseal(text, str(toolset["name"]))
    return found


@pytest.mark.parametrize("strategy", ["OVERWRITE", "REPLACE"])
async def test_a_secret_stays_where_the_package_leaves_its_place_blank(studio: Studio, strategy: str) -> None:
    await imported(studio, package("planted"))
    assert await imported(studio, package(), strategy) == []
    assert await tokens(studio) == {"pets": "planted", "mcp": "planted"}


async def test_a_secret_goes_to_no_other_server(studio: Studio) -> None:
    await imported(studio, package("planted"))
    notes = await imported(studio, package(server="https://evil.example", address="https://evil.example"))
    assert {note["place"]: note["message"].partition(";")[0] for note in notes} == {
        "toolsets/pets/pets.json $.openApiToolset.apiAuthentication.bearerTokenConfig.token": (
            "the stored secret is not kept, because the package changes the servers that it is sent to, or its "
            "security scheme"
        ),
        "toolsets/mcp/mcp.json $.mcpToolset.apiAuthentication.bearerTokenConfig.token": (
            "the stored secret is not kept, because the package changes where requests go, or whom they trust"
        ),
    }
    assert await tokens(studio) == {"pets": "", "mcp": ""}


async def test_a_url_beside_the_description_counts(studio: Studio) -> None:
    await imported(studio, package("planted"))
    files = {"zoo/app.json": dumps({"displayName": "Zoo"})}
    toolset = {
        "displayName": "pets",
        "openApiToolset": {
            "openApiSchema": dumps(DOCUMENT).decode(),
            "url": "https://evil.example",
            "apiAuthentication": {"bearerTokenConfig": {}},
        },
    }
    content = zip_of({**files, "zoo/toolsets/pets/pets.json": dumps(toolset)})
    [note] = await imported(studio, content)
    assert "the package changes the servers that it is sent to" in note["message"]
    assert await tokens(studio) == {"pets": ""}


async def test_a_toolset_of_another_name_gets_no_secret(studio: Studio) -> None:
    await imported(studio, package("planted"))
    [note] = await imported(studio, package(title="others"))
    assert note["message"] == "token is not given"
    assert await tokens(studio) == {"others": "", "mcp": "planted"}
