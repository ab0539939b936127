"""How well facts support an answer."""

from collections.abc import Sequence

import pytest

from openplaybook.retrieval.answers.base import GroundingLevel
from openplaybook.retrieval.answers.groundedness import CITATION_THRESHOLD, grounded, judged, level_of, verbatim

FACTS = (
    "Titanic\nTitanic is a 1997 American film directed by James Cameron. It won 11 Academy Awards and cost 200 million "
    "dollars.",
    "Avatar\nAvatar is a film of 2009, directed by James Cameron, too. It did not win the award for the best picture.",
)


def score(answer: str, *, language: str = "en", heuristics_disabled: bool = False) -> float:
    return grounded(answer, FACTS, language, heuristics_disabled=heuristics_disabled).score


@pytest.mark.parametrize(
    "supported",
    [
        "Titanic was directed by James Cameron.",
        "Titanic won eleven Academy Awards.",
        "The film cost $200,000,000.",
        "Titanic, directed by James Cameron, is from 1997.",
    ],
)
def test_a_supported_claim_is_cited(supported: str) -> None:
    found = grounded(supported, FACTS, "en")
    assert found.score >= CITATION_THRESHOLD
    assert found.claims[0].citations[0] == 0
    assert found.claims[0].unsupported == ()


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ("Titanic won 12 Academy Awards.", "12"),
        ("Titanic is an American film of 1998 directed by James Cameron.", "1998"),
        ("Titanic is a 1997 American film directed by Steven Spielberg.", "Steven"),
        ("It cost 200 million euros.", "200"),
    ],
)
def test_a_wrong_number_unit_or_name_is_a_veto(wrong: str, what: str) -> None:
    claim = grounded(wrong, FACTS, "en").claims[0]
    assert level_of(claim.score) is GroundingLevel.VERY_LOW
    assert what in claim.unsupported
    assert claim.citations == ()


def test_a_number_of_another_sentence_does_not_support() -> None:
    assert score("Titanic is a 2009 American film directed by James Cameron.") < CITATION_THRESHOLD


def test_a_sentence_of_a_fact_is_supported_as_it_stands() -> None:
    found = grounded("It did not win the award\nfor the best picture.", FACTS, "en")
    assert (found.score, found.claims[0].citations) == (1.0, (1,))


def test_a_part_of_a_sentence_is_no_sentence_of_the_fact() -> None:
    assert grounded("Cats fly.", ("It is not true that cats fly.",), "en").score < CITATION_THRESHOLD


EATING = (
    "Feeding cats\nCats prefer many small meals: three to five a day.",
    "Feeding dogs\nAdult dogs eat twice a day, in the morning and in the evening.",
    "Rabbits\nRabbits eat hay at all times.",
)


@pytest.mark.parametrize(
    "joined",
    [
        "Cats prefer three to five small meals a day, while adult dogs eat twice a day.",
        "Adult dogs eat twice a day, and cats prefer many small meals.",
    ],
)
def test_what_joins_two_facts_is_supported_by_both_and_rated_medium(joined: str) -> None:
    found = grounded(joined, EATING, "en")
    assert found.level is GroundingLevel.MEDIUM
    assert set(found.claims[0].citations) == {0, 1}


@pytest.mark.parametrize(
    "wrong",
    [
        "Cats eat twice a day, while adult dogs prefer three to five small meals a day.",
        "Cats prefer three to five small meals a day, while adult dogs eat seven times a day.",
        "Cats prefer many small meals, while parrots sing in the morning.",
        "Cats prefer three to five small meals a day, while adult dogs do not eat twice a day.",
    ],
)
def test_what_joins_facts_wrongly_is_not_supported_by_two(wrong: str) -> None:
    found = grounded(wrong, EATING, "en")
    assert found.level <= GroundingLevel.MEDIUM
    assert found.claims[0].citations == ()


def test_nonsense_is_rated_very_low() -> None:
    assert score("Bananas grow quickly under purple moonlight.") < 0.25
    assert grounded("Bananas grow quickly.", FACTS, "en").level is GroundingLevel.VERY_LOW


def test_a_denial_of_what_is_said_is_not_supported() -> None:
    assert score("Titanic did not win 11 Academy Awards.") < CITATION_THRESHOLD
    assert score("Avatar did not win the award for the best picture.") >= CITATION_THRESHOLD


