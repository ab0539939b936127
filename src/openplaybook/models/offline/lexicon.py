"""Words the planner knows before it has seen any agent: function words, synonyms of acts, small talk.

Only words of general use stand here. What an agent is about, it learns from the agent itself.
"""

from types import MappingProxyType


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP_WORDS = _words(
    """a an the of to in on at for and or is are am be was were been by with from as it its this that these those i
    me my mine we us our you your yours he him his she her they them their there here what which who whom whose
    when where how why can could would will shall should may might do does did done have has had having please
    some any one about into if so not no just also too then than but up out want need like let s m re ve ll d t im
    whats between within under over during per after before through using without same now instead again hows
    wheres"""
)
"""Words that carry little: they weigh a quarter in a comparison and never become a value by themselves."""

QUESTION_WORDS = _words("what which who whose when where how many much")
"""Function words that tell what is asked for."""

_SYNONYMS = {
    "show": "show get give display return retrieve fetch see view look tell read",
    "list": "list enumerate",
    "find": "find search lookup locate seek",
    "add": "add create register insert enter make new",
    "remove": "remove delete erase drop",
    "change": "change update edit modify alter set adjust move",
    "book": "book reserve schedule reservation booking",
    "cancel": "cancel",
    "name": "name named call called names",
    "near": "near nearest close closest nearby",
    "belong": "belong belongs own owns owned owner owners",
    "all": "all every everything entire whole complete",
    "number": "number nr id identifier numbers",
}

CHANGING_ACTS = _words("add remove change book cancel")
"""Acts that leave things different: a function that never speaks of one is not meant by it."""

SYNONYMS = MappingProxyType({word: head for head, words in _SYNONYMS.items() for word in words.split()})
"""The one word that stands for all words of its meaning."""

_GERMAN = {
    "show": "zeig zeige zeigen anzeigen gib geben sag sage sagen erzähl",
    "list": "liste auflisten",
    "find": "finde finden such suche suchen",
    "add": "füge hinzufügen hinzu trage eintragen lege anlegen erstelle erstellen neu neue neuen neues neuer",
    "remove": "lösche löschen entferne entfernen",
    "change": "ändere ändern",
    "book": "buche buchen reserviere reservieren reservierung",
    "cancel": "storniere stornieren abbrechen",
    "name": "name namen namens heißt heisst genannt",
    "belong": "gehört gehören besitzer besitzt",
    "all": "alle alles allen",
    "number": "nummer nr",
    "near": "nächste nächsten nächstes nächster nähe",
    "which": "welche welches welcher welchen",
    "what": "was",
    "who": "wer wem wen",
    "where": "wo",
    "when": "wann",
    "how": "wie",
    "many": "viele",
    "have": "hast habt haben hat gibt",
    "are": "ist sind seid",
    "you": "du ihr euch sie",
    "i": "ich",
    "me": "mir mich",
    "my": "mein meine meinen meinem meiner",
    "a": "ein eine einen einem einer eines",
    "the": "der die das den dem des",
    "by": "von",
    "with": "mit",
    "for": "für",
    "in": "im",
    "at": "bei um am",
    "and": "und",
    "or": "oder",
    "to": "nach zu zum zur",
    "about": "über",
    "please": "bitte",
    "want": "möchte will würde hätte gern gerne",
    "need": "brauche",
    "can": "kann kannst können könntest",
    "it": "es",
    "not": "nicht kein keine",
    "today": "heute",
    "tomorrow": "morgen",
    "order": "bestellung",
    "person": "personen leute",
    "weather": "wetter",
    "table": "tisch",
}

