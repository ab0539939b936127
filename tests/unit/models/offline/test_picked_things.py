"""What was found is picked, ordered and corrected over several turns, with examples in many languages."""

import pytest

from openplaybook.jsonvalues import JsonObject
from tests.unit.models.offline.agents.lamps import SHOPS, agent
from tests.unit.models.offline.talk import Talk

LANGUAGES = tuple(SHOPS)


def order(item: str, quantity: int, day: str) -> list[tuple[str, JsonObject]]:
    return [("placeOrder", {"item": item, "quantity": quantity, "date": day})]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_thing_is_picked_by_its_number_and_ordered_with_a_corrected_count(language: str) -> None:
    texts, talk = SHOPS[language], Talk(agent(language, SHOPS[language]))
    await talk.say(texts.find)
    assert talk.calls == [("findItems", {"category": texts.kind})]
    await talk.say(texts.picks)
    assert talk.calls == []
    assert "Brisa" in await talk.say(texts.day)
    assert talk.calls == []
    await talk.say(texts.corrects)
    assert talk.calls == []
    await talk.say(texts.yes)
    assert talk.calls == order("Brisa", 4, "2026-12-05")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_day_is_corrected_after_the_call_and_read_back_as_the_language_writes_it(language: str) -> None:
    texts, talk = SHOPS[language], Talk(agent(language, SHOPS[language]))
    await talk.say(texts.again)
    assert talk.calls == order("Alba", 2, "2026-12-03")
    assert texts.read_back in await talk.say(texts.other_day)
    assert talk.calls == []
    await talk.say(texts.yes)
    assert talk.calls == order("Alba", 2, "2026-12-04")


async def test_a_number_without_so_many_things_picks_nothing() -> None:
    texts, talk = SHOPS["de"], Talk(agent("de", SHOPS["de"]))
    await talk.say(texts.find)
    told = await talk.say("Die fünfte, bitte 3 Stück bestellen")
    assert talk.calls == []
    assert "Cima" not in told
