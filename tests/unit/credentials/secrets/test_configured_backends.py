from collections.abc import Sequence
from pathlib import Path

import pytest

from openplaybook.credentials.errors import InvalidBackend
from openplaybook.credentials.secrets.base import SecretBackend
from openplaybook.credentials.secrets.configured_backends import (
    BackendSources,
    EnvironmentSecrets,
    build_backends,
    has_local,
)
from openplaybook.credentials.secrets.vault_settings import VaultSettings, parse_vault
from openplaybook.credentials.token_cache import IssuedToken
from tests.kit.openapi import Remembering

LOCAL = EnvironmentSecrets({})
"""Stands for the local store, which needs a disk."""


async def no_token(scopes: Sequence[str]) -> IssuedToken:
    raise AssertionError("no token is needed to build")


def built(setting: str, **environment: str) -> list[SecretBackend]:
    return build_backends(setting, LOCAL, BackendSources(environment, Remembering(), no_token))


def test_back_ends_come_in_the_order_of_the_setting() -> None:
    setting = "google, files:/run/secrets,local ,environment,vault:https://vault.example:8200/kv/team?prefix=a"
    assert [backend.about for backend in built(setting)] == [
        "google (https://secretmanager.googleapis.com)",
        "files (/run/secrets)",
        LOCAL.about,
        "environment (OPENPLAYBOOK_SECRET_…)",
        "vault (https://vault.example:8200/v1/kv/team)",
    ]


@pytest.mark.parametrize(("setting", "is_there"), [("local", True), ("files:/a, local", True), ("environment", False)])
def test_whether_the_local_store_is_read_is_told(setting: str, is_there: bool) -> None:
    assert has_local(setting) is is_there


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("", "no secret store is named; allowed are local, environment, files:FOLDER, vault:URL and google"),
        ("lokal", "'lokal' is not a secret store; allowed are"),
        ("local:x", "'local' is not a secret store"),
        ("environment:X", "environment takes no argument, got 'X'"),
        ("files:secrets", "files:secrets must be an absolute path"),
        ("vault:vault.example", "vault takes a URL without user name"),
        ("vault:https://user:pw@vault.example", "vault takes a URL without user name"),
        ("vault:https://vault.example?feild=x", "vault has no option 'feild'; allowed are field, prefix,"),
        ("vault:https://vault.example?role_id_file=/r", "requires role_id_file and secret_id_file together"),
        ("vault:https://vault.example?ca_file=/nowhere.pem", "/nowhere.pem of vault cannot be read: No such file"),
        ("google:secretmanager.example", "google takes a URL and one option"),
        ("google:https://g.example?key=x", "google takes a URL and one option"),
    ],
)
def test_a_setting_that_cannot_be_used_says_why(setting: str, message: str) -> None:
    with pytest.raises(InvalidBackend, match=message) as caught:
        built(setting)
    assert "pw" not in str(caught.value)


def test_everything_about_a_vault_stands_in_its_url() -> None:
    options = "field=key&prefix=/a/b/&namespace=ns&token_file=/t&role_id_file=/r&secret_id_file=/s&auth_mount=apps"
    assert parse_vault(f"https://vault.example/kv?{options}", {"VAULT_NAMESPACE": "other"}) == VaultSettings(
        origin="https://vault.example",
        mount="kv",
        prefix="a/b",
        field="key",
        namespace="ns",
        token_file=Path("/t"),
        role_id_file=Path("/r"),
        secret_id_file=Path("/s"),
        auth_mount="apps",
    )


def test_a_vault_is_used_in_the_usual_way_where_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_bytes(b"PEM")
    environment = {"VAULT_NAMESPACE": "ns", "VAULT_CACERT": str(tmp_path / "ca.pem")}
    assert parse_vault("https://vault.example:8200/", environment) == VaultSettings(
        origin="https://vault.example:8200", namespace="ns", ca_certificate=b"PEM"
    )
