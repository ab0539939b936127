"""Where settings come from and what they may be."""

from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue
from openplaybook.sandbox.executor_settings import KINDS
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings, load_settings, unknown_variables


def load(folder: Path, environment: dict[str, str] | None = None, **flags: JsonValue) -> Settings:
    return load_settings(flags, environment or {}, folder)


def test_without_any_source_the_defaults_hold(tmp_path: Path) -> None:
    settings = load(tmp_path)
    assert (settings.host, settings.port, settings.grpc_port, settings.model) == ("127.0.0.1", 8080, 8081, "offline")
    assert settings.data_dir.name == "openplaybook"
    assert settings.data_dir.is_absolute()


def test_a_command_may_have_defaults_of_its_own(tmp_path: Path) -> None:
    defaults: dict[str, JsonValue] = {"log_level": "warning"}
    assert load_settings({"log_level": None}, {}, tmp_path, defaults=defaults).log_level == "warning"
    (tmp_path / "openplaybook.toml").write_text('log_level = "debug"\n')
    assert load_settings({}, {}, tmp_path, defaults=defaults).log_level == "debug"


def test_a_flag_beats_a_variable_and_a_variable_beats_the_file(tmp_path: Path) -> None:
    (tmp_path / "openplaybook.toml").write_text('port = 1\ngrpc_port = 2\nmodel = "scripted:file"\n')
    settings = load(tmp_path, {"OPENPLAYBOOK_PORT": "10", "OPENPLAYBOOK_GRPC_PORT": "20"}, port=100)
    assert (settings.port, settings.grpc_port, settings.model) == (100, 20, "scripted:file")


def test_a_flag_that_was_not_given_changes_nothing(tmp_path: Path) -> None:
    assert load(tmp_path, {"OPENPLAYBOOK_PORT": "10"}, port=None).port == 10


def test_an_empty_variable_was_not_given(tmp_path: Path) -> None:
    assert load(tmp_path, {"OPENPLAYBOOK_MODEL": ""}).model == "offline"


def test_every_setting_has_a_variable(tmp_path: Path) -> None:
    values = {"port": "1", "grpc_port": "1", "insecure": "yes", "log_level": "debug", "max_body_bytes": "2048"}
    values |= {"log_format": "text", "max_grpc_message_bytes": "2048", "max_bytes_in_flight": "2048"}
    values |= {"parser_memory_mb": "64", "parser_seconds": "5"}
    values |= {"public_url": "https://bot.example", "data_dir": "/d", "api_key_file": "/k"}
    values |= {"google_identity": "yes", "external_references": "yes"}
    values |= {"oidc_issuer": "https://id.example", "max_connections": "7", "drain_seconds": "7", "drain_delay": "7"}
    values |= {"database_url": "postgresql://db/chats", "database_connections": "7"}
    values |= {"code_executor": "off", "code_python": "/p", "code_timeout": "7", "code_memory_mb": "64"}
    values |= {
        "code_processes": "7",
        "code_concurrency": "7",
        "code_interpreters": "7",
        "code_sessions": "conversation",
    }
    values |= {"session_ttl": "1h", "conversation_retention": "7d"}
    values |= {"store_documents": "7", "store_bytes": "2048", "crawl_delay_ms": "7", "crawl_again_after": "7d"}
    names = {field.name for field in fields(Settings)}
    environment = {f"OPENPLAYBOOK_{name.upper()}": values.get(name, "given") for name in names}
    settings = load(tmp_path, environment)
    defaults = load(tmp_path)
    assert all(getattr(settings, name) != getattr(defaults, name) for name in names)


def test_lists_and_tables_of_the_file_become_text(tmp_path: Path) -> None:
    (tmp_path / "openplaybook.toml").write_text(
        'egress_allow = ["10.0.0.0/8", "127.0.0.1"]\nmodel_aliases = { "gemini-1.5-flash" = "openai:gpt-4o-mini" }\n'
    )
    settings = load(tmp_path)
    assert settings.egress_allow == "10.0.0.0/8,127.0.0.1"
    assert settings.model_aliases == "gemini-1.5-flash=openai:gpt-4o-mini"


