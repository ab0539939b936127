"""Conversations in many languages with a shop whose examples are in that language."""

from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject
from tests.unit.models.offline.agents.shops import SHOPS, agent
from tests.unit.models.offline.talk import Talk

LANGUAGES = tuple(SHOPS)
GET, CANCEL, BRANCH = "get_order", "cancel_order", "find_branch"


def order(number: int) -> list[tuple[str, JsonObject]]:
    return [(GET, {"order_id": number})]


def cancelled(number: int) -> list[tuple[str, JsonObject]]:
    return [(CANCEL, {"order_id": number})]


def talk(language: str) -> Talk:
    return Talk(agent(language, SHOPS[language]))


OTHER_WORDS = {
    "de": ("Weißt du, wann die Bestellung 8 kommt?", "Filiale in Husum?", "Husum"),
    "es": ("dime cuándo llega el pedido 8", "busco una tienda en Cádiz", "Cádiz"),
    "fr": ("dis-moi quand arrive la commande 8", "je cherche un magasin à Brest", "Brest"),
    "pt": ("me diga quando chega o pedido 8", "procuro uma loja em Olinda", "Olinda"),
    "it": ("mi dica quando arriva l'ordine 8", "cerco un negozio a Lecce", "Lecce"),
    "ja": ("注文8番がいつ届くか教えてください", "札幌の店舗を教えてください", "札幌"),
    "ko": ("주문 8번이 언제 도착하는지 알려주세요", "대구 매장을 알려 주세요", "대구"),
}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_values_are_taken_from_words_like_an_examples_and_from_others(language: str) -> None:
    texts, (asks, looks, city) = SHOPS[language], OTHER_WORDS[language]
    said = talk(language)
    told = await said.say(texts.order.format(7))
    assert said.calls == order(7)
    assert "7" in told
    assert any(written in told for written in ("1. Dezember", "1 d", "12月1日", "12월 1일"))
    await said.say(asks)
    assert said.calls == order(8)
    told = await said.say(texts.branch.format(city))
    assert (said.calls, told) == ([(BRANCH, {"city": city})], texts.branch_is.format(city, "Z 9"))
    await said.say(looks)
    assert said.calls == [(BRANCH, {"city": city})]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_is_missing_is_asked_for_as_the_example_asks(language: str) -> None:
    asked, question, answered = SHOPS[language].order_missing
    said = talk(language)
    assert (await said.say(asked), said.calls) == (question, [])
    await said.say("9")
    assert said.calls == order(9)
    await said.say(asked)
    await said.say(answered.format(14))
    assert said.calls == order(14)


FOLLOW_UPS = {
    "de": ("und die 12?", "nein, ich meinte die 13"),
    "es": ("¿y el 12?", "no, quería decir el 13"),
    "fr": ("et la 12 ?", "non, je voulais dire la 13"),
    "pt": ("e o 12?", "não, eu quis dizer o 13"),
    "it": ("e il 12?", "no, volevo dire il 13"),
    "ja": ("12番は？", "いや、13番です"),
    "ko": ("12번은요?", "아니요, 13번이요"),
}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_follow_up_and_a_correction_change_the_value(language: str) -> None:
    follows, corrects = FOLLOW_UPS[language]
    said = talk(language)
    await said.say(SHOPS[language].order.format(7))
    await said.say(follows)
    assert said.calls == order(12)
    await said.say(corrects)
    assert said.calls == order(13)


