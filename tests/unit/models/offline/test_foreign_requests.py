"""What is said about cancelling in the languages beside English, German, Spanish and French, asked for and not."""

import pytest

from tests.unit.models.offline.agents.shops import SHOPS, agent
from tests.unit.models.offline.talk import Talk

NOT_ASKED = {
    "pt": (
        "não quero cancelar o pedido 5",
        "nunca cancele o pedido 5",
        "eu não pedi para cancelar o pedido 5",
        "posso cancelar o pedido 5?",
        "como cancelo o pedido 5?",
        "se eu cancelar o pedido 5, recebo o dinheiro?",
        "o pedido 5 foi cancelado ontem",
        "quem cancelou o pedido 5?",
        "seria errado cancelar o pedido 5",
        "por que cancelaram o pedido 5?",
        "cancele o pedido 5? de jeito nenhum",
        "em vez de cancelar o pedido 5, diga quando chega",
        "o pedido 5 pode ser cancelado?",
        "sem cancelar o pedido 5",
        "cancelar o pedido 5 não",
        "disseram que vão cancelar o pedido 5",
        "nao cancela o pedido 5",
        "antes de cancelar o pedido 5 quero pensar",
    ),
    "it": (
        "non voglio annullare l'ordine 5",
        "non annullare mai l'ordine 5",
        "posso annullare l'ordine 5?",
        "come annullo l'ordine 5?",
        "se annullo l'ordine 5 ricevo i soldi?",
        "l'ordine 5 è stato annullato ieri",
        "chi ha annullato l'ordine 5?",
        "sarebbe sbagliato annullare l'ordine 5",
        "perché avete annullato l'ordine 5?",
        "invece di annullare l'ordine 5 dimmi quando arriva",
        "l'ordine 5 si può annullare?",
        "senza annullare l'ordine 5",
        "annullare l'ordine 5 no",
        "hanno detto che annullano l'ordine 5",
        "prima di annullare l'ordine 5 ci penso",
    ),
    "ja": (
        "注文5番はキャンセルしません",
        "注文5番をキャンセルしたくないです",
        "注文5番をキャンセルできますか？",
        "注文5番のキャンセル方法は？",
        "注文5番をキャンセルすると返金されますか？",
        "注文5番は昨日キャンセルされました",
        "誰が注文5番をキャンセルしたのですか？",
        "注文5番をキャンセルするのは間違いです",
        "なぜ注文5番をキャンセルしたのですか",
        "注文5番をキャンセルせずに教えてください",
        "注文5番はキャンセルしなくていいです",
        "注文5番をキャンセルすると言われました",
        "注文5番をキャンセルする前に考えます",
        "注文5番のキャンセルはやめてください",
        "注文5番をキャンセルしないで",
        "注文5番をキャンセルするな",
        "注文5番をキャンセルしてはいけません",
    ),
    "ko": (
        "주문 5번을 취소하지 않을래요",
        "주문 5번을 취소하고 싶지 않아요",
        "주문 5번을 취소할 수 있나요?",
        "주문 5번을 어떻게 취소해요?",
        "주문 5번을 취소하면 환불되나요?",
        "주문 5번은 어제 취소됐어요",
        "누가 주문 5번을 취소했어요?",
        "주문 5번을 취소하는 건 잘못이에요",
        "왜 주문 5번을 취소했어요?",
        "주문 5번을 취소하지 말고 언제 오는지 알려줘",
        "주문 5번은 취소 안 해요",
        "주문 5번을 취소한다고 들었어요",
        "주문 5번을 취소하기 전에 생각해 볼게요",
        "주문 5번 취소하지마",
        "주문 5번을 취소하면 안 돼요",
        "주문 5번 취소 말아 주세요",
        "주문 5번을 취소하지 않았어요",
    ),
}
"""Denied, supposed, asked about, reported."""
ASKED = {
    "pt": (
        "cancele o pedido 5",
        "quero cancelar o meu pedido 5",
        "pode cancelar o pedido 5, por favor?",
        "preciso cancelar o pedido número 5",
    ),
    "it": (
        "annulla l'ordine 5",
        "vorrei annullare il mio ordine 5",
        "può annullare l'ordine 5 per favore?",
        "annulli l'ordine numero 5, grazie",
    ),
    "ja": (
        "注文5番をキャンセルしたいです",
        "注文5番をキャンセルしてもらえますか？",
        "5番の注文をキャンセルしてください",
        "注文5番のキャンセルをお願いします",
    ),
    "ko": (
        "주문 5번 취소해줘",
        "주문 5번을 취소하고 싶어요",
        "주문 5번을 취소해 주시겠어요?",
        "5번 주문 취소 부탁드립니다",
    ),
}


@pytest.mark.parametrize("language", NOT_ASKED)
async def test_nothing_is_cancelled_that_nobody_asked_for(language: str) -> None:
    for words in NOT_ASKED[language]:
        talk = Talk(agent(language, SHOPS[language]))
        await talk.say(words)
        assert [call for call in talk.calls if call[0] == "cancel_order"] == [], words


@pytest.mark.parametrize("language", ASKED)
async def test_what_is_plainly_asked_for_is_done_at_once(language: str) -> None:
    for words in ASKED[language]:
        talk = Talk(agent(language, SHOPS[language]))
        await talk.say(words)
        assert talk.calls == [("cancel_order", {"order_id": 5})], words
