import json

import pytest

from openplaybook.cli.package_report import print_differences, print_missing, show_notes, show_verdicts
from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.report import Note, NoteJson, NoteKind, Report
from openplaybook.sync.file_comparison import FileChange, FileDifference


def note(kind: str, place: str, remedy: str = "") -> NoteJson:
    return Note(NoteKind(kind), place, f"about {place}", remedy).as_json()


def test_notes_stand_in_groups_the_most_urgent_first(capsys: pytest.CaptureFixture[str]) -> None:
    show_notes(
        [
            note("KEPT", "flows"),
            note("MISSING_SECRET", "tool", remedy="openplaybook secrets set x"),
            note("PROBLEM", "a\x1b[31m"),
            note("KEPT", "intents"),
        ]
    )
    assert capsys.readouterr() == (
        "",
        "to check:\n"
        "  a\\x1b[31m: about a\\x1b[31m\n"
        "secrets to set:\n"
        "  tool: about tool\n"
        "    $ openplaybook secrets set x\n"
        "kept for export, not run here:\n"
        "  flows: about flows\n"
        "  intents: about intents\n",
    )


def test_a_long_group_is_cut_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    show_notes([note("KEPT", str(number)) for number in range(23)])
    lines = capsys.readouterr().err.splitlines()
    assert (len(lines), lines[-1]) == (22, "  and 3 more; --json has them all")


def test_nothing_to_tell_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    show_notes([])
    assert capsys.readouterr() == ("", "")


def verdict(name: str, kind: str, **more: object) -> JsonObject:
    return {"playbook": f"p/{name}", "displayName": name, "verdict": kind, **more}


def test_verdicts_stand_in_groups_what_runs_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    show_verdicts(
        [
            verdict("Desk", "LEANS_ON", leansOn=["the flow A", "webhook B"], clientFunctions=["locate"]),
            verdict("Front\x1b[31m", "RUNS"),
            verdict("Poet", "NEEDS_MODEL", needsModel="it has no tool"),
            verdict("Till", "RUNS", clientFunctions=["pay", "void"]),
            verdict("Guide", "LEANS_ON", leansOn=["its code block"], needsModel="it has no example"),
        ]
    )
    assert capsys.readouterr() == (
        "",
        "runs: Front\\x1b[31m, Till (the client answers pay, void)\n"
        "needs a model (openplaybook serve --model …, docs/models.md):\n"
        "  Poet: it has no tool\n"
        "depends on parts that are not run here:\n"
        "  Desk: the flow A; webhook B (the client answers locate)\n"
        "  Guide: its code block; and it needs a model: it has no example\n",
    )


def test_many_verdicts_are_cut_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    running = [verdict(f"R{number}", "RUNS") for number in range(10)]
    show_verdicts([*running, *(verdict(f"N{number}", "NEEDS_MODEL", needsModel="x") for number in range(23))])
    runs, _, *lines = capsys.readouterr().err.splitlines()
    assert runs == "runs: R0, R1, R2, R3, R4, R5, R6, R7 and 2 more"
    assert (len(lines), lines[-1]) == (21, "  and 3 more; --json has them all")


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
