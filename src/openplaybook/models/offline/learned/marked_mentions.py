"""What is known by how it is written: quotes, codes, formulas, lists and objects, dates, times, addresses."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from openplaybook.jsonvalues import JsonValue, as_object
from openplaybook.models.offline.learned.mentions import Mention, MentionKind

MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
    *("november", "december"),
)
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_ORDINAL = r"(?:st|nd|rd|th)?"
_DATE = re.compile(
    rf"\b(\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?:T[\d:]+Z?)?|\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{2,4}}"
    rf"|{MONTH}\.?,? ?(?:the )?\d{{1,2}}{_ORDINAL}\b(?!:)(?:, ?| (?:of )?)?(?:\d{{4}}\b)?"
    rf"|(?:the )?\d{{1,2}}{_ORDINAL}(?: of)? {MONTH}\b(?:,? ?\d{{4}}\b)?|{MONTH}\.?,? \d{{4}}\b"
    rf"|(?:the )?\d{{1,2}}(?:st|nd|rd|th)(?! century)(?: of (?:this|next) month)?|today|tonight"
    rf"|day after tomorrow|tomorrow|yesterday"
    rf"|(?:(?:this|next|coming|last) )?(?:{'|'.join(DAYS)})(?: (?:next|this) week)?"
    rf"|next (?:week|month)(?! \w+day))\b",
    re.IGNORECASE,
)
_BEFORE_TODAY = re.compile(r"\btoday(?: is|'s|’s)(?: [a-z]+day)?,? (?:the )?$", re.IGNORECASE)
"""Before a day that says which day it is, and is nobody's value."""
_ONLY_NTH = re.compile(r"\d{1,2}(?:st|nd|rd|th)", re.IGNORECASE)
"""May be a day, or one of several things."""
_NO_DATE = re.compile(r"may|mar|sat|sun", re.IGNORECASE)
HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
"""As a clock's are said."""
_CLOCK = re.compile(
    r"\b((?:(?:morning|afternoon|evening) (?:at )?)?(?:(?:half|quarter) (?:past|to) \d{1,2}|\d{1,2}:\d{2}(?::\d\d)?"
    r"|\d{1,2}(?= ?(?:[ap]\.?m\b|o'?clock|in the (?:morn|aft|eve)))"
    rf"|(?:{HOURS})(?= ?(?:[ap]\.?m\b|o'?clock|in the (?:morn|aft|eve))))(?: ?[ap]\.?m\b\.?| ?o'?clock)?"
    r"(?: in the (?:morning|afternoon|evening))?|(?:morning|afternoon|evening) \d{1,2}(?::\d\d)?|noon|midnight)",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"\"([^\"]+)\"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|‘([^’]+)’|「([^」]+)」"
    r"|(?<!\w)'((?:[^']|(?<=\w)'(?=\w))+)'(?!\w)|`+([^`]+)`+"
)
_CODE = re.compile(
    r"https?://[^\s,'\"]+|[\w.+-]+@[\w-]+\.\w[\w.]*\w|(?:\b[A-Za-z]:|~|\.)?/[\w./-]+\w/?"
    r"|\b[\w-]+\.(?:com|org|net|io|csv|txt|json|py|pdf|jpg|png|db|xlsx?|html?|md|wav|mp3)\b"
    r"|\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])\w[\w-]+\b|\b\w+(?:_\w+)+\b|\b\d{1,3}(?:\.\d{1,3}){3}\b|\.\w{2,5}\b"
    r"|\b\w+/\w[\w-]*\b|\b\d{4}-\d{2,4}\b(?!-)|\b[A-Z](?:#|\+\+?)(?![\w#+])"
)
_TERM = r"(?:\d*[a-z](?:(?:\^|\*\*)\d+)?|\d+|(?:sin|cos|exp|log)\(\w+\))"
_FORMULA = re.compile(
    rf"(?:\b[a-z]\w?\(\w\) ?= ?|\b[a-z] ?= ?)?{_TERM}(?: ?[-+*/^] ?(?:\d*[a-z](?:(?:\^|\*\*)\d+)?\b|\d+\b"
    rf"|(?:sin|cos|exp|log)\(\w+\)))+|\b\d*[a-z](?:\^|\*\*)\d+"
)
_LEFT_SIDE = re.compile(r".*?= ?")
_STREET_WORD = r"(?:(?:St|Ave|Blvd|Dr|Rd|Ln|Ct|Pl|Sq|Mt|Ft|[NSEW]{1,2})\.|[A-ZÀ-ỹ]\w*) ?"
_ADDRESS = re.compile(
    rf"\b\d+\w? (?:{_STREET_WORD}){{1,4}}(?:, ?(?:{_STREET_WORD}){{1,3}})*(?:\d{{5}})?(?:# ?\w+)?(?<! )"
)
_BRACKETS = re.compile(r"\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]|\{[^{}]*\}|\((?=[^()]*\d[^()]*,)[^()]*\)")
_BARE_WORD = re.compile(r"(?<![\w'\"])([A-Za-z_][\w ]*)(?![\w'\"])")
_LONGEST_LITERAL = 500


