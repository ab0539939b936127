"""Words in the midst of something: taken back in any way, or asked about, nothing is changed by them."""

import pytest
import yaml

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Effect
from openplaybook.models.offline import OfflineModel
from tests.kit.told_conversations import CONVERSATIONS
from tests.unit.models.offline.talk import TODAY, Agent, Talk, function

PHRASES = yaml.safe_load((CONVERSATIONS / "phrases" / "midst.yaml").read_text())
TEXT: JsonObject = {"type": "string"}
CANCEL = function(
    "cancelOrder",
    "Cancel an order",
    {"orderId": {**TEXT, "description": "Order number"}, "reason": TEXT},
    ["orderId", "reason"],
    Effect.CHANGES,
)
AGENT = {
    language: Agent("", (CANCEL,), (), {"cancelOrder": lambda arguments: ({"200": {}}, False)}, language)
    for language in PHRASES["withdrawals"]
}
MODEL = OfflineModel(lambda: TODAY)
OPENINGS = {
    "en": ("cancel order 1002 please", "can I cancel order 1002?", "too slow", "yes"),
    "de": ("Storniere die Bestellung 1002 bitte", "Kann ich die Bestellung 1002 stornieren?", "zu teuer", "ja"),
    "es": ("Cancela el pedido 1002 por favor", "¿Puedo cancelar el pedido 1002?", "demasiado caro", "sí"),
    "fr": ("Annule la commande 1002 s'il te plaît", "Puis-je annuler la commande 1002 ?", "trop cher", "oui"),
}
"""Asks for a reason; asks for a yes, once the reason is given; a reason; a yes."""


async def opened(language: str, *, until_yes: bool) -> Talk:
    """A talk that waits for a reason, or for a yes."""
    plain, tentative, reason, _ = OPENINGS[language]
    talk = Talk(AGENT[language], MODEL)
    await talk.say(tentative if until_yes else plain)
    if until_yes:
        await talk.say(reason)
    assert talk.calls == []
    return talk


@pytest.mark.parametrize("until_yes", [False, True])
@pytest.mark.parametrize("language", PHRASES["withdrawals"])
async def test_what_is_taken_back_is_over(language: str, until_yes: bool) -> None:
    for phrase in PHRASES["withdrawals"][language]:
        talk = await opened(language, until_yes=until_yes)
        await talk.say(phrase)
        assert talk.calls == []
        assert ("pending" in talk.planner, "filled" in talk.planner) == (False, False), phrase
        await talk.say(OPENINGS[language][-1])
        assert talk.calls == [], phrase


@pytest.mark.parametrize("until_yes", [False, True])
@pytest.mark.parametrize("language", PHRASES["questions"])
async def test_a_question_is_no_value_and_what_was_asked_for_is_asked_again(language: str, until_yes: bool) -> None:
    for phrase in PHRASES["questions"][language]:
        talk = await opened(language, until_yes=until_yes)
        before = talk.planner
        await talk.say(phrase)
        assert talk.calls == []
        assert (talk.planner["pending"], talk.planner["filled"]) == (before["pending"], before["filled"]), phrase
