"""When instructions say that another playbook is meant."""

import pytest

from openplaybook.models.base import Declaration, DeclarationKind
from openplaybook.models.offline.knowledge.instruction_cues import cues_of
from openplaybook.models.offline.language.tokenizer import keys
from openplaybook.resources.compiled_forms import InstructionStep

LOST, TRIPS = (
    Declaration(name, "", {"type": "object"}, None, DeclarationKind.PLAYBOOK, reference=reference)
    for name, reference in (("lost", "Lost card"), ("trips", "Trips"))
)


def cues(*steps: InstructionStep | str) -> dict[str, frozenset[str]]:
    written = tuple(InstructionStep(step) if isinstance(step, str) else step for step in steps)
    return cues_of(written, (LOST, TRIPS))


@pytest.mark.parametrize(
    "line",
    [
        "If the user reports a stolen purse, go to ${PLAYBOOK: Lost card}.",
        "Use ${AGENT:Lost card} if the user reports a stolen purse.",
        "Greet the user. When somebody reports a stolen purse use {@AGENT: Lost card}",
        "For a report of a stolen purse transfer to the lost card playbook.",
    ],
)
def test_the_words_around_a_name_tell_when_it_is_meant(line: str) -> None:
    told = cues(line)
    assert list(told) == ["lost"]
    assert told["lost"] >= keys("report stolen purse")
    assert not told["lost"] & keys("greet user go transfer lost card playbook")


def test_each_of_several_names_has_its_own_words() -> None:
    told = cues("For stolen things use ${PLAYBOOK: Lost card}, for journeys use ${PLAYBOOK: Trips}.")
    assert told == {"lost": keys("stolen things"), "trips": keys("journeys")}
    told = cues("Use ${PLAYBOOK: Lost card} for stolen things, ${PLAYBOOK: Trips} for journeys")
    assert told == {"lost": keys("stolen things"), "trips": keys("journeys")}


def test_a_name_alone_has_the_words_of_the_step_above() -> None:
    told = cues(InstructionStep("If a purse was stolen:", (), (InstructionStep("${PLAYBOOK: Lost card}"),)))
    assert told == {"lost": keys("purse stolen")}


def test_what_names_no_playbook_tells_nothing() -> None:
    assert cues("Use ${TOOL: Trips} for journeys, ${FLOW: Lost card} otherwise, ${PLAYBOOK: Gone} else.") == {}
