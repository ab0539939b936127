"""What a process was told, as it may be shown."""

from dataclasses import fields
from pathlib import Path

import pytest

from openplaybook.server.masked_settings import (
    chosen_settings,
    files_of,
    given_settings,
    read_variables,
    shown_settings,
)
from openplaybook.server.settings import Settings


def test_every_setting_is_shown_as_text() -> None:
    shown = shown_settings(Settings(data_dir=Path("/data"), port=0, insecure=True, conversation_retention=None))
    assert list(shown) == [each.name for each in fields(Settings)]
    assert [shown[name] for name in ("data_dir", "port", "insecure", "google_identity", "tls_cert")] == [
        "/data",
        "0",
        "true",
        "false",
        "",
    ]
    assert shown["conversation_retention"] == ""


@pytest.mark.parametrize(
    "url", ["https://me:hidden@vault", "https://me:hid@den/,x@vault", "https://vault?token=hidden", "https://vault"]
)
def test_secrets_are_not_shown(url: str) -> None:
    settings = Settings(database_url="postgresql://me:hidden@db/x", secret_backends=f"local,vault:{url}")
    shown = shown_settings(settings)
    assert shown["database_url"] == "(set, not shown)"
    assert shown["secret_backends"] == ("local,vault:https://vault" if url == "https://vault" else "(set, not shown)")
    assert "hidden" not in str(shown)


def test_settings_that_are_not_as_by_default_are_the_chosen_ones() -> None:
    assert chosen_settings(Settings(model="openai:m", port=8080)) == {"model": "openai:m"}


def test_variables_are_named_that_keys_and_providers_are_read_from() -> None:
    environment = {
        "OPENAI_API_KEY": "sk-x",
        "MISTRAL_API_KEY": "x",
        "OPENAI_BASE_URL": "http://localhost",
        "OPENPLAYBOOK_SECRET_SHOP": "x",
        "OPENPLAYBOOK_MASTER_KEY": "x",
        "OPENPLAYBOOK_MODEL": "offline",
        "OPENPLAYBOOK_CI": "1",
        "VAULT_TOKEN": "x",
        "GOOGLE_API_KEY": "",
        "HOME": "/root",
    }
    assert read_variables(environment) == [
        "MISTRAL_API_KEY",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "OPENPLAYBOOK_MASTER_KEY",
        "OPENPLAYBOOK_SECRET_SHOP",
        "VAULT_TOKEN",
    ]


def test_a_setting_is_given_by_a_flag_else_a_variable_else_the_file(tmp_path: Path) -> None:
    (tmp_path / "openplaybook.toml").write_text('model = "offline"\nport = 1\nhost = "::1"\n')
    variables = {"OPENPLAYBOOK_PORT": "2", "OPENPLAYBOOK_HOST": "::1", "OPENPLAYBOOK_LOG_LEVEL": ""}
    assert given_settings({"port": 3, "data_dir": None}, variables, tmp_path) == {
        "model": str(tmp_path / "openplaybook.toml"),
        "host": "OPENPLAYBOOK_HOST",
        "port": "--port",
    }


def test_every_file_that_settings_name_is_known() -> None:
    settings = Settings(
        data_dir=Path("/srv/op/data"),
        api_key_file=Path("/etc/op/keys"),
        secret_backends="local,files:/run/secrets,vault:https://vault.example/kv?token_file=/run/vault/token",
        service_accounts="a@p.example=/etc/op/a.json,b@p.example=impersonated",
    )
    named = ("/srv/op/data", "/etc/op/keys", "/run/secrets", "/run/vault/token", "/etc/op/a.json")
    assert sorted(map(str, files_of(settings))) == sorted(named)
