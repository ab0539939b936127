"""Values that their own spelling gives away: addresses, codes, quoted words, telephone numbers."""

import re
from collections.abc import Iterator

from openplaybook.models.offline.spans.base import Span, SpanKind
from openplaybook.models.offline.text import Reading

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_URL = re.compile(r"https?://[^\s<>\"']*[^\s<>\"'.,;:!?)]")
_PHONE = re.compile(r"(?<![\w-])\+?\(?\d[\d ()/-]{6,}\d(?![\w-])")
_CODE = re.compile(r"(?<![\w@.-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z-])[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*(?![\w@]|-\w)")
_NO_CODE = re.compile(r"\d+(?:st|nd|rd|th|am|pm|km|kg|cm|mm|m|g|h|k|x)|\d{4}-\d{1,2}-\d{1,2}", re.IGNORECASE)
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


def find_marked(reading: Reading) -> Iterator[Span]:
    """E-mail addresses, URLs, telephone numbers, codes, streets with a number and quoted words."""
    text = reading.text
    for match in _EMAIL.finditer(text):
        yield Span(match.start(), match.end(), SpanKind.EMAIL, match.group(), match.group())
    for match in _URL.finditer(text):
        yield Span(match.start(), match.end(), SpanKind.URL, match.group(), match.group())
    for match in _PHONE.finditer(text):
        if sum(map(str.isdigit, match.group())) >= _FEWEST_DIGITS and not match.group().isdigit():
            yield Span(match.start(), match.end(), SpanKind.PHONE, match.group(), match.group())
    for match in _CODE.finditer(text):
        if not _NO_CODE.fullmatch(match.group()):
            yield Span(match.start(), match.end(), SpanKind.CODE, match.group(), match.group())
    for match in _ADDRESS.finditer(text):
        yield Span(match.start(), match.end(), SpanKind.ADDRESS, match.group(), match.group())
    for match in _QUOTED.finditer(text):
        words = next(group for group in match.groups() if group)
        yield Span(match.start(), match.end(), SpanKind.QUOTED, words, words)
