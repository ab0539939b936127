"""What a number measures or counts: a percentage, a sum of money, a length, a piece of arithmetic.

A number that measures something is no identifier: in "17% of 2340" neither is the number of a pet.
"""

import re
from collections.abc import Sequence

from openplaybook.models.offline.language.lexicon import word_set
from openplaybook.models.offline.language.tokenizer import Reading, singular

SUM, PERCENT, TIME, COUNT = "sum", "%", "time", "count"
AMOUNT = "amount"
"""Of a number of things to be ordered, booked and so on, which identifies none of them: "order 12 coffee mugs"."""

_NUMBER = r"[-+]?[$€£]?(?<![\d.,])\d[\d.,]*+"
"""Possessive, and never begun inside a number: a text of nothing but digits is read once."""
_PERCENTS = r"(?:%|percent|per cent|prozent|por ciento|pour ?cent)"
_OPERATORS = (
    r"(?:[+*/×÷^]|(?<=\s)[-−x](?=\s)|plus|minus|times|over|divided by|multiplied by|to the power of|mod|modulo"
    r"|mal|geteilt durch|durch|hoch|más|menos|multiplicado por|dividido (?:por|entre)|por|moins|fois|divisé par"
    r"|multiplié par)"
)
_SUMS = (
    re.compile(rf"{_NUMBER}\s*{_PERCENTS}\s*(?:of|off|von|aus|de|du|des|on)\s*(?:the\s+)?{_NUMBER}", re.IGNORECASE),
    re.compile(rf"{_NUMBER}(?:\s*{_OPERATORS}\s*{_NUMBER})+", re.IGNORECASE),
    re.compile(
        rf"\b(?:square root|cube root|root|sum|product|average|mean|difference|factorial|wurzel|summe|produkt"
        rf"|durchschnitt"
        rf"|raíz|raiz|suma|producto|media|racine|somme|produit|moyenne)\s+(?:carrée\s+)?(?:cuadrada\s+)?"
        rf"(?:of|between|from|aus|von|de|entre)\s+{_NUMBER}(?:\s*(?:,|and|und|y|et)\s*{_NUMBER})*",
        re.IGNORECASE,
    ),
    re.compile(rf"{_NUMBER}\s+(?:squared|cubed|factorial|al cuadrado|au carré|zum quadrat)", re.IGNORECASE),
    re.compile(
        rf"\b(?:add|subtract|multiply|divide|addiere|multipliziere|dividiere|suma|resta|multiplica|divide"
        rf"|additionne|multiplie)"
        rf"\s+{_NUMBER}\s+(?:and|to|from|by|with|und|mit|durch|y|a|por|entre|et|à|par)\s+{_NUMBER}",
        re.IGNORECASE,
    ),
)
_UNITS = word_set(
    """kg kgs kilo kilos kilogram kilograms g gram grams km kilometer kilometers kilometre kilometres m
    meter meters metre metres cm mm l liter liters litre litres ml lb lbs pound pounds oz ounce ounces
    mile miles foot feet inch inches second seconds minute minutes min mins hour hours day days night
    nights week weeks month months year years euro euros eur usd dollar dollars buck bucks cent cents
    chf gbp degrees degree pm am o'clock uhr sekunde sekunden minuten stunde stunden tag tage tagen
    nacht nächte nächten woche wochen monat monate monaten jahr jahre jahren grad stück mal prozent
    percent segundo segundos minuto minutos hora horas día días noche noches semana semanas mes meses
    año años grado grados veces vez seconde secondes heure heures jour jours nuit nuits semaine semaines
    mois an ans année années degrés degré fois people persons guests adults children personen leute
    gäste personas adultos personnes adultes times items pieces copies"""
)
_MONEY = frozenset("$€£")
_CLOCK = frozenset(("at", "around", "about", "um", "gegen", "vers"))
_IS_PERCENT = re.compile(rf"\s*{_PERCENTS}(?!\w)", re.IGNORECASE)


def arithmetic_in(text: str) -> Sequence[tuple[int, int]]:
    """Where a piece of arithmetic stands: offsets."""
    if not any(map(str.isdigit, text)):
        return ()
    return [match.span() for pattern in _SUMS for match in pattern.finditer(text)]


def measure_of(reading: Reading, start: int, end: int, sums: Sequence[tuple[int, int]]) -> str:
    """What the number at `[start, end)` measures; empty where nothing says so."""
    text = reading.text
    if any(first <= start and end <= last for first, last in sums):
        return SUM
    if _IS_PERCENT.match(text, end):
        return PERCENT
    if text[start] in _MONEY or (start and text[start - 1] in _MONEY) or text[end : end + 2].strip()[:1] in _MONEY:
        return "money"
    following, before = reading.tokens_from(end, 1), reading.tokens_before(start, 1)
    if following and following[0].text.casefold() in _UNITS:
        return following[0].text.casefold()
    if before and before[0].text.casefold() in _CLOCK:
        return TIME
    if _is_amount(reading, start, end):
        return AMOUNT
    is_counted = bool(following) and _is_counted(following[0].text, any_case=reading.language == "de")
    return COUNT if is_counted else ""


def _is_counted(word: str, *, any_case: bool) -> bool:
    return len(word) > 3 and word.isalpha() and (any_case or word.islower()) and singular(word) != word


_ACTS_OR_THINGS = word_set("order book rent buy purchase reserve request ship send add")
_BEFORE_ACT = word_set("please to you i we us and then just also now let's i'd")
_NO_THINGS = word_set("details contents updates news please thanks")
_MOST_BETWEEN = 3


def _is_amount(reading: Reading, start: int, end: int) -> bool:
    """Whether a number stands between a verb that may also be a thing, "order" or "book", and a plural."""
    before = [token.text.casefold() for token in reading.words_before(start, 2)]
    if not before or before[-1] not in _ACTS_OR_THINGS or not (len(before) == 1 or before[0] in _BEFORE_ACT):
        return False
    for token in reading.tokens_from(end, _MOST_BETWEEN):
        word = token.text.casefold()
        if not token.is_word or token.is_stop or word in _NO_THINGS:
            return False
        if _is_counted(word, any_case=False):
            return True
    return False
