"""What a request may consist of: words of the function and its values, and the few with which anybody asks.

Any other word may turn a request into something else, in more ways than can be listed: "I was told to cancel it", "it
would be wrong to", "just kidding". So what has one is read back before it is done.
"""

import re

from openplaybook.models.offline.candidates import Candidate
from openplaybook.models.offline.language.lexicon import NEGATIONS, word_set
from openplaybook.models.offline.language.small_talk import CANCEL, NO
from openplaybook.models.offline.language.tokenizer import WordToken
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.speech.plain import plain

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

_DEPENDS = re.compile(r"\bzu \w+n\b")
"""An infinitive that depends on what stands before it: "es ist unklug, das zu tun"."""


def says_more(situation: Situation, candidate: Candidate) -> bool:
    """Whether words stand beside a request that neither it nor its values need."""
    words, book = situation.words, candidate.book
    places = [place for proposal in candidate.proposals for place in proposal.places]
    places += [(span.start, span.end) for span in words.spans]
    own = book.vocabulary | book.parameter_keys

    def is_expected(token: WordToken) -> bool:
        said = plain(token.text)
        if said in _ASKING or any(start <= token.start < end for start, end in places):
            return True
        return token.key in own and said not in NEGATIONS

    speech = situation.speech
    if _DEPENDS.search(plain(words.reading.text)):
        return True
    said = [clause for clause in speech.clauses if not clause.kind or clause.kind in (NO, CANCEL)]
    return not all(is_expected(token) for clause in said for token in speech.tokens(clause))
