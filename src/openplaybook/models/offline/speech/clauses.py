"""An utterance cut into clauses, each with what it does."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from openplaybook.models.offline.language.lexicon import word_set
from openplaybook.models.offline.language.small_talk import kind_of
from openplaybook.models.offline.language.tokenizer import Reading, WordToken, plain, without_quotes
from openplaybook.models.offline.speech.forces import Force, force_of
from openplaybook.models.offline.speech.withdrawals import (
    Withdrawal,
    denies_doing,
    knows_not,
    may_withdraw,
    withdrawal_in,
)

_BREAK = re.compile(
    r"[.!?;…]+(?=\s|$|[\"'”»)])|[。！？；，、：]+|[,:](?=\s|$)|\n+|\s[-–—]+\s|—"
    r"|\s(?=(?:but|because|cause|however|although|though|so|aber|sondern|denn|weil|pero|porque|sino|mais"
    r"|parce qu[e']|puisque|donc)\s)"
    r"|\s(?=(?:if|unless|falls|wenn|sofern|a menos que)\s)"
)
_AND = re.compile(r"\s(?=(?:and|und|y|e|et|then|dann|luego|puis)\s)")
_LINK = re.compile(
    r"(?:(?:and|und|y|e|et|then|dann|luego|puis|also|instead|please|bitte|but|aber|pero|mais|so|stattdessen|lieber"
    r"|just|now)\s+){1,12}"
)
"""A few of them: looked for at each "and", a text of nothing else would take the square of its length."""
_TAG = re.compile(
    r"[\W_]*(?:ok|okay|o\.k|right|please|can you|could you|will you|would you|would that work|alright|all right"
    r"|correct|yes|bitte|ja|"
    r"stimmt's|verdad|vale|no|si|d'accord|s'il (?:te|vous) plait|n'est-ce pas|oui|por favor|gell|oder"
    r"|if you (?:can|could|would|please)|"
    r"if (?:that'?s |it'?s )?(?:ok|okay|possible|fine|alright)(?: with you)?|wenn (?:es )?(?:geht|moglich)"
    r"|si es posible|si possible|"
    r"(?:thanks|thank you|danke|gracias|merci)(?: \w+){0,2}|hi|hello|hey|hallo|hola|bonjour|well|oh|so|ah|um|uh"
    r"|hmm|ach|also|actually|sorry|wait|no wait)[\W_]*"
)


def _withdrawal(bare: str, words: str) -> tuple[Withdrawal, int] | None:
    for variant in dict.fromkeys((bare, words.strip(" ,.;:-"), _INTERJECTION.sub("", bare))):
        withdrawal = withdrawal_in(variant)
        if withdrawal is not None:
            return withdrawal
    return None


def _kind_of(words: str) -> str:
    bare = _INTERJECTION.sub("", words)
    return kind_of(words) or (kind_of(bare) if bare != words else "")


_SHORT = 7
"""Words of a denial that is no more than that."""
_INTERJECTION = re.compile(
    r"^(?:[\W_]*(?:hmm+|hm|oh|uh|um|ah|ach|well|wait|actually|na|nun|tja|bueno|pues|ay|ben|euh|eh|ok|okay|so|also"
    r"|sorry|please|bitte)\b)+|"
    r"(?:\W+(?:please|bitte|thanks|thank you|danke|gracias|merci|sorry|s'il (?:te|vous) plait|por favor|actually"
    r"|then|dann|wirklich|doch)){1,12}\W*$"
)
_WAITS = re.compile(
    r"[\W_]*(?:wait|hold on|one (?:moment|second|sec)|just a (?:moment|second|sec)|hang on|moment(?: mal)?"
    r"|warte(?:n sie)?(?: mal)?|espera|un momento|attends|attendez|un instant"
    r"|let me (?:think|check|see)|hm+|um+|uh+)[\W_]*"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of an utterance that does one thing."""

    start: int
    """Offset in the utterance, in characters."""
    end: int
    force: Force
    kind: str
    """Kind of small talk that all of it is, such as `yes`; else empty."""
    withdraws: Withdrawal | None
    rest: int
    """Where what is said after a withdrawal begins; the end where there is none."""
    is_tag: bool
    """Only asks for agreement or is polite: "ok?", "please"."""
    knows_not: bool
    """Says that one does not know."""
    is_question: bool
    """Has the form of a question, or a question mark behind."""