def find_marked(text: str) -> Iterator[Mention]:
    """Everything but numbers and words."""
    for match in _QUOTED.finditer(text):
        group = match.lastindex or 0
        yield Mention(match.start(group), match.end(group), MentionKind.QUOTED, match[group], match[group].strip())
    yield from find_moments(text)
    formulas = list(_formulas(text))
    for match in _CODE.finditer(text):
        if not any(one.start <= match.start() and match.end() < one.end for one in formulas):
            yield Mention(match.start(), match.end(), MentionKind.CODE, match.group(), match.group().rstrip(".,'"))
    yield from formulas
    for match in _ADDRESS.finditer(text):
        yield Mention(match.start(), match.end(), MentionKind.NAME, match.group())
    for match in _BRACKETS.finditer(text):
        value = _literal(match.group())
        if isinstance(value, list | dict):
            yield Mention(match.start(), match.end(), MentionKind.LITERAL, match.group(), value)


def find_moments(text: str) -> Iterator[Mention]:
    """Dates and times."""
    for match in _DATE.finditer(text):
        if not _NO_DATE.fullmatch(match.group()) and not _BEFORE_TODAY.search(text, 0, match.start()):
            yield _trimmed(match, MentionKind.DATE)
    for match in _CLOCK.finditer(text):
        yield _trimmed(match, MentionKind.TIME)


def certain_moments(mentions: Iterable[Mention]) -> list[tuple[int, int]]:
    """The places of dates and times that cannot be anything else."""
    moments = (one for one in mentions if one.kind in (MentionKind.DATE, MentionKind.TIME))
    return [(one.start, one.end) for one in moments if not _ONLY_NTH.fullmatch(one.text)]


def _trimmed(match: re.Match[str], kind: MentionKind) -> Mention:
    words = match.group().rstrip(" ,")
    return Mention(match.start(), match.start() + len(words), kind, words)


def _formulas(text: str) -> Iterator[Mention]:
    for match in _FORMULA.finditer(text):
        words = match.group()
        if not any(map(str.isalpha, words)):
            continue
        yield Mention(match.start(), match.end(), MentionKind.FORMULA, words, words.strip())
        if left := _LEFT_SIDE.match(words):
            start = match.start() + left.end()
            right = text[start : match.end()]
            yield Mention(start, match.end(), MentionKind.FORMULA, right, right.strip())


def _literal(text: str) -> JsonValue:
    """A list or an object as written, bare words in it taken as quoted; None for anything else."""
    if len(text) > _LONGEST_LITERAL:
        return None
    for form in (text, _BARE_WORD.sub(r"'\1'", text)):
        try:
            value = ast.literal_eval(form)
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
        return _as_json(value)
    return None


def _as_json(value: JsonValue) -> JsonValue:
    """The value with tuples and sets as lists; None for what JSON has not."""
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in cast("Sequence[JsonValue]", value)]
    if isinstance(value, dict):
        return {str(name): _as_json(member) for name, member in as_object(value).items()}
    return value if isinstance(value, str | int | float | bool) else None
