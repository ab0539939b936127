"""Whether the user asked for what a function does: by its own words, or by an example's.

A request consists of words of the function and its values, and the few with which anybody asks. Any other word may turn
it into something else, in more ways than can be listed: "I was told to cancel it", "it would be wrong to", "just
kidding". So what has one is read back before it is done.
"""

import re
from collections.abc import Sequence
from enum import Enum
from types import MappingProxyType

from openplaybook.models.base import Effect
from openplaybook.models.offline.candidates import Candidate
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.language.lexicon import LOOKING, NEGATIONS, word_set
from openplaybook.models.offline.language.small_talk import CANCEL, NO, kind_of
from openplaybook.models.offline.language.tokenizer import Reading, WordToken, fold, plain
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.speech.clauses import Clause
from openplaybook.models.offline.speech.forces import Force
from openplaybook.models.offline.speech.withdrawals import Withdrawal

_LIKE_AN_EXAMPLE = 0.6
_NEAR, _ABOUT = 0.05, 0.1
_NO = frozenset((Force.QUESTION, Force.SUPPOSED, Force.DENIED, Force.REPORTED))
_NOT_ASKED = frozenset((Force.SUPPOSED, Force.DENIED))
_HALF = frozenset((Force.TENTATIVE, Force.CONDITIONAL))
_SELF = word_set(
    """eu nos io noi 私 저 제가 i i'm we it it's there my ich wir es mein meine je j' nous c'est yo ya me lo la mi"""
)


class Consent(Enum):
    """What the user's words say about calling a function."""

    GIVEN = "GIVEN"
    UNSURE = "UNSURE"
    """It may be meant: the user is asked before it is called."""
    REFUSED = "REFUSED"
    """It is not asked for: only asked about, denied, supposed or reported."""


def consent_to(situation: Situation, candidate: Candidate) -> Consent:
    """Whether the latest words ask for a candidate. What only reads needs none."""
    book, speech = candidate.book, situation.speech
    if not book.is_careful or _is_an_examples(situation, book):
        return Consent.GIVEN
    acting = speech.with_any(book.acts)
    judged = acting or speech.saying
    is_clients = book.declaration.effect is Effect.CLIENT
    refusing = _NOT_ASKED if is_clients and not acting else _NO
    if any(clause.force in refusing for clause in judged):
        asked_beside = acting and any(clause.force not in refusing for clause in judged)
        return Consent.UNSURE if asked_beside else Consent.REFUSED
    if is_clients and not acting:
        return Consent.GIVEN
    if _is_qualified(speech.saying, judged, situation.words.reading) or situation.is_cut:
        return Consent.UNSURE
    if speech.looking and not book.acts & LOOKING:
        # "Check order 7 first, then cancel it": what is seen may change what is wanted.
        return Consent.UNSURE
    if _has_rival(situation, candidate):
        return Consent.UNSURE
    is_like_example = bool(candidate.example) and candidate.has_word and candidate.score >= _LIKE_AN_EXAMPLE
    is_told_apart = not _speaks_of_another(situation, book) and not _is_as_likely(situation, candidate)
    is_asked = acting or (is_like_example and is_told_apart) or is_clients
    is_more = not is_clients and says_more(situation, candidate)
    return Consent.GIVEN if is_asked and not is_more else Consent.UNSURE


def _is_an_examples(situation: Situation, book: Book) -> bool:
    """Whether the words are those with which an example began to do this, said again."""
    if situation.is_cut or kind_of(situation.text):
        return False  # a "yes" means something only where it answers something
    user_words = fold(situation.words.reading.text)
    return any(fold(sample.reading.text) == user_words for sample in book.samples)


def _is_qualified(saying: Sequence[Clause], judged: Sequence[Clause], reading: Reading) -> bool:
    """Whether a condition, a doubt or a change of mind stands beside what is asked for."""
    for clause in saying:
        if clause.force in _HALF or clause.withdraws is Withdrawal.CHANGED_MIND:
            return True
        words = [word.casefold() for word in reading.text[clause.start : clause.end].strip(" ,;-").split()[:1]]
        if clause.force in _NO and clause not in judged and not _SELF.intersection(words):
            return True
    return False


def _has_rival(situation: Situation, candidate: Candidate) -> bool:
    """Whether another function that changes something is as likely, and asked for by the same clause."""
    clauses = situation.speech.with_any(candidate.book.acts)
    return any(
        other.book is not candidate.book
        and other.book.is_careful
        and other.score >= candidate.score - _NEAR
        and situation.speech.with_any(other.book.acts) == clauses
        for other in situation.candidates
    )


def _is_as_likely(situation: Situation, candidate: Candidate) -> bool:
    """Whether the words are about as like what another function is asked for by: "number 13" says nothing of what to
    do with it."""
    others = (other.score for other in situation.candidates if other.book is not candidate.book)
    return max(others, default=0.0) > candidate.score - _ABOUT


def _speaks_of_another(situation: Situation, book: Book) -> bool:
    """Whether the words have an act of another function, and none of this one."""
    keys = {token.key for token in situation.words.reading.words}
    return bool(keys & (situation.index.acts - book.vocabulary))


