"""Reports: for people, for programs, for build servers."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, fromstring

import pytest

from openplaybook.recordings.differences import ABSENT, ReplayDifference
from openplaybook.recordings.form import ClientResult, RecordedTurn, Recording
from openplaybook.recordings.junit import junit
from openplaybook.recordings.replay_outcomes import ReplayOutcome, ReportLine, input_of, report

RECORDING = Recording(
    title="Return a pet",
    turns=[
        RecordedTurn(user="return\nRex"),
        RecordedTurn(user="yes"),
        RecordedTurn(result=ClientResult(tool="till", action="pay", output={})),
    ],
    not_replayed=["turn 4: left out, its input is dtmf"],
)
FOUND = [
    [],
    [
        ReplayDifference("says", "Rex is back.\nBye.", "Max is back.\nBye."),
        ReplayDifference("enters Returns", {}, ABSENT),
    ],
    [ReplayDifference("pets.getPet $.petId", 3, 4)],
]
DIFFERENT = ReplayOutcome("pet.yaml", RECORDING, RECORDING, FOUND, seconds=0.3)
SAME = ReplayOutcome("same.yaml", Recording(turns=[RecordedTurn(user="a")]), None, [[]], seconds=0.1)
BROKEN = ReplayOutcome("broken.yaml", problem="broken.yaml: is no YAML: \x00\x1b[1m")

_ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "errors", "disabled", "skipped"},
    "testsuite": {"name", "tests", "failures", "errors", "time", "skipped", "timestamp", "hostname", "id", "package"},
    "testcase": {"name", "classname", "time", "assertions", "status"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "system-out": set[str](),
}
"""Of the Jenkins JUnit plugin's schema (jenkins-junit.xsd), as far as these reports go."""
_REQUIRED = {"testsuite": {"name", "tests"}, "testcase": {"name", "classname"}}
_CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase", "system-out"},
    "testcase": {"failure", "error"},
}


def test_people_see_what_differs_line_by_line() -> None:
    assert [line.text for line in report(DIFFERENT)] == [
        "different  pet.yaml (Return a pet): 2 of 3 turns",
        "  turn 2: yes",
        "    says",
        "      - Rex is back.",
        "      + Max is back.",
        "        Bye.",
        "    enters Returns",
        "      - {}",
        "  turn 3: result of till.pay",
        "    pets.getPet $.petId",
        "      - 3",
        "      + 4",
        "  not replayed: turn 4: left out, its input is dtmf",
    ]
    assert list(report(SAME)) == [ReportLine("!", "same  same.yaml: 1 turn")]
    assert list(report(BROKEN)) == [ReportLine("!", "unreadable  broken.yaml: is no YAML: \x00\x1b[1m")]


def test_programs_get_every_turn() -> None:
    told = DIFFERENT.to_json()
    assert (told["outcome"], told["title"], len(told["turns"])) == ("different", "Return a pet", 3)
    assert told["turns"][2] == {
        "turn": 3,
        "input": "result of till.pay",
        "differences": [{"where": "pets.getPet $.petId", "expected": 3, "happened": 4}],
    }
    assert BROKEN.to_json() == {
        "file": "broken.yaml",
        "outcome": "unreadable",
        "problem": "broken.yaml: is no YAML: \x00\x1b[1m",
    }


@pytest.mark.proves("X6")
def test_build_servers_read_a_suite_for_each_file_and_a_case_for_each_turn() -> None:
    root = fromstring(junit([DIFFERENT, SAME, BROKEN]))
    counts = [[each.get(name) for name in ("tests", "failures", "errors")] for each in (root, *root)]
    assert counts == [["5", "2", "1"], ["3", "2", "0"], ["1", "0", "0"], ["1", "0", "1"]]
    first = root[0]
    assert [case.get("name") for case in first.iterfind("testcase")] == [
        "turn 1: return Rex",
        "turn 2: yes",
        "turn 3: result of till.pay",
    ]
    failure = first.find("testcase[2]/failure")
    assert failure is not None
    assert failure.get("message") == "says; enters Returns"
    assert failure.text == ("says\n  - Rex is back.\n  + Max is back.\n    Bye.\nenters Returns\n  - {}")
    assert first.findtext("system-out") == "turn 4: left out, its input is dtmf"


@pytest.mark.parametrize("outcomes", [[], [DIFFERENT, SAME, BROKEN]])
def test_the_report_keeps_to_the_schema(outcomes: Sequence[ReplayOutcome]) -> None:
    root = fromstring(junit(outcomes))
    assert root.tag == "testsuites"
    for element in root.iter():
        _check(element)


def _check(element: Element) -> None:
    given = set(element.keys())
    assert given <= _ATTRIBUTES[element.tag]
    assert given >= _REQUIRED.get(element.tag, set())
    assert {child.tag for child in element} <= _CHILDREN.get(element.tag, set())
    for name in given & {"tests", "failures", "errors", "skipped"}:
        assert element.attrib[name].isdecimal()


PAID = ClientResult(tool="till", action="pay", output={})


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        (RecordedTurn(user="hello"), "hello"),
        (RecordedTurn(event="HELLO"), "event HELLO"),
        (RecordedTurn(result=PAID), "result of till.pay"),
        (RecordedTurn(results=[PAID, PAID]), "results of till.pay, till.pay"),
        (RecordedTurn(silent=True), "session parameters only"),
    ],
)
def test_an_input_is_told_in_a_few_words(turn: RecordedTurn, told: str) -> None:
    assert input_of(turn) == told
