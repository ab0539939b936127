"""The page on settings of OpenAPI tools: what it prints can be used, and it leaves nothing out."""

import re

from openplaybook.jsonvalues import dumps, loads
from openplaybook.tools.openapi.tool_settings import ToolSettings, settings_of
from openplaybook.wire.api import load_api
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server
from tests.kit.guides import DOCS, blocks

PAGE = "openapi-settings.md"
KEYED = """openapi: 3.0.0
info: {title: Orders, version: '1'}
servers: [{url: 'https://api.example.com'}]
paths: {/orders: {get: {operationId: listOrders, responses: {'200': {description: The orders}}}}}
security: [{key: []}]
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
"""


def test_the_printed_settings_are_accepted() -> None:
    settings = settings_of({"settings": loads(blocks(PAGE, "json")), "ignoreUnknownFields": True})
    unset = ToolSettings()
    same = [name for name in ToolSettings.__slots__ if getattr(settings, name) == getattr(unset, name)]
    assert same == []


def test_every_field_is_printed_and_explained() -> None:
    tool = load_api().message("google.cloud.dialogflow.cx.v3beta1.Tool.OpenApiTool")
    fields = [field.camelcase_name for field in tool.DESCRIPTOR.fields_by_name["settings"].message_type.fields]
    explained = {
        name
        for row in re.findall(r"^\| (`.*?) \|", (DOCS / PAGE).read_text(), re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }
    assert (sorted(loads(blocks(PAGE, "json"))), set(fields) - explained) == (sorted(fields), set())


def test_a_missing_credential_gets_the_warning_of_the_page(demo: Server) -> None:
    tool = {"displayName": "keyed", "description": "Orders.", "openApiSpec": {"textSchema": KEYED}}
    rest = Rest(demo.http)
    saved = rest.send("POST", f"/v3/{demo.facts['Agent']}/tools", dumps(tool))
    name, _, warning = blocks(PAGE, "text").strip().partition(": ")
    assert saved.headers[name] == warning
    rest("DELETE", f"v3/{saved.json['name']}")
