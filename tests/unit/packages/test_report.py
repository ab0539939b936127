from openplaybook.packages.report import MOST_TOLD, Notes


def test_an_operation_tells_so_many_notes_and_how_many_there_are_besides() -> None:
    notes = Notes()
    for number in range(MOST_TOLD + 3):
        notes.problem(f"tools/{number}", "is not as it should be")
    notes.kept("flows", "has no effect here", 7)

    told = notes.report().as_json()["notes"]

    assert len(told) == MOST_TOLD + 1
    assert told[0] == {"kind": "PROBLEM", "place": "tools/0", "message": "is not as it should be"}
    assert told[-1] == {
        "kind": "PROBLEM",
        "place": "",
        "message": "there are 4 more notes, which are not told: 3 of PROBLEM, 1 of KEPT",
        "count": 4,
    }


def test_no_more_are_told_than_there_are() -> None:
    notes = Notes()
    for number in range(MOST_TOLD):
        notes.kept(f"flows/{number}", "has no effect here")

    assert len(notes.report().as_json()["notes"]) == MOST_TOLD
    assert Notes().report().as_json() == {}
