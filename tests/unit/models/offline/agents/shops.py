"""An invented shop that speaks many languages: orders, branches and tables, described and shown in each."""

from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import Effect
from tests.unit.models.offline.talk import Agent, example, function


@dataclass(frozen=True)
class Texts:
    """What the shop's examples say in one language; `{}` marks where a value goes."""

    describes: tuple[str, str, str]
    """Orders, cancelling, branches."""
    order: str
    order_is: str
    order_missing: tuple[str, str, str]
    """A request without its number, the question, and an answer to it."""
    cancel: str
    cancelled: str
    branch: str
    branch_is: str
    city: str
    address: str
    hello: tuple[str, str]


def agent(language: str, texts: Texts) -> Agent:
    """Every order is packed, and every city has a branch."""
    number: JsonObject = {"order_id": {"type": "integer"}}
    asked, question, answered = texts.order_missing
    return Agent(
        goal="",
        declarations=(
            function("get_order", texts.describes[0], number, ["order_id"]),
            function("cancel_order", texts.describes[1], number, ["order_id"], Effect.CHANGES),
            function("find_branch", texts.describes[2], {"city": {"type": "string"}}, ["city"]),
        ),
        examples=(
            example(
                "Order",
                f"U: {texts.order.format(41)}",
                ("get_order", {"order_id": 41}, {"eta": "2026-03-09"}),
                f"A: {texts.order_is.format(41)}",
            ),
            example(
                "Number missing",
                f"U: {asked}",
                f"A: {question}",
                f"U: {answered.format(52)}",
                ("get_order", {"order_id": 52}, {"eta": "2026-03-09"}),
                f"A: {texts.order_is.format(52)}",
            ),
            example(
                "Cancel",
                f"U: {texts.cancel.format(63)}",
                ("cancel_order", {"order_id": 63}, {"ok": True}),
                f"A: {texts.cancelled.format(63)}",
            ),
            example(
                "Branch",
                f"U: {texts.branch.format(texts.city)}",
                ("find_branch", {"city": texts.city}, {"street": texts.address}),
                f"A: {texts.branch_is.format(texts.city, texts.address)}",
            ),
            example("Hello", f"U: {texts.hello[0]}", f"A: {texts.hello[1]}"),
        ),
        functions={"get_order": _order, "cancel_order": _cancel, "find_branch": _branch},
        language=language,
    )


def _order(arguments: JsonObject) -> tuple[JsonValue, bool]:
    return {"eta": "2026-12-01"}, False


def _cancel(arguments: JsonObject) -> tuple[JsonValue, bool]:
    return {"ok": True}, False


def _branch(arguments: JsonObject) -> tuple[JsonValue, bool]:
    return {"street": "Z 9"}, False


SHOPS = {
    "de": Texts(
        ("Sagt, wann eine Bestellung kommt", "Storniert eine Bestellung", "Sucht eine Filiale in einer Stadt"),
        "Wann kommt meine Bestellung {}?",
        "Die Bestellung {} kommt am 9. März.",
        ("Wo bleibt meine Bestellung?", "Welche Nummer hat sie?", "es ist die {}"),
        "Bitte storniere die Bestellung {}",
        "Die Bestellung {} ist storniert.",
        "Wo ist eure Filiale in {}?",
        "Unsere Filiale in {} ist in der {}.",
        "Kiel",
        "Hafenstraße 3",
        ("Hallo", "Hallo! Was kann ich für dich tun?"),
    ),
    "es": Texts(
        ("Dice cuándo llega un pedido", "Cancela un pedido", "Busca una tienda en una ciudad"),
        "¿Cuándo llega mi pedido {}?",
        "El pedido {} llega el 9 de marzo.",
        ("¿Qué pasa con mi pedido?", "¿Qué número tiene?", "es el {}"),
        "Por favor, cancela el pedido {}",
        "El pedido {} está cancelado.",
        "¿Dónde está la tienda de {}?",
        "La tienda de {} está en {}.",
        "Sevilla",
        "Calle Mayor 3",
        ("Hola", "¡Hola! ¿En qué puedo ayudarte?"),
    ),
    "fr": Texts(
        ("Dit quand une commande arrive", "Annule une commande", "Cherche un magasin dans une ville"),
        "Quand arrive ma commande {} ?",
        "La commande {} arrive le 9 mars.",
        ("Où en est ma commande ?", "Quel est son numéro ?", "c'est la {}"),
        "Annule la commande {} s'il te plaît",
        "La commande {} est annulée.",
        "Où est votre magasin de {} ?",
        "Notre magasin de {} est au {}.",
        "Lyon",
        "3 rue Verte",
        ("Bonjour", "Bonjour ! Que puis-je faire pour vous ?"),
    ),
    "pt": Texts(
        ("Diz quando chega um pedido", "Cancela um pedido", "Procura uma loja numa cidade"),
        "Quando chega o meu pedido {}?",
        "O pedido {} chega em 9 de março.",
        ("Onde está o meu pedido?", "Qual é o número?", "é o {}"),
        "Por favor, cancele o pedido {}",
        "O pedido {} está cancelado.",
        "Onde fica a loja de {}?",
        "A loja de {} fica na {}.",
        "Recife",
        "Rua Verde 3",
        ("Oi", "Oi! Em que posso ajudar?"),
    ),
    "it": Texts(
        ("Dice quando arriva un ordine", "Annulla un ordine", "Cerca un negozio in una città"),
        "Quando arriva il mio ordine {}?",
        "L'ordine {} arriva il 9 marzo.",
        ("Dov'è il mio ordine?", "Qual è il numero?", "è il {}"),
        "Per favore, annulla l'ordine {}",
        "L'ordine {} è annullato.",
        "Dov'è il vostro negozio di {}?",
        "Il negozio di {} è in {}.",
        "Torino",
        "Via Verde 3",
        ("Ciao", "Ciao! Come posso aiutarti?"),
    ),
    "ja": Texts(
        ("注文がいつ届くかを調べる", "注文をキャンセルする", "街の店舗を探す"),
        "注文{}番はいつ届きますか？",
        "注文{}番は3月9日に届きます。",
        ("注文はどうなっていますか？", "注文番号を教えてください。", "{}番です"),
        "注文{}番をキャンセルしてください",
        "注文{}番をキャンセルしました。",
        "{}の店舗はどこですか？",
        "{}の店舗は{}です。",
        "横浜",
        "緑町3",
        ("こんにちは", "こんにちは！ご用件は何でしょうか？"),
    ),
    "ko": Texts(
        ("주문이 언제 오는지 조회", "주문을 취소", "도시의 매장을 검색"),
        "주문 {}번은 언제 도착해요?",
        "주문 {}번은 3월 9일에 도착합니다.",
        ("제 주문은 어떻게 됐어요?", "주문 번호가 어떻게 되세요?", "{}번이에요"),
        "주문 {}번을 취소해 주세요",
        "주문 {}번을 취소했습니다.",
        "{} 매장은 어디예요?",
        "{} 매장은 {}에 있습니다.",
        "부산",
        "푸른길 3",
        ("안녕하세요", "안녕하세요! 무엇을 도와드릴까요?"),
    ),
}
"""By language."""
