"""Answers with values as the language writes them, in an example's words and in our own."""

import pytest

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.base import FunctionResult
from openplaybook.models.offline.language.own_sentences import wording_for
from openplaybook.models.offline.result_answers import answer_about
from tests.unit.models.offline.talk import Agent, Talk, example, function

NBSP, THIN = "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"


def agent(language: str, user: str, answer: str) -> Agent:
    """What one invoice comes to, as one example tells it."""
    shown = {"total": 1234.5, "due": "2026-03-09"}
    return Agent(
        "Invoices",
        (function("get_invoice", "Invoice", {"number": {"type": "integer"}}, ["number"]),),
        (example("Invoice", f"U: {user} 7", ("get_invoice", {"number": 7}, shown), f"A: {answer}"),),
        {"get_invoice": lambda given: ({"total": 20.0, "due": "2026-12-01"}, False)},
        language,
    )


@pytest.mark.parametrize(
    ("language", "user", "answer", "now"),
    [
        (
            "en",
            "how much is invoice",
            "It is $1,234.50, due on Monday, March 9.",
            "It is $20.00, due on Tuesday, December 1.",
        ),
        (
            "de",
            "wie hoch ist Rechnung",
            "Sie beträgt 1.234,50 €, fällig am 9. März 2026.",
            "Sie beträgt 20,00 €, fällig am 1. Dezember 2026.",
        ),
        ("es", "cuánto es la factura", "Son 1.234,50 €, con vencimiento el 09/03/2026.", None),
        (
            "es",
            "cuánto es la factura",
            "Son 1234,50 €, con vencimiento el 9 de marzo.",
            "Son 20,00 €, con vencimiento el 1 de diciembre.",
        ),
        (
            "fr",
            "quel est le montant de la facture",
            f"Elle est de 1{THIN}234,50 €, à payer le 9 mars 2026.",
            "Elle est de 20,00 €, à payer le 1 décembre 2026.",
        ),
        (
            "pt",
            "qual é o valor da fatura",
            "São R$ 1.234,50, com vencimento em 9 de março.",
            "São R$ 20,00, com vencimento em 1 de dezembro.",
        ),
        (
            "it",
            "qual è l'importo della fattura",
            "Sono 1.234,50 €, con scadenza lunedì 9 marzo.",
            "Sono 20,00 €, con scadenza martedì 1 dicembre.",
        ),
        ("ja", "請求書の金額は", "金額は1,234.50ドル、期限は3月9日です。", "金額は20.00ドル、期限は12月1日です。"),
        (
            "ko",
            "청구서 금액은",
            "금액은 1,234.50달러이고 기한은 3월 9일입니다.",
            "금액은 20.00달러이고 기한은 12월 1일입니다.",
        ),
    ],
)
async def test_an_examples_wording_is_kept_with_todays_values(
    language: str, user: str, answer: str, now: str | None
) -> None:
    talk = Talk(agent(language, user, answer))
    said = await talk.say(f"{user} 8")
    assert talk.calls == [("get_invoice", {"number": 8})]
    assert (said == now) if now else (answer not in said)


def plain(output: JsonValue, language: str = "en", **arguments: JsonValue) -> str:
    return answer_about(None, arguments, FunctionResult("1", "f", {"200": output}), wording_for(language))[0]


def test_money_is_told_with_the_currency_that_stands_beside_it() -> None:
    assert plain({"total": 1234.5, "currency": "EUR", "items": 3}) == "Here is what I found: total €1,234.50, items 3."
    assert plain({"price": {"amount": 5, "currencyCode": "JPY"}}) == "Here is what I found: price amount ¥5."
    assert plain({"betrag": 1234.5, "currency": "EUR"}, "de") == f"Das habe ich gefunden: betrag 1.234,50{NBSP}€."
    assert plain({"size": 3, "currency": "EUR"}) == "Here is what I found: size 3, currency EUR."


def test_only_what_counts_something_has_its_digits_grouped() -> None:
    assert plain({"orderId": 20260309, "steps": 20260}) == "Here is what I found: order id 20260309, steps 20,260."


def test_what_was_not_found_is_named() -> None:
    assert plain([], owner="Zoe") == "I didn't find anything for Zoe."
    assert plain([], "de", tag="Hund", day="2026-03-09") == "Ich habe zu Hund und 9. März 2026 nichts gefunden."
    assert plain([]) == "I didn't find anything."
    assert plain([], text="x" * 100) == "I didn't find anything."
    missing = FunctionResult("1", "f", {"404": None})
    assert answer_about(None, {"pet": 9}, missing, wording_for("en"))[0] == "I didn't find anything for 9."


def test_what_stands_beside_a_list_is_told_before_it() -> None:
    body = {"balance": 10.5, "total": 2, "nextPageToken": "t", "entries": [{"name": "a"}, {"name": "b"}]}
    assert plain(body) == "Here is what I found: balance 10.5. I found 2: a and b."


def test_several_lists_are_told_by_their_names() -> None:
    flights = [{"name": f"F{number}"} for number in range(17)]
    assert plain({"flights": flights, "hotels": [{"name": "H"}]}) == (
        "Here is what I found: flights: F0, F1, F2, F3, F4 and 12 more, hotels: H."
    )


async def test_an_example_with_a_list_tells_what_stands_beside_it_too() -> None:
    shown = {"balance": 12.5, "entries": [{"name": "rent"}, {"name": "pay"}]}
    now = {"balance": 7.25, "entries": [{"name": "tea"}, {"name": "bus"}, {"name": "cake"}]}
    statement = Agent(
        "Accounts",
        (function("get_statement", "Statement of an account", {"account": {"type": "integer"}}, ["account"]),),
        (
            example(
                "Statement",
                "U: statement of account 4",
                ("get_statement", {"account": 4}, shown),
                "A: Your balance is 12.5. The last entries: rent and pay.",
            ),
        ),
        {"get_statement": lambda given: (now, False)},
    )
    said = await Talk(statement).say("statement of account 5")
    assert said == "Your balance is 7.25. The last entries: tea, bus and cake."


async def test_a_value_that_begins_the_answer_is_no_word_of_the_example() -> None:
    order = Agent(
        "Orders",
        (function("get_order", "Look up an order", {"id": {"type": "integer"}}, ["id"]),),
        (example("Order", "U: when does order 4 come?", ("get_order", {"id": 4}, {"eta": "today"}), "A: Today."),),
        {"get_order": lambda given: ({"eta": "next week"}, False)},
    )
    assert await Talk(order).say("when does order 5 come?") == "Next week."
