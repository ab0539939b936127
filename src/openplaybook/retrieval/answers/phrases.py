"""Phrases that may be neither in a question nor in an answer (`SafetySettings` of Dialogflow CX)."""

from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.resources.banned_phrases import Matching, Phrases
from openplaybook.resources.guardrails import GuardrailVerdict
from openplaybook.retrieval.language.detection import primary_subtag


@dataclass(frozen=True, slots=True)
class BannedPhrase:
    """A phrase, and the language for which it is banned."""

    text: str
    language: str = ""
    """BCP-47 code; empty for all languages."""


@dataclass(frozen=True, slots=True)
class PhraseFinding:
    """That a text may not be shown."""

    phrase: str
    """The first of the phrases that is in it; empty where judging took too long, which bans the text as well."""


@dataclass(frozen=True, slots=True)
class PhraseFilter:
    """All phrases of a setting."""

    phrases: tuple[BannedPhrase, ...] = ()
    whole_words: bool = False
    """Whether a phrase must stand between words' ends (`WORD_MATCH`); else any part of the text counts."""

    async def find(self, text: str, language: str) -> PhraseFinding | None:
        """What bans a text in a conversation of that language; None where nothing does."""
        banned = tuple(dict.fromkeys(each.text for each in self.phrases if _holds(each, language) if each.text.strip()))
        matching = Matching.WORDS if self.whole_words else Matching.SIMPLE
        match await Phrases(matching, banned, without_marks=False).judge(text):
            case GuardrailVerdict.FREE:
                return None
            case GuardrailVerdict.BANNED:
                return PhraseFinding(await _first(banned, matching, text))
            case GuardrailVerdict.NOT_JUDGED:
                return PhraseFinding("")


NOTHING_BANNED = PhraseFilter()


async def _first(phrases: Sequence[str], matching: Matching, text: str) -> str:
    """The first phrase that is in the text, by halves: one of them is."""
    while len(phrases) > 1:
        half = phrases[: len(phrases) // 2]
        verdict = await Phrases(matching, half, without_marks=False).judge(text)
        if verdict is GuardrailVerdict.NOT_JUDGED:
            return ""
        phrases = half if verdict is GuardrailVerdict.BANNED else phrases[len(half) :]
    return phrases[0]


def _holds(phrase: BannedPhrase, language: str) -> bool:
    """Whether a phrase holds for a language: `pt` for `pt-BR`, too, but not `pt-PT`."""
    if not phrase.language or not language:
        return True
    mine, theirs = phrase.language.lower().replace("_", "-"), language.lower().replace("_", "-")
    return mine == theirs or mine == primary_subtag(theirs)
