"""Taking something back: "never mind", "lass mal", "mejor no", "laisse tomber". Written without accents."""

import re
from enum import Enum


class Withdrawal(Enum):
    """How plainly somebody takes something back."""

    PLAIN = "PLAIN"
    """Whatever was said before: "never mind"."""
    UNDER_WAY = "UNDER_WAY"
    """Only where something is under way, since alone it could be meant otherwise: "keep it"."""
    CHANGED_MIND = "CHANGED_MIND"
    """What is under way; beside a request it may as well be its reason: "I changed my mind"."""


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-])(?:{'|'.join(phrases)})(?![\w'-])")


_THING = r"(?:it|that|this|them|those|everything|all of it|the whole thing)"
_PLAIN = _any(
    r"never ?mind(?: (?:about )?(?:the|my|that) \w+)?",
    rf"(?<!don't )(?<!not )forget (?:about )?(?:{_THING}|the \w+|my \w+|order|what i said|i (?:said|asked))",
    rf"(?:drop|scrap|scratch|skip|ditch|abandon) {_THING}",
    rf"call {_THING} off|call off the \w+",
    r"(?:on|upon) second thoughts?,? no(?:t)?|(?:actually|please|rather|no),? don't(?: bother)?$|don't bother",
    r"let'?s not|i'?(?:d| would) rather not|i'?ll pass|(?:no,? )?better not|rather not|that won't be necessary",
    r"no need(?: for (?:that|it))?(?: anymore| any more)?$|not necessary(?: anymore| any more)?$",
    rf"take {_THING} back|(?:disregard|ignore) (?:{_THING}|me|my \w+|the \w+|what i said)|withdraw (?:{_THING}"
    rf"|my \w+|the request)",
    r"(?:nothing|no action) (?:is )?(?:needed|necessary|required)|do nothing",
    # German
    r"vergiss (?:es|das|sie|ihn|die \w+|den \w+)|vergessen sie (?:es|das|die \w+)|(?:das|es) (?:kannst du"
    r"|konnen sie) vergessen",
    r"lass (?:es|das|mal|gut sein|stecken|sein)(?: (?:sein|bleiben|gut sein|mal|doch|lieber|einfach))*"
    r"|lassen (?:sie|wir) (?:es|das)(?: (?:sein|bleiben|lieber|gut sein))*",
    r"(?:dann |also |ach |ach nein |nein )?(?:doch|dann|lieber|besser)(?: (?:doch|lieber|besser"
    r"|dann))? nicht(?: mehr)?$|(?:dann )?lieber (?:doch )?nicht|doch lieber nicht|besser nicht",
    r"hat sich erledigt|hat sich schon erledigt|(?:nehme|nehmen|ziehe|ziehen) (?:das|es|die \w+|meine \w+"
    r"|alles)?(?: wieder)? ?zuruck|(?:brich|brechen sie) (?:das|es|alles)? ?ab|alles (?:so )?(?:lassen|beim alten)"
    r"|kommando zuruck|nicht (?:mehr )?notig|schon gut$|sein lassen|bleiben lassen",
    # Spanish
    r"olvida(?:lo|te|dlo|los|la)|olvide(?:lo|se)|olvida (?:eso|esto|el \w+|la \w+)|de(?:ja|je)(?:lo|la|los|las"
    r"|moslo)|deja (?:eso|estar)",
    r"mejor no|(?:al final|pensandolo bien|en realidad|bueno|no|entonces),? (?:mejor )?no$|no hace falta"
    r"|no es necesario|da igual$|(?:cancela|anula|borra) (?:eso|esto|mi solicitud)|deja(?:lo)? todo(?: como esta)?"
    r"|no lo hagas|no lo haga|ya no$",
    # French
    r"laisse(?:z)? tomber|laisse(?:z)?[- ](?:ca|le|la)?(?: comme ca)?$|oublie(?:z)?[- ](?:ca|le|la|cela"
    r"|tout(?: ca)?|l[ae] \w+|ma \w+|mon \w+)",
    r"(?:finalement|en fait|tout compte fait|non|plutot),? (?:non|pas)$|finalement,? non|mieux vaut pas"
    r"|(?:ce n'est |c'est )?pas la peine|pas necessaire|tant pis|je renonce|j'abandonne|plus besoin"
    r"|annule(?:z)? (?:ca|cela|tout|ma demande)|laisse(?:z)? (?:tout )?comme ca|ce ne sera pas necessaire",
    # Portuguese
    r"deix[ae] (?:isso )?(?:pra|para) la|esque[cç](?:e|a)(?: (?:isso|tudo))?|melhor nao|pensando bem,? nao|desisto"
    r"|nao (?:e|sera) (?:mais )?(?:necessario|preciso)|nao precisa(?: mais)?$|(?:cancela|cancele|anula) (?:isso|tudo)$"
    r"|nao fa[cz]a (?:isso|nada)|deix[ae] (?:assim|como esta)",
    # Italian
    r"lasci[ai]?(?:mo)? (?:stare|perdere)|meglio (?:di )?no(?:n)?$|come non detto|non importa$|dimentic[ah]i?(?:lo)?$"
    r"|(?:ripensandoci|alla fine|anzi),? no$|non (?:serve|occorre)(?: piu)?$|annull[ai] (?:tutto|la richiesta)$"
    r"|non farlo|non lo faccia|lasci[ai]? (?:tutto )?cosi",
)
_EASTERN = re.compile(
    r"やっぱり(?:いい|やめ|結構|なし)|(?:^|[はをも、])やめ(?:て|ます|る|とき|たい)|なかったことに|忘れて(?!は)"
    r"|取りやめ|なんでもない|그만(?:해|둘|두|$)|됐어요$|잊어|없던 (?:일|걸)로|하지 (?:마|말)|안 (?:할래|할게)"
    r"|그냥 (?:둬|두|놔)|마음이 바뀌"
)
"""Whatever was said before, in Japanese and Korean."""
_UNDER_WAY = _any(
    r"(?:please |just |i'?ll |i will |i(?:'d| would) (?:like|prefer|rather) to |i want to |let me |let'?s "
    r"|no ){0,6}keep (?:it|that|this|them|those|my \w+|the \w+|both)",
    r"(?:just |please ){0,6}leave (?:it|that|this|them|everything|things)(?: (?:be|alone|as (?:it|they|is|are).*"
    r"|like (?:that|this)|there))*",
    r"let (?:it|that) be|let it go|hold (?:it|off|that)(?: on (?:it|that|this))?|not (?:now|today|yet|anymore"
    r"|any more|any longer|really|after all|at all)$|maybe not|no longer (?:needed|necessary|required|relevant"
    r"|interested)|some other time",
    r"i (?:do not|don't|dont) (?:want|wanna|wish)(?: (?:to|it|that|this))?(?: (?:do|done))?(?: (?:it|that|this"
    r"|so))?(?: (?:please|now|then|after all))?$",
    r"(?:please )?(?:do not|don't|dont)(?: (?:do|cancel|change|send|make|book|proceed|continue|go ahead|touch"
    r"|delete|submit)(?: (?:it|that|this|them|so|anything))?)?$",
    r"(?:stop|abort|undo) (?:it|that|this|right there|everything)$|cancel (?:that|this|the request|my request)$",
    # German
    r"behalt(?:e|en)?\b.*|(?:ich |wir )?(?:will|mochte|wollen|wurde)\b.{0,200} behalten|so lassen"
    r"|bleibt? (?:es )?(?:dabei|so|wie es ist)|(?:soll|lass|lassen|lasse)\b.{0,200} (?:so|bleiben|bestehen"
    r"|wie (?:es|sie|er) ist)",
    r"(?:ich )?(?:mochte|will|wollte) (?:das|es|sie|ihn|die|den)?(?: \w+)? ?(?:doch |dann "
    r"|lieber )*nicht(?: mehr)?$|nicht mehr$|nicht (?:jetzt|heute|wirklich)$|(?:jetzt|heute) nicht$|kein interesse"
    r"|nichts (?:tun|machen)|(?:dann )?(?:eben )?nicht$|vielleicht (?:spater|nicht)|spater vielleicht",
    r"bitte nicht$|tu(?:n sie)? (?:es|das) nicht|mach(?:en sie)? (?:es|das) (?:bitte |doch |lieber )?nicht",
    # Spanish
    r"(?:lo|la|los|las) (?:dejo|dejamos|conservo|mantengo)(?: (?:como esta|asi))?|(?:quiero|prefiero) (?:conservar"
    r"|mantener|quedarme|dejar)\w*.*|(?:me )?(?:lo|la) quedo|me quedo con \w+.*|(?:mantenlo|mantenla|quedatelo"
    r"|conservalo|conservala)|no quiero(?: (?:eso|nada|hacerlo|mas|seguir|continuar))?$|ya no lo quiero"
    r"|prefiero (?:que )?no|ahora no|hoy no|quiza(?:s)? (?:mas tarde|luego|no)|tal vez (?:luego|no)|no importa$"
    r"|no lo (?:canceles|cambies|envies|borres|mandes|haga)",
    # French
    r"gard(?:e|ez|ons|er)[- ](?:la|le|les|ca|tout|mon \w+|ma \w+|l[ae] \w+)|je (?:la |le |les )?garde(?: .*)?"
    r"|je prefere (?:l[ae] |les )?(?:garder|ne pas|pas)(?: .*)?|laisse(?:z)?[- ](?:la|le|les|tout)\b.*"
    r"|je (?:ne )?(?:veux|souhaite|voudrais) (?:plus|pas)(?: (?:ca|le faire|continuer))?$|pas maintenant"
    r"|pas aujourd'hui|plus tard peut-etre|peut-etre plus tard|arrete(?:z)?(?: (?:tout|ca))?$|ne (?:le |la "
    r"|l')?fai(?:s|tes) pas|peu importe$",
)
_ALONE = re.compile(
    r"(?:please |no |nein |non )?(?:stop|abort|undo|cancel|on second thoughts?|(?:maybe )?(?:later|another time)"
    r"|egal|abbrechen|abbruch|stopp|halt|spater|erledigt"
    r"|para|pensandolo bien|al final|luego|mas tarde|cancelar|detente|finalement|plus tard|annuler|non merci"
    r"|laisse(?:z)?|arrete(?:z)?|nicht)"
)
"""Words that take something back where they are all that is said."""
_CHANGED_MIND = _any(
    r"(?:i(?:'ve| have)? )?(?:have )?changed my mind|change of mind|i(?:'ve| have)? (?:decided|chosen) (?:not to"
    r"|against).*|(?:i )?no longer (?:want|wish).*|(?:i )?(?:do not|don't|dont) want (?:it|that|this"
    r"|to)(?: \w+){0,3} (?:anymore|any more|any longer)",
    r"(?:es |mir |mich |ich )*anders (?:uberlegt|entschieden)|umentschieden|doch anders",
    r"(?:he |hemos )?cambi(?:ado|e) de (?:opinion|idea|parecer)|me (?:he )?arrepenti(?:do)?",
    r"(?:j'ai |on a )?change d'(?:avis|idee)|je (?:ne )?veux plus(?: .*)?",
    r"(?:eu )?mudei de (?:ideia|opiniao)|nao quero mais(?: .*)?|(?:ho )?cambiato idea"
    r"|non (?:lo |la )?voglio piu(?: .*)?",
)
_DOING = _any(
    r"do|want|wish|proceed|continue|go on|go ahead|like to|mach\w*|tun?|tust?|will|mochte|wollen|weitermachen"
    r"|fortfahren",
    r"hag\w*|hacer\w*|quier\w*|sig\w*|prefier\w*|deseo|continu\w*|fai(?:s|tes|re)|veux|voulons|voudrais|prefere"
    r"|souhaite|fa[cz]a|fazer|quero|queremos|continu\w*|prossig\w*|far(?:e|lo)|faccia|voglio|vorrei|proced\w*",
)
_FILLERS = re.compile(
    r"(?:[\W_]+(?:please|then|instead|after all|for now|anyway|thanks|thank you|now|ok|okay|just|actually|alone"
    r"|though|today"
    r"|as (?:it|they) (?:is|are|was|were)|the way (?:it|they) (?:is|are)|bitte|doch|lieber|mehr|daran|dann|danke"
    r"|einfach|jetzt|so|mal"
    r"|por favor|entonces|gracias|mejor|asi|como esta|alors|merci|plutot|finalement|comme ca|s'il (?:te"
    r"|vous) plait))*[\W_]*"
)
_KNOWS_NOT = _any(
    r"(?:i )?(?:do not|don't|dont) (?:know|remember|recall|have (?:it|one|that))\b.*|(?:i have )?no idea"
    r"|(?:i'?m )?not sure|no clue|dunno|not certain",
    r"(?:ich )?wei(?:ß|ss) (?:ich |es |das )?(?:leider |gerade )?nicht\b.*|keine ahnung|bin (?:mir )?nicht sicher"
    r"|(?:hab|habe) ich nicht|kenne ich nicht",
    r"no (?:lo )?(?:se|recuerdo|estoy segur[oa])|ni idea|no tengo (?:ni )?idea",
    r"je (?:ne )?(?:sais|m'en souviens) (?:pas|plus)|aucune idee|pas sur",
    r"(?:eu )?nao (?:sei|lembro|me lembro|tenho (?:certeza|ideia))|non (?:lo )?(?:so|ricordo)|non ne ho idea",
    r"(?:わかりません|分かりません|知りません|覚えていません|わからない"
    r"|몰라요?|모르겠(?:어요|습니다)|기억이? 안 나요?)",
)


def withdrawal_in(clause: str) -> tuple[Withdrawal, int] | None:
    """How a plain clause takes something back, and where in it the words for it end; None when it does not."""
    for kind, pattern in (
        (Withdrawal.PLAIN, _PLAIN),
        (Withdrawal.PLAIN, _EASTERN),
        (Withdrawal.CHANGED_MIND, _CHANGED_MIND),
    ):
        ends = [match.end() for match in pattern.finditer(clause)]
        if ends:
            return kind, ends[-1]
    match = _UNDER_WAY.search(clause) or _ALONE.match(clause)
    return (Withdrawal.UNDER_WAY, match.end()) if match and _FILLERS.fullmatch(clause, match.end()) else None


def denies_doing(clause: str) -> bool:
    """Whether a plain clause that denies something says that nothing be done, or wanted."""
    return _DOING.search(clause) is not None


def may_withdraw(clause: str) -> bool:
    """Whether a plain clause has words that take something back among others: "keep it cool"."""
    return _UNDER_WAY.search(clause) is not None


def knows_not(clause: str) -> bool:
    """Whether a plain clause says that one does not know."""
    return _KNOWS_NOT.search(clause) is not None
