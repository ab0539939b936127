"""How questions are answered: prompts, grounding, banned phrases, and what is said where there is no answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from openplaybook.retrieval.answers.base import ClaimJudge, GroundingLevel, PromptedModel
from openplaybook.retrieval.answers.phrases import NOTHING_BANNED, PhraseFilter
from openplaybook.retrieval.answers.prompts import DEFAULT_REWRITE, DEFAULT_SUMMARY, MAX_SOURCES, ConversationSpelling
from openplaybook.retrieval.language.detection import primary_subtag

_NOT_FOUND: Mapping[str, str] = {
    "en": "I'm sorry, I couldn't find an answer to that.",
    "de": "Dazu habe ich leider keine Antwort gefunden.",
    "es": "Lo siento, no he encontrado una respuesta a eso.",
    "fr": "Désolé, je n'ai pas trouvé de réponse à cette question.",
    "it": "Mi dispiace, non ho trovato una risposta.",
    "pt": "Desculpe, não encontrei uma resposta para isso.",
    "nl": "Sorry, ik heb daar geen antwoord op gevonden.",
    "ru": "К сожалению, я не нашёл ответа на этот вопрос.",
    "tr": "Üzgünüm, buna bir yanıt bulamadım.",
    "el": "Λυπάμαι, δεν βρήκα απάντηση σε αυτό.",
    "ar": "عذرًا، لم أجد إجابة عن ذلك.",
    "hi": "क्षमा करें, मुझे इसका उत्तर नहीं मिला।",
    "zh": "抱歉，我没有找到相关的答案。",
    "ja": "申し訳ありませんが、お答えが見つかりませんでした。",
    "ko": "죄송합니다. 답을 찾지 못했습니다.",
    "th": "ขออภัย ไม่พบคำตอบสำหรับเรื่องนี้",
}


class Rejection(Enum):
    """What is left of an answer below the chosen level."""

    NO_ANSWER = "NO_ANSWER"
    """The fallback, or nothing; no snippets, as in Dialogflow CX."""
    SNIPPETS = "SNIPPETS"
    """The snippets without an answer, as in CX Agent Studio."""


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """Settings of one tool."""

    summary_prompt: str = DEFAULT_SUMMARY
    rewriter_prompt: str = DEFAULT_REWRITE
    spelling: ConversationSpelling = ConversationSpelling.AI
    summarizes: bool = True
    """False: there are snippets, and no answer but that of an FAQ entry."""
    rewrites: bool = True
    """False: the user's words are searched as they are."""
    level: GroundingLevel = GroundingLevel.LOW
    """Answers below it are not given."""
    grounding_disabled: bool = False
    heuristics_disabled: bool = False
    """Whether numbers, dates, units and names that no source has are let through."""
    rejection: Rejection = Rejection.NO_ANSWER
    banned: PhraseFilter = NOTHING_BANNED
    sources: int = MAX_SOURCES
    """Passages that an answer is made of, at most; 1 to 10."""
    not_found: str = ""
    """Said where the sources do not answer the question and there is no fallback; empty for our own sentence."""

    def not_found_message(self, language: str) -> str:
        """The friendly sentence, in a language that is given as a BCP-47 code."""
        return self.not_found or _NOT_FOUND.get(primary_subtag(language), _NOT_FOUND["en"])


@dataclass(frozen=True, slots=True)
class AnswerModels:
    """Models that take a part; where there is none, we do its part without a model."""

    rewriter: PromptedModel | None = None
    summarizer: PromptedModel | None = None
    judge: ClaimJudge | None = None
