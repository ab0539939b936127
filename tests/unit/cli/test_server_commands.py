"""The options of `serve`."""

import inspect
import re
from dataclasses import fields

from typer.testing import CliRunner

from openplaybook.cli.main import app
from openplaybook.cli.server_commands import HEADINGS, serve
from openplaybook.server.settings import Settings


def test_every_setting_is_an_option() -> None:
    assert {field.name for field in fields(Settings)} <= set(inspect.signature(serve).parameters)


def test_the_help_has_every_option_under_a_heading() -> None:
    shown = CliRunner().invoke(app, ["serve", "--help"]).output
    headings = re.findall(r"^(\w.*):$", shown, re.MULTILINE)
    assert headings == [*HEADINGS.values(), "Options"]
    assert set(HEADINGS) <= set(inspect.signature(serve).parameters)
    options = re.findall(r"^  --([\w-]+)", shown, re.MULTILINE)
    assert sorted(options) == sorted(
        ["help", *(name.replace("_", "-") for name in inspect.signature(serve).parameters)]
    )
