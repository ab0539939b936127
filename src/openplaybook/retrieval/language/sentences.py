"""Sentences of a text, as spans of it, in the languages that searches analyse."""

import re
from collections.abc import Iterator, Sequence

_ENDS = re.compile(
    r"""(?<![.!?…])[.!?…]++[)\]"'”’»›“]*+(?=\s|$)|[。！？｡．]+[」』”’）)\]"]*|[।॥]+|[؟۔]+["»”)]*|[;\u037e](?=\s|$)"""
)
"""A run of signs is looked at once, where it begins: dots without end would hold up all threads."""
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n\s*|\n[ \t]*(?=[-*•‣▪–—]\s|\d{1,3}[.)]\s)|[\r\u2028\u2029\f]+\n?")
_THAI = re.compile("[\u0e00-\u0e7f]")
_THAI_PAUSE = re.compile("(?<=[\u0e00-\u0e7f])[ \u00a0]+(?=[\u0e00-\u0e7f])")
_THAI_SHORTEST = 40
"""Characters of a Thai sentence, at least: its writers mark the end with a blank, and other pauses too."""

_LAST_WORD = re.compile(r"([\w.]*)\.$")
_DATED = {"de", "da", "no", "fi", "cs", "pl", "hu", "tr", "et", "lv", "sk", "sl", "hr", "sr"}
"""Languages that write ordinal numbers with a full stop: `3. Oktober`."""

_LISTS = {
    "en": """mr mrs ms dr prof st sr jr vs etc e.g i.e approx dept est fig figs inc ltd co corp no nos vol pp p ed eds
        al gen col capt lt sgt rev hon gov sen rep jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri
        u.s u.k""",
    "de": """bzw z.b d.h u.a usw ca nr str evtl ggf inkl zzgl max min abs art bspw sog vgl hr fr dipl ing""",
    "es": """sra srta dña dn ud uds ee.uu aprox pág págs av avda tel núm""",
    "fr": """mme mlle m mm cf éd env chap""",
    "it": """sig sigg dott avv ecc pag""",
    "pt": """exmo exma dra drª""",
    "nl": """dhr mevr bijv nl o.a m.b.t enz""",
    "ru": """т.е т.д т.п т.к г гг в вв руб коп тыс млн млрд им ул д стр рис см др проф акад""",
    "el": """κ κα π.χ δηλ κ.λπ κτλ σελ αρ""",
    "tr": """örn vb yy bkz doç sn""",
}
_ABBREVIATIONS = frozenset(word for words in _LISTS.values() for word in words.split())


def sentences(text: str, language: str = "") -> Sequence[tuple[int, int]]:
    """Where sentences begin and end, in order, without the blanks around them; all else of the text lies in one.

    Paragraphs and items of lists end a sentence. A full stop of an abbreviation, of initials and of an ordinal number
    does not, nor one before a word in lower case.
    """
    found: list[tuple[int, int]] = []
    for start, end in _paragraphs(text):
        begin = start
        for cut in _cuts(text, start, end, language):
            _add(found, text, begin, cut)
            begin = cut
        _add(found, text, begin, end)
    return found


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for gap in _PARAGRAPH.finditer(text):
        yield start, gap.start()
        start = gap.end()
    yield start, len(text)


def _cuts(text: str, start: int, end: int, language: str) -> Iterator[int]:
    """Places between two sentences of one paragraph."""
    if language == "th" or (not language and _THAI.search(text, start, end)):
        yield from _thai_cuts(text, start, end)
        return
    for mark in _ENDS.finditer(text, start, end):
        if mark.end() < end and _is_end(text, start, mark, language):
            yield mark.end()


def _thai_cuts(text: str, start: int, end: int) -> Iterator[int]:
    begin = start
    for pause in _THAI_PAUSE.finditer(text, start, end):
        if pause.start() - begin >= _THAI_SHORTEST:
            yield pause.end()
            begin = pause.end()


def _is_end(text: str, start: int, mark: "re.Match[str]", language: str) -> bool:
    sign = mark[0][0]
    if sign in ";\u037e":
        return language == "el"
    if sign != "." or len(mark[0].rstrip(")]\"'”’»›“")) > 1:
        return True
    following = text[mark.end() : mark.end() + 8].lstrip()[:1]
    if following.islower():
        return False
    # The words before a full stop are looked at, not the whole text, which may be long.
    before = _LAST_WORD.search(text[max(start, mark.start() - 32) : mark.start() + 1])
    word = before[1] if before else ""
    is_initial = len(word) == 1 and word.isalpha() and word.isupper()
    is_ordinal = word.isdigit() and len(word) <= 2 and language in _DATED
    return not (is_initial or is_ordinal or word.lower() in _ABBREVIATIONS)


def _add(found: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        found.append((start, end))
