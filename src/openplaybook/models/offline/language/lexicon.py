"""Words the planner knows before it has seen any agent: function words, synonyms of acts, small talk.

Only words of general use stand here. What an agent is about, it learns from the agent itself.
"""

from types import MappingProxyType

from openplaybook.models.offline.language import italian, japanese, korean, portuguese


def word_set(text: str) -> frozenset[str]:
    """The words of a text, which are parted by blanks."""
    return frozenset(text.split())


STOP_WORDS = word_set(
    """a an the of to in on at for and or is are am be was were been by with from as it its this that these those i
    me my mine we us our you your yours he him his she her they them their there here what which who whom whose
    when where how why can could would will shall should may might do does did done have has had having please
    some any one about into if so not no just also too then than but up out want need like let s m re ve ll d t im
    whats between within under over during per after before through using without same now instead again hows
    wheres"""
)
"""Words that carry little: they weigh a quarter in a comparison and never become a value by themselves."""

QUESTION_WORDS = word_set("what which who whose when where how many much")
"""Function words that tell what is asked for."""

_SYNONYMS = {
    "show": "show get give display return retrieve fetch see view look tell read",
    "list": "list enumerate",
    "find": "find search lookup locate seek",
    "add": "add create register insert enter make new",
    "remove": "remove delete erase drop",
    "change": "change update edit modify alter set adjust move",
    "book": "book reserve schedule reservation booking",
    "cancel": "cancel cancellation cancellations",
    "name": "name named call called names",
    "near": "near nearest close closest nearby",
    "belong": "belong belongs own owns owned owner owners",
    "all": "all every everything entire whole complete",
    "number": "number nr id identifier numbers",
}

CHANGING_ACTS = word_set("add remove change book cancel")
"""Acts that leave things different: a function that never speaks of one is not meant by it."""

READING_ACTS = word_set("show list find check search query lookup calculate compute status read view count")
"""Acts that leave things as they are."""

LOOKING = word_set("show list find check search")
"""Those of them that a request may begin with."""

SYNONYMS = MappingProxyType({word: head for head, words in _SYNONYMS.items() for word in words.split()})
"""The one word that stands for all words of its meaning."""

_GERMAN = {
    "show": "zeig zeige zeigen anzeigen gib geben sag sage sagen erzähl",
    "list": "liste auflisten",
    "find": "finde finden such suche suchen",
    "add": "füge hinzufügen hinzu trage eintragen lege anlegen erstelle erstellen neu neue neuen neues neuer",
    "remove": "lösche löschen entferne entfernen streiche streichen tilge tilgen",
    "change": "ändere ändern umbuchen verschiebe verschieben aktualisiere "
    "aktualisieren setze setzen stelle verlege verlegen ändert",
    "book": "buche buchen reserviere reservieren reservierung",
    "cancel": "storniere stornieren abbrechen storno absagen "
    "absage stornierung abbestellen abbestelle kündige kündigen annulliere annullieren widerrufe widerrufen abbreche",
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
    "it": "es ihn",
    "not": "nicht kein keine keinen nie",
    "today": "heute",
    "tomorrow": "morgen",
    "order": "bestellung bestellungen bestelle bestellen",
    "person": "personen leute",
    "weather": "wetter",
    "table": "tisch",
    "appointment": "termin termine termins",
    "she": "sie",
    "from": "aus ab",
    "day": "tag",
    "yes": "ja",
    "buy": "kaufe kaufen kauf",
    "refund": "erstatte erstatten",
    "send": "schicke schicken schick sende senden",
    "pay": "zahle zahlen bezahle bezahlen",
    "rent": "miete mieten",
    "renew": "verlängere verlängern",
    "transfer": "überweise überweisen übertrage übertragen",
    "switch": "schalte schalten",
    "open": "öffne öffnen",
    "close": "schliesse schliessen",
    "block": "sperre sperren",
    "return": "zurückgeben",
    "ship": "versende versenden",
    "approve": "genehmige genehmigen bewillige bewilligen freigebe freigeben freigib",
    "reject": "ablehne ablehnen lehne",
    "register": "anmelde anmelden registriere registrieren",
    "deregister": "abmelde abmelden",
    "unblock": "entsperre entsperren freischalte freischalten",
    "activate": "aktiviere aktivieren einschalte einschalten anschalte anschalten",
    "deactivate": "deaktiviere deaktivieren ausschalte ausschalten abschalte abschalten",
    "lock": "verriegle verriegeln abschliesse abschliessen",
    "unlock": "entriegle entriegeln aufschliesse aufschliessen",
    "assign": "zuteile zuteilen zuweise zuweisen",
    "extend": "ausdehne ausdehnen",
    "start": "starte starten",
    "borrow": "ausleihe ausleihen",
    "lend": "verleihe verleihen",
    "confirm": "bestätige bestätigen",
    "request": "antrag anträge beantrage beantragen anfrage",
    "account": "konto",
    "card": "karte",
    "employee": "mitarbeiter mitarbeiterin angestellte angestellten",
    "door": "tür",
    "room": "zimmer raum",
}

