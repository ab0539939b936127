"""A shop of lamps with examples in its language: what is found can be picked, ordered and corrected."""

from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import Effect
from tests.unit.models.offline.talk import Agent, example, function

TEXT: JsonObject = {"type": "string"}
FOUND: JsonObject = {"200": [{"name": "Duna", "price": 5}, {"name": "Eco", "price": 6}]}
LAMPS: JsonObject = {"200": [{"name": name, "price": 20} for name in ("Alba", "Brisa", "Cima")]}


@dataclass(frozen=True)
class LampShop:
    """The texts of one language."""

    finds: str
    orders: str
    names: tuple[str, str, str, str]
    """Descriptions of the kind of lamp, the lamp, the count and the day."""
    find: str
    kind: str
    found: str
    order: str
    ordered: str
    picks: str
    """Orders three of the second."""
    day: str
    """The 5th of December."""
    corrects: str
    """No, four."""
    yes: str
    again: str
    """Orders two of Alba for December 3rd."""
    other_day: str
    """No, the 4th of December."""
    read_back: str
    """How the day is read back after that."""


def agent(language: str, texts: LampShop) -> Agent:
    """The shop as the engine would hand it to the model."""
    kind, lamp, count, day = ({"description": text} for text in texts.names)
    properties: JsonObject = {
        "item": {**TEXT, **lamp},
        "quantity": {"type": "integer", **count},
        "date": {**TEXT, "format": "date", **day},
    }
    order: JsonObject = {"item": "Duna", "quantity": 2, "date": "2026-12-01"}
    declarations = (
        function("findItems", texts.finds, {"category": {**TEXT, **kind}}, ["category"]),
        function("placeOrder", texts.orders, properties, ["item", "quantity", "date"], effect=Effect.CHANGES),
    )
    examples = (
        example("Find", f"U: {texts.find}", ("findItems", {"category": texts.kind}, FOUND), f"A: {texts.found}"),
        example(
            "Order", f"U: {texts.order}", ("placeOrder", order, {"200": {"order": 5, **order}}), f"A: {texts.ordered}"
        ),
    )
    return Agent(texts.orders, declarations, examples, {"findItems": _found, "placeOrder": _ordered}, language)


def _found(given: JsonObject) -> tuple[JsonValue, bool]:
    return LAMPS, False


def _ordered(given: JsonObject) -> tuple[JsonValue, bool]:
    return {"200": {"order": 77, **given}}, False


