"""The page on Python tools does what it says, and its table of failures is the code's."""

import re
import shutil
from pathlib import Path

import pytest

import openplaybook
from openplaybook.jsonvalues import loads
from tests.docs.test_quickstarts import printed
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server
from tests.kit.guides import DOCS, blocks
from tests.kit.sandboxed import need_sandbox

PAGE = "python-tools.md"
TEXT = (DOCS / PAGE).read_text()
TOOLS = Path(openplaybook.__file__).parent / "tools" / "python_function"


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")
def test_the_page_on_python_tools(demo: Server, tmp_path: Path) -> None:
    need_sandbox()
    assert printed(blocks(PAGE, "sh"), ["sh", "-eu"], demo, tmp_path) == blocks(PAGE, "text")
    assert Rest(demo.http)("GET", "v1beta/projects/demo/locations/global/apps") == {}
    assert list(tmp_path.iterdir()) == []


def test_a_tool_takes_the_fake_of_the_page(demo: Server) -> None:
    rest, place = Rest(demo.http), "v1beta/projects/demo/locations/global/apps"
    app = rest("POST", f"{place}?appId=faked", {"displayName": "faked"})["response"]["name"]
    fake = loads(blocks(PAGE, "json").replace("…", "return {}"))
    tool = rest("POST", f"v1beta/{app}/tools", {"clientFunction": {"name": "ask", "description": "Asks."}, **fake})
    assert tool["toolFakeConfig"] == fake["toolFakeConfig"]
    rest("DELETE", f"v1beta/{app}")


def test_the_failures_are_those_of_the_code() -> None:
    told = set(re.findall(r"^\| `([A-Z_]+)` \|", TEXT, re.MULTILINE))
    code = "".join(path.read_text() for path in TOOLS.glob("*.py"))
    # A sandbox that breaks twice is no fault that a reader could mend.
    assert told == set(re.findall(r'Failure\(\s*"([A-Z_]+)"', code)) - {"SANDBOX_FAILED"}
