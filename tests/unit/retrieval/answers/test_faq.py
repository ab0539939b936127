"""FAQ entries that override the answer."""

import pytest

from openplaybook.retrieval.answers.faq import matching_entry, normalised
from openplaybook.retrieval.base import SearchHit


def entry(question: str, answer: str = "") -> SearchHit:
    return SearchHit(question, 0, 1.0, question, "", answer or f"Answer to {question}", question=question)


ENTRIES = (
    entry("How can I return an item?"),
    entry("How long does shipping take?"),
    entry("What does plan 1 cost?"),
    entry("When are you open?"),
)


@pytest.mark.parametrize(
    ("query", "position"),
    [
        ("how can i RETURN an item", 0),
        ("When are you open ?!", 3),
        ("How can I return items?", 0),
        ("What does plan 1 cost?", 2),
    ],
)
def test_the_same_question_matches(query: str, position: int) -> None:
    match = matching_entry(query, ENTRIES, "en")
    assert match is not None
    assert match.position == position


@pytest.mark.parametrize(
    "query",
    ["What does plan 2 cost?", "Why are you open?", "How long is the guarantee?", "Where is my item?", "", "?"],
)
def test_another_question_does_not_match(query: str) -> None:
    assert matching_entry(query, ENTRIES, "en") is None


def test_two_entries_that_are_as_near_match_neither() -> None:
    near = (entry("How do I reset my phone password?"), entry("How do I reset my email password?"))
    assert matching_entry("How do I reset my password?", near, "en") is None


def test_two_entries_with_one_answer_match() -> None:
    near = (entry("How do I reset my old password?", "So."), entry("How do I reset my new password?", "So."))
    assert matching_entry("How do I reset my password?", near, "en") is not None


def test_what_is_no_entry_never_matches() -> None:
    assert matching_entry("Shipping", (SearchHit("1", 0, 1.0, "Shipping", "", "Shipping"),), "en") is None


def test_signs_and_capitals_do_not_make_another_question() -> None:
    assert normalised("  ＷＨＥＮ — are you, open? ") == "when are you open"


