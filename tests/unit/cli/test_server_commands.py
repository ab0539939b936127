"""The options of the commands that run servers."""

import re

from typer.testing import CliRunner

from openplaybook.cli.main import app
from openplaybook.server.settings import SETTINGS


def help_of(command: str) -> str:
    return CliRunner().invoke(app, [command, "--help"]).output


def options_in(text: str) -> list[str]:
    return re.findall(r"^  (--[\w-]+)", text, re.MULTILINE)


def test_every_setting_is_an_option_under_its_heading() -> None:
    text = help_of("serve")
    headings = [setting.heading for setting in SETTINGS.values() if setting.heading]
    assert re.findall(r"^(\w.*):$", text, re.MULTILINE) == [*headings, "Options"]
    assert options_in(text) == [*(setting.flag for setting in SETTINGS.values()), "--help"]


def test_a_command_with_some_of_the_settings_has_defaults_of_its_own() -> None:
    text = help_of("demo")
    flags = ["--host", "--port", "--grpc-port", "--data-dir", "--model", "--sqlite-files", "--log-level", "--help"]
    assert options_in(text) == flags
    assert "[default: (warning)]" in " ".join(text.split())


def test_what_a_setting_cannot_be_is_said_with_its_flag() -> None:
    refused = CliRunner().invoke(app, ["serve", "--session-ttl", "2d"])
    assert str(refused.exception) == (
        "--session-ttl is '2d': must be a whole number with s, m, h or d behind it, from 1s to 1d"
    )