_ASKING = word_set(
    """a an the my our your this that these those it its to from of on in at for with by into onto as per via
    under and then please pls kindly now just also i i'd i'll i'm we we'd me us you can could would will
    want wanna like need have has is are be must let let's go ahead sure make hi hello hey dear there good
    morning afternoon evening ok okay yes yeah yep thanks thank so here name named called number id because
    since due again another one new too well reason away right immediately asap today up out off down over
    back em actually instead

    der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner meines unser
    unsere unseren unserem unserer dein deine ihr ihre von vom auf in im an am fur mit zu zum zur aus bei
    beim nach um und dann bitte mal jetzt gleich sofort ich wir mich mir uns du sie kannst konntest konnen
    konnten wurdest wurden will wollen mochte mochten wurde gern gerne brauche brauchen muss mussen noch
    auch einmal hallo guten tag morgen abend ok ja danke es ist lautet namens nummer nr wegen weil grund
    heute ab

    el la los las un una unos unas mi mis tu tus su de del a al en con por para y e luego favor me nos te lo
    quiero queremos quisiera quisieramos querria necesito necesitamos gustaria puedes puede podrias podria
    podeis pueden hola buenos buenas dias tardes noches si vale gracias ahora es que numero nombre porque
    motivo hoy

    le les l un une mon ma mes notre nos du des d au aux en dans par pour avec et puis s'il te vous plait
    svp je j'ai ai voudrais voudrions veux voulons aimerais aimerions souhaite souhaiterais besoin peux
    pouvez pourrais pourriez tu moi nous bonjour salut bonsoir oui merci maintenant est numero nom car
    raison aujourd'hui

    right correct alright all stimmt's verdad d'accord n'est-ce gell

    euro euros eur dollar dollars usd pound pounds gbp franken chf francs"""
)
"""Closed words, without accents, in which one asks for something, says please, or joins a value to its name."""

_ASKING_IN = MappingProxyType(
    {
        "pt": word_set(
            """
            o os um uma uns umas meu minha meus minhas seu sua do da dos das na nas
            num numa ao aos pelo pela pra e entao ola oi bom boa dia tarde noite eu
            voce me quero queria queremos gostaria preciso precisamos pode poderia
            podes sim obrigado obrigada agora hoje numero nome chamado motivo isso
            gentileza
            """
        ),
        "it": word_set(
            """
            il lo i gli l' un' uno mio mia miei mie suo sua del dello della dei
            degli delle nel nella al allo alla ai dal dalla sul sulla con ed allora
            ciao salve buongiorno buonasera io noi mi ci vorrei voglio vogliamo
            vorremmo puoi puo potresti potrebbe bisogno grazie favore adesso ora
            oggi chiamato perche
            """
        ),
        "ja": word_set(
            """
            を は が に で の と も へ から まで や お 願 いします お願いします をお願いします
            ください してください します したい したいです たい です ます さい 下 頂 番 番号 号
            私 今日 いただけますか してもらえますか てください
            """
        ),
        "ko": word_set(
            """
            을 를 은 는 의 에 에서 으로 로 와 과 까지 부터 줘 주세요 해줘 해주세요 부탁해요 부탁드립니다
            부탁합니다 좀 주실래요 주시겠어요 싶어요 싶습니다 싶은데요 저 제 내 제가 번 번호 네 안녕하세요 오늘 하고
            """
        ),
    }
)
"""The same of languages some of whose closed words deny something in another: `no` is "in the" in Portuguese."""

_DEPENDS = re.compile(r"\bzu \w+n\b")
"""An infinitive that depends on what stands before it: "es ist unklug, das zu tun"."""


_KOREAN_VERB = re.compile(r"[\uac00-\ud7af]{2,}?((?:하|해|했|할|합|한|됐|되|돼)[\uac00-\ud7af]*)")
_KOREAN_REQUESTS = word_set(
    "해 해줘 해줘요 해주세요 해주십시오 해주실래요 해주시겠어요 하고 할게요 할래요 하려고요 하겠습니다 하세요"
)
"""Endings of verbs in requests; others deny, suppose or report what the verb says."""


def _is_other_ending(token: WordToken) -> bool:
    match = _KOREAN_VERB.fullmatch(token.text)
    return match is not None and match[1] not in _KOREAN_REQUESTS


def says_more(situation: Situation, candidate: Candidate) -> bool:
    """Whether words stand beside a request that neither it nor its values need."""
    words, book = situation.words, candidate.book
    places = [place for proposal in candidate.proposals for place in proposal.places]
    places += [(span.start, span.end) for span in words.spans]
    own, asking = book.vocabulary | book.parameter_keys, _ASKING_IN.get(words.reading.language, frozenset[str]())

    def is_expected(token: WordToken) -> bool:
        word = plain(token.text)
        if word in _ASKING or word in asking or any(start <= token.start < end for start, end in places):
            return True
        return token.key in own and word not in NEGATIONS and not _is_other_ending(token)

    speech = situation.speech
    if _DEPENDS.search(plain(words.reading.text)):
        return True
    clauses = [clause for clause in speech.clauses if not clause.kind or clause.kind in (NO, CANCEL)]
    return not all(is_expected(token) for clause in clauses for token in speech.tokens(clause))