QUESTIONS: dict[str, tuple[tuple[str, ...], tuple[tuple[str, int], ...], tuple[str, ...]]] = {
    "en": (
        (
            "How can I return an item?",
            "How long does shipping take?",
            "Do you ship to Switzerland?",
            "Can I pay by invoice?",
            "How do I cancel my order?",
        ),
        (
            ("How can I return items?", 0),
            ("How long does the shipping take?", 1),
            ("Do you ship to switzerland", 2),
            ("Can I pay by invoice, please?", 3),
            ("How can I cancel my order?", 4),
            ("How do I cancel an order?", 4),
        ),
        (
            "Do you ship to Austria?",
            "Can I pay by card?",
            "How do I change my order?",
            "How much does shipping cost?",
            "Why can't I return an item?",
            "Can I cancel my account?",
            "Why can I not pay by invoice?",
        ),
    ),
    "de": (
        (
            "Wie kann ich einen Artikel zurückgeben?",
            "Wie lange dauert der Versand?",
            "Liefern Sie in die Schweiz?",
            "Kann ich auf Rechnung zahlen?",
            "Wie storniere ich meine Bestellung?",
        ),
        (
            ("Wie kann ich Artikel zurückgeben?", 0),
            ("Wie lange dauert ein Versand?", 1),
            ("Liefern Sie auch in die Schweiz?", 2),
            ("Kann ich auch auf Rechnung zahlen?", 3),
            ("Wie kann ich meine Bestellung stornieren?", 4),
        ),
        (
            "Liefern Sie nach Österreich?",
            "Kann ich mit Karte zahlen?",
            "Wie ändere ich meine Bestellung?",
            "Was kostet der Versand?",
            "Warum kann ich nicht auf Rechnung zahlen?",
            "Wie lange gilt die Garantie?",
        ),
    ),
    "es": (
        (
            "¿Cómo puedo devolver un artículo?",
            "¿Cuánto tarda el envío?",
            "¿Envían a Suiza?",
            "¿Puedo pagar con factura?",
            "¿Cómo cancelo mi pedido?",
        ),
        (
            ("¿Cómo puedo devolver artículos?", 0),
            ("Cuánto tarda un envío", 1),
            ("¿Envían ustedes a Suiza?", 2),
            ("¿Puedo pagar con una factura?", 3),
            ("¿Cómo cancelo un pedido?", 4),
        ),
        (
            "¿Envían a Austria?",
            "¿Puedo pagar con tarjeta?",
            "¿Cómo cambio mi pedido?",
            "¿Cuánto cuesta el envío?",
            "¿Por qué no puedo pagar con factura?",
        ),
    ),
    "fr": (
        (
            "Comment puis-je retourner un article ?",
            "Combien de temps dure la livraison ?",
            "Livrez-vous en Suisse ?",
            "Puis-je payer sur facture ?",
            "Comment annuler ma commande ?",
        ),
        (
            ("Comment retourner un article ?", 0),
            ("Combien de temps dure une livraison ?", 1),
            ("Est-ce que vous livrez en Suisse ?", 2),
            ("Puis-je payer par facture ?", 3),
            ("Comment annuler une commande ?", 4),
        ),
        (
            "Livrez-vous en Autriche ?",
            "Puis-je payer par carte ?",
            "Comment modifier ma commande ?",
            "Combien coûte la livraison ?",
            "Pourquoi ne puis-je pas payer sur facture ?",
        ),
    ),
    "ru": (
        (
            "Как вернуть товар?",
            "Сколько длится доставка?",
            "Доставляете ли вы в Швейцарию?",
            "Можно ли оплатить по счёту?",
            "Как отменить заказ?",
        ),
        (
            ("Как вернуть товары?", 0),
            ("Сколько длится доставка", 1),
            ("Вы доставляете в Швейцарию?", 2),
            ("Можно оплатить по счету?", 3),
            ("Как мне отменить мой заказ?", 4),
        ),
        (
            "Доставляете ли вы в Австрию?",
            "Можно ли оплатить картой?",
            "Как изменить заказ?",
            "Сколько стоит доставка?",
            "Почему нельзя оплатить по счёту?",
        ),
    ),
    "zh": (
        (
            "如何退货？",
            "配送需要多长时间？",
            "你们送货到瑞士吗？",
            "可以凭发票付款吗？",
            "如何取消订单？",
        ),
        (
            ("怎么退货？", 0),
            ("配送要多长时间？", 1),
            ("你们送货到瑞士？", 2),
            ("可以凭发票付款", 3),
            ("怎样取消订单？", 4),
        ),
        (
            "你们送货到奥地利吗？",
            "可以刷卡付款吗？",
            "如何修改订单？",
            "配送需要多少钱？",
            "为什么不可以凭发票付款？",
        ),
    ),
    "ja": (
        (
            "商品を返品するにはどうすればいいですか？",
            "配送にはどのくらいかかりますか？",
            "スイスに配送していますか？",
            "請求書で支払えますか？",
            "注文をキャンセルするにはどうすればいいですか？",
        ),
        (
            ("商品を返品するにはどうしたらいいですか", 0),
            ("配送はどのくらいかかりますか？", 1),
            ("スイスにも配送していますか？", 2),
            ("請求書で支払うことはできますか？", 3),
            ("注文をキャンセルするにはどうすれば良いですか", 4),
        ),
        (
            "オーストリアに配送していますか？",
            "カードで支払えますか？",
            "注文を変更するにはどうすればいいですか？",
            "配送料はいくらかかりますか？",
            "なぜ請求書で支払えないのですか？",
        ),
    ),
    "ko": (
        (
            "상품을 반품하려면 어떻게 해야 하나요?",
            "배송은 얼마나 걸리나요?",
            "스위스로 배송하나요?",
            "계산서로 결제할 수 있나요?",
            "주문을 취소하려면 어떻게 하나요?",
        ),
        (
            ("상품 반품하려면 어떻게 해야 하나요?", 0),
            ("배송이 얼마나 걸리나요?", 1),
            ("스위스로도 배송하나요?", 2),
            ("계산서로 결제할 수 있어요?", 3),
            ("주문을 취소하려면 어떻게 해요?", 4),
        ),
        (
            "오스트리아로 배송하나요?",
            "카드로 결제할 수 있나요?",
            "주문을 변경하려면 어떻게 하나요?",
            "배송비는 얼마인가요?",
            "왜 계산서로 결제할 수 없나요?",
        ),
    ),
    "th": (
        (
            "คืนสินค้าได้อย่างไร",
            "การจัดส่งใช้เวลานานเท่าไร",
            "ส่งสินค้าไปสวิตเซอร์แลนด์ไหม",
            "จ่ายเงินด้วยใบแจ้งหนี้ได้ไหม",
            "ยกเลิกคำสั่งซื้ออย่างไร",
        ),
        (
            ("จะคืนสินค้าได้อย่างไร", 0),
            ("จัดส่งใช้เวลานานเท่าไร", 1),
            ("ส่งสินค้าไปสวิตเซอร์แลนด์หรือไม่", 2),
            ("จ่ายด้วยใบแจ้งหนี้ได้ไหม", 3),
            ("จะยกเลิกคำสั่งซื้อได้อย่างไร", 4),
        ),
        (
            "ส่งสินค้าไปออสเตรียไหม",
            "จ่ายเงินด้วยบัตรได้ไหม",
            "แก้ไขคำสั่งซื้ออย่างไร",
            "ค่าจัดส่งเท่าไร",
            "ทำไมจ่ายเงินด้วยใบแจ้งหนี้ไม่ได้",
        ),
    ),
    "tr": (
        (
            "Ürünü nasıl iade ederim?",
            "Kargo ne kadar sürer?",
            "İsviçre'ye gönderim yapıyor musunuz?",
            "Fatura ile ödeyebilir miyim?",
            "Siparişimi nasıl iptal ederim?",
        ),
        (
            ("Bir ürünü nasıl iade ederim?", 0),
            ("Kargo ne kadar sürüyor?", 1),
            ("İsviçre'ye de gönderim yapıyor musunuz?", 2),
            ("Faturayla ödeyebilir miyim?", 3),
            ("Siparişi nasıl iptal ederim?", 4),
        ),
        (
            "Avusturya'ya gönderim yapıyor musunuz?",
            "Kart ile ödeyebilir miyim?",
            "Siparişimi nasıl değiştiririm?",
            "Kargo ücreti ne kadar?",
            "Neden fatura ile ödeyemiyorum?",
        ),
    ),
    "hi": (
        (
            "सामान कैसे लौटाएँ?",
            "डिलीवरी में कितना समय लगता है?",
            "क्या आप स्विट्ज़रलैंड भेजते हैं?",
            "क्या मैं बिल से भुगतान कर सकता हूँ?",
            "ऑर्डर कैसे रद्द करें?",
        ),
        (
            ("सामान कैसे लौटाऊँ?", 0),
            ("डिलीवरी में कितना समय लगेगा?", 1),
            ("क्या आप स्विट्जरलैंड भी भेजते हैं?", 2),
            ("क्या मैं बिल से भुगतान कर सकती हूँ?", 3),
            ("अपना ऑर्डर कैसे रद्द करें?", 4),
        ),
        (
            "क्या आप ऑस्ट्रिया भेजते हैं?",
            "क्या मैं कार्ड से भुगतान कर सकता हूँ?",
            "ऑर्डर कैसे बदलें?",
            "डिलीवरी का कितना शुल्क लगता है?",
            "मैं बिल से भुगतान क्यों नहीं कर सकता?",
        ),
    ),
    "ar": (
        (
            "كيف يمكنني إرجاع منتج؟",
            "كم يستغرق الشحن؟",
            "هل تشحنون إلى سويسرا؟",
            "هل يمكنني الدفع بالفاتورة؟",
            "كيف ألغي طلبي؟",
        ),
        (
            ("كيف يمكنني إرجاع المنتج؟", 0),
            ("كم يستغرق الشحن", 1),
            ("هل تشحنون أيضا إلى سويسرا؟", 2),
            ("هل يمكن الدفع بالفاتورة؟", 3),
            ("كيف ألغي الطلب؟", 4),
        ),
        (
            "هل تشحنون إلى النمسا؟",
            "هل يمكنني الدفع بالبطاقة؟",
            "كيف أغير طلبي؟",
            "كم يكلف الشحن؟",
            "لماذا لا يمكنني الدفع بالفاتورة؟",
        ),
    ),
}
"""Entries, questions that are one of them in other words, by position, and questions that are none, by language."""

MISSED = {
    "ja": ["配送はどのくらいかかりますか？", "請求書で支払うことはできますか？"],
    "ko": ["배송이 얼마나 걸리나요?"],
    "th": ["ส่งสินค้าไปสวิตเซอร์แลนด์หรือไม่"],
    "tr": ["Kargo ne kadar sürüyor?", "Faturayla ödeyebilir miyim?"],
    "hi": ["सामान कैसे लौटाऊँ?"],
}
"""Those of the former that are not taken for the same: what they do not share is half of their few words."""


@pytest.mark.parametrize("language", QUESTIONS)
def test_questions_in_other_words_match_and_others_do_not(language: str) -> None:
    questions, same, others = QUESTIONS[language]
    entries = tuple(map(entry, questions))

    def position(query: str) -> int | None:
        match = matching_entry(query, entries, language)
        return match and match.position

    assert [query for query, wanted in same if position(query) != wanted] == MISSED.get(language, [])
    assert [query for query in others if position(query) is not None] == []


def test_vowels_of_hindi_and_thai_make_another_question() -> None:
    assert normalised("कल कब?") != normalised("काल कब?")
    assert normalised("ที่นี่") != normalised("ทนน")