def test_the_veto_can_be_switched_off() -> None:
    wrong = "Titanic won 12 Academy Awards."
    assert score(wrong, heuristics_disabled=True) > score(wrong)
    assert score(wrong, heuristics_disabled=True) >= CITATION_THRESHOLD


@pytest.mark.proves("D8")
def test_an_answer_is_as_good_as_its_worst_claim() -> None:
    good, bad = "Titanic won 11 Academy Awards.", "It was filmed in Antarctica in 1955."
    found = grounded(f"{good} {bad}", FACTS, "en")
    assert found.score == found.claims[1].score == min(each.score for each in found.claims)
    assert found.level is GroundingLevel.VERY_LOW
    assert found.claims[0].score >= CITATION_THRESHOLD


def test_what_states_nothing_lowers_no_score() -> None:
    found = grounded("Sure! Titanic won 11 Academy Awards. Would you like more?", FACTS, "en")
    assert [each.needs_check for each in found.claims] == [False, True, False]
    assert found.level is GroundingLevel.VERY_HIGH
    assert grounded("Hello!", (), "en").level is GroundingLevel.VERY_HIGH


def test_without_facts_nothing_is_supported() -> None:
    assert score("") == 1.0
    assert grounded("Titanic won 11 Academy Awards.", (), "en").score == 0.0


@pytest.mark.parametrize(
    ("language", "fact", "true", "wrong"),
    [
        ("de", "Der Eiffelturm in Paris ist 330 Meter hoch.", "Der Turm in Paris ist 330 m hoch.", "ist 324 m hoch."),
        ("es", "La torre mide 330 metros y está en París.", "La torre de París mide 330 m.", "La torre mide 324 m."),
        ("ru", "Башня в Париже имеет высоту 330 метров.", "Высота башни в Париже 330 метров.", "Высота башни 324 м."),
        (
            "pt",
            "A torre tem 330 metros e fica em Paris.",
            "A torre de Paris tem 330 metros.",
            "A torre tem 324 metros.",
        ),
        ("zh", "埃菲尔铁塔高330米，位于巴黎。", "埃菲尔铁塔高330米。", "埃菲尔铁塔高324米。"),
        ("ar", "يبلغ ارتفاع برج إيفل 330 مترا.", "ارتفاع برج إيفل 330 مترا.", "ارتفاع برج إيفل 324 مترا."),
    ],
)
def test_claims_are_told_apart_in_many_languages(language: str, fact: str, true: str, wrong: str) -> None:
    assert grounded(true, (fact,), language).score >= CITATION_THRESHOLD
    assert grounded(wrong, (fact,), language).score < CITATION_THRESHOLD


def test_levels_rise_with_the_score() -> None:
    levels = [level_of(each / 100) for each in range(101)]
    assert levels == sorted(levels)
    assert set(levels) == set(GroundingLevel)


class Judge:
    """Has one score for all claims."""

    def __init__(self, support: float) -> None:
        self.support = support
        self.asked: list[str] = []

    async def judge(self, claims: Sequence[str], facts: Sequence[str]) -> Sequence[float]:
        self.asked += claims
        return [self.support] * len(claims)


async def test_a_judge_replaces_the_scores_of_claims_that_need_a_check() -> None:
    found = grounded("Hello! Titanic won 12 Academy Awards. Titanic won 11 Academy Awards.", FACTS, "en")
    judge = Judge(0.7)
    again = await judged(found, FACTS, judge)
    assert judge.asked == ["Titanic won 12 Academy Awards.", "Titanic won 11 Academy Awards."]
    assert [each.score for each in again.claims] == [1.0, 0.7, 0.7]
    assert (again.score, again.is_judged) == (0.7, True)


async def test_what_a_judge_rejects_is_cited_no_more() -> None:
    found = await judged(grounded("Titanic won 11 Academy Awards.", FACTS, "en"), FACTS, Judge(0.0))
    assert (found.level, found.claims[0].citations) == (GroundingLevel.VERY_LOW, ())


async def test_a_judge_is_not_asked_where_nothing_needs_a_check() -> None:
    judge = Judge(0.0)
    assert (await judged(grounded("Hello!", FACTS, "en"), FACTS, judge)).score == 1.0
    assert judge.asked == []


def test_an_extract_is_rated_very_high_and_cites_its_sources() -> None:
    found = verbatim("Titanic won 11 Academy Awards.", (1, 0), "en")
    assert (found.level, found.claims[0].citations) == (GroundingLevel.VERY_HIGH, (1, 0))
