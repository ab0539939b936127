"""The planner's own sentences, for when no example shows how to say it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """Sentences of one language; `{}` marks where a value goes."""

    code: str
    hello: str
    welcome: str
    goodbye: str
    how_help: str
    """Behind a greeting, where there is nothing to name."""
    can_help: str
    """Before the list of what the agent can do."""
    not_understood: str
    ask: str
    """Asks for something by its name."""
    ask_many: str
    """Asks for several things by their name."""
    ask_described: str
    """Asks for something by its description."""
    choose: str
    """Behind a question, before the values to choose from."""
    not_usable: str
    """Before a question that is asked again."""
    confirm: str
    read_back: str
    """Asks for a yes: what would be done and with which values go in."""
    member: str
    """A value that is read back: its name and the value go in."""
    cannot_answer: str
    dropped: str
    """When the user calls something off."""
    is_done: str
    """When the user calls off what was done just before."""
    found_nothing: str
    found_nothing_for: str
    """What was looked for goes in."""
    found: str
    """Before what one result holds."""
    found_many: str
    """Before a list; the number of items goes in."""
    more: str
    """Behind a list that is cut; the number of items left out goes in."""
    done: str
    done_with: str
    """Before what was made."""
    failed: str
    failed_because: str
    handed_over: str
    """When a person takes over."""
    anything_else: str
    and_: str
    yes: str
    no: str


ENGLISH = Wording(
    code="en",
    hello="Hello!",
    welcome="You're welcome.",
    goodbye="Goodbye!",
    how_help="How can I help you?",
    can_help="I can help with the following: {}.",
    not_understood="Sorry, I did not understand that.",
    ask="What is the {}?",
    ask_many="What are the {}?",
    ask_described="Please tell me: {}.",
    choose="You can choose from {}.",
    not_usable="Sorry, I can't use that answer.",
    confirm="Shall I go ahead?",
    read_back="I will do the following: {}. Is that right?",
    member="{}: {}",
    cannot_answer="I can't answer that.",
    dropped="All right, I won't do that.",
    is_done="That has already been done.",
    found_nothing="I didn't find anything.",
    found_nothing_for="I didn't find anything for {}.",
    found="Here is what I found: {}.",
    found_many="I found {}: {}.",
    more="and {} more",
    done="Done.",
    done_with="Done: {}.",
    failed="Sorry, that did not work.",
    failed_because="Sorry, that did not work: {}",
    handed_over="A colleague will take over from here.",
    anything_else="Is there anything else I can do for you?",
    and_=" and ",
    yes="yes",
    no="no",
)

GERMAN = Wording(
    code="de",
    hello="Hallo!",
    welcome="Gern geschehen.",
    goodbye="Auf Wiedersehen!",
    how_help="Wie kann ich Ihnen helfen?",
    can_help="Dabei kann ich helfen: {}.",
    not_understood="Das habe ich leider nicht verstanden.",
    ask="Was soll ich für „{}“ angeben?",
    ask_many="Was soll ich für „{}“ angeben?",
    ask_described="Bitte nennen Sie mir: {}.",
    choose="Zur Wahl stehen {}.",
    not_usable="Diese Antwort kann ich leider nicht verwenden.",
    confirm="Soll ich das tun?",
    read_back="Ich werde Folgendes tun: {}. Ist das richtig?",
    member="{}: {}",
    cannot_answer="Das kann ich nicht beantworten.",
    dropped="In Ordnung, ich mache das nicht.",
    is_done="Das ist bereits erledigt.",
    found_nothing="Ich habe nichts gefunden.",
    found_nothing_for="Ich habe zu {} nichts gefunden.",
    found="Das habe ich gefunden: {}.",
    found_many="Ich habe {} gefunden: {}.",
    more="und {} weitere",
    done="Erledigt.",
    done_with="Erledigt: {}.",
    failed="Das hat leider nicht geklappt.",
    failed_because="Das hat leider nicht geklappt: {}",
    handed_over="Das übernimmt jetzt eine Person aus dem Team.",
    anything_else="Kann ich sonst noch etwas für Sie tun?",
    and_=" und ",
    yes="ja",
    no="nein",
)

SPANISH = Wording(
    code="es",
    hello="¡Hola!",
    welcome="De nada.",
    goodbye="¡Hasta luego!",
    how_help="¿En qué puedo ayudarle?",
    can_help="Puedo ayudarle con lo siguiente: {}.",
    not_understood="Lo siento, no lo he entendido.",
    ask="¿Puede indicarme «{}»?",
    ask_many="¿Puede indicarme «{}»?",
    ask_described="Por favor, dígame: {}.",
    choose="Puede elegir entre {}.",
    not_usable="Lo siento, esa respuesta no es válida.",
    confirm="¿Quiere que lo haga?",
    read_back="Voy a hacer lo siguiente: {}. ¿Es correcto?",
    member="{}: {}",
    cannot_answer="No puedo responder a eso.",
    dropped="De acuerdo, no lo haré.",
    is_done="Eso ya está hecho.",
    found_nothing="No he encontrado nada.",
    found_nothing_for="No he encontrado nada para {}.",
    found="Esto es lo que he encontrado: {}.",
    found_many="He encontrado {}: {}.",
    more="y {} más",
    done="Hecho.",
    done_with="Hecho: {}.",
    failed="Lo siento, no ha funcionado.",
    failed_because="Lo siento, no ha funcionado: {}",
    handed_over="A partir de ahora le atenderá un compañero.",
    anything_else="¿Puedo hacer algo más por usted?",
    and_=" y ",
    yes="sí",
    no="no",
)

FRENCH = Wording(
    code="fr",
    hello="Bonjour !",
    welcome="Je vous en prie.",
    goodbye="Au revoir !",
    how_help="Comment puis-je vous aider ?",
    can_help="Voici ce que je peux faire pour vous : {}.",
    not_understood="Désolé, je n'ai pas compris.",
    ask="Pouvez-vous m'indiquer « {} » ?",
    ask_many="Pouvez-vous m'indiquer « {} » ?",
    ask_described="Veuillez m'indiquer : {}.",
    choose="Vous pouvez choisir entre {}.",
    not_usable="Désolé, je ne peux pas utiliser cette réponse.",
    confirm="Dois-je le faire ?",
    read_back="Je vais faire ceci : {}. Est-ce exact ?",
    member="{} : {}",
    cannot_answer="Je ne peux pas répondre à cela.",
    dropped="D'accord, je ne le ferai pas.",
    is_done="C'est déjà fait.",
    found_nothing="Je n'ai rien trouvé.",
    found_nothing_for="Je n'ai rien trouvé pour {}.",
    found="Voici ce que j'ai trouvé : {}.",
    found_many="J'ai trouvé {} : {}.",
    more="et {} de plus",
    done="C'est fait.",
    done_with="C'est fait : {}.",
    failed="Désolé, cela n'a pas fonctionné.",
    failed_because="Désolé, cela n'a pas fonctionné : {}",
    handed_over="Un collègue va prendre le relais.",
    anything_else="Puis-je faire autre chose pour vous ?",
    and_=" et ",
    yes="oui",
    no="non",
)

PORTUGUESE = Wording(
    code="pt",
    hello="Olá!",
    welcome="De nada.",
    goodbye="Até logo!",
    how_help="Como posso ajudar?",
    can_help="Posso ajudar com o seguinte: {}.",
    not_understood="Desculpe, não entendi.",
    ask="Pode informar «{}»?",
    ask_many="Pode informar «{}»?",
    ask_described="Por favor, informe: {}.",
    choose="Pode escolher entre {}.",
    not_usable="Desculpe, não posso usar essa resposta.",
    confirm="Posso prosseguir?",
    read_back="Vou fazer o seguinte: {}. Está certo?",
    member="{}: {}",
    cannot_answer="Não sei responder a isso.",
    dropped="Está bem, não vou fazer isso.",
    is_done="Isso já foi feito.",
    found_nothing="Não encontrei nada.",
    found_nothing_for="Não encontrei nada para {}.",
    found="Encontrei o seguinte: {}.",
    found_many="Encontrei {}: {}.",
    more="e mais {}",
    done="Feito.",
    done_with="Feito: {}.",
    failed="Desculpe, não funcionou.",
    failed_because="Desculpe, não funcionou: {}",
    handed_over="A partir de agora, uma pessoa da equipe vai atender você.",
    anything_else="Posso ajudar em mais alguma coisa?",
    and_=" e ",
    yes="sim",
    no="não",
)

ITALIAN = Wording(
    code="it",
    hello="Buongiorno!",
    welcome="Prego.",
    goodbye="Arrivederci!",
    how_help="Come posso aiutarla?",
    can_help="Posso aiutarla con quanto segue: {}.",
    not_understood="Mi dispiace, non ho capito.",
    ask="Può indicarmi «{}»?",
    ask_many="Può indicarmi «{}»?",
    ask_described="Per favore, mi dica: {}.",
    choose="Può scegliere tra {}.",
    not_usable="Mi dispiace, non posso usare questa risposta.",
    confirm="Devo procedere?",
    read_back="Farò quanto segue: {}. È corretto?",
    member="{}: {}",
    cannot_answer="Non so rispondere a questo.",
    dropped="Va bene, non lo farò.",
    is_done="È già stato fatto.",
    found_nothing="Non ho trovato niente.",
    found_nothing_for="Non ho trovato niente per {}.",
    found="Ecco cosa ho trovato: {}.",
    found_many="Ho trovato {}: {}.",
    more="e altri {}",
    done="Fatto.",
    done_with="Fatto: {}.",
    failed="Mi dispiace, non ha funzionato.",
    failed_because="Mi dispiace, non ha funzionato: {}",
    handed_over="Da qui in poi la seguirà una persona del team.",
    anything_else="Posso fare altro per lei?",
    and_=" e ",
    yes="sì",
    no="no",
)

JAPANESE = Wording(
    code="ja",
    hello="こんにちは。",
    welcome="どういたしまして。",
    goodbye="ご利用ありがとうございました。",
    how_help="ご用件をお聞かせください。",
    can_help="次のことをお手伝いできます：{}。",
    not_understood="申し訳ありませんが、理解できませんでした。",
    ask="「{}」を教えてください。",
    ask_many="「{}」を教えてください。",
    ask_described="次のことを教えてください：{}。",
    choose="{}からお選びください。",
    not_usable="申し訳ありませんが、そのお答えは使えません。",
    confirm="実行してよろしいですか？",
    read_back="次のことを行います：{}。よろしいですか？",
    member="{}：{}",
    cannot_answer="それにはお答えできません。",
    dropped="わかりました。行いません。",
    is_done="それはすでに完了しています。",
    found_nothing="何も見つかりませんでした。",
    found_nothing_for="{}については何も見つかりませんでした。",
    found="次の結果が見つかりました：{}。",
    found_many="{}件見つかりました：{}。",
    more="ほか{}件",
    done="完了しました。",
    done_with="完了しました：{}。",
    failed="申し訳ありませんが、うまくいきませんでした。",
    failed_because="申し訳ありませんが、うまくいきませんでした：{}",
    handed_over="ここからは担当者が対応いたします。",
    anything_else="ほかにお手伝いできることはありますか？",
    and_="と",
    yes="はい",
    no="いいえ",
)

KOREAN = Wording(
    code="ko",
    hello="안녕하세요!",
    welcome="천만에요.",
    goodbye="안녕히 가세요!",
    how_help="무엇을 도와드릴까요?",
    can_help="다음을 도와드릴 수 있습니다: {}.",
    not_understood="죄송합니다, 이해하지 못했습니다.",
    ask="'{}' 항목을 알려 주세요.",
    ask_many="'{}' 항목을 알려 주세요.",
    ask_described="다음을 알려 주세요: {}.",
    choose="{} 중에서 고르실 수 있습니다.",
    not_usable="죄송합니다, 그 답은 사용할 수 없습니다.",
    confirm="진행할까요?",
    read_back="다음을 진행하겠습니다: {}. 맞습니까?",
    member="{}: {}",
    cannot_answer="그 질문에는 답할 수 없습니다.",
    dropped="알겠습니다, 하지 않겠습니다.",
    is_done="이미 처리되었습니다.",
    found_nothing="아무것도 찾지 못했습니다.",
    found_nothing_for="{}에 대해 아무것도 찾지 못했습니다.",
    found="다음을 찾았습니다: {}.",
    found_many="{}개를 찾았습니다: {}.",
    more="외 {}개",
    done="완료했습니다.",
    done_with="완료했습니다: {}.",
    failed="죄송합니다, 처리하지 못했습니다.",
    failed_because="죄송합니다, 처리하지 못했습니다: {}",
    handed_over="이제부터 상담원이 도와드리겠습니다.",
    anything_else="더 도와드릴 일이 있을까요?",
    and_=", ",
    yes="예",
    no="아니요",
)

_BY_LANGUAGE = {
    "en": ENGLISH,
    "de": GERMAN,
    "es": SPANISH,
    "fr": FRENCH,
    "pt": PORTUGUESE,
    "it": ITALIAN,
    "ja": JAPANESE,
    "ko": KOREAN,
}
LANGUAGES = frozenset(_BY_LANGUAGE)
"""Codes of the languages that the planner speaks."""


def wording_for(language_code: str) -> Wording:
    """The sentences of the agent's language, such as `de` or `de-AT`; English where there are none."""
    return _BY_LANGUAGE.get(language_code[:2].casefold(), ENGLISH)
