"""What callers are not told of the machine that the server runs on."""

from pathlib import Path

import pytest

from openplaybook.server.discretion import files_of, told_without_paths
from openplaybook.server.settings import Settings
from openplaybook.services.errors import bad_request, to_rpc_error
from openplaybook.storage.errors import SENTENCES, StoreFault, StoreUnusable
from openplaybook.telemetry.own_paths import SHOWN, hide_own
from openplaybook.wire.errors import Code, RpcError


def test_every_file_that_settings_name_is_known() -> None:
    settings = Settings(
        data_dir=Path("/srv/op/data"),
        api_key_file=Path("/etc/op/keys"),
        secret_backends="local,files:/run/secrets,vault:https://vault.example/kv?token_file=/run/vault/token",
        service_accounts="a@p.example=/etc/op/a.json,b@p.example=impersonated",
    )
    named = ("/srv/op/data", "/etc/op/keys", "/run/secrets", "/run/vault/token", "/etc/op/a.json")
    assert sorted(map(str, files_of(settings))) == sorted(named)


def test_an_error_loses_paths_from_its_message_and_its_details(tmp_path: Path) -> None:
    hide_own([tmp_path / "data"])
    said = f"{tmp_path}/data/x is not there"
    error = RpcError(Code.INTERNAL, said, [bad_request([("f", said)])], {"Retry-After": "1"})
    told = told_without_paths(error)
    assert (told.code, told.message, told.headers) == (Code.INTERNAL, f"{SHOWN} is not there", {"Retry-After": "1"})
    assert told.details == (bad_request([("f", f"{SHOWN} is not there")]),)


def test_an_error_that_names_none_is_the_same_one() -> None:
    error = RpcError(Code.NOT_FOUND, "Agent a/b does not exist", [bad_request([("f", "g")])])
    assert told_without_paths(error) is error


@pytest.mark.parametrize("fault", StoreFault)
def test_an_unusable_store_is_told_by_its_fault_alone(fault: StoreFault, caplog: pytest.LogCaptureFixture) -> None:
    error = to_rpc_error(StoreUnusable("/srv/op/data/openplaybook.db: it hurts (10.0.0.7)", fault))
    assert (error.code, error.message) == (
        Code.UNAVAILABLE,
        f"The server's database cannot be used: {SENTENCES[fault]}.",
    )
    assert "/srv/op/data/openplaybook.db: it hurts" in caplog.text, "the log has it"
