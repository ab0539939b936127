"""Claims of an answer: its sentences, with their places in bytes, and whether they state anything."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from openplaybook.retrieval.answers.base import NOT_ENOUGH_INFORMATION
from openplaybook.retrieval.answers.terms import topics
from openplaybook.retrieval.language.detection import primary_subtag
from openplaybook.retrieval.language.sentences import sentences

MAX_CLAIMS = 100
"""Sentences of an answer that are checked; what follows them counts as one claim."""

_QUESTION = re.compile(r"[?？؟\u037e]\s*[\"'”’»)]*\Z")
_GREETING = re.compile(
    r"\s*(?:(?:hello|hi|hey|good (?:morning|evening|afternoon)|welcome|thank you|thanks?|you'?re welcome|sure|of "
    r"course|certainly|bye|hallo|guten (?:tag|morgen|abend)|danke|gern(?:e)?|willkommen|natürlich|hola|buen[oa]s "
    r"(?:días|tardes|noches)|gracias|de nada|claro|bonjour|bonsoir|merci|avec plaisir|bien sûr|ciao|buongiorno|"
    r"buonasera|grazie|prego|certo|olá|bom dia|boa (?:tarde|noite)|obrigad[oa]|goedemorgen|dank je|dank u|graag|"
    r"здравствуйте|привет|добрый день|спасибо|пожалуйста|конечно|merhaba|teşekkürler|elbette|γεια σας|γεια|ευχαριστώ|"
    r"مرحبا|أهلا|شكرا|नमस्ते|धन्यवाद|"
    r"你好|您好|谢谢|謝謝|こんにちは|ありがとうございます|안녕하세요|감사합니다|สวัสดี|ขอบคุณ)"
    r"(?![\w])[\s,.!。！]*+){1,3}",
    re.IGNORECASE,
)
_MOST_NAMED = 2
"""Words behind a greeting, such as a name; with more the sentence says something."""
_IGNORANCE = re.compile(
    r"\b(?:i (?:don'?t|do not) (?:know|have)|i(?:'m| am) not sure|(?:could|can)(?:not|n't) find|no information|"
    r"not enough information|weiß (?:ich|es) nicht|(?:ich )?weiß nicht|keine (?:informationen|angaben)|no (?:lo )?sé|"
    r"no (?:tengo|hay|encuentro) (?:información|datos)|je ne sais pas|pas d'informations?|non (?:lo )?so|nessuna "
    r"informazione|não sei|não (?:tenho|há|encontrei) informaç\w+|weet (?:ik|het) niet|geen informatie|не знаю|нет "
    r" информации|bilmiyorum|bilgi yok|δεν (?:ξέρω|γνωρίζω)|لا أعرف|لا أعلم)\b"
    r"|मुझे नहीं पता|जानकारी नहीं है|不知道|没有(?:相关)?信息|わかりません|分かりません|情報がありません"
    r"|모르겠습니다|정보가 없습니다|ไม่ทราบ|ไม่มีข้อมูล",
    re.IGNORECASE,
)
_LONGEST_IGNORANCE = 8
"""Topics of a sentence that says that nothing is known; a longer one says more than that, as does one with numbers."""


@dataclass(frozen=True, slots=True)
class ClaimSpan:
    """A sentence of an answer."""

    text: str
    start: int
    """First byte in the answer's UTF-8."""
    end: int
    """Byte behind its last."""
    needs_check: bool
    """Whether it states something that facts may support."""


def claims_of(answer: str, language: str) -> tuple[ClaimSpan, ...]:
    """The claims of an answer, in order. `language` is a BCP-47 code, or empty."""
    return tuple(_claims(answer, language))


def needs_check(sentence: str, language: str) -> bool:
    """False for questions, greetings, and what says that nothing is known."""
    if _QUESTION.search(sentence) or _is_greeting(sentence) or NOT_ENOUGH_INFORMATION in sentence:
        return False
    said = topics(sentence, language)
    is_short = len(said) <= _LONGEST_IGNORANCE and not any(each.isdecimal() for each in sentence)
    return bool(said) and not (is_short and _IGNORANCE.search(sentence))


def _is_greeting(sentence: str) -> bool:
    found = _GREETING.match(sentence)
    if found is None:
        return False
    words = (each for each in sentence[found.end() :].split() if each.strip(".!。！"))
    return len([*islice(words, _MOST_NAMED + 1)]) <= _MOST_NAMED


def _claims(answer: str, language: str) -> Iterator[ClaimSpan]:
    spans = list(sentences(answer, primary_subtag(language)))
    if len(spans) > MAX_CLAIMS:
        spans[MAX_CLAIMS - 1 :] = [(spans[MAX_CLAIMS - 1][0], spans[-1][1])]
    characters = size = 0
    for start, end in spans:
        size += _bytes(answer[characters:start])
        begin, text = size, answer[start:end]
        size += _bytes(text)
        characters = end
        yield ClaimSpan(text, begin, size, needs_check(text, language))


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
