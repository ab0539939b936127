import pytest

from openplaybook.cli.import_report import show_notes
from openplaybook.jsonvalues import JsonObject


def note(kind: str, place: str, **more: object) -> JsonObject:
    return {"kind": kind, "place": place, "message": f"about {place}", **more}


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
        "to look at:\n"
        "  a\\x1b[31m: about a\\x1b[31m\n"
        "secrets to give:\n"
        "  tool: about tool\n"
        "    $ openplaybook secrets set x\n"
        "kept and exported again, not run here:\n"
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
