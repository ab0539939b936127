"""What a tool names and gets elsewhere: told when it is saved, since it may be set later."""

import aiohttp
import pytest

from openplaybook.jsonvalues import JsonObject
from tests.integration.server.conftest import Start
from tests.kit.executing import Rest
from tests.kit.openapi import operation

SERVICE = "projects/p/locations/global/namespaces/n/services/s"
VERSION = "projects/p/secrets/key/versions/1"
AUTHENTICATION: JsonObject = {
    "apiKeyConfig": {"keyName": "X-Key", "requestLocation": "HEADER", "secretVersionForApiKey": VERSION}
}


@pytest.mark.proves("A9", "A10")
async def test_what_a_tool_names_and_is_not_there_is_a_warning_when_it_is_saved(start: Start) -> None:
    running = await start(secret_backends="environment")
    async with aiohttp.ClientSession(running.http) as http:
        server = Rest(http)
        agent = await server.agent()
        await server.tool(
            agent, operation(), authentication=AUTHENTICATION, serviceDirectoryConfig={"service": SERVICE}
        )
        validated = await server.ask("GET", f"/v3beta1/{agent}/validationResult")
    secret, service = server.warnings
    assert secret.startswith(
        f"tool.openApiSpec.authentication.apiKeyConfig.secretVersionForApiKey: the secret version {VERSION} does "
        "not exist"
    )
    assert service.startswith(f"tool.openApiSpec.serviceDirectoryConfig.service: the service {SERVICE} cannot be")
    told = [each["detail"] for entry in validated["flowValidationResults"] for each in entry["validationMessages"]]
    assert [detail for detail in told if VERSION in detail or SERVICE in detail] == told[1:]


async def test_what_is_there_is_not_told(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENPLAYBOOK_SECRET_KEY", "demo-key-1234")
    running = await start(secret_backends="environment", service_directory=f"{SERVICE}=10.0.0.5:8443")
    async with aiohttp.ClientSession(running.http) as http:
        server = Rest(http)
        agent = await server.agent()
        await server.tool(
            agent, operation(), authentication=AUTHENTICATION, serviceDirectoryConfig={"service": SERVICE}
        )
    assert server.warnings == []
    assert b"demo-key-1234" not in server.heard
