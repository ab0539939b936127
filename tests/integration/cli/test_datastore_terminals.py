"""What stands in documents never steers the terminal of who ingests or searches them."""

import json
from pathlib import Path

from tests.integration.cli.conftest import Run

ESCAPE = "\x1b]0;owned\x07\x9b31m"


def test_names_and_texts_of_documents_are_shown_harmlessly(run: Run, tmp_path: Path) -> None:
    named = {"uri": f"a{ESCAPE}", "title": f"Lamp {ESCAPE}", "text": f"The lamp is <red> & old. {ESCAPE}"}
    bad = {"id": f"bad {ESCAPE}", "structData": named}
    lines = [{"id": "good", "structData": named}, bad]
    records = tmp_path / "lamps.jsonl"
    records.write_text("".join(json.dumps(line) + "\n" for line in lines))

    ingested = run("datastores", "ingest", "lamps", str(records))
    found = run("datastores", "search", "lamps", "red lamp")

    assert "error: " in ingested.stderr
    assert "Lamp " in found.stdout
    assert "The lamp is <red> & old." in found.stdout
    told = ingested.stdout + ingested.stderr + found.stdout + found.stderr
    assert not {"\x1b", "\x07", "\x9b"} & set(told.replace("\x1b[1m", "").replace("\x1b[0m", ""))


def test_a_file_that_is_left_out_is_named_harmlessly(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "a.txt").write_text("The lamp is red.")
    (folder / f"b{ESCAPE}.zzz".replace("/", "")).write_text("x")
    told = run("datastores", "ingest", "files", str(folder)).stderr
    assert "left out" in told
    assert "\x1b]0" not in told
