"""Follow-ups that name another thing (`and my dog?`): which words of the question before it they take the place of.

No word is known for what it means. The thing stands in the earlier question where the same article, pronoun or
preposition stands before it; else it is the last word that is written alike: with a capital, or with the same ending.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openplaybook.retrieval.answers.back_references import back_references, openers
from openplaybook.retrieval.language.stop_words import is_stop_word

_WORD = re.compile(r"[^\s?？؟!！.。,，、;\u037e¿¡]+")
_REASONS = frozenset(
    ("why", "why not", "what if", "warum", "por qué", "por que", "pourquoi", "perché", "waarom", "почему", "neden")
) | {"γιατί", "لماذا", "क्यों", "so", "then", "dann", "entonces", "alors", "allora", "então", "dan"}
"""Openers behind which no other thing is named."""
_ASKING_WORDS = """
    what which who whom whose when where why how was welche welcher welches welchen wer wen wem wann wo wohin warum
    wie wieso wieviel viel viele qué cuál cuáles quién cuándo dónde cómo cuánto cuánta cuántos cuántas quoi quel quelle
    quels quelles qui quand où comment combien cosa quale quali chi quando dove come quanto quanta quanti quante qual
    quais quem onde wat welke wie wanneer waar hoe hoeveel что какой какая какие кто когда где как сколько ne hangi kim
    nerede nasıl kaç τι ποιος ποια ποιο πότε πού πώς πόσο ما من متى أين كيف كم क्या कौन कब कहाँ कैसे कितना कितने
    कितनी much many"""
_ASKING = frozenset(_ASKING_WORDS.split())
"""Words of a whole question, which names nothing in place of something else."""
_CIRCUMSTANCES: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": "in at on from to under over near by with without before after during until since within",
        "de": "in im an am aus bei nach seit vor von vom zu zum zur mit ohne unter über während bis",
        "es": "en a al desde hasta con sin bajo durante antes después",
        "fr": "à au aux en dans chez depuis avec sans sous pendant avant après vers",
        "it": "in nel nella nei a al alla da dal con senza sotto durante prima dopo",
        "pt": "em no na nos nas a ao à desde até com sem sob durante antes depois",
        "nl": "in op aan bij naar uit met zonder onder tijdens voor na sinds tot",
        "ru": "в во на с со из от до без под при после через",
        "el": "σε στο στη στην στον στα από με χωρίς μετά πριν",
        "ar": "في إلى على مع قبل بعد منذ حتى بدون",
    }.items()
}
"""Before words that add where, when or with what, where the earlier question has no such word."""
_SAYS_FOR = {"nl": frozenset({"voor"})}
_WITHOUT_ENDINGS = frozenset({"de"})
"""Languages whose nouns are known by their capitals."""
_ENDING = 2
"""Letters of an ending."""
_LONGEST = 4
"""Words of a thing."""
_AUXILIARIES = frozenset(("do", "does", "did", "can", "could", "should", "will", "would", "must", "may"))
"""English words behind which a thing stands before its verb."""
_WITH_ITS_KIND = 2
"""Words that a shorter thing takes the place of in English: `adult cat`. Elsewhere a verb may stand behind it."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A question in which another thing has taken its place."""

    words: tuple[str, ...]
    """Of the question, with those of the follow-up in the place of what was left out."""
    replaced: tuple[str, ...]
    """What was left out; empty where the follow-up says nothing in place of anything."""


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text as they are written, without the signs between them."""
    return tuple(_WORD.findall(text))


def contrasted(follow_up: str, question: Sequence[str], language: str) -> Contrast | None:
    """The words of a question with another thing in them; None where the follow-up names none. `language` is a primary
    subtag."""
    rest = _without_openers(words_of(follow_up), language)
    if rest is None or back_references(language) & {each.lower() for each in rest}:
        return None
    reader = _Reader(language)
    is_whole = any(each.lower() in _ASKING for each in rest)
    thing = reader.last_run(rest) if is_whole else reader.only_run(rest)
    if thing is None:
        return None
    start, end = thing
    place = reader.same_place(rest, thing, question)
    if place is None and not is_whole and not reader.is_circumstance(rest[:start]):
        place = reader.same_shape(rest[start:end], question)
    if place is None:
        return None
    first, last = place
    return Contrast((*question[:first], *rest[start:end], *question[last:]), tuple(question[first:last]))


def _without_openers(words: Sequence[str], language: str) -> Sequence[str] | None:
    """What follows the words that tie a question to the one before; None where there are none."""
    known = {tuple(each.split()) for each in openers(language) if each not in _REASONS}
    rest, is_tied = tuple(words), False
    while True:
        small = tuple(each.lower() for each in rest)
        length = next((n for n in range(min(5, len(rest)), 0, -1) if small[:n] in known), 0)
        if not length:
            return rest if is_tied and rest else None
        rest, is_tied = rest[length:], True


@dataclass(frozen=True, slots=True)
class _Reader:
    """Words of a language."""

    language: str

    def tells(self, word: str) -> bool:
        """Whether a word says what a text is about."""
        return not is_stop_word(word.lower(), self.language)

    def last_run(self, words: Sequence[str]) -> tuple[int, int] | None:
        """The last words next to each other that tell something, first and behind the last; None where there are none
        or many."""
        telling = [at for at, word in enumerate(words) if self.tells(word)]
        if not telling:
            return None
        first = last = telling.pop()
        while telling and telling[-1] == first - 1:
            first = telling.pop()
        return (first, last + 1) if last - first < _LONGEST else None

    def only_run(self, words: Sequence[str]) -> tuple[int, int] | None:
        """The same where these are all the words that tell something."""
        run = self.last_run(words)
        return None if run is None or any(map(self.tells, words[: run[0]])) else run

    def is_circumstance(self, lead: Sequence[str]) -> bool:
        """Whether words before a thing say that it is a place, a time or the like."""
        known = _CIRCUMSTANCES.get(self.language, frozenset()) - _SAYS_FOR.get(self.language, frozenset())
        return any(each.lower() in known for each in lead)

    def same_place(self, rest: Sequence[str], thing: tuple[int, int], words: Sequence[str]) -> tuple[int, int] | None:
        """What stands in a question behind the word that stands before the thing, else before the one behind it."""
        start, end = thing
        asking = [each for each in rest[:start] if each.lower() not in _ASKING]
        for lead in reversed(asking):
            for at in range(len(words) - 1, -1, -1):
                run = self._run_from(words, at + 1) if _are_forms(lead, words[at]) else None
                if run is not None:
                    return self._as_long(run, words, end - start)
        if end < len(rest):
            for at in range(len(words) - 1, 0, -1):
                if words[at].lower() == rest[end].lower() and self.tells(words[at - 1]):
                    return at - 1, at
        return None

    def same_shape(self, thing: Sequence[str], words: Sequence[str]) -> tuple[int, int] | None:
        """The last word of a question that is written as the thing is, else the last one that tells something."""
        telling = [at for at, word in enumerate(words) if self.tells(word)]
        if self.language == "en" and len(telling) > 1 and {"do", "does", "did"} & {each.lower() for each in words}:
            # "do dogs need": what is behind the thing is the verb.
            telling = telling[:-1] if telling[-1] == telling[-2] + 1 == len(words) - 1 else telling
        is_name = thing[-1][:1].isupper()
        if is_name:
            telling = [at for at in telling if words[at][:1].isupper() and at]
        best = max(telling, key=lambda at: (self._likeness(thing[-1], words[at]), at), default=None)
        return None if best is None else (best, best + 1)

    def _likeness(self, one: str, other: str) -> int:
        """How many letters of an ending two words share."""
        if self.language in _WITHOUT_ENDINGS:
            return 0
        if self.language == "en":
            return int(one[-1:].lower() == other[-1:].lower() == "s")
        shared = 0
        while shared < _ENDING and one[-1 - shared :][:1].lower() == other[-1 - shared :][:1].lower() != "":
            shared += 1
        return shared

    def _run_from(self, words: Sequence[str], start: int) -> tuple[int, int] | None:
        """The words that tell something from a place on, behind those that do not."""
        first = next((at for at in range(start, min(len(words), start + 2)) if self.tells(words[at])), None)
        if first is None:
            return None
        end = next((at for at in range(first, len(words)) if not self.tells(words[at])), len(words))
        return first, end

    def _as_long(self, run: tuple[int, int], words: Sequence[str], count: int) -> tuple[int, int]:
        """The part of a run that a thing of so many words takes the place of."""
        first, end = run
        if self.language in _WITHOUT_ENDINGS:
            noun = next((at for at in range(first, end) if words[at][:1].isupper()), first)
            return first, min(end, max(noun + 1, first + count))
        if self.language != "en":
            return first, min(end, first + count)
        # "does a dog eat": what stands last is the verb.
        has_verb = end - first > 1 and first > 1 and words[first - 2].lower() in _AUXILIARIES
        return first, min(end - has_verb, first + max(count, _WITH_ITS_KIND))


def _are_forms(one: str, other: str) -> bool:
    """Whether two small words are the same, but for an ending."""
    left, right = sorted((one.lower(), other.lower()), key=len)
    return left == right or (len(left) >= _ENDING + 1 and right.startswith(left) and len(right) <= len(left) + _ENDING)
