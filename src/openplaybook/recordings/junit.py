"""The outcomes of a replay as JUnit XML, as build servers read it: a suite for each file, a case for each turn.

After the schema of Jenkins' JUnit plugin (`jenkins-junit.xsd`), which GitLab and others follow.
"""

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from openplaybook.recordings.differences import ReplayDifference
from openplaybook.recordings.form import RecordedTurn
from openplaybook.recordings.replay_outcomes import ReplayOutcome, difference_lines, input_of, numbered

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML 1.0 document may hold."""


def junit(outcomes: Sequence[ReplayOutcome]) -> bytes:
    """The XML document."""
    suites = [_suite(outcome) for outcome in outcomes]
    root = Element("testsuites", {"name": "openplaybook replay", **sums(suites)})
    root.set("time", _seconds(sum(outcome.seconds for outcome in outcomes)))
    root.extend(suites)
    indent(root)
    return tostring(root, encoding="utf-8", xml_declaration=True)


def _suite(outcome: ReplayOutcome) -> Element:
    suite = Element("testsuite", {"name": legal_text(outcome.title)})
    if outcome.recording is None:
        case = SubElement(suite, "testcase", {"classname": legal_text(outcome.file), "name": "replay", "time": "0.000"})
        error = SubElement(case, "error", {"message": legal_text(outcome.problem), "type": outcome.verdict.value})
        error.text = legal_text(outcome.problem)
    for number, turn, differences in numbered(outcome):
        suite.append(_case(outcome, number, turn, differences))
    cases = list(suite)
    counts = {"tests": len(cases), "failures": len(suite.findall("*/failure")), "errors": len(suite.findall("*/error"))}
    for name, count in counts.items():
        suite.set(name, str(count))
    suite.set("skipped", "0")
    suite.set("time", _seconds(outcome.seconds))
    if outcome.recording is not None and outcome.recording.not_replayed:
        SubElement(suite, "system-out").text = legal_text("\n".join(outcome.recording.not_replayed))
    return suite


def _case(outcome: ReplayOutcome, number: int, turn: RecordedTurn, differences: Sequence[ReplayDifference]) -> Element:
    name = f"turn {number}: {' '.join(input_of(turn).split())}"
    seconds = outcome.seconds / max(1, len(outcome.turns))
    case = Element(
        "testcase", {"classname": legal_text(outcome.file), "name": legal_text(name), "time": _seconds(seconds)}
    )
    if differences:
        message = "; ".join(each.where for each in differences)
        failure = SubElement(case, "failure", {"message": legal_text(message), "type": "difference"})
        failure.text = legal_text("\n".join(line.text for each in differences for line in difference_lines(each)))
    return case


def sums(suites: Sequence[Element]) -> dict[str, str]:
    """How many tests, failures and errors suites have together."""
    return {
        name: str(sum(int(suite.get(name, "0")) for suite in suites))
        for name in ("tests", "failures", "errors", "skipped")
    }


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"


def legal_text(text: str) -> str:
    """A text as XML may hold it: what it may not is replaced."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
