"""What doctor looks at."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.server.doctor.checks import Check, check_machine
from openplaybook.server.settings import Settings

NAMES = ["python", "api", "sqlite", "data directory", "model", "extras", "egress", "certificates"]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data")


async def found(
    settings: Settings,
    name: str,
    environment: Mapping[str, str] | None = None,
    local_services: Sequence[str] = (),
) -> Check:
    checks = await check_machine(settings, environment or {}, local_services)
    return next(check for check in checks if check.name == name)


async def test_everything_is_looked_at_in_a_fixed_order(settings: Settings) -> None:
    assert [check.name for check in await check_machine(settings, {})] == NAMES


async def test_what_works_needs_no_remedy(settings: Settings) -> None:
    needed = [check for check in await check_machine(settings, {}) if check.name != "extras"]
    assert [(check.ok, check.remedy) for check in needed] == [(True, "")] * 7


async def test_looking_makes_nothing(settings: Settings) -> None:
    await check_machine(settings, {})
    assert not settings.data_dir.exists()


async def test_a_file_in_the_place_of_the_data_directory_is_found(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    check = await found(settings, "data directory")
    assert check == Check(
        "data directory", False, f"{tmp_path}/data cannot be written", "choose another with --data-dir"
    )


@pytest.mark.parametrize(
    ("model", "aliases"), [("telepathy", ""), ("openai:gpt-4o", ""), ("offline", "gemini=telepathy"), ("offline", "=")]
)
async def test_a_model_that_cannot_be_used_is_found_before_it_is_needed(
    settings: Settings, model: str, aliases: str
) -> None:
    check = await found(replace(settings, model=model, model_aliases=aliases), "model")
    assert (check.ok, check.remedy) == (False, "choose another with --model, or set what it needs")


async def test_a_key_in_the_environment_makes_a_model_usable(settings: Settings) -> None:
    check = await found(replace(settings, model="openai:gpt-4o"), "model", {"OPENAI_API_KEY": "sk-hidden"})
    assert check == Check(
        "model",
        True,
        "openai:gpt-4o can be used with OPENAI_API_KEY (nothing was sent)",
        "openplaybook doctor --try-model checks the key with the provider",
    )


async def test_the_private_addresses_that_tools_may_reach_are_named(settings: Settings) -> None:
    check = await found(replace(settings, egress_allow="10.0.0.0/8,127.0.0.1"), "egress")
    assert check.detail == "tools reach public addresses, also 10.0.0.0/8, 127.0.0.1/32"


async def test_services_of_this_machine_that_tools_may_call_are_named_too(settings: Settings) -> None:
    check = await found(settings, "egress", local_services=["http://127.0.0.1:8090"])
    assert check.detail == "tools reach public addresses, also http://127.0.0.1:8090"


async def test_extras_that_are_not_installed_are_named_with_the_command(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = {"models", "google", "postgres", "otel", "code-interpreter", "embeddings", "connectors"}
    assert installed == {*(await found(settings, "extras")).detail.removeprefix("installed: ").split(", ")}
    # `find_spec` finds nothing of a package whose entry is None.
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert await found(settings, "extras") == Check(
        "extras",
        True,
        "installed: models, google, otel, code-interpreter, embeddings, connectors; not installed: postgres",
        'install those that you need: make run EXTRAS="postgres" (docs/installing.md)',
    )


async def test_ranges_that_cannot_be_read_are_found(settings: Settings) -> None:
    check = await found(replace(settings, egress_allow="everything"), "egress")
    assert (check.ok, check.remedy) == (False, "correct --egress-allow")
