"""What a clause does: asks for something, asks about something, supposes, denies or reports it.

The patterns are the closed words of a language: question words, auxiliaries, negations. Written without accents.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType


class Force(Enum):
    """What saying a clause does."""

    PLAIN = "PLAIN"
    """Asks for what it says, or states it."""
    TENTATIVE = "TENTATIVE"
    """Asks whether it may be done, or for what it says with a question mark behind: "can I cancel it?"."""
    CONDITIONAL = "CONDITIONAL"
    """Says under which condition: "if it has not left"."""
    QUESTION = "QUESTION"
    SUPPOSED = "SUPPOSED"
    """What would be if: "what happens if I cancel it"."""
    DENIED = "DENIED"
    """Says that it is not, or shall not be: "don't cancel it"."""
    REPORTED = "REPORTED"
    """Says that it has been: "I already cancelled it"."""


def _starts(*phrases: str) -> re.Pattern[str]:
    return re.compile(rf"[\W_]*(?:{'|'.join(phrases)})(?!\w)")


def _has(*phrases: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'])(?:{'|'.join(phrases)})(?![\w])")


@dataclass(frozen=True, slots=True)
class Forms:
    """How a language marks what a clause does."""

    asks: re.Pattern[str]
    """Openings of a question, question mark or not."""
    asks_to_know: re.Pattern[str]
    """Requests for nothing but an answer: "tell me whether"."""
    finite: re.Pattern[str]
    """Auxiliaries: with a question mark behind, a clause that has one is a question."""
    polite: re.Pattern[str]
    """Openings of a request in the form of a question: "could you"."""
    tentative: re.Pattern[str]
    supposed: re.Pattern[str]
    conditional: re.Pattern[str]
    denies: re.Pattern[str]
    denies_not: re.Pattern[str]
    """What looks like a denial and asks for it: "don't forget to"."""
    reports: re.Pattern[str]


_EN = Forms(
    asks=_starts(
        r"(?:so |and |but |or |then |also |oh |ok |okay |well |by the way |wait )*(?:what|what's|whats|which|who"
        r"|who's|whom|whose|when|where|where's|why|how|how's|hows|wheres)",
        # "am Freitag" is an answer in German.
        r"(?:so |and |but |or |then |also )*(?:is|are|am (?:i|we)|was|were|has|had|does|did|isn't|aren't|wasn't"
        r"|weren't|hasn't|haven't|doesn't|didn't)",
        r"(?:have|do|don't) (?:you|i|we|they|these|those|any)",
        r"(?:will|would|won't) (?:i|we)",
        r"(?:will|would|can|could|may|might|must|should|won't|wouldn't|can't|couldn't|shouldn't) (?:it|they|he|she"
        r"|this|that|these|those|the|my|there|your|anyone|anybody|someone)",
        r"whether",
        r"any (?:news|update|updates|idea|chance of knowing)",
    ),
    asks_to_know=_has(
        r"(?:tell|let|show|remind) me (?:know )?(?:please )?(?:what|which|who|whom|whose|when|where|why|how|if"
        r"|whether)",
        r"(?:can|could|would|will) you (?:please |kindly )?(?:tell|say|explain|check|see|find out|look up"
        r"|let me know|confirm|show)\b.{0,200}?\b(?:what|which|who|when|where|why|how|if|whether|about)",
        r"(?:like|want|need|love) to know|wonder|wondering|curious|do you know|can i (?:ask|know|see)|may i (?:ask"
        r"|know)|(?:check|see|asked|asking|ask) (?:if|whether)",
    ),
    finite=_has(r"is|are|am|was|were|has|have|had|does|did|do|will|would|isn't|aren't|wasn't|hasn't|it's|that's"),
    polite=_starts(
        r"(?:please |so |and |then |ok |okay |hi |hello )*(?:(?:can|could|would|will) you(?! not)|would you mind"
        r"|do you mind|mind)"
    ),
    tentative=_has(
        r"(?:can|could|may|might|shall|should) (?:i|we)",
        r"(?:can't|couldn't|won't|wouldn't) (?:you|i|we)|(?:is it|would it be|if it'?s) (?:possible|ok|okay"
        r"|alright|all right|fine|allowed)|(?:am i|are we) (?:able|allowed)|(?:maybe|perhaps|possibly|might"
        r"|thinking (?:of|about)|considering|consider|not sure|probably)",
    ),
    supposed=_has(
        r"what (?:happens|would happen|will happen|if)|suppose|supposing|imagine|hypothetically|in theory"
        r"|let's say|assuming|if (?:i|we) (?:were to|had|would|cancelled|canceled|decided|wanted)"
        r"|would(?: have)? happened?",
    ),
    conditional=_has(
        r"if|unless|in case|provided|as long as|once"
        r"|(?:until|till)(?!\s+(?:the\s+|next\s+|this\s+|around\s+)?(?:\w+day|\d|tomorrow|tonight|noon|midnight"
        r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*))|as soon as|when|whenever|except|only when"
        r"|otherwise|or else|should (?:it|he|she|they|the)"
    ),
    denies=_has(
        r"not|don't|dont|doesn't|didn't|won't|can't|cannot|never|without|isn't|aren't|wasn't|hasn't|haven't"
        r"|wouldn't|shouldn't|no longer|nobody|neither|nor|instead of|rather than"
    ),
    denies_not=_has(r"(?:don't|do not|dont|never) forget(?: to)?|why not|why don't you|not only|whether or not|or not"),
    reports=_has(
        r"already|(?:i|we|he|she|they|it|you|somebody|someone|\w+ \w+)(?:'ve|'s|'d| have| has| had| was| were| got"
        r"| just)(?: just| now| been| not)* \w+(?:ed|nt|pt|ht|ent|ade|one|ook|aid)\b",
        r"(?:i|we|he|she|they|you|somebody|someone|my \w+) (?:just |only |also )?(?!need|heed|feed|bleed|speed"
        r"|breed|want|went)\w{2,}(?:ed)",
        r"(?:was|were|been|got|gets|has been|have been|is being) \w+(?:ed|nt|ght|id)|yesterday|last (?:week|month"
        r"|year|night)|\w+ (?:days?|weeks?|months?|years?|hours?) ago",
    ),
)
_DE = Forms(
    asks=_starts(
        r"(?:und |aber |oder |also |dann |sag mal |ubrigens |moment )*(?:was|welche[snmr]?|wer|wem|wen|wessen|wann"
        r"|wo|woher|wohin|warum|wieso|weshalb|weswegen|wie|wieviel|womit|wofur|ob)",
        r"(?:und |aber |oder |dann )*(?:ist|sind|war|waren|hat|hatte|hast|habt|wird|wurde|wurden|werden|gibt|bin"
        r"|bist|muss|mussen|kommt|kostet|lauft|steht|liegt|geht|klappt|gilt|lohnt|braucht|haben (?:sie|wir|die))",
    ),
    asks_to_know=_has(
        r"(?:sag|sagen sie|verrat|erklar|erklaren sie) (?:mir|uns)\b.*|(?:kannst du|konnen sie|konntest du"
        r"|konnten sie) (?:mir |uns |mal |bitte )*(?:sagen|nachsehen|prufen|schauen|nachschauen|erklaren)\b.*"
        r"|(?:wusste|wissen) (?:ich )?gern\w*|mochte (?:gern\w* )?wissen|frage mich|wei(?:ß|ss)t du|wissen sie|ob",
    ),
    finite=_has(
        r"ist|sind|war|waren|hat|haben|hatte|wird|wurde|wurden|bin|bist|muss|kommt|geht|^\W*\w+(?:e|st|t"
        r"|en) (?:ich|du|er|es|wir|ihr|man)"
    ),
    polite=_starts(
        r"(?:bitte |und |dann |also |hallo )*(?:(?:kannst|konntest|wurdest|magst) du|(?:konnen|konnten|wurden"
        r"|mogen) sie)"
    ),
    tentative=_has(
        r"(?:kann|konnte|darf|durfte|soll|sollte) (?:ich|man|wir)|(?:ist|ware) es moglich|geht es|vielleicht"
        r"|eventuell|uberlege|womoglich|moglicherweise"
    ),
    supposed=_has(
        r"was (?:passiert|passierte|geschieht|ware|wurde|ist)\b.{0,200}?\b(?:wenn|falls)|was wenn|was passiert"
        r"|angenommen|nehmen wir an|gesetzt den fall|wenn ich\b.{0,200}\b(?:wurde|ware|hatte)"
    ),
    conditional=_has(r"wenn|falls|sofern|sobald|solange|es sei denn|bevor|au(?:ß|ss)er|erst wenn|sonst|ansonsten"),
    denies=_has(r"nicht|nichts|niemand|kein(?:e|en|em|er|es)?|nie|niemals|ohne|nix|statt|anstatt|weder"),
    denies_not=_has(
        r"(?:nicht|vergiss nicht|vergessen sie nicht) vergessen|vergiss nicht|vergessen sie nicht|nicht nur"
        r"|ob oder nicht"
    ),
    reports=_has(
        r"schon|bereits|gestern|vorhin|letzte[nmrs]? (?:woche|monat|jahr)|vor \w+ (?:tagen|wochen|stunden|monaten)"
        r"|(?:habe|hab|hat|haben|hatte|hatten|wurde|wurden|worden|ist|sind|war)\b.{0,200}\b(?:ge\w+t|ge\w+en"
        r"|\w*ge\w{2,}(?:t|en)|\w+iert|be\w+t|ver\w+t|er\w+t|ver\w+en|ent\w+t)"
    ),
)
_ES = Forms(
    asks=_starts(
        r"¿(?!\s*(?:me |nos )?(?:puedes|podrias|podria|puede|puedo|podemos))",
        r"(?:y |pero |o |entonces |oye |por cierto )*(?:que|cual|cuales|quien|quienes|cuando|donde|por que|cuanto"
        r"|cuanta|cuantos|cuantas|adonde|a que|de que|en que|con que)(?! si\b)",
        r"(?:y )?como (?:puedo|se|es|esta|va|hago|funciona|lo|la)",
    ),
    asks_to_know=_has(
        r"dime (?:si|que|cual|cuando|donde|por que|como|cuanto)|(?:puedes|puede|podrias|podria) (?:decirme"
        r"|comprobar|mirar|ver|explicarme)\b.*|(?:quiero|quisiera|quería|me gustaria) saber|me pregunto"
        r"|sabes (?:si|que|cuando|donde|cuanto)|sabe (?:si|cuando)"
    ),
    finite=_has(r"es|son|esta|estan|ha|han|hay|fue|fueron|era|tiene|tienen|sera|cuesta|llega"),
    polite=_starts(
        r"¿?\s*(?:por favor |y |entonces |hola )*(?:me |nos )?(?:(?:puedes|podrias|quieres|podeis|pueden)|(?:puede"
        r"|podria) usted|te importaria|le importaria|(?:puede|podria) (?=\w+r(?:me|lo|la|nos)?\b))"
    ),
    tentative=_has(
        r"(?:puedo|podemos|podria yo|se puede|se podria|es posible|seria posible|puede ser)|quiza|quizas|tal vez"
        r"|a lo mejor|estoy pensando|igual"
    ),
    supposed=_has(r"que (?:pasa|pasaria|ocurre|ocurriria|sucede) (?:si|cuando)|y si|suponiendo|supongamos|imagina"),
    conditional=_has(r"si|a menos que|en caso de|cuando|siempre que|hasta que|salvo que|excepto|solo si|si no"),
    denies=_has(r"no|nada|nunca|jamas|tampoco|sin|en vez de|en lugar de|ni|nadie"),
    denies_not=_has(r"no (?:te )?(?:olvides|olvide|se olvide)(?: de)?|por que no|no solo"),
    reports=_has(
        r"ya (?:lo |la |los |las |se |me )*(?:he |ha |han |hemos )?\w+(?:e|o|ado|ido|aron|ieron)\b|(?:he|ha|han"
        r"|hemos|habia|fue|fueron|esta|estan|sido) \w+(?:ado|ido|cho|sto|to)|ayer|anoche|hace \w+ (?:dias|semanas"
        r"|horas|meses)|(?:yo )?\w+[^aeiou](?<=c)ele\b"
    ),
)
_FR = Forms(
    asks=_starts(
        r"(?:et |mais |ou |alors |dis |au fait )*(?:qu'est-ce|que|quel|quelle|quels|quelles|qui|quand|ou|pourquoi"
        r"|comment|combien|a quelle|de quel|est-ce|quoi)(?! (?:tu peux|vous pouvez))",
        r"(?:et )?(?:est|sont|a|ont|sera|etait|avez|as|fait|faut|va|peut|y a)-(?:ce|il|elle|ils|elles|t-il|t-elle"
        r"|t-on|vous|tu|on)",
    ),
    asks_to_know=_has(
        r"(?:dis|dites)[- ]moi\b.*|(?:peux-tu|pouvez-vous|pourriez-vous|pourrais-tu) (?:me dire|verifier|regarder"
        r"|m'expliquer)\b.*|(?:voudrais|veux|aimerais) savoir|me demande|savez-vous|sais-tu"
    ),
    finite=_has(r"est|sont|a|ont|sera|etait|coute|c'est|j'ai|avez|as|a-t-\w+|arrive"),
    polite=_starts(
        r"(?:s'il (?:te|vous) plait |et |alors |bonjour )*(?:est-ce que )?(?:peux[- ]tu|pouvez[- ]vous"
        r"|pourrais[- ]tu|pourriez[- ]vous|tu peux|vous pouvez|tu pourrais|vous pourriez|veux[- ]tu"
        r"|voulez[- ]vous)"
    ),
    tentative=_has(
        r"puis-je|je peux|pourrais-je|peut-on|on peut|pouvons-nous|est-il possible|serait-il possible"
        r"|c'est possible|peut-etre|je pense|j'envisage|eventuellement"
    ),
    supposed=_has(r"que se passe|qu'est-ce qui se passe|et si|supposons|imaginons|que se passerait|il se passe quoi"),
    conditional=_has(
        r"si(?! il)|s'il (?!te plait|vous plait)|a moins|sauf|quand|des que|au cas ou|lorsque|seulement si|sinon"
    ),
    denies=_has(r"ne|n'\w+|rien|pas|jamais|sans|aucun|aucune|ni|plutot que|au lieu de"),
    denies_not=_has(r"n'oublie(?:z)? pas(?: de)?|pourquoi pas|pas seulement"),
    reports=_has(
        r"deja|hier|(?:j'ai|j'avais|a|ont|avons|avez|as|est|sont|ete|fut|il y a)\b(?: \w+){0,2} (?:\w+e|\w+ee"
        r"|\w+es|\w+is|\w+u)\b(?<!je)|il y a \w+ (?:jours|semaines|heures|mois)|la semaine derniere"
    ),
)
# "é" is read as "e" here, as accents are left out.
_PT = Forms(
    asks=_starts(
        r"(?:e |mas |ou |entao )*(?:o que|que|qual|quais|quem|quando|onde|aonde|por que|porque|como|quanto|quanta"
        r"|quantos|quantas|a que|de que|sera que)(?! se\b)",
        r"(?:e |mas )*(?:e|esta|estao|foi|tem|ha|sao|era)(?= (?:o|a|os|as|meu|minha|possivel|verdade|isso|algum))",
    ),
    asks_to_know=_has(
        r"(?:me )?(?:diga|diz|dizer|explique|explicar)(?:-me)? (?:me )?(?:se|o que|qual|quando|onde|como|quanto"
        r"|por que)"
        r"|(?:quero|queria|gostaria de) saber|(?:voce )?sabe (?:se|quando|onde|qual|me dizer)"
    ),
    finite=_has(r"e|sao|esta|estao|foi|foram|tem|ha|custa|chega|fica|seria|posso"),
    polite=_starts(
        r"(?:por favor |e |entao |ola |oi )*(?:voce )?(?:pode(?:ria)?|podes|consegue)(?! ser)(?: me| nos)? \w+r\b"
    ),
    tentative=_has(
        r"posso|podemos|poderia eu|e possivel|seria possivel|talvez|quem sabe|estou pensando|acho que|provavelmente"
    ),
    supposed=_has(
        r"o que (?:acontece|aconteceria|acontecera) se|e se|suponha|supondo|imagine"
        r"|se eu (?:quisesse|fosse|cancelasse)"
    ),
    conditional=_has(r"se|caso|a menos que|quando|assim que|desde que|ate que|exceto|senao|so se"),
    denies=_has(r"nao|nada|nunca|jamais|tampouco|sem|em vez de|nem|ninguem|nenhum|nenhuma"),
    denies_not=_has(r"nao (?:se )?esque[cç]a(?: de)?|por que nao|nao so"),
    reports=_has(
        r"ja (?:\w+ )?\w+(?:ei|ou|aram|eu|iu|ado|ido)|(?:tenho|tinha|foi|foram|ja esta) \w+(?:ado|ido|to)|ontem"
        r"|ha \w+ (?:dias|semanas|horas|meses)|(?:eu )?\w{3,}(?:lei|quei|rei|mei|ou)|semana passada"
    ),
)
_IT = Forms(
    asks=_starts(
        r"(?:e |ma |o |allora )*(?:che cosa|cosa|che|quale|quali|qual|chi|quando|dove|dov'e|perche|come|quanto|quanta"
        r"|quanti|quante|a che|di che|quant'e|com'e|qual'e|cos'e)",
        r"(?:e |ma )*(?:e|sono|ha|hanno|c'e|ci sono|era)(?= (?:il|la|lo|i|gli|le|mio|mia|possibile|vero|gia|stato))",
    ),
    asks_to_know=_has(
        r"(?:dimmi|mi dica|dirmi|spiegarmi|spiegami) (?:se|cosa|che|quale|quando|dove|come|quanto|perche)"
        r"|(?:vorrei|voglio) sapere|mi chiedo|(?:sai|sa) (?:se|quando|dove|dirmi)"
    ),
    finite=_has(r"e|sono|ha|hanno|era|costa|arriva|c'e|sta|sarebbe|posso|devo"),
    polite=_starts(
        r"(?:per favore |e |allora |ciao |salve |buongiorno )*(?:mi |ci )?(?:puoi|puo|potresti|potrebbe"
        r"|potete) \w+r(?:e|mi|lo|la)\b"
    ),
    tentative=_has(
        r"posso|possiamo|potrei|si puo|e possibile|sarebbe possibile|forse|magari|sto pensando|probabilmente"
    ),
    supposed=_has(
        r"(?:che )?cosa (?:succede|succederebbe|accade) se|e se|supponiamo|immagina|se (?:annullassi|volessi|fossi)"
    ),
    conditional=_has(r"se|a meno che|in caso|quando|purche|finche|tranne|altrimenti|solo se|qualora"),
    denies=_has(r"non|niente|nulla|mai|senza|invece di|ne|nessuno|nessuna|anziche"),
    denies_not=_has(r"non (?:ti )?(?:dimenticare|dimentichi|si dimentichi)(?: di)?|perche no|non solo"),
    reports=_has(
        r"gia|ieri|(?:ho|ha|hanno|abbiamo|avevo|e stato|e stata|sono stati|sono state|stato"
        r"|stata) \w+(?:ato|ata|uto|ito|ati|tto|so)\b"
        r"|\w+ (?:giorni|settimane|ore|mesi) fa|la settimana scorsa"
    ),
)


def _ends(*phrases: str) -> re.Pattern[str]:
    return re.compile(rf".*(?:{'|'.join(phrases)})[\W_]*$", re.DOTALL)


_JA = Forms(
    asks=_ends(
        r"(?:です|ます|でした|ました|でしょう|ません|の|だろう)か(?:ね)?",
        r"(?:どこ|いつ|いくら|誰|何|どれ)(?:です)?",
        r"かな",
    ),
    asks_to_know=re.compile(r"(?:かどうか|か|のか|を)(?:教えて|知りたい)(?!.*(?:キャンセル|取消|削除)して)"),
    finite=re.compile(r"です|ます|ですか|ますか|ない|た$"),
    polite=_ends(
        r"(?:て|で)(?:いただけ|もらえ|くれ|くださ)(?:ますか|ませんか|ますでしょうか|る|ない|い(?:ませんか)?)"
        r"|(?:て|で)(?:頂けますか|下さい|ほしい(?:です)?(?:のですが)?)",
    ),
    tentative=re.compile(
        r"(?:でき|出来)(?:ます|る|ない)(?:か|の)|てもいいですか|ても(?:よろしい|良い|いい)|かもしれ|たぶん|多分|もしかして|考えて|迷って|検討"
    ),
    supposed=re.compile(r"(?:たら|れば|なら|と|場合)(?:は|、)?(?:どう|何が|いくら|どの)|もし.*(?:たら|れば)|仮に"),
    conditional=re.compile(r"もし|(?:たら|れば|なら|場合|ない限り|でなければ|次第)"),
    denies=re.compile(r"ない(?:で|と|です|よう|$)|ません|ず(?:に|$)|なく(?:て|$)|不要|いらな|せず|ないで"),
    denies_not=re.compile(
        r"忘れ(?:ないで|ずに)|(?:ません|ない)か|(?:て|で)くれない|構いません|かまいません|問題ありません"
    ),
    reports=re.compile(
        r"すでに|既に|もう.*(?:ました|た|てある|ています)|昨日|先週|先月|(?:し|き|り|い|え|け|れ|み)ました|(?:されて|して)い(?:ます|る)"
    ),
)
_KO = Forms(
    asks=re.compile(
        r".*(?:나요|까요|습니까|ㅂ니까|니까|은가요|는가요|인가요|ㄴ가요|ᆫ가요|지요|죠|을까|나|니)[\W_]*$"
        r"|[\W_]*(?:.*\s)?(?:언제|어디|얼마|누구|무엇|뭐|왜|어떻게|몇)(?!\w*든)\S*(?:\s|[\W_]|$)(?!.*(?:주세요|줘|해요\.))",
        re.DOTALL,
    ),
    asks_to_know=re.compile(r"(?:지|는지|은지|인지|을지|까)\s*(?:알려|말해|궁금|알고 싶)"),
    finite=re.compile(r"요|다|까|나|니"),
    polite=re.compile(
        r".*(?:해|어|아|려|줘|내|꿔|겨)\s?(?:주실래요|주시겠어요|주시겠습니까"
        r"|주실 수 (?:있나요|있어요|있을까요|있습니까)|줄래|줄 수 있(?:어|니|나요))[\W_]*$",
        re.DOTALL,
    ),
    tentative=re.compile(
        r"(?:할|될|을|를) 수 있(?:나요|을까요|습니까|어요\?)|해도 (?:되|될)|아마|어쩌면|혹시|생각 중|고민|글쎄"
    ),
    supposed=re.compile(r"(?:하면|으면|면) (?:어떻게|어떤|무슨|뭐|얼마)|만약|가정|한다면|했다면"),
    conditional=re.compile(r"만약|(?:하면|으면|되면|라면|다면)(?:\s|$)|경우|않으면"),
    denies=re.compile(r"(?:^|\s)(?:안|못) |지\s?(?:마|말|않|못)|\s말아|말고|아니(?:라|고)|없이|필요 없|대신"),
    denies_not=re.compile(r"잊지 (?:마|말)|지 않(?:을래|겠어|으시겠)"),
    reports=re.compile(r"이미|벌써|어제|지난(?:주|달|해)|(?:했|됐|었|았|였)(?:어요|습니다|는데|다|어)|\S+ (?:전에)"),
)
FORMS = MappingProxyType({"en": _EN, "de": _DE, "es": _ES, "fr": _FR, "pt": _PT, "it": _IT, "ja": _JA, "ko": _KO})
"""By language."""


_WAITING = (
    r"(?:(?:wait|hold on|first|please|but|ok|okay|no|hmm|actually|now|just|then|and|moment|warte|halt|bitte|erst"
    r"|zuerst|dann|und|nein|espera|primero|no|y|attends|d'abord|non|et|alors|could you|can you)[\W_]+)*"
)
_LOOKS = _starts(
    rf"{_WAITING}(?:show|list|(?:look up|find|check|search|(?:give|tell|get|fetch|read) (?:me|us)) (?:me|us|for"
    r"|in|up|out|the|my|all|about|every|any|what|which|(?:\w+ ){0,2}\w*\d\w*))",
    rf"{_WAITING}(?:zeig|zeige|zeigen sie|such|suche|suchen sie|finde|finden sie|liste|nenn|nenne|nennen sie"
    r"|(?:gib|sag|geben sie|sagen sie) (?:mir|uns)) (?:mir|uns|bitte|mal|erst|zuerst|nach|die|den|das|alle"
    r"|meine[nr]?|der)",
    rf"{_WAITING}(?:muestra|ensena|busca|lista|di|da)(?:me|nos)",
    rf"{_WAITING}(?:muestra|busca|lista) (?:el|la|los|las|mi)",
    rf"{_WAITING}(?:montre|dis|donne|affiche|cherche|trouve)(?:z)?[- ](?:moi|nous|le|la|les|mon|ma|mes)",
)


def looks(clause: str) -> bool:
    """Whether a plain clause asks to be shown or told something: "wait, show me order 7 first"."""
    return _LOOKS.match(clause) is not None


def force_of(clause: str, languages: Collection[str], *, is_marked: bool) -> Force:
    """What a plain clause does, read in any of `languages`; `is_marked`: a question mark stands behind it."""
    forms = [FORMS[language] for language in languages if language in FORMS]
    if any(form.supposed.search(clause) for form in forms):
        return Force.SUPPOSED
    if any(form.asks_to_know.search(clause) for form in forms):
        return Force.QUESTION
    wanted_not = any(form.denies_not.search(clause) for form in forms)
    is_denied = not wanted_not and any(form.denies.search(clause) for form in forms)
    is_conditional = any(form.conditional.search(clause) for form in forms)
    if any(form.polite.match(clause) for form in forms):
        return _denied_or(Force.CONDITIONAL if is_conditional else Force.PLAIN, is_denied=is_denied)
    if any(form.tentative.search(clause) for form in forms):
        return Force.TENTATIVE
    if not wanted_not and any(form.asks.match(clause) for form in forms):
        return Force.QUESTION
    if is_marked:
        is_finite = is_denied or any(form.finite.search(clause) for form in forms)
        return Force.QUESTION if is_finite else Force.TENTATIVE
    if not is_denied and any(form.reports.search(clause) for form in forms):
        return Force.REPORTED
    return _denied_or(Force.CONDITIONAL if is_conditional else Force.PLAIN, is_denied=is_denied)


def _denied_or(force: Force, *, is_denied: bool) -> Force:
    return Force.DENIED if is_denied else force
