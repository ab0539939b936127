"""Numbers in words of Chinese, Japanese, Korean and Thai, which stand in the text without blanks around them.

Only what can hardly be anything else is read: numerals of several signs, such as `六百万`, and single ones before a
word that counts or measures, such as `หก` before `ปี`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_HAN = dict(zip("〇零一二三四五六七八九两兩", (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 2), strict=True))
_HAN_FACTORS = {"十": 10, "百": 100, "千": 1_000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_HANGUL = dict(zip("일이삼사오육칠팔구", range(1, 10), strict=True))
_HANGUL_FACTORS = {"십": 10, "백": 100, "천": 1_000, "만": 10**4, "억": 10**8}
_THAI = {
    word: value
    for value, words in enumerate(("ศูนย์", "หนึ่ง เอ็ด", "สอง ยี่", "สาม", "สี่", "ห้า", "หก", "เจ็ด", "แปด", "เก้า"))
    for word in words.split()
}
_THAI_FACTORS = {"สิบ": 10, "ร้อย": 100, "พัน": 1_000, "หมื่น": 10**4, "แสน": 10**5, "ล้าน": 10**6}


class _Numerals(NamedTuple):
    """How a language writes numbers."""

    pattern: re.Pattern[str]
    sign: re.Pattern[str]
    """One numeral of those that the pattern finds."""
    digits: Mapping[str, int]
    factors: Mapping[str, int]
    grouping: int
    """Factors from it on multiply all that stands before them."""


def _any(*words: Mapping[str, int]) -> str:
    return "|".join(sorted((word for each in words for word in each), key=len, reverse=True))


_COUNTED = "个個人名年天周週岁歳小本冊枚回円元米公階层倍点點"
_CHINESE = _Numerals(
    re.compile(
        rf"(?<![\d{''.join(_HAN_FACTORS)}])"
        rf"(?:(?=[十百]?[一二三四五六七八九两兩])[{''.join(_HAN)}十百千][{''.join((*_HAN, *_HAN_FACTORS))}]+"
        rf"|十[万萬亿億]|[二三四五六七八九两兩十](?=[{_COUNTED}]))"
    ),
    re.compile("."),
    _HAN,
    _HAN_FACTORS,
    10**4,
)
_KOREAN = _Numerals(
    re.compile(
        rf"(?<![\d가-힣])(?=[^\s]*[{''.join(_HANGUL)}])(?=[^\s]*[{''.join(_HANGUL_FACTORS)}])"
        rf"[{''.join(_HANGUL)}십백천][{''.join((*_HANGUL, *_HANGUL_FACTORS))}]+(?=\s|[^가-힣]|$)"
    ),
    re.compile("."),
    _HANGUL,
    _HANGUL_FACTORS,
    10**4,
)
_THAI_NUMERAL = _any(_THAI, _THAI_FACTORS)
_THAI_COUNTED = "คน|วัน|ปี|เดือน|สัปดาห์|ชั่วโมง|นาที|บาท|เมตร|กิโล|เล่ม|ครั้ง|องศา|ขวบ|โมง|ชิ้น|ตัว|แห่ง|เท่า"
_THAI_NUMBERS = _Numerals(
    re.compile(rf"(?<!\d)(?:(?:{_THAI_NUMERAL}){{2,}}|(?:{_any(_THAI)}|สิบ)(?=\s?(?:{_THAI_COUNTED})))"),
    re.compile(_THAI_NUMERAL),
    _THAI,
    _THAI_FACTORS,
    10**6,
)
_BY_LANGUAGE = {"zh": _CHINESE, "ja": _CHINESE, "ko": _KOREAN, "th": _THAI_NUMBERS}
_LONGEST = 40
"""Characters of a number; of a longer run nobody knows what it says."""


def unspaced_numbers(text: str, language: str) -> Iterator[tuple[int, int, float]]:
    """Places and values of numbers in words; none in other languages. `language` is a primary subtag."""
    numerals = _BY_LANGUAGE.get(language)
    if numerals is None:
        return
    for found in numerals.pattern.finditer(text):
        if found.end() - found.start() <= _LONGEST:
            yield found.start(), found.end(), _value(found[0], numerals)


def _value(written: str, numerals: _Numerals) -> float:
    signs: list[str] = numerals.sign.findall(written)
    if all(each in numerals.digits for each in signs):
        # Digit by digit, as years are written.
        return float("".join(str(numerals.digits[each]) for each in signs))
    whole = part = digit = 0
    for each in signs:
        factor = numerals.factors.get(each)
        if factor is None:
            digit = numerals.digits[each]
        elif factor < numerals.grouping:
            part, digit = part + (digit or 1) * factor, 0
        else:
            whole, part, digit = whole + (part + digit or 1) * factor, 0, 0
    return float(whole + part + digit)