def clauses_of(reading: Reading, languages: Collection[str], acts: Collection[str]) -> tuple[Clause, ...]:
    """The clauses of an utterance in order. `acts`: keys of what an agent can do; "and" before one begins a clause."""
    text = without_quotes(plain(reading.text))
    breaks = [(0, 0), *((match.start(), match.end()) for match in _BREAK.finditer(text))]
    breaks += [(place, place) for place in _joints(text, reading, acts)]
    breaks.sort()
    ends = [*(start for start, _ in breaks[1:]), len(text)]
    clauses: list[Clause] = []
    for (mark, start), end in zip(breaks, ends, strict=True):
        del mark
        if any(map(str.isalnum, text[start:end])):
            clauses.append(_clause(text, start, end, languages))
    sentences = _sentences(clauses, text)
    asking = Counter(sentence for clause, sentence in zip(clauses, sentences, strict=True) if clause.force in _ASKING)
    return tuple(_within(clauses, number, text, asking[sentences[number]]) for number in range(len(clauses)))


def _sentences(clauses: Sequence[Clause], text: str) -> list[int]:
    """The number of the sentence that each clause belongs to."""
    numbers = [0] if clauses else []
    for before, clause in pairwise(clauses):
        numbers.append(numbers[-1] + bool(_STOP.search(text, before.end, clause.start)))
    return numbers


def _within(clauses: Sequence[Clause], number: int, text: str, asking: int) -> Clause:
    """A clause that names a condition, as part of its sentence: of a question it only supposes.

    `asking`: how many clauses of its sentence ask.
    """
    clause = clauses[number]
    if number and _ASKS_IF.search(text, clauses[number - 1].start, clauses[number - 1].end):
        return replace(clause, force=Force.QUESTION)
    if not _IF.match(text, clause.start, clause.end):
        return clause
    asks = asking > (clause.force in _ASKING)
    return replace(clause, force=Force.SUPPOSED if asks or clause.force is Force.SUPPOSED else Force.CONDITIONAL)


_ASKING = (Force.QUESTION, Force.SUPPOSED)
_ASKS_IF = re.compile(
    r"\b(?:ask|asked|asking|wonder|wondered|wondering|know|knew|tell|tell me|see|check|find out|unsure)\s*$"
)
_IF = re.compile(r"[\W_]*(?:if|unless|falls|wenn|sofern|si|s'il(?! (?:te|vous) plait)|a menos que|a moins)\s")
_STOP = re.compile(r"[.!?;\n](?:\s|$)|[。！？；]")


def _joints(text: str, reading: Reading, acts: Collection[str]) -> Iterator[int]:
    """Where "and" goes on with another thing to do, not with another thing to do it to."""
    for match in _AND.finditer(text):
        link = _LINK.match(text, match.end())
        following = reading.words_from(link.end() if link else match.end(), 1)
        if following and _is_act(following[0], acts):
            yield match.start()


def _is_act(token: WordToken, acts: Collection[str]) -> bool:
    return token.key in acts or plain(token.text) in _OTHER_ACTS


_OTHER_ACTS = word_set(
    """forget leave keep never don't dont do tell what when where how is are has give get let stop ignore
    can could vergiss lass lassen behalte behalten sag was wann wo wie ist kannst konnen zeig olvida
    olvidalo dejalo deja dime que cuando donde como puedes oublie oubliez laisse laissez dis garde
    gardez"""
)


def _clause(text: str, start: int, end: int, languages: Collection[str]) -> Clause:
    words = text[start:end]
    link = _LINK.match(words.lstrip(" ,.;:-"))
    bare = words.lstrip(" ,.;:-")[link.end() if link else 0 :].strip()
    is_marked = text[end : end + 1] in ("?", "？") or "¿" in words
    is_tag = _TAG.fullmatch(words) is not None
    withdrawal = None if is_marked else _withdrawal(bare, words)
    force = Force.PLAIN if is_tag else force_of(bare, languages, is_marked=is_marked)
    if (
        withdrawal is None
        and force is Force.DENIED
        and not is_marked
        and denies_doing(bare)
        and len(bare.split()) <= _SHORT
    ):
        withdrawal = Withdrawal.UNDER_WAY, len(bare)
    if force is Force.PLAIN and withdrawal is None and may_withdraw(bare):
        force = Force.TENTATIVE
    rest = end
    if withdrawal is not None:
        rest = min(end, start + words.find(bare) + withdrawal[1])
    return Clause(
        start=start,
        end=end,
        force=force,
        kind=_kind_of(words),
        withdraws=withdrawal[0] if withdrawal else None,
        rest=rest,
        is_tag=is_tag or _WAITS.fullmatch(words) is not None,
        knows_not=knows_not(bare),
        is_question=force in (Force.QUESTION, Force.SUPPOSED) or (is_marked and not is_tag),
    )
