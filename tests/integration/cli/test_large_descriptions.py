"""`openplaybook openapi inspect` on a description whose schemas all need each other."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from openplaybook.jsonvalues import JsonObject, JsonValue

SCHEMAS, OPERATIONS = 250, 400
COMMAND = [sys.executable, "-c", "from openplaybook.cli.main import main; main()"]
MOST_MEMORY = 512 * 1024
"""Kilobytes."""


def ref(number: int) -> JsonObject:
    return {"$ref": f"#/components/schemas/s{number % SCHEMAS}"}


def content(number: int) -> JsonObject:
    return {"content": {"application/json": {"schema": ref(number)}}}


def large() -> bytes:
    """Each operation needs every schema; told at every operation, they would make 60 MB and more."""
    schemas: JsonObject = {
        f"s{number}": {
            "description": "A schema that all others need, and that needs all others. " * 4,
            "properties": {f"p{step}": ref(number * step + 1) for step in range(1, 5)},
        }
        for number in range(SCHEMAS)
    }
    paths: JsonObject = {
        f"/o{number}": {"post": {"requestBody": content(number), "responses": {"200": content(number * 3)}}}
        for number in range(OPERATIONS)
    }
    root: JsonObject = {"openapi": "3.0.3", "servers": [{"url": "https://a.example"}], "paths": paths}
    return json.dumps({**root, "components": {"schemas": schemas}}).encode()


def references(value: JsonValue) -> Iterator[str]:
    return iter(re.findall(r'"\$ref": "([^"]*)"', json.dumps(value)))


MEASURED = """
import os, sys
child = os.posix_spawn(sys.executable, sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss, file=sys.stderr)
"""
"""Run by a small process: what is started by a large one, as tests become, seems to the kernel to begin as large."""


def inspected(spec: Path, output: Path) -> tuple[int, int]:
    """Exit code of the command and the most memory it held, in kilobytes."""
    command = [sys.executable, "-c", MEASURED, *COMMAND, "openapi", "inspect", str(spec), "--json"]
    with output.open("wb") as file:
        done = subprocess.run(command, stdout=file, stderr=subprocess.PIPE, text=True, check=True)
    code, memory = done.stderr.split()[-2:]
    return int(code), int(memory)


def test_a_report_on_schemas_that_all_need_each_other_is_no_larger_than_they_are(tmp_path: Path) -> None:
    text = large()
    spec, output = tmp_path / "large.json", tmp_path / "report.json"
    spec.write_bytes(text)
    code, memory = inspected(spec, output)
    assert code == 0
    assert memory < MOST_MEMORY
    assert output.stat().st_size < 3 * len(text)
    report = json.loads(output.read_bytes())
    assert len(report["actions"]) == OPERATIONS
    assert set(references(report)) == {f"#/definitions/{name}" for name in report["definitions"]}
    assert len(report["definitions"]) == SCHEMAS