_SPANISH = {
    "show": "muestra muestre muéstrame mostrar dame dime enseña enséñame ver",
    "list": "lista listar",
    "find": "busca buscar encuentra encontrar",
    "add": "añade añadir agrega agregar crea crear registra registrar nuevo nueva",
    "remove": "borra borrar elimina eliminar quita",
    "change": "cambia cambiar",
    "book": "reserva reservar",
    "cancel": "cancela cancelar",
    "name": "nombre llamado llamada llama",
    "belong": "pertenece pertenecen dueño dueña",
    "all": "todos todas todo",
    "number": "número",
    "near": "cerca cercano cercana",
    "which": "qué cuál cuáles",
    "where": "dónde",
    "when": "cuándo",
    "how": "cómo",
    "have": "tienes tienen tenéis hay",
    "are": "es son está están",
    "me": "mí",
    "my": "mis",
    "a": "un una unos unas",
    "the": "el los las",
    "of": "del",
    "by": "de",
    "with": "con",
    "for": "para por",
    "in": "en",
    "and": "y",
    "please": "favor",
    "want": "quiero quisiera",
    "need": "necesito",
    "tomorrow": "mañana",
    "today": "hoy",
}

_FRENCH = {
    "show": "montre montrez montrer affiche donne donnez",
    "list": "liste lister",
    "find": "cherche chercher trouve trouver",
    "add": "ajoute ajouter ajoutez crée créer nouveau nouvelle",
    "remove": "supprime supprimer",
    "change": "modifie modifier",
    "book": "réserve réserver réservation",
    "cancel": "annule annuler",
    "name": "nom nommé nommée appelé appelée",
    "belong": "appartient appartiennent propriétaire",
    "all": "tous toutes tout",
    "number": "numéro",
    "near": "proche",
    "which": "quel quelle quels quelles",
    "where": "où",
    "when": "quand",
    "how": "comment",
    "have": "avez as ont",
    "are": "est sont",
    "me": "moi",
    "my": "mon ma mes",
    "a": "un une",
    "the": "le la les",
    "of": "du des",
    "by": "de par",
    "with": "avec",
    "for": "pour",
    "in": "dans à",
    "and": "et",
    "you": "vous tu",
    "please": "plaît",
    "want": "veux voudrais",
    "tomorrow": "demain",
    "today": "aujourd'hui",
}


def _turned(table: dict[str, str]) -> MappingProxyType[str, str]:
    return MappingProxyType({word: head for head, words in table.items() for word in words.split()})


FOREIGN = MappingProxyType({"de": _turned(_GERMAN), "es": _turned(_SPANISH), "fr": _turned(_FRENCH)})
"""General words of other languages by language, each with the English word it is read as."""

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

PRONOUNS = _words("it its this that one he him his she her they them their")
"""Words that point at something said before."""

LEAD_INS = (
    "it is",
    "it's",
    "its",
    "that is",
    "that's",
    "this is",
    "my name is",
    "the name is",
    "his name is",
    "her name is",
    "its name is",
    "name is",
    "i am",
    "i'm",
    "call it",
    "it is called",
    "it's called",
    "i would like",
    "i'd like",
    "i want",
    "let's say",
    "make it",
    "the",
    "for",
    "at",
    "on",
    "in",
    "um",
    "am",
    "es ist",
    "das ist",
    "er heißt",
    "sie heißt",
)
"""Openings of a short answer that are no part of the value."""

PREPOSITION_CUES = MappingProxyType(
    {
        "in": _words("location city town place area region country state"),
        "near": _words("location city place area address"),
        "at": _words("location place venue address time hour restaurant"),
        "from": _words("from origin source start departure sender city place"),
        "to": _words("to destination target end arrival recipient receiver city place"),
        "on": _words("date day"),
        "by": _words("owner author creator artist user"),
        "for": _words("name person guest customer people recipient reason purpose"),
        "about": _words("topic subject query question"),
        "name": _words("name title"),
        "belong": _words("owner"),
    }
)
"""Words of a parameter's name or description that a preposition before a value speaks for."""

NEGATIONS = _words("no not without never none don't doesn't isn't kein keine nicht ohne")
"""Words that turn the meaning of what follows."""
