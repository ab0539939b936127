"""What is an answer to a question of the agent, and what is none, in the four languages."""

from collections.abc import Sequence

import pytest

from tests.unit.models.offline.changing_agents import AGENTS, MODEL, NUMBER, TEXT, agent
from tests.unit.models.offline.talk import Talk

REASONED = {
    "en": agent("en", "cancelOrder", "Cancel an order", {"orderId": NUMBER, "reason": TEXT}),
    "de": agent("de", "cancelOrder", "Eine Bestellung stornieren", {"bestellnummer": NUMBER, "grund": TEXT}),
    "es": agent("es", "cancelOrder", "Cancelar un pedido", {"pedidoId": NUMBER, "motivo": TEXT}),
    "fr": agent("fr", "cancelOrder", "Annuler une commande", {"commandeId": NUMBER, "motif": TEXT}),
}
OPENINGS = {
    "en": "cancel order 1002",
    "de": "storniere Bestellung 1002",
    "es": "cancela el pedido 1002",
    "fr": "annule la commande 1002",
}
NO_REASONS: Sequence[tuple[str, str]] = (
    *[("en", text) for text in ("wait", "one sec", "hm", "let me think", "skip", "ask someone else", "oops", "haha")],
    *[("en", text) for text in ("sorry wrong order", "that's the wrong order", "it's fine now", "too late I guess")],
    *[("en", text) for text in ("none of your business", "same as last time", "talk to a human", "oh it came")],
    *[("en", text) for text in ("just do it", "I told you", "you know why", "hurry up", "huh", "excuse me", "come on")],
    *[("en", text) for text in ("I want to cancel order 1002", "cancel it", "the reason", "because", "well", "go on")],
    *[("de", text) for text in ("mach einfach", "hab ich doch gesagt", "ich will bestellung 1002 stornieren", "weil")],
    *[("de", text) for text in ("weiter", "na los", "der Grund")],
    *[("en", text) for text in ("👍", "--", "...")],
    *[("en", text) for text in ("it came at last", "problem solved", "the parcel came", "works again", "it's back")],
    *[("de", text) for text in ("ist doch gekommen", "Paket angekommen", "Problem gelöst")],
    *[("es", text) for text in ("por fin llegó", "problema resuelto")],
    *[("fr", text) for text in ("problème résolu", "le colis est arrivé")],
    *[
        ("es", text)
        for text in ("hazlo ya", "ya te lo dije", "quiero cancelar el pedido 1002", "cancélalo", "el motivo")
    ],
    *[("fr", text) for text in ("fais-le", "je vous l'ai dit", "je veux annuler la commande 1002", "la raison")],
    *[("fr", text) for text in ("parce que", "continuez", "annulez")],
    *[("de", text) for text in ("Moment", "warte mal", "ich muss erst meine Frau fragen", "falsche Bestellung", "ups")],
    *[("es", text) for text in ("espera", "un momento", "tengo que preguntar a mi mujer", "me equivoqué de pedido")],
    *[("fr", text) for text in ("attends", "un instant", "mauvaise commande", "elle vient d'arriver, donc non")],
)
REASONS: Sequence[tuple[str, str]] = (
    *[("en", text) for text in ("it arrived broken", "found it cheaper", "too expensive", "because I do need it")],
    *[("en", text) for text in ("personal reasons", "because I want to", "the courier lost it")],
    *[("de", text) for text in ("zu teuer", "kam kaputt an")],
    *[("es", text) for text in ("demasiado caro", "llegó roto")],
    *[("fr", text) for text in ("trop cher", "arrivée cassée")],
)


async def answered(language: str, answer: str) -> Sequence[str]:
    """The calls that change something after an answer to the question for the reason."""
    talk = Talk(REASONED[language], MODEL)
    await talk.say(OPENINGS[language])
    assert talk.calls == []
    await talk.say(answer)
    return [name for name, _ in talk.calls]


@pytest.mark.parametrize(("language", "answer"), NO_REASONS)
async def test_what_is_said_to_win_time_or_to_say_no_is_no_reason(language: str, answer: str) -> None:
    assert await answered(language, answer) == []


@pytest.mark.parametrize(("language", "answer"), REASONS)
async def test_a_reason_in_any_words_is_one(language: str, answer: str) -> None:
    assert await answered(language, answer) == ["cancelOrder"]


ASKED = {
    "number": (agent("en", "cancelOrder", "Cancel an order", {"orderId": NUMBER}), "cancel my order"),
    "city": (agent("en", "bookFlight", "Book a flight", {"destination": TEXT}), "book a flight"),
    "de": (agent("de", "bucheTisch", "Einen Tisch buchen", {"name": TEXT}), "buche einen Tisch"),
    "es": (agent("es", "reservarMesa", "Reservar una mesa", {"nombre": TEXT}), "reserva una mesa"),
    "fr": (agent("fr", "reserverTable", "Réserver une table", {"nom": TEXT}), "réserve une table"),
}


