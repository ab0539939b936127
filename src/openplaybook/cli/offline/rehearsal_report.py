"""What came of rehearsing examples: for people, for programs, and as JUnit XML for build servers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.offline.rehearsal_run import UNREADABLE, RehearsalRun
from openplaybook.cli.output import harmless, print_json
from openplaybook.jsonvalues import JsonObject, as_list, as_object, dumps_line
from openplaybook.models.offline.rehearsals.rehearsal import Rehearsal, RehearsedTurn
from openplaybook.models.offline.rehearsals.rehearsed_turns import RehearsalVerdict, RehearsedStep
from openplaybook.recordings.junit import legal_text, sums

_MOST_SHOWN = 300
"""Characters of what is shown on one line."""
_ADVICE = (
    "The offline model goes by examples and tools: add an example with such words, describe the tool or its "
    "parameters in them, or use another model (openplaybook serve --model …, docs/models.md)."
)

_SOURCES = {
    "option": "a value that the schema lists",
    "known": "a value of an example",
    "context": "stands where an example has such a value",
    "list": "an item of a list",
    "mention": "the name of the parameter is said",
    "short_answer": "the answer to the question",
    "conversation": "said earlier in the conversation",
    "learned": "learned from many tools",
    "example": "the words of an example",
    "like_example": "words like an example's",
    "schema": "the only value that the schema allows",
    "input": "an input of the playbook",
    "parameter": "a session parameter",
}
_SPAN = "span:"


@dataclass(frozen=True, slots=True)
class RehearsalLine:
    """A line of a report."""

    text: str
    colour: str | None = None
    is_bold: bool = False


def show(run: RehearsalRun, *, as_json: bool) -> None:
    """Print what came of the examples."""
    if as_json:
        print_json(to_json(run))
        return
    for line in report(run):
        typer.secho(harmless(line.text), fg=line.colour, bold=line.is_bold)


def report(run: RehearsalRun) -> Iterator[RehearsalLine]:
    """Every example, what the planner does otherwise and why, and how many there are."""
    for rehearsal in run.judged:
        yield from _lines(rehearsal)
    if not run.shipped:
        yield RehearsalLine("there are no examples", None, True)
    elif run.held_out is None:
        yield RehearsalLine(f"{_count(run.shipped)}; --held-out judges each without the example itself", None, True)
    else:
        yield RehearsalLine(f"as they are: {_count(run.shipped)}", None, True)
        yield RehearsalLine(f"each without the example itself: {_count(run.held_out)}", None, True)
    if not all(each.is_replayed for each in run.judged):
        yield RehearsalLine(_ADVICE)


def headline(rehearsal: Rehearsal) -> str:
    """What came of an example, in a few words."""
    title = f"{rehearsal.playbook}: {rehearsal.example}"
    if rehearsal.unusable:
        return f"unusable  {title}: {rehearsal.unusable}"
    if not rehearsal.is_replayed:
        wrong, all_turns = sum(not turn.is_replayed for turn in rehearsal.turns), len(rehearsal.turns)
        return f"different  {title}: {wrong} of {all_turns} turn{'s' if all_turns != 1 else ''}"
    remarks = ", ".join(
        text
        for verdict, text in (
            (RehearsalVerdict.CONFIRMS, "asks for a yes before a call"),
            (RehearsalVerdict.OWN_WORDS, "says it in words of its own"),
        )
        if verdict in rehearsal.verdicts
    )
    return f"replayed  {title}{remarks and f' ({remarks})'}"


def difference_lines(step: RehearsedStep) -> Iterator[str]:
    """What the example shows, what the planner does, and why."""
    yield f"- {_excerpt(step.shown)}"
    yield f"+ {_excerpt(step.happened)}"
    yield from step.differences
    yield from (f"why: {_excerpt(reason)}" for reason in reasons(step.evidence))


def different_steps(turn: RehearsedTurn) -> Sequence[RehearsedStep]:
    """The decisions that differ from the example's."""
    return [step for step in turn.steps if step.verdict is RehearsalVerdict.DIFFERENT]


def turn_title(number: int, turn: RehearsedTurn) -> str:
    """`turn 2: and in Oslo?`."""
    return f"turn {number}: {_excerpt(turn.user)}"


def to_json(run: RehearsalRun) -> JsonObject:
    """For programs."""
    told: JsonObject = {
        "agent": run.agent,
        "heldOut": run.held_out is not None,
        "replayed": sum(each.is_replayed for each in run.judged),
        "total": len(run.judged),
        "examples": [_to_json(each) for each in run.judged],
    }
    return told if run.held_out is None else {**told, "replayedAsShipped": sum(e.is_replayed for e in run.shipped)}


