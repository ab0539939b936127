"""Questions in nine languages find their passages, get their answers, and are refused where nothing answers them."""

from pathlib import Path

import pytest

from tests.integration.retrieval.index_until_killed import opened
from tests.integration.retrieval.languages.language_set import SETS, language_set, outcomes

# Exact sets, so that whoever makes some of it better or worse sees which questions.
NOT_FIRST: dict[str, set[str]] = {
    "nl": {
        "Hoeveel van de rit betalen jullie terug bij vertragingen?",
    },
    "tr": {
        "Bataryanın dolması kaç saat sürer?",
    },
    "ja": {
        "本はどのくらい借りることができますか",
    },
    "ko": {
        "책을 얼마나 오래 빌려주나요?",
        "큰 개에게는 무엇을 해야 하나요?",
    },
}
"""Whose passage is found, and not as the first."""

REFUSED: dict[str, set[str]] = {
    "it": {
        "Dove consulto un quotidiano?",
        "Che monete servono per l'armadietto?",
    },
    "nl": {
        "Hoelang leent u een boek uit?",
    },
    "tr": {
        "Ödünç süresini uzatabilir miyim?",
        "Gazeteyi nerede okuyabilirim?",
    },
    "hi": {
        "ब्रेक कब कसवाए जा सकते हैं?",
    },
    "ja": {
        "新聞はどこで読めますか",
        "泳ぐときに帽子をかぶる必要はありますか",
    },
    "ko": {
        "책을 얼마나 오래 빌려주나요?",
        "깨져 버린 전구를 어디서 받아 주나요?",
        "큰 개에게는 무엇을 해야 하나요?",
    },
}
"""That are not answered, though a passage answers them: it shares one word with them, or a form that is not known."""

ANOTHER_SENTENCE: dict[str, set[str]] = {
    "fr": {
        "L'enfant à la piscine doit-il être accompagné ?",
    },
    "it": {
        "Il bambino in piscina va accompagnato?",
    },
    "nl": {
        "In welke container gooi ik glazen flessen?",
        "Hoeveel van de rit betalen jullie terug bij vertragingen?",
    },
    "tr": {
        "Bataryanın dolması kaç saat sürer?",
    },
    "ja": {
        "本はどのくらい借りることができますか",
        "サウナが女性だけの曜日はいつですか",
    },
    "th": {
        "ใครเป็นสถาปนิกที่สร้างพิพิธภัณฑ์",
    },
}
"""To which another sentence than the one with the answer is the best, mostly of the same passage."""

ANSWERED: dict[str, set[str]] = {
    "ja": {
        "日曜日の当番医はどこですか",
    },
    "th": {
        "ต่ออายุหนังสือเดินทางได้ที่ไหน",
    },
}
"""That are answered, though no passage does."""


def test_there_is_a_set_for_each_language() -> None:
    languages = sorted(each.stem for each in SETS.iterdir())
    assert languages == ["el", "fr", "hi", "it", "ja", "ko", "nl", "th", "tr"]
    for language in languages:
        read = language_set(language)
        assert (len(read.passages), len(read.questions), len(read.others)) == (30, 28, 10)
        by_id = {each.id: each.passages[0].text for each in read.passages}
        assert [each for each in read.questions if each.answer not in by_id[each.passage]] == []


@pytest.mark.parametrize("language", ["el", "fr", "hi", "it", "ja", "ko", "nl", "th", "tr"])
async def test_questions_are_answered_and_refused_as_well_as_measured(tmp_path: Path, language: str) -> None:
    engine = await opened(tmp_path)
    answerable, others = await outcomes(engine, language_set(language))
    await engine.close()

    assert {each.question for each in answerable if not each.is_found} == NOT_FIRST.get(language, set())
    assert {each.question for each in answerable if not each.is_answered} == REFUSED.get(language, set())
    answered = [each for each in answerable if each.is_answered]
    assert {each.question for each in answered if not each.is_right} == ANOTHER_SENTENCE.get(language, set())
    assert {each.question for each in others if each.is_answered} == ANSWERED.get(language, set())
