"""The page on connectors does what it says, against the demo agent."""

import os
import shutil
from pathlib import Path

import pytest

from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.jsonvalues import dumps
from tests.docs.test_quickstarts import printed
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import running
from tests.kit.guides import DOCS, blocks, command_flags, each_block
from tests.kit.preloaded.commands import searched

PAGE = "connectors.md"


@pytest.mark.proves("K5")
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")
def test_the_page_on_connectors(tmp_path: Path) -> None:
    flags = [flag.replace("shop.db", str(tmp_path / "shop.db")) for flag in command_flags(PAGE, "demo")]
    with running(tmp_path / "server", *flags, command="demo") as demo:
        variables = {"OPENPLAYBOOK_DATA_DIR": str(tmp_path / "server" / "data"), "PATH": searched(os.environ["PATH"])}
        told = printed(blocks(PAGE, "sh"), ["sh", "-eu"], demo, tmp_path, **variables)
        [step] = each_block(PAGE, "markdown")
        playbook = {"displayName": "Shop", "goal": "Help.", "instruction": {"steps": [{"text": step.strip()}]}}
        saved = Rest(demo.http).send("POST", f"/v3/{demo.facts['Agent']}/playbooks", dumps(playbook))
        assert (saved.status, saved.headers.get("x-openplaybook-warning")) == (200, None)
    assert told == blocks(PAGE, "text")


def test_each_condition_of_the_table_is_one() -> None:
    [table] = (DOCS / PAGE).read_text().split("| condition | meaning |\n|---|---|\n")[1:]
    conditions = [part for row in table.split("\n\n")[0].splitlines() for part in row.split(" | ")[0].split("`")[1::2]]
    assert len([parsed_condition(text) for text in conditions]) == 9
