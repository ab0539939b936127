"""Words of an utterance: tokens, light stemming, plain letters, and which language they are in."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from unicodedata import normalize

from openplaybook.models.offline.language.lexicon import FOREIGN, SEPARABLE, STOP_WORDS, SYNONYMS

_UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uff66-\uff9f々〆"
SPACED_LETTER = rf"[^\W{_UNSPACED}]"
"""Pattern of a letter or digit of a script that sets words apart by blanks."""
_UNSPACED_LETTER = re.compile(f"[{_UNSPACED}]")
_PARTICLES_JA = r"から|まで|より|には|では|とは|への|との|での|で(?![すし])|[はがをにとのもへや]"
_PARTICLES_KO = r"에서|에게|한테|으로|까지|부터|이랑|랑|을|를|은|는|의|에|와|과|로"
_TOKEN = re.compile(
    r"[\u30a0-\u30ff\uff66-\uff9f]+"
    r"|(?<=\d)(?:名様|[枚個人名番号回本冊台泊日月年時分円点件つ]|[번명개월일년시분장박원])|[\u3400-\u4dbf\u4e00-\u9fff々〆]+"
    rf"|(?<=[^\W\u3041-\u309f_])(?:{_PARTICLES_JA})|[\u3041-\u309f]+"
    rf"|[\uac00-\ud7af]+?(?=(?:{_PARTICLES_KO})(?![\uac00-\ud7af]))|[\uac00-\ud7af]+"
    rf"|[^\W_{_UNSPACED}]+(?:['’][^\W_{_UNSPACED}]+)*|[^\w\s]|_"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_STOP_KEYS = STOP_WORDS - SYNONYMS.keys()
_HIRAGANA = re.compile(
    r"(?!.*(?:ない|なく|ませ))(?:[\u3041-\u309f]{1,2}|[\u3041-\u309f]*(?:ます|です|ください|たい)[\u3041-\u309f]*)"
)
"""Particles, and the endings of verbs that deny nothing."""
_KOREAN_PARTICLE = re.compile(rf"(?:{_PARTICLES_KO})")
_KOREAN_ENDING = re.compile(
    r"([\uac00-\ud7af]{2,}?)(?:(?:하|해|했|할|합|한|됐|되|돼|드)[\uac00-\ud7af]*|이|가|도|만|요)"
)
_KANA, _HANGUL = re.compile(r"[\u3041-\u30ff\uff66-\uff9f\u4e00-\u9fff]"), re.compile(r"[\uac00-\ud7af]")
_APOSTROPHE = re.compile(r"n?['’](?:s|d|m|re|ve|ll|t)?$")
_ENDINGS = (
    ("ies", "y"),
    ("ied", "y"),
    ("ations", ""),
    ("ation", ""),
    ("ings", ""),
    ("ing", ""),
    ("ers", ""),
    ("est", ""),
    ("er", ""),
    ("es", ""),
    ("ed", ""),
    ("ly", ""),
    ("s", ""),
    ("e", ""),
)
_SHORTEST_STEM = 3
_SURE_LEAD = 2
_LONGEST_CLAUSE = 15
"""Words between the parts of a verb."""
_MARKS = frozenset(".!?;,:")
_BEHIND_A_CLAUSE = frozenset(("und", "oder", "bitte", "aber", "sondern", "danke", "dann"))
_BOUND = re.compile(r"(\w{3,}?[aeiáéír])(?:me|te|se|nos)?(?:lo|la|los|las|le|les)")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|(?<!\w)'[^']*'(?!\w)")
_APOSTROPHES = str.maketrans("’‘`´", "''''")
_PLAIN_VOWELS = str.maketrans("áéíóú", "aeiou")


@dataclass(frozen=True, slots=True)
class WordToken:
    """A word or a punctuation mark."""

    text: str
    """As written."""
    start: int
    """Offset in the utterance, in characters."""
    end: int
    key: str
    """What it is compared by: synonyms joined, endings removed; the mark itself for punctuation."""
    is_word: bool
    is_stop: bool
    """A function word."""

    @property
    def is_number(self) -> bool:
        """Digits only."""
        return self.text.isdigit()


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """An utterance as the planner reads it. Compared by identity, which makes it a cheap key of caches."""

    text: str
    tokens: tuple[WordToken, ...]
    words: tuple[WordToken, ...]
    """The tokens that are no punctuation."""
    folded: tuple[str, ...]
    """The words lower case and in the singular."""
    token_starts: tuple[int, ...]
    word_starts: tuple[int, ...]
    language: str
    """`en`, or the foreign language whose general words it is made of."""
    is_certain: bool
    """Whether at least two words more speak for that language than for another."""

    def words_before(self, offset: int, count: int) -> tuple[WordToken, ...]:
        """The last `count` words that begin before `offset`."""
        at = bisect_left(self.word_starts, offset)
        return self.words[max(0, at - count) : at]

    def words_from(self, offset: int, count: int) -> tuple[WordToken, ...]:
        """The first `count` words from `offset` on."""
        at = bisect_left(self.word_starts, offset)
        return self.words[at : at + count]

    def tokens_before(self, offset: int, count: int) -> tuple[WordToken, ...]:
        """The last `count` tokens that begin before `offset`."""
        at = bisect_left(self.token_starts, offset)
        return self.tokens[max(0, at - count) : at]

    def tokens_from(self, offset: int, count: int) -> tuple[WordToken, ...]:
        """The first `count` tokens from `offset` on."""
        at = bisect_left(self.token_starts, offset)
        return self.tokens[at : at + count]


@lru_cache(maxsize=1024)
def read(text: str) -> Reading:
    """Cut `text` into tokens and guess its language from its general words."""
    matches = list(_TOKEN.finditer(text))
    language, lead = _language([match.group().casefold() for match in matches])
    tokens = tuple(_token(match, language) for match in matches)
    if language == "de":
        tokens = _with_whole_verbs(tokens)
    words = tuple(token for token in tokens if token.is_word)
    return Reading(
        text=text,
        tokens=tokens,
        words=words,
        folded=tuple(singular(word.text).casefold() for word in words),
        token_starts=tuple(token.start for token in tokens),
        word_starts=tuple(word.start for word in words),
        language=language,
        is_certain=lead >= _SURE_LEAD,
    )


def is_unspaced(text: str) -> bool:
    """Whether a text begins in a script that joins words without a blank: Japanese, or Korean with its particles."""
    return _UNSPACED_LETTER.match(text) is not None


def words_in(text: str) -> Iterator[str]:
    """The words of a text, casefolded and no more: a hundred times as fast as reading it, and nothing is kept."""
    return (token.casefold() for token in _TOKEN.findall(text) if token[0].isalnum())


def _token(match: re.Match[str], language: str) -> WordToken:
    written = match.group()
    is_word = written[0].isalnum()
    key = key_of(written, language) if is_word else written
    return WordToken(written, match.start(), match.end(), key, is_word, is_word and _is_stop(written, key))


def _is_stop(written: str, key: str) -> bool:
    if key in _STOP_KEYS:
        return True
    return is_unspaced(written) and bool(_HIRAGANA.fullmatch(written) or _KOREAN_PARTICLE.fullmatch(written))


def _with_whole_verbs(tokens: tuple[WordToken, ...]) -> tuple[WordToken, ...]:
    """The same with the two parts of a German verb read as one: "sage den Termin ab" calls it off."""
    whole = list(tokens)
    verbs = FOREIGN["de"]
    for number, token in enumerate(tokens):
        particle = token.text.casefold()
        if particle not in SEPARABLE or not _ends_clause(tokens, number):
            continue
        for place in range(number - 1, max(-1, number - _LONGEST_CLAUSE), -1):
            if tokens[place].text in _MARKS:
                break
            verb = tokens[place].text.casefold()
            head = next((verbs[form] for form in _forms(particle, verb) if form in verbs), None)
            if head is not None:
                key = SYNONYMS.get(head) or stem(head)
                whole[place] = replace(tokens[place], key=key, is_stop=False)
                whole[number] = replace(token, is_stop=True)
                break
    return tuple(whole)


def _ends_clause(tokens: Sequence[WordToken], number: int) -> bool:
    following = tokens[number + 1 : number + 2]
    return not following or not following[0].is_word or following[0].text.casefold() in _BEHIND_A_CLAUSE


def _forms(particle: str, verb: str) -> Iterator[str]:
    """How the lexicon may have a verb of two parts: as said, or as "I" say it."""
    yield particle + verb
    yield f"{particle}{verb}e"
    yield particle + verb.removesuffix("n")


def _language(words: Sequence[str]) -> tuple[str, int]:
    """The language that most general words speak for, and how many more than for English, or than for any other."""
    for language, script in (("ja", _KANA), ("ko", _HANGUL)):
        written = sum(script.match(word) is not None for word in words)
        if 2 * written >= len(words) > 0:
            return language, max(written, _SURE_LEAD)
    english = sum(word in STOP_WORDS or word in SYNONYMS for word in words)
    hits = {language: sum(word in known for word in words) for language, known in FOREIGN.items()}
    best, second = sorted(hits, key=lambda language: -hits[language])[:2]
    if hits[best] <= english:
        return "en", english - hits[best]
    return best, hits[best] - max(english, hits[second])


def key_of(word: str, language: str = "en") -> str:
    """What a word is compared by, read in `language`."""
    lower = word.casefold()
    if language in FOREIGN:
        known = FOREIGN[language]
        lower = known.get(lower) or known.get(_bare(lower, language)) or _bare(lower, language)
    lower = _APOSTROPHE.sub("", lower)
    return SYNONYMS.get(lower) or (lower if lower in STOP_WORDS else stem(lower))


def _bare(word: str, language: str) -> str:
    """A word of a foreign language without what it binds or ends with there."""
    if language == "es":
        known = _unbound(word)
        return known if known in FOREIGN["es"] else word
    if language == "ko":
        match = _KOREAN_ENDING.fullmatch(word)
        return match[1] if match else word
    if language == "it" and "'" in word:
        # "dell'ordine", "l'indirizzo": the article is no part of the noun.
        return word.rpartition("'")[2]
    return word


def _unbound(word: str) -> str:
    """A Spanish verb without the pronouns that it binds: "muévela" is "mueve"."""
    match = _BOUND.fullmatch(word)
    return match[1].translate(_PLAIN_VOWELS) if match else word


def is_general_word(token: WordToken, language: str) -> bool:
    """Whether a word of a foreign language is among its known general words."""
    return language in FOREIGN and token.text.casefold() in FOREIGN[language]


def stem(word: str) -> str:
    """A word without its commonest English ending; equal for the forms of one word, not always a word itself."""
    for ending, replacement in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) + len(replacement) >= _SHORTEST_STEM:
            if ending == "s" and word.endswith("ss"):
                continue
            root = word[: -len(ending)] + replacement
            return root[:-1] if ending in ("ing", "ed") and len(root) > 3 and root[-1] == root[-2] else root
    return word


def singular(word: str) -> str:
    """A plural's singular by English spelling rules; other words unchanged."""
    lower = word.casefold()
    if lower.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if lower.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    if lower.endswith("s") and not lower.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


