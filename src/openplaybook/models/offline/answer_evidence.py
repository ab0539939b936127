"""Whether what a user says to a question of ours is an answer: a value, and no more than words that go with one."""

from collections.abc import Sequence
from decimal import Decimal

from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.language.lexicon import NEGATIONS, word_set
from openplaybook.models.offline.language.tokenizer import WordToken, plain
from openplaybook.models.offline.short_answers import takes_sentences
from openplaybook.models.offline.slots.proposals import Proposal, RecognisedWords
from openplaybook.models.offline.slots.slot_schema import Slot
from openplaybook.models.offline.spans.typed_span import SpanKind
from openplaybook.models.offline.speech.speech_acts import SpeechActs

_LONGEST_SURE, _LONGEST_REASON = 6, 12
"""Words of an answer."""


def is_bare(book: Book, proposal: Proposal, others: Sequence[Proposal], words: RecognisedWords) -> bool:
    """Whether an answer is a value and no more than words that go with one: "I have 3 orders" is no order's number."""
    places = [place for one in others for place in one.places]
    return not _is_odd(proposal, words) and all(
        is_in(token, places) or any(_goes_with(token, book, one) for one in others) for token in words.reading.words
    )


def _is_odd(proposal: Proposal, words: RecognisedWords) -> bool:
    """Whether a quantity is nothing, less than that, or a part of something: few mean that, some mistype."""
    if proposal.slot.is_identifier or proposal.slot.type not in ("integer", "number"):
        return False
    is_part = any(words.reading.text[end:].lstrip().startswith("%") for _, end in proposal.places)
    return is_part or (isinstance(proposal.value, int | float | Decimal) and proposal.value <= 0)


def _goes_with(token: WordToken, book: Book, proposal: Proposal) -> bool:
    """Whether a word beside a value says no more than which one it is: "order 1002", "4 people", "at 7"."""
    slot, word = proposal.slot, plain(token.text)
    if word in _WITH_A_VALUE or word in _prepositions(slot):
        return True
    if not slot.is_identifier:
        return token.key in slot.name_keys or token.key in slot.cue_keys
    own = token.key in book.vocabulary or token.key in slot.name_keys or token.key in slot.cue_keys
    is_plural = token.text.casefold().endswith("s") and token.key != token.text.casefold()
    return own and token.start < proposal.start and not is_plural


def _prepositions(slot: Slot) -> frozenset[str]:
    """Those that tell nothing but that a value of this kind follows."""
    if slot.schema.get("format") in ("date", "date-time", "time"):
        return _AT_A_TIME
    if slot.type in ("integer", "number"):
        return frozenset() if slot.is_identifier else _SO_MANY
    return _TO if slot.type == "string" and not slot.is_identifier else frozenset()


_BEGINS = ("To", "Nach")
"""Before a place these are no part of its name, however they are written."""
_AT_A_TIME = word_set("on at for am um fur el la las a para le pour")
_SO_MANY = word_set("for fur para pour")
_TO = word_set("to nach a")
_WITH_A_VALUE = word_set(
    """the a an my our his her its it it's is that's number no nr please pls kindly ok okay yes yeah yep sure thanks
    thank you then id o'clock i'm hello hi

    der die das den dem ein eine einen mein meine meinen meiner es ist nummer bitte ja gern gerne danke dann hallo uhr

    el la un una mi mis es numero por favor si vale gracias entonces hola

    le l une mon ma c'est s'il vous te plait svp oui merci alors bonjour"""
)


def is_evident(book: Book, proposal: Proposal, words: RecognisedWords, speech: SpeechActs) -> bool:
    """Whether an answer of any words is one. Others are said to win time, or to say no: "let me think", "wrong one"."""
    reading = words.reading
    plain_words = [plain(token.text) for token in reading.words]
    quoted = [(span.start, span.end) for span in words.spans if span.kind is SpanKind.QUOTED]
    if (
        any(plain(token.text) in _ASIDE and not is_in(token, quoted) for token in reading.words)
        or any(token.text.casefold() in _HEDGES for token in reading.words)
        or any(clause.kind for clause in speech.clauses)
    ):
        return False
    if proposal.source == "short_answer":
        return _is_short_evident(proposal, words, plain_words)
    return is_bare(book, proposal, (proposal,), words) and not _is_cut(proposal, words)


def _is_cut(proposal: Proposal, words: RecognisedWords) -> bool:
    """Whether a word beside a value may be a part of it: "La Paz", "Nguyen Van An"."""
    ends = {end for _, end in proposal.places} | {start for start, _ in proposal.places}
    return any(
        token.text[:1].isupper() and token.text not in _BEGINS and not is_in(token, proposal.places)
        for token in words.reading.words
        if any(abs(end - token.start) <= 1 or abs(end - token.end) <= 1 for end in ends)
    )


