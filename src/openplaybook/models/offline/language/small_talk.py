"""Small talk: whole utterances that the planner knows in the languages that it speaks, also where they stand at the
beginning or end of longer ones."""

import re
from types import MappingProxyType

from openplaybook.models.offline.language import italian, japanese, korean, portuguese
from openplaybook.models.offline.language.tokenizer import fold

GREETING, THANKS, FAREWELL, HELP, YES, NO, CANCEL = "greeting", "thanks", "farewell", "help", "yes", "no", "cancel"

SMALL_TALK = MappingProxyType(
    {
        GREETING: (
            "hi",
            "hello",
            "hey",
            "hi there",
            "hello there",
            "hey there",
            "good morning",
            "good afternoon",
            "good evening",
            "greetings",
            "hallo",
            "guten tag",
            "guten morgen",
            "guten abend",
            "servus",
            "moin",
            "hola",
            "buenos días",
            "buenas tardes",
            "bonjour",
            "salut",
            "bonsoir",
        ),
        THANKS: (
            "thanks",
            "thank you",
            "thank you very much",
            "thanks a lot",
            "many thanks",
            "cheers",
            "great thanks",
            "danke",
            "danke schön",
            "vielen dank",
            "gracias",
            "muchas gracias",
            "merci",
            "merci beaucoup",
        ),
        FAREWELL: (
            "bye",
            "goodbye",
            "bye bye",
            "see you",
            "see you later",
            "good bye",
            "good night",
            "tschüss",
            "auf wiedersehen",
            "ciao",
            "adiós",
            "hasta luego",
            "au revoir",
        ),
        HELP: (
            "help",
            "help me",
            "can you help me",
            "what can you do",
            "what can i do",
            "what can i ask",
            "how can you help",
            "what do you do",
            "hilfe",
            "was kannst du",
            "was können sie",
            "ayuda",
            "qué puedes hacer",
            "aide",
            "que peux-tu faire",
        ),
        YES: (
            "yes",
            "yeah",
            "yep",
            "sure",
            "ok",
            "okay",
            "correct",
            "right",
            "yes please",
            "please do",
            "do it",
            "do that",
            "do so",
            "please do it",
            "yes do it",
            "yes do that",
            "yes go ahead",
            "please go ahead",
            "go for it",
            "yup",
            "absolutely",
            "definitely",
            "exactly",
            "confirmed",
            "i confirm",
            "confirm",
            "yes it is",
            "yes that is right",
            "yes that's right",
            "yes that's correct",
            "yes that is correct",
            "yes correct",
            "yes i do",
            "yes i am",
            "yes i'm sure",
            "i'm sure",
            "all right",
            "alright",
            "fine",
            "perfect",
            "great",
            "looks good",
            "that's fine",
            "jawohl",
            "jo",
            "klar",
            "genau",
            "stimmt",
            "richtig",
            "das stimmt",
            "das ist richtig",
            "ja das stimmt",
            "ja genau",
            "ja gerne",
            "ja gern",
            "ja richtig",
            "ja stimmt",
            "ja das ist richtig",
            "passt",
            "in ordnung",
            "einverstanden",
            "mach das",
            "mach es",
            "ja mach das",
            "bitte",
            "sí por favor",
            "si por favor",
            "si",
            "claro",
            "correcto",
            "exacto",
            "es correcto",
            "sí es correcto",
            "de acuerdo",
            "vale",
            "hazlo",
            "sí hazlo",
            "adelante",
            "oui s'il vous plaît",
            "oui s'il te plaît",
            "oui c'est ça",
            "oui c'est exact",
            "oui c'est correct",
            "c'est ça",
            "c'est exact",
            "c'est correct",
            "exact",
            "d'accord",
            "vas-y",
            "allez-y",
            "tout à fait",
            "bien sûr",
            "of course",
            "go ahead",
            "that's correct",
            "that is correct",
            "that's right",
            "sounds good",
            "ja",
            "ja bitte",
            "gerne",
            "sí",
            "oui",
        ),
        NO: (
            "no",
            "nope",
            "no thanks",
            "nah",
            "no way",
            "please no",
            "no please",
            "not at all",
            "that's wrong",
            "that is wrong",
            "wrong",
            "no that's wrong",
            "no it is not",
            "no it's not",
            "i don't",
            "nö",
            "nee",
            "ne",
            "auf keinen fall",
            "falsch",
            "das ist falsch",
            "nein das ist falsch",
            "no gracias",
            "nada",
            "nada más",
            "de ninguna manera",
            "non merci",
            "pas du tout",
            "c'est faux",
            "rien",
            "no thank you",
            "not now",
            "nothing",
            "nothing else",
            "that's all",
            "that is all",
            "nein",
            "nein danke",
            "non",
        ),
        CANCEL: (
            "cancel",
            "never mind",
            "nevermind",
            "forget it",
            "stop",
            "abort",
            "cancel that",
            "forget about it",
            "i changed my mind",
            "keep it",
            "vergessen sie es",
            "lass es",
            "lass mal",
            "doch nicht",
            "lieber nicht",
            "déjalo",
            "mejor no",
            "oublie",
            "finalement non",
            "leave it",
            "abbrechen",
            "vergiss es",
            "stopp",
            "cancelar",
            "olvídalo",
            "annuler",
            "laisse tomber",
        ),
    }
)
"""Whole utterances by what they do, lower case and without punctuation."""

