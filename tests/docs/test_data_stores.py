"""The page on data stores does what it says, against the demo agent."""

import os
import shutil
from pathlib import Path

import pytest

from openplaybook.jsonvalues import dumps
from openplaybook.retrieval.filters.parser import parsed_filter
from tests.docs.test_quickstarts import printed
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import running
from tests.kit.guides import DOCS, blocks, command_flags, each_block
from tests.kit.preloaded.commands import quick_python, searched

PAGE = "data-stores.md"


@pytest.mark.proves("D1", "D5", "D6", "D15")
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")
def test_the_page_on_data_stores(tmp_path: Path) -> None:
    with running(tmp_path / "server", *command_flags(PAGE, "demo"), command="demo") as demo:
        variables = {"OPENPLAYBOOK_DATA_DIR": str(tmp_path / "server" / "data"), "PATH": searched(os.environ["PATH"])}
        told = printed(blocks(PAGE, "sh"), ["sh", "-eu"], demo, tmp_path, **variables)
        told += printed(blocks(PAGE, "python"), [quick_python(), "-"], demo, tmp_path)
        [step] = each_block(PAGE, "markdown")
        playbook = {"displayName": "Shop", "goal": "Help.", "instruction": {"steps": [{"text": step.strip()}]}}
        saved = Rest(demo.http).send("POST", f"/v3/{demo.facts['Agent']}/playbooks", dumps(playbook))
        assert (saved.status, saved.headers.get("x-openplaybook-warning")) == (200, None)
    assert [line for line in told.splitlines() if not line.startswith("   score ")] == blocks(PAGE, "text").splitlines()


def test_each_filter_of_the_table_is_one() -> None:
    [table] = (DOCS / PAGE).read_text().split("| filter | meaning |\n|---|---|\n")[1:]
    rows = table.split("\n\n")[0].splitlines()
    filters = [part for row in rows[:-1] for part in row.split(" | ")[0].strip("| ").split("`")[1::2]]
    assert [str(parsed_filter(text)) != "" for text in filters] == [True] * 8