async def answered_to(asked: str, answer: str) -> Sequence[object]:
    """The arguments of calls that change something after an answer to a question for a value."""
    asks, opening = ASKED[asked]
    talk = Talk(asks, MODEL)
    await talk.say(opening)
    assert talk.calls == []
    await talk.say(answer)
    return [arguments for name, arguments in talk.calls if not name.startswith("see")]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        *[("number", text) for text in ("which one?", "the last one", "the 2 of them", "I have 3 orders", "not 7")],
        *[("number", text) for text in ("I bought 2 shirts", "my phone is 5551234", "my zip is 10115", "7 or 8")],
        *[("number", text) for text in ("the one from 2024", "wait 10 seconds", "give me 5 minutes", "maybe 7")],
        *[
            ("number", text)
            for text in ("3 orders", "my 3 orders", "order 3 is cancelled", "it was 3", "in 5", "2 of them")
        ],
        *[("number", text) for text in ("cancel 3 orders", "with 3", "from 2024", "the 3 orders", "3 of my orders")],
        *[
            ("city", text)
            for text in ("somewhere nice", "home", "Los Angeles?", "in a taxi", "idk", "from Ann", "back")
        ],
        *[("city", text) for text in ("where can I go?", "tomorrow", "the usual", "somewhere warm", "not Paris")],
        *[("city", text) for text in ("I'd like to book a flight", "the destination", "Paris?", "Paris or Rome")],
        *[("de", text) for text in ("der Name", "auf meinen Namen", "schnell", "los jetzt", "wie immer", "warum?")],
        *[("es", text) for text in ("el nombre", "a mi nombre", "rápido", "venga", "como siempre", "¿por qué?")],
        *[("fr", text) for text in ("le nom", "à mon nom", "vite", "comme d'habitude", "pourquoi ?", "pas Dupont")],
    ],
)
async def test_what_is_no_answer_changes_nothing(asked: str, answer: str) -> None:
    assert await answered_to(asked, answer) == []


@pytest.mark.parametrize(
    ("asked", "answer", "given"),
    [
        ("number", "1002", {"orderId": 1002}),
        ("number", "it's order number 1002, please", {"orderId": 1002}),
        ("number", "order 1002 thanks", {"orderId": 1002}),
        ("number", "cancel 1002", {"orderId": 1002}),
        ("city", "Paris", {"destination": "Paris"}),
        ("city", "to New York please", {"destination": "New York"}),
        ("city", "To Oslo", {"destination": "Oslo"}),
        ("de", "Müller", {"name": "Müller"}),
        ("de", "Schmidt bitte", {"name": "Schmidt"}),
        ("es", "García", {"nombre": "García"}),
        ("fr", "Dupont", {"nom": "Dupont"}),
    ],
)
async def test_a_plain_answer_is_taken_at_once(asked: str, answer: str, given: object) -> None:
    assert await answered_to(asked, answer) == [given]


@pytest.mark.parametrize("answer", ["yes?", "right?", "sure??", "ok?", "yes, right?", "is it?"])
async def test_a_yes_with_a_question_mark_is_none(answer: str) -> None:
    talk = Talk(AGENTS["en"], MODEL)
    await talk.say("my colleague said I should transfer 50 from AC-17 to AC-18")
    await talk.say(answer)
    assert talk.calls == []


@pytest.mark.parametrize(("answer", "amount"), [("-3", -3), ("0", 0), ("50%", 50), ("50 %", 50)])
async def test_a_quantity_that_few_mean_is_read_back(answer: str, amount: int) -> None:
    talk = Talk(AGENTS["en"], MODEL)
    await talk.say("transfer money from AC-17 to AC-18")
    await talk.say(answer)
    assert talk.calls == []
    await talk.say("yes")
    assert [arguments["amount"] for _, arguments in talk.calls] == [amount]


DAY = agent("de", "bucheTermin", "Einen Termin buchen", {"tag": {"type": "string", "format": "date"}})


@pytest.mark.parametrize("answer", ["am 24. Dezember", "am 24. Dezember bitte", "Dienstag"])
async def test_a_day_in_german_is_an_answer(answer: str) -> None:
    talk = Talk(DAY, MODEL)
    await talk.say("buche einen Termin")
    await talk.say(answer)
    assert [name for name, _ in talk.calls] == ["bucheTermin"]


TABLE = agent("en", "bookTable", "Book a table", {"people": NUMBER, "date": {"type": "string", "format": "date"}})


@pytest.mark.parametrize(("between", "answer"), [("I am free on friday", "4"), ("my birthday is on 2026-12-24", "4")])
async def test_a_value_for_something_else_than_was_asked_for_is_read_back(between: str, answer: str) -> None:
    talk = Talk(TABLE, MODEL)
    for said in ("book a table", between, answer):
        await talk.say(said)
        assert talk.calls == []


@pytest.mark.parametrize("name", ["Uma May", "An Nguyen", "Los Angeles", "Le Havre", "La Paz", "Nguyen Van An"])
async def test_no_name_is_cut_short_and_taken(name: str) -> None:
    assert await answered_to("city", name) in ([], [{"destination": name}])
