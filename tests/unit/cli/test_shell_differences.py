"""Where a running server differs from a shell."""

from pathlib import Path

import pytest

from openplaybook.cli.shell_differences import ShellDifference, differences_from
from openplaybook.jsonvalues import JsonObject
from openplaybook.server.doctor.server_program import ServerProgram
from openplaybook.server.masked_settings import shown_settings
from openplaybook.server.settings import Settings, load_settings

HERE = ServerProgram("0.1.0", Path("/here"), "digest", 0.0)
RESTART = "to use it, restart the server from this shell"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def server(**more: object) -> JsonObject:
    told = {"version": "0.1.0", "program": "/there", "programDigest": "digest", "settings": shown_settings(Settings())}
    return {**told, "variables": ["OPENAI_API_KEY"], **more}


def differences(
    server: JsonObject, environment: dict[str, str] | None = None, **flags: object
) -> list[ShellDifference]:
    settings = load_settings(flags, environment or {})
    return differences_from(server, settings, flags, environment or {}, HERE)


def test_equal_programs_in_other_folders_do_not_differ() -> None:
    assert differences(server()) == []


def test_another_version_is_told() -> None:
    assert differences(server(version="0.0.9", programDigest="older")) == [
        ShellDifference("program", "the server runs version 0.0.9, this command is 0.1.0", "restart the server")
    ]


def test_other_code_of_the_same_version_is_told_with_both_folders() -> None:
    [difference] = differences(server(programDigest="other"))
    assert difference.detail == "the server runs other code of version 0.1.0 (/there) than this command (/here)"


def test_code_that_was_changed_under_the_server_is_told() -> None:
    assert differences(server(programChanged=True)) == [
        ShellDifference(
            "program",
            "files in /there changed after the server started; it still runs the old ones",
            "restart the server",
        )
    ]


def test_a_server_that_says_nothing_of_itself_is_older() -> None:
    [difference] = differences({})
    assert difference.detail == "the server is of an older version than this command"


def test_settings_that_the_shell_gives_otherwise_are_told_with_where() -> None:
    Path("openplaybook.toml").write_text('egress_allow = "10.0.0.0/8"\nlog_level = "info"\n')
    assert differences(server(), {"OPENPLAYBOOK_CODE_EXECUTOR": "off"}, model="openai:m") == [
        ShellDifference("egress_allow", "openplaybook.toml is 10.0.0.0/8 here; the server has nothing", RESTART),
        ShellDifference("code_executor", "OPENPLAYBOOK_CODE_EXECUTOR is off here; the server has auto", RESTART),
        ShellDifference("model", "--model is openai:m here; the server has offline", RESTART),
    ]


def test_settings_that_the_shell_leaves_alone_do_not_differ() -> None:
    assert differences(server(settings={**shown_settings(Settings()), "port": "9999"})) == []


def test_variables_that_the_server_lacks_are_named_without_their_values() -> None:
    assert differences(server(), {"OPENAI_API_KEY": "sk-1", "ANTHROPIC_API_KEY": "sk-hidden"}) == [
        ShellDifference("ANTHROPIC_API_KEY", "is set here, but not in the server", RESTART)
    ]
