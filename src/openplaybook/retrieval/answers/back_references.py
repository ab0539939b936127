"""Words that point back to what was said, and words that turn a statement round, in the sixteen languages."""

import re
from collections.abc import Mapping
from functools import cache

_BACK: Mapping[str, str] = {
    "en": "it its they them their he him his she her this these those ones same",
    "de": "er ihn ihm sie ihr ihre ihren ihnen es dieser diese dieses diesem diesen davon dafür damit daran dort",
    "es": "él ella ello ellos ellas le les su sus este esta esto ese esa eso ahí allí",
    "fr": "il elle ils elles lui leur leurs son sa ses celui celle ceux ça cela ceci",
    "it": "lui lei loro esso essa suo sua suoi sue questo questa quello quella ciò lì",
    "pt": "ele ela eles elas lhe lhes seu sua seus suas este esta isto esse essa isso aquilo dele dela deles ali lá",
    "nl": "hij hem haar zij ze hun deze dit ervan ermee daar",
    "ru": "он она оно они его её ее их ему ей им нём нем ней них этот эта это эти там тот та те",
    "tr": "o onu ona onun onlar onları onların bu bunu bunun bunlar şu orada",
    "el": "αυτός αυτή αυτό αυτοί αυτές αυτά αυτού αυτής εκείνος εκείνη εκεί του της τους",
    "ar": "هو هي هم هذا هذه ذلك تلك هناك له لها لهم عنه عنها فيه فيها منه منها",
    "hi": "यह वह ये वे इस उस इन उन इसका उसका इसके उसके उनका उनके इसे उसे वहाँ वहां",
}

_OPENERS: Mapping[str, tuple[str, ...]] = {
    "en": ("and", "but", "or", "so", "what about", "how about", "what if", "also", "then", "why", "why not"),
    "de": ("und", "aber", "oder", "was ist mit", "wie ist es mit", "wie sieht es", "auch", "dann", "warum"),
    "es": ("y", "pero", "o", "qué tal", "qué pasa con", "qué hay de", "también", "entonces", "por qué"),
    "fr": ("et", "mais", "ou", "qu'en est-il", "alors", "aussi", "pourquoi"),
    "it": ("e", "ma", "o", "che ne dici", "anche", "allora", "perché", "e per"),
    "pt": ("e", "mas", "ou", "que tal", "também", "então", "por que", "e quanto"),
    "nl": ("en", "maar", "of", "hoe zit het met", "wat met", "ook", "dan", "waarom"),
    "ru": ("а", "и", "но", "или", "как насчёт", "как насчет", "что насчёт", "что насчет", "тоже", "почему"),
    "tr": ("ve", "peki", "ya", "ama", "veya", "neden"),
    "el": ("και", "αλλά", "ή", "τι γίνεται με", "επίσης", "γιατί"),
    "ar": ("وماذا عن", "ماذا عن", "و", "لكن", "أو", "لماذا"),
    "hi": ("और", "लेकिन", "या", "क्यों"),
    "zh": ("那", "那么", "还有", "但是", "或者", "为什么", "那麼", "還有"),
    "ja": ("では", "じゃあ", "それで", "でも", "また", "なぜ"),
    "ko": ("그럼", "그러면", "그리고", "하지만", "또", "왜"),
    "th": ("แล้ว", "และ", "แต่", "หรือ", "ทำไม"),
}

_BACK_PARTS: Mapping[str, tuple[str, ...]] = {
    "zh": ("它", "他", "她", "这个", "那个", "這個", "那個", "这些", "那些", "那里", "呢"),
    "ja": ("それ", "その", "これ", "この", "あれ", "そこ", "彼", "彼女"),
    "ko": ("그것", "이것", "그건", "그의", "그녀", "그들", "거기", "은요", "는요"),
    "th": ("มัน", "เขา", "เธอ", "พวกเขา", "นั้น", "นี้", "ที่นั่น", "ล่ะ"),
}

_NEGATIONS: Mapping[str, str] = {
    "en": "not no never none nobody nothing neither nor without cannot n't",
    "de": "nicht kein keine keinen keinem keiner keines nie niemals niemand nichts weder ohne",
    "es": "no nunca jamás nadie nada ni ningún ninguna ninguno sin",
    "fr": "ne n pas jamais aucun aucune personne rien ni sans",
    "it": "non mai nessuno nessuna niente nulla né senza",
    "pt": "não nunca jamais ninguém nada nem nenhum nenhuma sem",
    "nl": "niet geen nooit niemand niets noch zonder",
    "ru": "не ни нет никогда никто ничего без нельзя",
    "tr": "değil yok hiç asla hiçbir",
    "el": "δεν μην ποτέ κανείς καμία κανένας τίποτα ούτε χωρίς",
    "ar": "لا لم لن ليس ليست بدون غير",
    "hi": "नहीं न मत बिना कभी",
}

_WORD_END = re.compile(r"[\s.,;:!?…\"()\[\]«»“”„।،؛؟–—]+")
_DENYING_PARTS: Mapping[str, re.Pattern[str]] = {
    "zh": re.compile("不(?![同断斷仅僅过過少但])|沒|没|无(?![线论])|無(?![線論])|未(?![来來])|禁止"),
    "ja": re.compile("ません|(?<![少危])ない(?![かけ]?ら)|なかった|なく|禁止|できず|せず"),
    "ko": re.compile(r"없|않|아니|(?:^|\s)안\s|(?:^|\s|지\s?)못|금지"),
    "th": re.compile("ไม่(?!ว่า)|ห้าม"),
}
"""Where words are not set apart, or take their denial into them: signs that say `not`, without what only looks so."""


def denies(sentence: str, language: str) -> bool:
    """Whether a sentence says `not`. `language` is a primary subtag; of one that is not known no sentence does."""
    if language in _DENYING_PARTS:
        return _DENYING_PARTS[language].search(sentence) is not None
    known = negations(language)
    return any(_denies(word, known, language) for word in _WORD_END.split(sentence.casefold()))


def _denies(word: str, known: frozenset[str], language: str) -> bool:
    if word in known:
        return True
    match language:
        case "en":
            return word.endswith(("n't", "n’t"))
        case "fr":
            return word.startswith(("n'", "n’"))
        case "ar":
            # `and` is written to the word behind it.
            return word[:1] == "و" and word[1:] in known
        case _:
            return False


@cache
def back_references(language: str) -> frozenset[str]:
    """Words that stand for something said before, in lower case; those of all languages where it is not known, and
    none where it writes no blanks."""
    return _words(_BACK, language)


def back_reference_parts(language: str) -> tuple[str, ...]:
    """Parts of a text that stand for something said before, in a language whose words are not set apart."""
    return _BACK_PARTS.get(language, ())


def openers(language: str) -> tuple[str, ...]:
    """Beginnings that tie a question to the one before, in lower case."""
    if language in _OPENERS:
        return _OPENERS[language]
    return tuple(opener for each in _OPENERS.values() for opener in each if len(opener) > 1)


@cache
def negations(language: str) -> frozenset[str]:
    """Words that turn a statement round, in lower case; none where the language is not known."""
    return frozenset(_NEGATIONS.get(language, "").split())


def _words(lists: Mapping[str, str], language: str) -> frozenset[str]:
    if language in lists:
        return frozenset(lists[language].split())
    if language in _BACK_PARTS:
        return frozenset()
    return frozenset(word for words in lists.values() for word in words.split())
