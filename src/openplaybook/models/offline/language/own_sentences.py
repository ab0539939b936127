"""The planner's own sentences, for when no example shows how to say it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """Sentences of one language; `{}` marks where a value goes."""

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

_BY_LANGUAGE = {"en": ENGLISH, "de": GERMAN, "es": SPANISH, "fr": FRENCH}
LANGUAGES = frozenset(_BY_LANGUAGE)
"""Codes of the languages that the planner speaks."""


def wording_for(language_code: str) -> Wording:
    """The sentences of the agent's language, such as `de` or `de-AT`; English where there are none."""
    return _BY_LANGUAGE.get(language_code[:2].casefold(), ENGLISH)
