"""How a user's words reply to what the agent said: they agree, turn it down, or ask about what was found."""

import re

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.offline.language.lexicon import NEGATIONS, word_set
from openplaybook.models.offline.language.small_talk import CANCEL, NO, THANKS, YES, kind_of
from openplaybook.models.offline.language.tokenizer import plain
from openplaybook.models.offline.learned.lexemes import lexemes_of, stem_of, words_of_name

_GOOD = (
    r"(?:good|great|nice|fine|perfect|ok|okay|alright|cool|awesome|lovely|wonderful|excellent|correct|right|it|amazing"
    r"|fantastic)"
)
_IS = r"(?:it|that|this|that one|all|everything)(?:'s| is| was| will be| would be| sounds| seems| looks)"
_AGREES = re.compile(
    r"[\W_]*(?:(?:oh|ah|well|hmm+|ok|okay|alright|great|so)[\s,.!]+)*"
    r"(?:yes|yeah|yep|yup|ya|sure|surely|ok|okay|k|alright|all right|absolutely|definitely|certainly|of course|correct"
    r"|affirmative|right|exactly|perfect|perfectly|great|good|nice|fine|cool|awesome|wonderful|excellent|lovely"
    r"|agreed|confirmed?"
    r"|go ahead|please (?:do|go ahead|proceed)|do (?:it|that)|works for me|that works|that'?ll (?:do|work)"
    r"|(?:i (?:do|would|am)|it is)(?=\W*(?:$|[.,!;]|please|thank))|i like (?:it|that|this)|i love (?:it|that)"
    rf"|{_IS}(?: (?:all|just|very|really|pretty|so|quite|like))*(?: an?)? {_GOOD}"
    rf"|(?:sounds|seems|looks)(?: like)?(?: (?:an?|very|really|pretty|so))* {_GOOD}"
    r"|i'?d (?:like|love) (?:that|it|to)|you(?:'ve)? got (?:it|that)"
    r"|(?:that|this|it)(?:'s| is| was)(?: (?:just|exactly|about|pretty much|all))? (?:the (?:deal|one|plan)|what i)"
    r"|(?:that|this)(?:'s| is) about (?:it|right))\b"
)
_REFUSES = re.compile(
    r"[\W_]*(?:(?:oh|ah|well|hmm+|um|uh|ok|okay|actually)[\s,.!]+)*"
    r"(?:no|nope|nah|not? (?:now|yet|really|right now|thanks|thank you)|never ?mind"
    r"|(?:maybe|perhaps|possibly)(?: at)?(?: an?| some)?(?: other| another)? ?(?:later|time|another time)"
    r"|later|nothing|i (?:don'?t|do not) (?:want|need|think so)|i(?:'m| am) (?:good|fine|all set))\b"
)
_ENDS = re.compile(
    r"\b(?:(?:that|this|it)(?:'s| is| will be| would be|'ll be|'d be)(?: it| all| everything)"
    r"|nothing (?:else|more)|(?:don'?t|do not) need (?:anything|any (?:more|other|further))"
    r"|all (?:set|done|i need(?:ed)?)|i'?m (?:done|finished)|no(?:thing)? more help|(?:good)?bye)\b"
)


def agrees(text: str) -> bool:
    """Whether the words begin with an agreement."""
    words, said = plain(text), plain(without_questions(text))
    return kind_of(text) == YES or _AGREES.match(words) is not None or _is_short_praise(said)


def _is_short_praise(words: str) -> bool:
    """Whether some few words find something good: "you got it right"."""
    said = re.findall(r"[\w']+", words)
    return (
        len(said) <= _FEW and "?" not in words and bool(_PRAISE.intersection(said)) and not NEGATIONS.intersection(said)
    )


_FEW = 6
_PRAISE = word_set("good great fine perfect right correct works nice confirmed proceed ahead agree wonderful excellent")


def refuses(text: str) -> bool:
    """Whether the words begin with a refusal, or put off what was offered."""
    return kind_of(text) in (NO, CANCEL) or _REFUSES.match(plain(text)) is not None


def ends_talk(text: str) -> bool:
    """Whether the words say that nothing more is wanted, or only thank."""
    return kind_of(text) == THANKS or _ENDS.search(plain(text)) is not None


_ASKS = re.compile(
    r"\?|^(?:and |also |what|which|how|where|when|who|is |are |does |do |can |could |would |will |has |have )"
    r"|\b(?:tell me|let me know|i want to know|i'?d like to know|i would like to know|i need to know"
    r"|give me|get (?:me )?(?:the|their|its)|know (?:the|their|its|if|whether|how|what|where|when)"
    r"|may i (?:have|know)|can i (?:have|get|know))\b",
    re.IGNORECASE,
)
_GENERIC = frozenset(map(stem_of, ("name", "number", "is", "has", "type", "id", "of", "good", "the", "per", "total")))
"""Words of members' names that tell little."""
_MEANS = (
    (
        re.compile(r"\bhow much\b|\bexpensive\b|\bcost(?:s|ly)?\b|\bpric(?:e|ey|es)\b|\bcharges?\b"),
        "price cost fare rent balance amount fee total",
    ),
    (re.compile(r"\bwhere\b|\blocated\b|\baddress\b"), "address location street venue station"),
    (re.compile(r"\bphone\b|\bcall (?:them|him|her|it)\b|\bcontact\b|\breach (?:them|him|her)\b"), "phone"),
    (re.compile(r"\bhow (?:long|far)\b"), "duration length time distance"),
    (re.compile(r"\bwhat time\b|\bwhen\b"), "time"),
    (re.compile(r"\bkids?\b|\bchild(?:ren)?\b"), "kids"),
    (re.compile(r"\brain\w*\b|\bsnow\w*\b"), "precipitation"),
    (re.compile(r"\bhumid\w*\b"), "humidity"),
    (re.compile(r"\bwi-?fi\b|\binternet\b"), "wifi internet"),
    (re.compile(r"\bwho\b"), "artist director author actor name"),
)
"""What is asked with which words, and what members of results that have it are called."""