UNSURE = {
    "de": ("Könnte man vielleicht die Bestellung 5 stornieren", "ja bitte", "nein danke", "lass mal"),
    "es": ("quizá habría que cancelar el pedido 5", "sí, por favor", "no, gracias", "mejor no"),
    "fr": ("peut-être annuler la commande 5", "oui, c'est ça", "non merci", "laisse tomber"),
    "pt": ("talvez seja melhor cancelar o pedido 5", "sim, por favor", "não, obrigado", "deixa pra lá"),
    "it": ("forse è meglio annullare l'ordine 5", "sì, grazie", "no, grazie", "lascia stare"),
    "ja": ("注文5番をキャンセルしようかと考えています", "はい、お願いします", "いいえ、結構です", "やっぱりやめます"),
    "ko": ("주문 5번을 취소할까 생각 중이에요", "네, 부탁합니다", "아니요, 괜찮아요", "그만둘게요"),
}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_is_not_plainly_wanted_is_confirmed_first(language: str) -> None:
    tentative, yes, no, withdrawn = UNSURE[language]
    said = talk(language)
    question = await said.say(tentative)
    assert said.calls == []
    assert "5" in question
    await said.say(yes)
    assert said.calls == cancelled(5)
    for refusal in (no, withdrawn):
        said = talk(language)
        await said.say(tentative)
        await said.say(refusal)
        assert said.calls == []
        await said.say(yes)
        assert said.calls == []


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_plain_request_is_done_and_told_in_the_examples_words(language: str) -> None:
    texts, said = SHOPS[language], talk(language)
    assert (await said.say(texts.cancel.format(77)), said.calls) == (texts.cancelled.format(77), cancelled(77))


REFUSED = {
    "de": (
        "Storniere die Bestellung 5 nicht",
        "Was passiert, wenn ich die Bestellung 5 storniere?",
        "Ich habe die Bestellung 5 gestern storniert",
    ),
    "es": ("no canceles el pedido 5", "¿qué pasa si cancelo el pedido 5?", "ya he cancelado el pedido 5"),
    "fr": (
        "n'annule pas la commande 5",
        "que se passe-t-il si j'annule la commande 5 ?",
        "j'ai déjà annulé la commande 5",
    ),
    "pt": ("não cancele o pedido 5", "o que acontece se eu cancelar o pedido 5?", "já cancelei o pedido 5"),
    "it": ("non annullare l'ordine 5", "cosa succede se annullo l'ordine 5?", "ho già annullato l'ordine 5"),
    "ja": (
        "注文5番をキャンセルしないでください",
        "注文5番をキャンセルしたらどうなりますか？",
        "注文5番はもうキャンセルしました",
    ),
    "ko": ("주문 5번을 취소하지 마세요", "주문 5번을 취소하면 어떻게 돼요?", "주문 5번은 이미 취소했어요"),
}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_is_denied_supposed_or_reported_is_not_done(language: str) -> None:
    for words in REFUSED[language]:
        said = talk(language)
        await said.say(words)
        assert [call for call in said.calls if call[0] == CANCEL] == [], words
        await said.say(UNSURE[language][1])
        assert said.calls == [] or words == REFUSED[language][1], words


SMALL_TALK = {
    "de": ("vielen Dank", "Gern geschehen.", "auf Wiedersehen", "Auf Wiedersehen!"),
    "es": ("muchas gracias", "De nada.", "adiós", "¡Hasta luego!"),
    "fr": ("merci beaucoup", "Je vous en prie.", "au revoir", "Au revoir !"),
    "pt": ("muito obrigada", "De nada.", "tchau", "Até logo!"),
    "it": ("grazie mille", "Prego.", "arrivederci", "Arrivederci!"),
    "ja": ("ありがとうございます", "どういたしまして。", "さようなら", "ご利用ありがとうございました。"),
    "ko": ("감사합니다", "천만에요.", "안녕히 계세요", "안녕히 가세요!"),
}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_small_talk_is_answered_in_the_language(language: str) -> None:
    thanks, welcome, bye, goodbye = SMALL_TALK[language]
    hello, greeting = SHOPS[language].hello
    said = talk(language)
    assert [await said.say(words) for words in (hello, thanks, bye)] == [greeting, welcome, goodbye]
    assert await said.say("qwrtz plmk") != ""
    assert said.rules == ["not_understood"]


async def test_ciao_greets_at_the_beginning_and_takes_leave_later() -> None:
    said = Talk(replace(agent("it", SHOPS["it"]), examples=()))
    greeting, welcome, goodbye = [await said.say(words) for words in ("Ciao!", "grazie", "ciao")]
    assert (greeting.startswith("Buongiorno!"), welcome, goodbye) == (True, "Prego.", "Arrivederci!")
