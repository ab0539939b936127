from openplaybook.packages.report import MOST_TOLD, Notes, Report
from openplaybook.turns.agent.verdicts import PlaybookVerdict


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
        "message": "there are 4 more notes, which are not shown: 3 of PROBLEM, 1 of KEPT",
        "count": 4,
    }


def test_no_more_are_told_than_there_are() -> None:
    notes = Notes()
    for number in range(MOST_TOLD):
        notes.kept(f"flows/{number}", "has no effect here")

    assert len(notes.report().as_json()["notes"]) == MOST_TOLD
    assert Notes().report().as_json() == {}


def test_verdicts_on_playbooks_stand_beside_the_notes() -> None:
    verdicts = (PlaybookVerdict("p/1", "One"), PlaybookVerdict("p/2", "Two", needs_model="it has no tool"))
    assert Report(playbooks=verdicts).as_json() == {
        "playbooks": [
            {"playbook": "p/1", "displayName": "One", "verdict": "RUNS"},
            {"playbook": "p/2", "displayName": "Two", "verdict": "NEEDS_MODEL", "needsModel": "it has no tool"},
        ]
    }


def test_so_many_verdicts_are_told_and_a_note_says_how_many_there_are_besides() -> None:
    verdicts = tuple(PlaybookVerdict(f"p/{number}", "One") for number in range(MOST_TOLD + 2))
    told = Report(playbooks=verdicts).as_json()
    assert len(told["playbooks"]) == MOST_TOLD
    assert told["notes"] == [
        {
            "kind": "PROBLEM",
            "place": "",
            "message": "there are 2 more playbooks; what comes of them is not told",
            "count": 2,
        }
    ]
