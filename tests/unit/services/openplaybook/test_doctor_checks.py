"""What doctor looks at."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.services.openplaybook.doctor_checks import Check, ServerHost, examine

NAMES = ["python", "api", "sqlite", "data directory", "model", "extras", "egress", "certificates"]


@pytest.fixture
def machine(tmp_path: Path) -> ServerHost:
    return ServerHost(data_dir=tmp_path / "data", model="offline", model_aliases="", egress_allow="", environment={})


async def found(machine: ServerHost, name: str) -> Check:
    return next(check for check in await examine(machine) if check.name == name)


async def test_everything_is_looked_at_in_a_fixed_order(machine: ServerHost) -> None:
    assert [check.name for check in await examine(machine)] == NAMES


async def test_what_works_needs_no_remedy(machine: ServerHost) -> None:
    needed = [check for check in await examine(machine) if check.name != "extras"]
    assert [(check.ok, check.remedy) for check in needed] == [(True, "")] * 7


async def test_looking_makes_nothing(machine: ServerHost) -> None:
    await examine(machine)
    assert not machine.data_dir.exists()


async def test_a_file_in_the_place_of_the_data_directory_is_found(machine: ServerHost, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    check = await found(machine, "data directory")
    assert check == Check(
        "data directory", False, f"{tmp_path}/data cannot be written", "choose another with --data-dir"
    )


@pytest.mark.parametrize(
    ("model", "aliases"), [("telepathy", ""), ("openai:gpt-4o", ""), ("offline", "gemini=telepathy"), ("offline", "=")]
)
async def test_a_model_that_cannot_be_used_is_found_before_it_is_needed(
    machine: ServerHost, model: str, aliases: str
) -> None:
    check = await found(replace(machine, model=model, model_aliases=aliases), "model")
    assert (check.ok, check.remedy) == (False, "choose another with --model, or set what it needs")


async def test_a_key_in_the_environment_makes_a_model_usable(machine: ServerHost) -> None:
    keyed = replace(machine, model="openai:gpt-4o", environment={"OPENAI_API_KEY": "sk-hidden"})
    check = await found(keyed, "model")
    assert check == Check(
        "model",
        True,
        "openai:gpt-4o can be used with OPENAI_API_KEY (nothing was sent)",
        "openplaybook doctor --try-model checks the key with the provider",
    )


async def test_the_private_addresses_that_tools_may_reach_are_named(machine: ServerHost) -> None:
    check = await found(replace(machine, egress_allow="10.0.0.0/8,127.0.0.1"), "egress")
    assert check.detail == "tools reach public addresses, also 10.0.0.0/8, 127.0.0.1/32"


async def test_services_of_this_machine_that_tools_may_call_are_named_too(machine: ServerHost) -> None:
    check = await found(replace(machine, local_services=["http://127.0.0.1:8090"]), "egress")
    assert check.detail == "tools reach public addresses, also http://127.0.0.1:8090"


async def test_extras_that_are_not_installed_are_named_with_the_command(
    machine: ServerHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = {"models", "google", "postgres", "otel", "code-interpreter"}
    assert installed == {*(await found(machine, "extras")).detail.removeprefix("installed: ").split(", ")}
    # `find_spec` finds nothing of a package whose entry is None.
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert await found(machine, "extras") == Check(
        "extras",
        True,
        "installed: models, google, otel, code-interpreter; not installed: postgres",
        'install those that you need: make run EXTRAS="postgres" (docs/installing.md)',
    )


async def test_ranges_that_cannot_be_read_are_found(machine: ServerHost) -> None:
    check = await found(replace(machine, egress_allow="everything"), "egress")
    assert (check.ok, check.remedy) == (False, "correct --egress-allow")
