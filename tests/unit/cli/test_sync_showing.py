import json

import pytest

from openplaybook.cli.sync_showing import print_differences, print_missing
from openplaybook.packages.report import Note, NoteKind, Report
from openplaybook.sync.file_comparison import FileChange, FileDifference

DIFFERENCES = [
    FileDifference(FileChange.CHANGED, "agent", "agent.json", ("@@ -1 +1 @@", "-a", "+b\x1b[2J")),
    FileDifference(FileChange.ADDED, "tools/Why?", "tools/Why%3f/Why%3f.json"),
    FileDifference(FileChange.ADDED, "tools/Why?", "tools/Why%3f/schema.yaml"),
    FileDifference(FileChange.REMOVED, "playbooks/A/examples/Hi", "playbooks/A/examples/Hi.json"),
]


def test_differences_are_shown_by_resource_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    print_differences(DIFFERENCES)
    assert capsys.readouterr().out.splitlines() == [
        "changed  agent",
        "  @@ -1 +1 @@",
        "  -a",
        "  +b\\x1b[2J",
        "added    tools/Why?",
        "added    tools/Why? (schema.yaml)",
        "removed  playbooks/A/examples/Hi",
        "2 added, 1 removed, 1 changed",
    ]


def test_no_difference_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    print_differences([])
    assert capsys.readouterr().out == "no difference\n"


def test_differences_are_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    print_differences(DIFFERENCES[1:2], as_json=True)
    assert json.loads(capsys.readouterr().out) == {
        "differences": [
            {"change": "added", "resource": "tools/Why?", "file": "tools/Why%3f/Why%3f.json", "lines": []},
        ]
    }


def test_secrets_that_are_missing_there_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    notes = (Note(NoteKind.MISSING_SECRET, "tools/T/T.json $.x", "m", "c"), Note(NoteKind.KEPT, "flows", "m"))
    print_missing(Report(notes))
    assert capsys.readouterr().err == "secret to set there: tools/T/T.json $.x\n"
