"""What holds for every command."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from openplaybook.cli.main import app


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_a_terminal_gets_colours_unless_its_user_wants_none(tmp_path: Path, no_color: str, coloured: bool) -> None:
    (tmp_path / "empty.yaml").write_text("")
    command = ["openapi", "inspect", str(tmp_path / "empty.yaml")]
    result = CliRunner().invoke(app, command, color=True, env={"NO_COLOR": no_color})
    assert ("error: $: the text is empty" in result.output, "\x1b[31m" in result.output) == (True, coloured)
