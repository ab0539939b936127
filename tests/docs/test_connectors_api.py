"""The page on the API of connectors does what it says."""

from pathlib import Path

from tests.docs.test_quickstarts import printed
from tests.e2e.kit.server import running
from tests.kit.guides import blocks, command_flags
from tests.kit.preloaded.commands import quick_python

PAGE = "connectors/api.md"


def test_the_page_on_the_api_of_connectors(tmp_path: Path) -> None:
    flags = [flag.replace("pets.db", str(tmp_path / "pets.db")) for flag in command_flags(PAGE, "serve")]
    with running(tmp_path / "server", *flags) as server:
        told = printed(blocks(PAGE, "python"), [quick_python(), "-"], server, tmp_path)

    assert told == blocks(PAGE, "text")