def _to_json(rehearsal: Rehearsal) -> JsonObject:
    told: JsonObject = {
        "playbook": rehearsal.playbook,
        "example": rehearsal.example,
        "replayed": rehearsal.is_replayed,
        "turns": [
            {"user": turn.user, "replayed": turn.is_replayed, "steps": [step.to_json() for step in turn.steps]}
            for turn in rehearsal.turns
        ],
    }
    return {**told, "unusable": rehearsal.unusable} if rehearsal.unusable else told


def _lines(rehearsal: Rehearsal) -> Iterator[RehearsalLine]:
    yield RehearsalLine(headline(rehearsal), "green" if rehearsal.is_replayed else "red", True)
    for number, turn in enumerate(rehearsal.turns, 1):
        steps = different_steps(turn)
        if steps:
            yield RehearsalLine(f"  {turn_title(number, turn)}")
        for step in steps:
            for text in difference_lines(step):
                yield RehearsalLine(f"    {text}", {"- ": "red", "+ ": "green"}.get(text[:2]))


def _count(rehearsals: Sequence[Rehearsal]) -> str:
    total = len(rehearsals)
    replayed = sum(each.is_replayed for each in rehearsals)
    return f"{replayed} of {total} example{'s are' if total != 1 else ' is'} replayed"


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN]}…"


def reasons(evidence: JsonObject) -> Iterator[str]:
    """The rule that decided, the functions that were looked at, and where each value came from; a line each."""
    yield f"rule: {evidence.get('rule')}"
    candidates = [_candidate(as_object(each)) for each in as_list(evidence.get("candidates"))]
    if candidates:
        yield f"likeness: {', '.join(candidates)}; a function is taken from {evidence.get('threshold')} on"
    elif "candidates" in evidence:
        yield "likeness: the words are like no function's description or examples"
    learned = [as_object(each) for each in as_list(evidence.get("learned"))]
    if learned:
        chances = [f"{each.get('name')} {each.get('right')} (exact {each.get('exact')})" for each in learned]
        yield f"chances: {', '.join(chances)}"
    for slot in map(as_object, as_list(evidence.get("slots"))):
        yield f"value: {slot.get('slot')} = {dumps_line(slot.get('value'))}, {_source(slot)}"
    if evidence.get("missing"):
        yield f"missing: {evidence['missing']}"
    if evidence.get("example"):
        yield f"said as in the example {evidence['example']} (likeness {evidence.get('likeness')})"


def _candidate(candidate: JsonObject) -> str:
    like = f" (the example {candidate['example']})" if candidate.get("example") else ""
    return f"{candidate.get('name')} {candidate.get('score')}{like}"


def _source(slot: JsonObject) -> str:
    source = str(slot.get("source"))
    words = " … ".join(str(each) for each in as_list(slot.get("words")))
    said = f" (“{words}”)" if words else ""
    meaning = f"a {source.removeprefix(_SPAN)}" if source.startswith(_SPAN) else _SOURCES.get(source, source)
    score = f", score {slot['score']}" if "score" in slot else ""
    return f"{meaning}{said}{score}"


def write_junit(path: Path, run: RehearsalRun) -> None:
    """Write the report. Raises `CommandError`."""
    try:
        path.write_bytes(junit(run.judged))
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}", exit_code=UNREADABLE) from error


def junit(rehearsals: Sequence[Rehearsal]) -> bytes:
    """The XML document."""
    playbooks = dict.fromkeys(each.playbook for each in rehearsals)
    suites = [_suite(name, [each for each in rehearsals if each.playbook == name]) for name in playbooks]
    root = Element("testsuites", {"name": "openplaybook agents check", **sums(suites)})
    root.extend(suites)
    indent(root)
    return tostring(root, encoding="utf-8", xml_declaration=True)


def _suite(playbook: str, rehearsals: Sequence[Rehearsal]) -> Element:
    suite = Element("testsuite", {"name": legal_text(playbook)})
    suite.extend(_case(each) for each in rehearsals)
    counts = {"tests": len(rehearsals), "failures": len(suite.findall("*/failure")), "errors": 0, "skipped": 0}
    for name, count in counts.items():
        suite.set(name, str(count))
    return suite


def _case(rehearsal: Rehearsal) -> Element:
    case = Element("testcase", {"classname": legal_text(rehearsal.playbook), "name": legal_text(rehearsal.example)})
    if not rehearsal.is_replayed:
        failure = SubElement(case, "failure", {"message": legal_text(headline(rehearsal)), "type": "different"})
        failure.text = legal_text("\n".join(_text_lines(rehearsal)))
    return case


def _text_lines(rehearsal: Rehearsal) -> list[str]:
    lines = [rehearsal.unusable] if rehearsal.unusable else []
    for number, turn in enumerate(rehearsal.turns, 1):
        steps = different_steps(turn)
        lines += [turn_title(number, turn)] if steps else []
        lines += [text for step in steps for text in difference_lines(step)]
    return lines