def identifier_words(identifier: str) -> list[str]:
    """The words of a name such as `petName`, `X-OWNER` or `zip_code`, lower case."""
    return [word.casefold() for word in re.findall(r"[^\W_]+", _CAMEL.sub(" ", identifier))]


def keys(text: str) -> frozenset[str]:
    """The keys of the content words of `text`."""
    return frozenset(token.key for token in read(text).words if not token.is_stop)


_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+|(?<=[。？！])")


@lru_cache(maxsize=1024)
def fold(text: str) -> str:
    """Lower case, single blanks and no punctuation: for comparing whole utterances."""
    return " ".join(words_in(text)).replace("’", "'")


def sentences(text: str) -> list[str]:
    """The sentences of a text, without blanks around them; a mark within a number or a name ends none."""
    return [part for part in map(str.strip, _BETWEEN_SENTENCES.split(text)) if part]


def last_sentence(text: str) -> str:
    """The last sentence of a text; empty where it has none."""
    return next(reversed(sentences(text)), "")


def plain(text: str) -> str:
    """`text` in lower case and without accents, offsets unchanged."""
    return "".join(map(_plain, text)).translate(_APOSTROPHES)


def without_quotes(text: str) -> str:
    """`text` with all that stands in quotation marks made `x`: it is somebody else's words, or a name."""
    return _QUOTED.sub(lambda match: "x" * len(match.group()), text)


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    if is_unspaced(character):
        return character
    base = normalize("NFD", character)[:1].casefold()
    return base if len(base) == 1 else character
