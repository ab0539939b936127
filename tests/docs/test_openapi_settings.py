"""The page on settings of OpenAPI tools: what it prints can be used, and it leaves nothing out."""

import re
from pathlib import Path

from openplaybook.jsonvalues import JsonObject, loads
from openplaybook.tools.openapi.settings import ToolSettings, settings_of
from openplaybook.wire.api import load_api

PAGE = (Path(__file__).parents[2] / "docs" / "openapi-settings.md").read_text()
SETTINGS: JsonObject = loads(PAGE.partition("```json\n")[2].partition("```")[0])


def test_the_printed_settings_are_accepted() -> None:
    settings = settings_of({"settings": SETTINGS, "ignoreUnknownFields": True})
    unset = ToolSettings()
    same = [name for name in ToolSettings.__slots__ if getattr(settings, name) == getattr(unset, name)]
    assert same == []


def test_every_field_is_printed_and_explained() -> None:
    tool = load_api().message("google.cloud.dialogflow.cx.v3beta1.Tool.OpenApiTool")
    fields = [field.camelcase_name for field in tool.DESCRIPTOR.fields_by_name["settings"].message_type.fields]
    explained = {
        name for row in re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    }
    assert (sorted(SETTINGS), set(fields) - explained) == (sorted(fields), set())
