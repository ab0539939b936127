"""The page on agents at Google does what it says, with the demo's server in Google's place."""

from pathlib import Path

import pytest

from tests.e2e.kit.server import clean_environment, running
from tests.kit.guides import blocks, printed

PAGE = "sync.md"


@pytest.mark.proves("X2")
def test_the_page_on_sync_works(tmp_path: Path) -> None:
    with running(tmp_path, command="demo") as demo:
        agent = demo.facts["Agent"]
        environment = {
            **clean_environment(),
            "AGENT": agent,
            "OPENPLAYBOOK_GOOGLE_ENDPOINT": demo.http,
            "OPENPLAYBOOK_GOOGLE_ANONYMOUS": "1",
        }
        expected = blocks(PAGE, "text").replace("projects/local/locations/global/agents/pets", agent)
        assert printed(PAGE, tmp_path, environment) == expected
