"""The planner's own sentences, for when no example shows how to say it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """Sentences of one language; `{}` marks where a value goes."""

    hello: str
    welcome: str
    goodbye: str
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
    can_help="I can help with this: {}.",
    not_understood="Sorry, I did not understand that.",
    ask="What is the {}?",
    ask_many="What are the {}?",
    ask_described="Please tell me: {}.",
    choose="You can choose from {}.",
    not_usable="I could not use that answer.",
    confirm="Shall I go on?",
    read_back="I would do this: {}. Is that right?",
    member="{}: {}",
    cannot_answer="I cannot answer that.",
    dropped="All right, I will not do that.",
    is_done="That is done already.",
    found_nothing="I found nothing.",
    found="Here is what I found: {}.",
    found_many="I found {}: {}.",
    more="and {} more",
    done="Done.",
    done_with="Done: {}.",
    failed="Sorry, that did not work.",
    failed_because="Sorry, that did not work: {}",
    handed_over="A colleague of mine will take over.",
    anything_else="Is there anything else I can do for you?",
    and_=" and ",
    yes="yes",
    no="no",
)

GERMAN = Wording(
    hello="Hallo!",
    welcome="Gern geschehen.",
    goodbye="Auf Wiedersehen!",
    can_help="Dabei kann ich helfen: {}.",
    not_understood="Das habe ich leider nicht verstanden.",
    ask="Wie lautet die Angabe {}?",
    ask_many="Wie lautet die Angabe {}?",
    ask_described="Bitte nennen Sie mir: {}.",
    choose="Zur Wahl stehen {}.",
    not_usable="Mit dieser Antwort kann ich nichts anfangen.",
    confirm="Soll ich das tun?",
    read_back="Ich würde Folgendes tun: {}. Ist das richtig?",
    member="{}: {}",
    cannot_answer="Das kann ich nicht beantworten.",
    dropped="Gut, ich lasse es.",
    is_done="Das ist schon erledigt.",
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
    can_help="Puedo ayudar con esto: {}.",
    not_understood="Lo siento, no lo he entendido.",
    ask="¿Cuál es el dato «{}»?",
    ask_many="¿Cuál es el dato «{}»?",
    ask_described="Por favor, dígame: {}.",
    choose="Se puede elegir entre {}.",
    not_usable="No he podido usar esa respuesta.",
    confirm="¿Lo hago?",
    read_back="Haría lo siguiente: {}. ¿Es correcto?",
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
    handed_over="Un compañero se hará cargo.",
    anything_else="¿Puedo hacer algo más por usted?",
    and_=" y ",
    yes="sí",
    no="no",
)

FRENCH = Wording(
    hello="Bonjour !",
    welcome="Je vous en prie.",
    goodbye="Au revoir !",
    can_help="Je peux aider à ceci : {}.",
    not_understood="Désolé, je n'ai pas compris.",
    ask="Quelle est la donnée « {} » ?",
    ask_many="Quelle est la donnée « {} » ?",
    ask_described="Veuillez m'indiquer : {}.",
    choose="Le choix est entre {}.",
    not_usable="Je n'ai pas pu utiliser cette réponse.",
    confirm="Dois-je le faire ?",
    read_back="Je ferais ceci : {}. Est-ce exact ?",
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
    failed="Désolé, cela n'a pas marché.",
    failed_because="Désolé, cela n'a pas marché : {}",
    handed_over="Un collègue va prendre la suite.",
    anything_else="Puis-je faire autre chose pour vous ?",
    and_=" et ",
    yes="oui",
    no="non",
)

_BY_LANGUAGE = {"en": ENGLISH, "de": GERMAN, "es": SPANISH, "fr": FRENCH}


def wording_for(language_code: str) -> Wording:
    """The sentences of the agent's language, such as `de` or `de-AT`; English where there are none."""
    return _BY_LANGUAGE.get(language_code[:2].casefold(), ENGLISH)