_KINDS = {fold(phrase): kind for kind, phrases in SMALL_TALK.items() for phrase in phrases} | {
    fold(phrase): kind
    for language in (portuguese, italian, japanese, korean)
    for kind, phrases in language.PHRASES.items()
    for phrase in phrases.split("|")
}
_COMING_OR_GOING = frozenset({"ciao"})
_PARTS = re.compile(r"[,.!?;:\n、。！？，]+|\s+-\s+")
_LONGEST = 6
"""Words of a greeting."""
_LONGEST_TALK = 80
"""Characters of small talk."""


def kind_of(text: str) -> str:
    """The kind of small talk that all of `text` is, such as `greeting`; the last one of several; else empty."""
    if len(text) > _LONGEST_TALK:
        return ""
    whole = _KINDS.get(fold(text))
    if whole is not None:
        return whole
    kind = ""
    for part in filter(None, map(fold, _PARTS.split(text))):
        kind = _KINDS.get(part, "")
        if not kind:
            break
    return kind


def reply_in(text: str) -> str:
    """The kind of a reply that is nothing but small talk: with thanks behind it a yes is a yes, and a no a no."""
    kinds = [_KINDS.get(part, "") for part in filter(None, map(fold, _PARTS.split(text[:_LONGEST_TALK])))]
    is_thankful = kind_of(text) == THANKS and set(kinds) in ({YES, THANKS}, {NO, THANKS})
    return kinds[0] if is_thankful else kind_of(text)


def after_yes(text: str) -> str:
    """What is said behind a yes at the beginning; empty where nothing is, or there is no yes."""
    for end in reversed([match.end() for match in _PARTS.finditer(text, 0, _LONGEST_TALK)]):
        if kind_of(text[:end]) == YES:
            return text[end:].strip()
    match = _YES_AND.match(text)
    return text[match.end() :].strip() if match and kind_of(match[1]) == YES else ""


_YES_AND = re.compile(r"\s*(\w+(?:\s\w+)?)\s+(?=(?:and|und|y|e|et)\s)")


def kind_in_place(text: str, *, begins: bool) -> str:
    """The kind of small talk that `text` is where it stands: "ciao" is a greeting where it begins a conversation."""
    return GREETING if begins and fold(text) in _COMING_OR_GOING else kind_of(text)


def without_greeting(text: str) -> str:
    """`text` without small talk before its commas, or a greeting at its very beginning."""
    for end in reversed([match.end() for match in _PARTS.finditer(text, 0, _LONGEST_TALK)]):
        if kind_of(text[:end]) and text[end:].strip():
            return text[end:].strip()
    words = text.split(maxsplit=_LONGEST)
    for count in range(min(_LONGEST, len(words) - 1), 0, -1):
        beginning = " ".join(words[:count])
        if len(beginning) <= _LONGEST_TALK and _KINDS.get(fold(beginning)) == GREETING:
            return " ".join(words[count:])
    return text