SHOPS = {
    "de": LampShop(
        finds="Lampen einer Art suchen",
        orders="Lampen bestellen",
        names=("Art der Lampe", "Name der Lampe", "Anzahl", "Liefertag"),
        find="Welche Tischlampen gibt es?",
        kind="Tischlampen",
        found="Ich habe Duna und Eco gefunden.",
        order="Ich möchte 2 Duna zum 1. Dezember 2026 bestellen",
        ordered="Bestellung 5: 2 Duna.",
        picks="Die zweite, bitte 3 Stück bestellen",
        day="am 5. Dezember",
        corrects="nein, 4 Stück",
        yes="ja",
        again="Ich möchte 2 Alba zum 3. Dezember bestellen",
        other_day="nein, lieber am 4. Dezember",
        read_back="4. Dezember 2026",
    ),
    "es": LampShop(
        finds="Buscar lámparas de un tipo",
        orders="Pedir lámparas",
        names=("Tipo de lámpara", "Nombre de la lámpara", "Cantidad", "Día de entrega"),
        find="¿Qué lámparas de mesa hay?",
        kind="lámparas de mesa",
        found="He encontrado Duna y Eco.",
        order="Quiero pedir 2 Duna para el 1 de diciembre de 2026",
        ordered="Pedido 5: 2 Duna.",
        picks="Quiero pedir 3 de la segunda",
        day="el 5 de diciembre",
        corrects="no, mejor 4",
        yes="sí",
        again="Quiero pedir 2 Alba para el 3 de diciembre",
        other_day="no, mejor el 4 de diciembre",
        read_back="4 de diciembre de 2026",
    ),
    "fr": LampShop(
        finds="Chercher des lampes d'un type",
        orders="Commander des lampes",
        names=("Type de lampe", "Nom de la lampe", "Quantité", "Jour de livraison"),
        find="Quelles lampes de table avez-vous ?",
        kind="lampes de table",
        found="J'ai trouvé Duna et Eco.",
        order="Je voudrais commander 2 Duna pour le 1 décembre 2026",
        ordered="Commande 5 : 2 Duna.",
        picks="Je voudrais commander 3 de la deuxième",
        day="le 5 décembre",
        corrects="non, plutôt 4",
        yes="oui",
        again="Je voudrais commander 2 Alba pour le 3 décembre",
        other_day="non, plutôt le 4 décembre",
        read_back="4 décembre 2026",
    ),
    "it": LampShop(
        finds="Cercare lampade di un tipo",
        orders="Ordinare lampade",
        names=("Tipo di lampada", "Nome della lampada", "Quantità", "Giorno di consegna"),
        find="Quali lampade da tavolo avete?",
        kind="lampade da tavolo",
        found="Ho trovato Duna e Eco.",
        order="Vorrei ordinare 2 Duna per il 1 dicembre 2026",
        ordered="Ordine 5: 2 Duna.",
        picks="Vorrei ordinare 3 della seconda",
        day="il 5 dicembre",
        corrects="no, anzi 4",
        yes="sì",
        again="Vorrei ordinare 2 Alba per il 3 dicembre",
        other_day="no, meglio il 4 dicembre",
        read_back="4 dicembre 2026",
    ),
    "pt": LampShop(
        finds="Procurar candeeiros de um tipo",
        orders="Encomendar candeeiros",
        names=("Tipo de candeeiro", "Nome do candeeiro", "Quantidade", "Dia de entrega"),
        find="Que candeeiros de mesa há?",
        kind="candeeiros de mesa",
        found="Encontrei Duna e Eco.",
        order="Quero encomendar 2 Duna para 1 de dezembro de 2026",
        ordered="Encomenda 5: 2 Duna.",
        picks="Quero encomendar 3 do segundo",
        day="5 de dezembro",
        corrects="não, 4",
        yes="sim",
        again="Quero encomendar 2 Alba para 3 de dezembro",
        other_day="não, 4 de dezembro",
        read_back="4 de dezembro de 2026",
    ),
    "ja": LampShop(
        finds="種類のランプを探す",
        orders="ランプを注文する",
        names=("ランプの種類", "ランプの名前", "数量", "配達日"),
        find="卓上ランプはありますか",
        kind="卓上ランプ",
        found="DunaとEcoがあります。",
        order="Dunaを2個、2026年12月1日に注文してください",
        ordered="注文5：Dunaを2個。",
        picks="二番目を3個注文してください",
        day="12月5日",
        corrects="いいえ、4個です",
        yes="はい",
        again="Albaを2個、12月3日に注文してください",
        other_day="いいえ、12月4日です",
        read_back="2026年12月4日",
    ),
    "ko": LampShop(
        finds="종류별 램프 찾기",
        orders="램프 주문하기",
        names=("램프 종류", "램프 이름", "수량", "배송일"),
        find="탁상 램프 있어요?",
        kind="탁상 램프",
        found="Duna와 Eco를 찾았습니다.",
        order="Duna 2개를 2026년 12월 1일에 주문해 주세요",
        ordered="주문 5: Duna 2개.",
        picks="두 번째 것을 3개 주문해 주세요",
        day="12월 5일",
        corrects="아니요, 4개요",
        yes="네",
        again="Alba 2개를 12월 3일에 주문해 주세요",
        other_day="아니요, 12월 4일이요",
        read_back="2026년 12월 4일",
    ),
}
