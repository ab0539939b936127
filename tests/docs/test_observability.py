"""The guide on observability says what there is, and its command works."""

import io
import json
import logging
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from openplaybook.telemetry.log_lines import WithAccessLines, log_rpc
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import running
from tests.kit.guides import DOCS, blocks

PAGE = "observability.md"


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")
def test_the_guide_on_observability_names_every_metric_and_its_command_works(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        command = blocks(PAGE, "sh").replace("http://127.0.0.1:8080", server.http)
        printed = subprocess.run(["sh", "-eu"], input=command, capture_output=True, text=True, timeout=60, check=True)
        shown = Rest(server.http).send("GET", "/metrics").body.decode()
    assert printed.stdout == blocks(PAGE, "text")
    told = set(re.findall(r"^\| `(openplaybook_\w+)` \|", (DOCS / PAGE).read_text(), re.MULTILINE))
    assert told == set(re.findall(r"^# TYPE (openplaybook_\w+) ", shown, re.MULTILINE))


def test_the_guide_on_observability_shows_the_fields_of_an_access_line() -> None:
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(WithAccessLines(logging.Formatter()))
    logger = logging.getLogger("openplaybook.access")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    known = {"session": "s", "response_id": "r", "trace": "t", "principal": "p", "principal_kind": "key", "client": "c"}
    try:
        log_rpc(rpc="x", code="OK", seconds=1.0, transport="grpc", **known)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(logging.NOTSET)
    assert json.loads(written.getvalue()).keys() == json.loads(blocks(PAGE, "json")).keys()
