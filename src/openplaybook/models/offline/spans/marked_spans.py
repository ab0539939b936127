"""Values that their own spelling gives away: addresses, codes, quoted words, telephone numbers, and names."""

import re
from collections.abc import Iterator

from openplaybook.models.offline.language.lexicon import FOREIGN, PREPOSITION_CUES, STOP_WORDS, SYNONYMS
from openplaybook.models.offline.language.small_talk import SMALL_TALK
from openplaybook.models.offline.language.tokenizer import SPACED_LETTER, Reading, WordToken
from openplaybook.models.offline.spans.typed_span import Span, SpanKind

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_URL = re.compile(r"https?://[^\s<>\"']*[^\s<>\"'.,;:!?)]")
_PHONE = re.compile(r"(?<![\w-])\+?\(?\d[\d ()/-]{6,}\d(?![\w-])")
_CODE = re.compile(
    rf"(?<![@.-])(?<!{SPACED_LETTER})(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z-])"
    rf"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*(?![@]|{SPACED_LETTER}|-\w)"
)
_NO_CODE = re.compile(r"\d+(?:st|nd|rd|th|am|pm|km|kg|cm|mm|m|g|h|k|x)|\d{4}-\d{1,2}-\d{1,2}", re.IGNORECASE)
_GROUPED_CODE = re.compile(
    r"(?<![\w-])(?:[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} \d{1,4}[EH]?|\d{4} [B-DF-HJ-NP-TV-Z]{3}|[A-Z]{2}\d{2} [A-Z]{3})(?![\w-])"
)
"""Codes of two groups, as plates of cars have."""
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|(?<!\w)['‘]([^'’]+)['’](?!\w)")
_UPPER = r"[A-ZÀ-ÖØ-Þ][\w'’.-]*"
_HOUSE = r"\d{1,4}[a-zA-Z]?\b"
_STREET_ENDS = r"(?:[Ss]treet|St\b\.?|Road|Rd\b\.?|Avenue|Ave\b\.?|Lane|Drive|Square|Boulevard|Blvd\b\.?|Way)"
_ADDRESS = re.compile(
    rf"(?:{_HOUSE} )?(?:{_UPPER} ){{1,3}}{_STREET_ENDS}(?: {_HOUSE})?"
    rf"|\b[A-ZÄÖÜ]\w*(?:straße|strasse|str\.|weg|platz|allee|gasse|ring|damm|ufer) {_HOUSE}"
    rf"|\b(?:Calle|Avenida|Avda\.?|Plaza|Paseo)(?: (?:de|del|la|las|los))*(?: {_UPPER}){{1,3}},? {_HOUSE}"
    rf"|(?:{_HOUSE},? )?\b[Rr]ue(?: (?:de|du|des|la|le))*(?: {_UPPER}){{1,3}}(?:,? {_HOUSE})?"
    rf"|\b{_HOUSE},? (?:[Aa]venue|[Bb]oulevard|[Pp]lace|[Qq]uai)(?: (?:de|du|des|la|le))*(?: {_UPPER}){{1,3}}"
)
_FEWEST_DIGITS = 7
_DIGIT, _QUOTE = re.compile(r"\d"), re.compile(r"[\"'‘“„«]")


def find_marked(reading: Reading) -> Iterator[Span]:
    """E-mail addresses, URLs, telephone numbers, codes, streets with a number and quoted words."""
    text = reading.text
    if "@" in text:
        yield from _all(_EMAIL, SpanKind.EMAIL, text)
    if "://" in text:
        yield from _all(_URL, SpanKind.URL, text)
    if _DIGIT.search(text):
        yield from _with_digits(text)
    if not text.islower():
        yield from _all(_ADDRESS, SpanKind.ADDRESS, text)
    if _QUOTE.search(text):
        for match in _QUOTED.finditer(text):
            words = next(group for group in match.groups() if group)
            yield Span(match.start(), match.end(), SpanKind.QUOTED, words, words)


def _all(pattern: re.Pattern[str], kind: SpanKind, text: str) -> Iterator[Span]:
    return (Span(match.start(), match.end(), kind, match.group(), match.group()) for match in pattern.finditer(text))


def _with_digits(text: str) -> Iterator[Span]:
    for span in _all(_PHONE, SpanKind.PHONE, text):
        if sum(map(str.isdigit, span.text)) >= _FEWEST_DIGITS and not span.text.isdigit():
            yield span
    yield from _all(_GROUPED_CODE, SpanKind.CODE, text)
    yield from (span for span in _all(_CODE, SpanKind.CODE, text) if not _NO_CODE.fullmatch(span.text))


_ORDINARY = STOP_WORDS | {word for phrases in SMALL_TALK.values() for phrase in phrases for word in phrase.split()}
_SENTENCE_ENDS = frozenset(".!?:")


def find_names(reading: Reading) -> Iterator[Span]:
    """Runs of capitalised words that are no function words; weak at the beginning of a sentence, and where a
    language that capitalises nouns shows no preposition before them."""
    run: list[WordToken] = []
    before = first_before = "."
    followers = (*reading.tokens[1:], None)
    for token, follower in zip(reading.tokens, followers, strict=False):
        if _is_name(token, reading.language) or (not run and _opens(token, follower, before, reading.language)):
            first_before = first_before if run else before
            run.append(token)
        elif run and not _joins(token, run[-1]):
            yield _name_span(reading, run, first_before)
            run = []
        before = token.key
    if run:
        yield _name_span(reading, run, first_before)


def _is_name(token: WordToken, language: str) -> bool:
    return _is_capitalised(token) and not _is_ordinary(token, language) and token.text.casefold() not in SYNONYMS


def _opens(token: WordToken, follower: WordToken | None, before: str, language: str) -> bool:
    """Whether a word that has a meaning of its own begins a name, as in "New York"."""
    inside = before not in _SENTENCE_ENDS and _is_capitalised(token) and not _is_ordinary(token, language)
    return inside and language != "de" and follower is not None and _is_name(follower, language)


def _is_capitalised(token: WordToken) -> bool:
    return token.is_word and token.text[0].isupper()


def _is_ordinary(token: WordToken, language: str) -> bool:
    plain = token.text.casefold().replace("’", "'").split("'")[0]
    return plain in _ORDINARY or (language in FOREIGN and plain in FOREIGN[language])


def _joins(token: WordToken, last: WordToken) -> bool:
    """Whether a mark stands inside a name: the dash of "Jean-Luc", the point of "J. Smith"."""
    return token.start == last.end and (token.text == "-" or (token.text == "." and len(last.text) <= 2))


def _name_span(reading: Reading, run: list[WordToken], before: str) -> Span:
    start, end = run[0].start, run[-1].end
    if reading.text[start:end].endswith(("'s", "’s")):
        end -= 2
    is_noun = reading.language == "de" and before not in PREPOSITION_CUES
    words = reading.text[start:end]
    return Span(start, end, SpanKind.NAME, words, words, is_noun or before in _SENTENCE_ENDS)