def _is_short_evident(proposal: Proposal, words: RecognisedWords, plain_words: Sequence[str]) -> bool:
    if not plain_words or " ".join(plain_words) in _NO_ANSWERS:
        return False
    if plain_words[:1] and plain_words[0] in _CAUSES and plain_words[1:2] != ["fin"]:  # "por fin": at last
        return len(plain_words) <= _LONGEST_REASON
    is_sentence = takes_sentences(proposal.slot)
    if is_sentence and (plain_words[-1] in _CAME or any(word in _SETTLED for word in plain_words)):
        return False
    if not is_sentence and any(span.kind in _WHEN for span in words.spans):
        return False
    within = [token.text for token in words.reading.words if is_in(token, proposal.places)]
    if any(plain(word) in (_PERSONS if is_sentence else _NO_NAMES) for word in within):
        return False
    # What a name or a place is, nobody can list; written small, it may be anything.
    return len(plain_words) <= _LONGEST_SURE and (is_sentence or all(map(_is_like_a_name, within)))


_SETTLED = word_set(
    """solved resolved fixed sorted settled works working finally last

    gelost behoben funktioniert geht erledigt endlich doch

    resuelto solucionado arreglado funciona fin finalmente ya

    resolu regle repare fonctionne marche enfin finalement"""
)
_CAME = word_set(
    """came come arrived appeared back here there today yesterday

    angekommen gekommen aufgetaucht da hier heute gestern

    llego llegado aparecio aqui hoy ayer

    arrive arrivee arriver venu venue la hier"""
)
"""Words, the last of an answer, by which what was complained of may be over: "it came at last" is hardly a reason."""


def _is_like_a_name(word: str) -> bool:
    return word[:1].isupper() or any(map(str.isdigit, word)) or plain(word) in _PARTICLES


_PARTICLES = word_set("de del der van von den la las los le el of the and und y et da do dos du di")


_CAUSES = word_set("because since cause due weil da wegen denn porque por parce car puisque")
_NO_ANSWERS = (
    _CAUSES
    | word_set("well so and weiter los sigue y bueno continuez alors")
    | {"come on", "just because", "na los", "los jetzt", "na und", "porque si", "eh bien", "parce que"}
)
"""Answers that give none."""
_ASIDE = word_set(
    """wait sec second seconds moment minute think thinking skip pass ask asking talk speak human person agent
    operator someone somebody else oops ups oups haha lol hm hmm uh um uhm fine guess same again let wrong
    mistake mistaken reflection later hold one's business care whatever own tell told say said know dunno thought
    oh ah ach huh eh hurry sorry pardon excuse choose

    warte warten denken uberlegen uberlege nachdenken fragen frage falsche falsches falscher falsch passt
    spater erst mensch mitarbeiter egal sekunde augenblick moment irrtum versehen mach machs beeil gesagt
    entschuldigung verzeihung

    espera momento segundo pensar pienso pensarlo preguntar preguntarle humano persona equivoque equivocado
    equivocada luego despues rato haz hazlo vamos perdon perdona disculpa disculpe elige dije venga

    attends attendez attendre instant seconde penser reflechir reflechis demander humain personne mauvais
    mauvaise trompe trompee tard erreur donc fais faites allez desole desolee choisis choisissez"""
)
"""Words of answers that may be none, without accents."""

_WHEN = (SpanKind.DATE, SpanKind.TIME)
"""What is no answer to a question for a name or a place."""

_ADDRESSED = word_set("you your du dir dich dein usted vous toi ton votre do just go ahead")
"""Words for who is spoken to, and what it is told to do."""

_PERSONS = _ADDRESSED | word_set("i i'd i'll i'm i've ich ich's je j'ai j'y yo")
"""Who speaks of himself may say what he does, not why: "I'll call them", "je viens"."""

_NO_NAMES = _PERSONS | word_set(
    """me we us my usual always somewhere anywhere mich mir wir uns schnell immer ublich irgendwo irgendwohin
    nosotros rapido siempre moi nous vite habitude d'habitude"""
)
"""Words that a reason may have, but hardly a name or a place."""


_HEDGES = NEGATIONS | word_set(
    """that this those these everything nothing request das dies alles nichts eso esto todo nada ça ca cela
    tout rien pas plus or oder o ou maybe perhaps vielleicht quizá quizás tal peut-être something
    anything whatever either any"""
)


def is_in(token: WordToken, places: Sequence[tuple[int, int]]) -> bool:
    """Whether a word stands in one of these places."""
    return any(start <= token.start < end for start, end in places)
