"""Names of money and of peoples, for parameters that take a currency's code (ISO 4217) or a country."""

import re
from collections.abc import Iterator

_MONEY = {
    "USD": "us dollar,u.s. dollar,american dollar,dollar,buck",
    "EUR": "euro",
    "GBP": "british pound,pound sterling,uk pound,english pound,pound",
    "JPY": "japanese yen,yen",
    "CNY": "chinese yuan,yuan,renminbi",
    "INR": "indian rupee,rupee",
    "CAD": "canadian dollar",
    "AUD": "australian dollar",
    "NZD": "new zealand dollar",
    "SGD": "singapore dollar",
    "HKD": "hong kong dollar",
    "CHF": "swiss franc,franc",
    "MXN": "mexican peso,peso",
    "BRL": "brazilian real",
    "KRW": "south korean won,korean won,won",
    "RUB": "russian ruble,russian rouble,ruble,rouble",
    "SEK": "swedish krona,swedish crown",
    "NOK": "norwegian krone,norwegian crown",
    "DKK": "danish krone,danish crown",
    "PLN": "polish zloty,zloty",
    "CZK": "czech koruna,czech crown",
    "HUF": "hungarian forint,forint",
    "TRY": "turkish lira,lira",
    "ZAR": "south african rand,rand",
    "THB": "thai baht,baht",
    "VND": "vietnamese dong",
    "IDR": "indonesian rupiah,rupiah",
    "PHP": "philippine peso",
    "MYR": "malaysian ringgit,ringgit",
    "ILS": "israeli shekel,shekel",
    "AED": "uae dirham,dirham",
    "SAR": "saudi riyal,riyal",
    "EGP": "egyptian pound",
    "UAH": "ukrainian hryvnia,hryvnia",
    "ARS": "argentine peso",
    "BTC": "bitcoin",
}
_PEOPLES = {
    "Germany": "german",
    "France": "french",
    "Italy": "italian",
    "Spain": "spanish",
    "Portugal": "portuguese",
    "Netherlands": "dutch",
    "Belgium": "belgian",
    "Switzerland": "swiss",
    "Austria": "austrian",
    "Poland": "polish",
    "Sweden": "swedish",
    "Norway": "norwegian",
    "Denmark": "danish",
    "Finland": "finnish",
    "Ireland": "irish",
    "United Kingdom": "british",
    "Scotland": "scottish",
    "England": "english",
    "Greece": "greek",
    "Turkey": "turkish",
    "Russia": "russian",
    "Ukraine": "ukrainian",
    "Hungary": "hungarian",
    "Japan": "japanese",
    "China": "chinese",
    "South Korea": "korean",
    "India": "indian",
    "Pakistan": "pakistani",
    "Thailand": "thai",
    "Vietnam": "vietnamese",
    "Indonesia": "indonesian",
    "Australia": "australian",
    "Canada": "canadian",
    "United States": "american",
    "Mexico": "mexican",
    "Brazil": "brazilian",
    "Argentina": "argentine,argentinian",
    "Chile": "chilean",
    "Colombia": "colombian",
    "Peru": "peruvian",
    "Egypt": "egyptian",
    "South Africa": "south african",
    "Nigeria": "nigerian",
    "Kenya": "kenyan",
    "Israel": "israeli",
    "Iran": "iranian",
}


def _by_name(table: dict[str, str]) -> dict[str, str]:
    return {name: key for key, names in table.items() for name in names.split(",")}


_CODES, _COUNTRIES = _by_name(_MONEY), _by_name(_PEOPLES)
PEOPLES = frozenset(_COUNTRIES)
"""Words for what comes from a country: "german"."""


def _any_of(names: dict[str, str], ending: str) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))}){ending}(?!\w)")


_MONEY_SAID, _PEOPLE_SAID = _any_of(_CODES, "(?:e?s)?"), _any_of(_COUNTRIES, "s?")

NamedThing = tuple[str, int, int]
"""A code or a country, and where the words stand that name it."""


def money_named(lower: str) -> Iterator[NamedThing]:
    """The currencies that lower-case words name: "British pounds" → GBP."""
    for match in _MONEY_SAID.finditer(lower):
        yield _CODES[match[1]], match.start(), match.end()


def countries_named(lower: str) -> Iterator[NamedThing]:
    """The countries whose people or language lower-case words name: "German history" → Germany."""
    for match in _PEOPLE_SAID.finditer(lower):
        yield _COUNTRIES[match[1]], match.start(), match.end()