_INFORMATION = re.compile(
    r"[\W_]*(?:(?:and|also|oh|ok|okay|but|so|then|please|by the way)[\s,]+)*"
    r"(?:what|which|where|when|who|whose|how|why|is|are|does|do(?! (?:it|that|so)\b)|did|will it|will they|has"
    r"|have they|any"
    r"|(?:please )?(?:tell me|let me know|give me|provide(?: me)?|(?:check|see) (?:if|whether))"
    r"|i(?:'d| would)? (?:also )?(?:want|like|need) to know"
    r"|(?:can|could|may|might|would|will) (?:you |i |we )?(?:please |also |just |kindly )*"
    r"(?:tell|give|have|know|get|share|provide|let me know|ask|see|check (?:if|whether)|inform)"
    r"|(?:can|could|may|will|would) (?!(?:you|i|we|it|that|this|they|there)\b)\w+)\b",
    re.IGNORECASE,
)
_DOUBTS = re.compile(
    r"\b(?:chang\w*|instead|another|other|different|rather|cancel\w*|earlier|later|wait|hold|possible|really|sure"
    r"|refund\w*|too|(?<!know )(?<!tell me )(?<!check )(?<!see )if)\b",
    re.IGNORECASE,
)
"""Words of a question that may want something else than what was agreed to."""
_FRAGMENT = re.compile(
    r"(?!(?:on|at|in|for|with|to|by|from|make|change)\b)[^\W\d]+(?:[ -][^\W\d]+){0,2}\?+", re.IGNORECASE
)
"""A question of a few words: "Outdoor seating?"."""
_CONTINUES = re.compile(r"(?:that|which|who|where|please|thanks|thank you|so that)\b", re.IGNORECASE)
_PART = re.compile(r"[^.!?,;\n]+[.!?,;\n]*\s*")


def questions_beside(text: str) -> list[tuple[int, int]]:
    """Where a reply asks for information beside what it says: the address, in "Yes, that's right. What is the
    address?"."""
    places: list[tuple[int, int]] = []
    for part in _PART.finditer(text):
        continues = bool(places) and places[-1][1] == part.start() and _CONTINUES.match(part.group())
        is_fragment = _FRAGMENT.fullmatch(part.group().strip()) is not None
        is_asking = continues or is_fragment or _INFORMATION.match(part.group())
        if part.start() and is_asking and not _DOUBTS.search(part.group()):
            places.append((part.start(), part.end()))
    return places


def without_questions(text: str) -> str:
    """What a reply says, without what it asks for beside that."""
    said, end = "", 0
    for start, last in questions_beside(text):
        said, end = said + text[end:start], last
    return said + text[end:]


def asks_of_found(text: str) -> bool:
    """Whether words ask about the thing that was found: "Do they have outdoor seating?"."""
    return "?" in text and _OF_FOUND.search(plain(text)) is not None


_OF_FOUND = re.compile(
    r"(?:^|[.!,] ?|\b(?:and|but|so|ok|okay|great) )(?:do|does|is|are|has|have|did|was) (?:they|it|he|she|that|this)\b"
    r"|\b(?:at|in|on|of|for|about|with) (?:it|them|that (?:one|\w+)|this (?:one|\w+))\W*\?"
)


def asked_members(thing: JsonObject, text: str) -> dict[str, JsonValue]:
    """The members of a thing that words ask for; nothing where they ask for none."""
    lower = text.casefold()
    if not thing or not _ASKS.search(lower):
        return {}
    stems = {each.stem for each in lexemes_of(lower) if not each.is_small}
    for pattern, words in _MEANS:
        if pattern.search(lower):
            stems |= {stem_of(word) for word in words.split()}
    found: dict[str, JsonValue] = {}
    for name, value in thing.items():
        telling = {stem_of(word) for word in words_of_name(name)} - _GENERIC
        if telling & stems and not isinstance(value, dict | list):
            found[name] = value
    return found


def named_members(thing: JsonObject, text: str) -> dict[str, JsonValue]:
    """Those of the members that words ask for whose whole names, of several words, are said."""
    stems = {each.stem for each in lexemes_of(text.casefold())}
    return {
        name: value
        for name, value in asked_members(thing, text).items()
        if len(words := words_of_name(name)) > 1 and stems.issuperset(map(stem_of, words))
    }
