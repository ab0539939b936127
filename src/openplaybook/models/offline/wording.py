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
    ask_described: str
    """Asks for something by its description."""
    choose: str
    """Behind a question, before the values to choose from."""
    not_usable: str
    """Before a question that is asked again."""
    confirm: str
    dropped: str
    """When the user calls something off."""
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
    ask_described="Please tell me: {}.",
    choose="You can choose from {}.",
    not_usable="I could not use that answer.",
    confirm="Shall I go on?",
    dropped="All right, I will not do that.",
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
    ask_described="Bitte nennen Sie mir: {}.",
    choose="Zur Wahl stehen {}.",
    not_usable="Mit dieser Antwort kann ich nichts anfangen.",
    confirm="Soll ich das tun?",
    dropped="Gut, ich lasse es.",
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

_BY_LANGUAGE = {"en": ENGLISH, "de": GERMAN}


def wording_for(language_code: str) -> Wording:
    """The sentences of the agent's language, such as `de` or `de-AT`; English where there are none."""
    return _BY_LANGUAGE.get(language_code[:2].casefold(), ENGLISH)