def test_a_home_directory_is_written_out(tmp_path: Path) -> None:
    assert load(tmp_path, data_dir="~/agents").data_dir == Path.home() / "agents"


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"OPENPLAYBOOK_PORT": "http"}, "OPENPLAYBOOK_PORT is 'http': must be a whole number from 0 to 65535"),
        ({"OPENPLAYBOOK_PORT": "65536"}, "OPENPLAYBOOK_PORT is '65536': must be a whole number from 0 to 65535"),
        ({"OPENPLAYBOOK_INSECURE": "maybe"}, "OPENPLAYBOOK_INSECURE is 'maybe': must be true or false"),
        (
            {"OPENPLAYBOOK_LOG_LEVEL": "loud"},
            "OPENPLAYBOOK_LOG_LEVEL is 'loud': must be one of debug, info, warning, error",
        ),
        (
            {"OPENPLAYBOOK_PUBLIC_URL": "bot.example"},
            "OPENPLAYBOOK_PUBLIC_URL is 'bot.example': must start with http:// or https://",
        ),
        (
            {"OPENPLAYBOOK_DATABASE_URL": "mysql://user:secret@db"},
            "OPENPLAYBOOK_DATABASE_URL: must start with postgresql://",
        ),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_with_its_source(
    tmp_path: Path, environment: dict[str, str], message: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        load(tmp_path, environment)
    assert str(refused.value) == message


def test_a_bad_flag_is_named_as_it_was_written(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"^--max-body-bytes is 1: must be a whole number from 1024 to"):
        load(tmp_path, max_body_bytes=1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prot = 1", "prot is not a setting; did you mean port?"),
        ("colour = 1", "colour is not a setting; allowed are host, port,"),
        ("port = true", "port is True: must be a whole number"),
        ("host = 1", "host is 1: must be text"),
        ("egress_allow = [1]", "egress_allow is \\[1\\]: must be text"),
        ("data_dir = 1", "data_dir is 1: must be a path"),
        ('data_dir = "~nobody-of-that-name/x"', "must be a path: no user of that name has a home directory here"),
        ("port =", r"openplaybook.toml: Invalid value \(at end of document\)"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "openplaybook.toml").write_text(text)
    with pytest.raises(SettingsError, match=message):
        load(tmp_path)


def test_variables_of_other_programs_are_left_alone(tmp_path: Path) -> None:
    assert load(tmp_path, {"OPENPLAYBOOK_CORPUS": "/corpus"}) == load(tmp_path)


def test_variables_that_nobody_reads_are_told_with_the_nearest_name() -> None:
    environment = {
        "OPENPLAYBOOK_PROT": "1",
        "OPENPLAYBOOK_PORT": "1",
        "OPENPLAYBOOK_XYZZY_PLUGH": "1",
        "OPENPLAYBOOK_SECRET_MY_KEY": "1",
        "OPENPLAYBOOK_MASTER_KEY": "1",
        "HOME": "/",
    }
    assert unknown_variables(environment) == [
        "the variable OPENPLAYBOOK_PROT is not a setting and is ignored; did you mean OPENPLAYBOOK_PORT?",
        "the variable OPENPLAYBOOK_XYZZY_PLUGH is not a setting and is ignored; openplaybook serve --help lists all",
    ]


@given(st.dictionaries(st.sampled_from(sorted(field.name for field in fields(Settings))), st.text(max_size=20)))
def test_whatever_is_given_is_used_or_refused(values: dict[str, str]) -> None:
    environment = {f"OPENPLAYBOOK_{name.upper()}": value for name, value in values.items()}
    try:
        used = load_settings({}, environment, Path("/nowhere"))
    except SettingsError as error:
        refused = str(error)
    else:
        refused = ""
        assert 0 <= used.port <= 65535
    assert refused == "" or refused.startswith("OPENPLAYBOOK_")


def test_the_url_of_the_database_is_not_shown_with_the_settings(tmp_path: Path) -> None:
    url = "postgresql://user:hunter2@db/chats"
    settings = load(tmp_path, {"OPENPLAYBOOK_DATABASE_URL": url})
    assert settings.database_url == url
    assert "hunter2" not in repr(settings)


def test_where_code_may_run_is_what_there_are_executors_for(tmp_path: Path) -> None:
    assert [load(tmp_path, code_executor=kind.upper()).code_executor for kind in KINDS] == list(KINDS)
    with pytest.raises(SettingsError, match=rf"^--code-executor is 'docker': must be one of {', '.join(KINDS)}$"):
        load(tmp_path, code_executor="docker")
