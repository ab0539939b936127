"""The page on import and export does what it says: its blocks run against the demo and print what stands below them."""

from pathlib import Path

import pytest

from openplaybook.jsonvalues import as_list, as_object
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import clean_environment, running
from tests.kit.guides import blocks, command_flags, printed

PAGE = "import-and-export.md"


@pytest.mark.proves("X2")
def test_the_page_on_import_and_export_works(tmp_path: Path) -> None:
    environment = {**clean_environment(), "OPENPLAYBOOK_DATA_DIR": str(tmp_path / "data")}
    folder = tmp_path / "folder"
    folder.mkdir()
    with running(tmp_path, *command_flags(PAGE, "demo"), command="demo") as server:
        assert printed(PAGE, folder, environment) == blocks(PAGE, "text")
        rest = Rest(server.http)
        [pets] = as_list(rest("GET", "v3/projects/-/locations/-/agents")["agents"])
        assert as_object(pets)["displayName"] == "Pets"
        assert rest("GET", "v1beta/projects/-/locations/-/apps") == {}
    assert list(folder.iterdir()) == []