_SPANISH = {
    "show": "muestra muestre muéstrame mostrar dame dime enseña enséñame ver",
    "list": "lista listar",
    "find": "busca buscar encuentra encontrar",
    "add": "añade añadir agrega agregar crea crear registra registrar nuevo nueva añada agregue cree registre anota",
    "remove": "borra borrar elimina eliminar quita borre elimine quitar",
    "change": "cambia cambiar cambie modifica modificar modifique actualiza "
    "actualizar actualice pon poner ponga mueve mover",
    "book": "reserva reservar reserve reservo",
    "cancel": "cancela cancelar cancele cancelo anula anular anule",
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
    "my": "mis mi",
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
    "order": "pedido pedidos pide pedir pida",
    "appointment": "cita citas",
    "not": "no",
    "it": "lo",
    "about": "sobre",
    "to": "a al",
    "i": "yo",
    "buy": "compra comprar compre",
    "refund": "reembolsa reembolsar",
    "send": "envía enviar envíe manda mandar",
    "pay": "paga pagar pague",
    "rent": "alquila alquilar alquile",
    "renew": "renueva renovar renueve",
    "transfer": "transfiere transferir transfiera",
    "switch": "enciende encender apaga apagar",
    "open": "abre abrir abra",
    "close": "cierra cerrar cierre",
    "block": "bloquea bloquear bloquee",
    "approve": "aprueba aprobar apruebe autoriza autorizar autorice",
    "reject": "rechaza rechazar rechace",
    "register": "inscribe inscribir inscriba",
    "unblock": "desbloquea desbloquear desbloquee",
    "activate": "activa activar active",
    "deactivate": "desactiva desactivar desactive",
    "assign": "asigna asignar asigne",
    "return": "devuelve devolver devuelva",
    "confirm": "confirma confirmar confirme",
    "extend": "prolonga prolongar prolongue",
    "request": "solicitud solicita solicitar solicite",
    "account": "cuenta",
    "card": "tarjeta",
    "employee": "empleado empleada",
    "door": "puerta",
    "room": "habitación cuarto",
}

_FRENCH = {
    "show": "montre montrez montrer affiche donne donnez",
    "list": "liste lister",
    "find": "cherche chercher trouve trouver",
    "add": "ajoute ajouter ajoutez crée créer nouveau "
    "nouvelle créez enregistre enregistrer enregistrez inscris inscrire",
    "remove": "supprime supprimer supprimez effacer efface retire retirer",
    "change": "modifie modifier change changer changez modifiez déplace déplacer déplacez mets mettez mettre",
    "book": "réserve réserver réservation réservez",
    "cancel": "annule annuler annulez annulation",
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
    "want": "veux voudrais aimerais souhaite",
    "tomorrow": "demain",
    "today": "aujourd'hui",
    "order": "commande commandes commander commandez",
    "appointment": "rendez-vous rdv",
    "not": "ne pas",
    "i": "je j'ai",
    "it": "ça cela",
    "to": "à au aux",
    "this": "cette cet ce",
    "buy": "achète acheter achetez",
    "refund": "rembourse rembourser remboursez",
    "send": "envoie envoyer envoyez",
    "pay": "paie payer payez",
    "rent": "loue louer louez",
    "renew": "renouvelle renouveler renouvelez",
    "transfer": "transfère transférer transférez",
    "switch": "allume allumer éteins éteindre",
    "open": "ouvre ouvrir ouvrez",
    "close": "ferme fermer fermez",
    "block": "bloque bloquer bloquez",
    "approve": "approuve approuver approuvez autorise autoriser autorisez",
    "reject": "refuse refuser refusez rejette rejeter rejetez",
    "unblock": "débloque débloquer débloquez",
    "activate": "active activer activez",
    "deactivate": "désactive désactiver désactivez",
    "lock": "verrouille verrouiller verrouillez",
    "unlock": "déverrouille déverrouiller déverrouillez",
    "assign": "attribue attribuer attribuez",
    "return": "rends rendre rendez",
    "confirm": "confirme confirmer confirmez",
    "extend": "prolonge prolonger prolongez",
    "request": "demande",
    "account": "compte",
    "card": "carte",
    "employee": "employé employée",
    "door": "porte",
    "room": "chambre pièce",
}


def _turned(table: dict[str, str]) -> MappingProxyType[str, str]:
    return MappingProxyType({word: head for head, words in table.items() for word in words.split()})


FOREIGN = MappingProxyType(
    {
        "de": _turned(_GERMAN),
        "es": _turned(_SPANISH),
        "fr": _turned(_FRENCH),
        "pt": _turned(portuguese.GENERAL),
        "it": _turned(italian.GENERAL),
        "ja": _turned(japanese.GENERAL),
        "ko": _turned(korean.GENERAL),
    }
)
"""General words of other languages by language, each with the English word it is read as."""

SEPARABLE = word_set("ab an auf aus ein frei hinzu los um weg zu zurück vor")
"""What a German verb may leave at the end of its clause: "sage den Termin ab"."""

PRONOUNS = word_set("it its this that one he him his she her they them their")
"""Words that point at something said before."""

COUNTERS = word_set("stück stücke stücken pieza piezas unidad unidades pièce pièces pezzo pezzi peça peças unidade")
"""Words behind a number that only say that it counts things."""

PREPOSITION_CUES = MappingProxyType(
    {
        "in": word_set("location city town place area region country state"),
        "near": word_set("location city place area address"),
        "at": word_set("location place venue address time hour restaurant"),
        "from": word_set("from origin source start departure sender city place"),
        "to": word_set("to destination target end arrival recipient receiver city place"),
        "on": word_set("date day"),
        "by": word_set("owner author creator artist user"),
        "for": word_set("name person guest customer people recipient reason purpose"),
        "about": word_set("topic subject query question"),
        "name": word_set("name title"),
        "belong": word_set("owner"),
    }
)
"""Words of a parameter's name or description that a preposition before a value speaks for."""

NEGATIONS = word_set(
    "no not without never none don't doesn't isn't kein keine nicht ohne não nao nunca sem non mai senza nada niente"
)
"""Words that turn the meaning of what follows."""
