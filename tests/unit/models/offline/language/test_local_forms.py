"""Numbers, money, dates and times as languages write them: the values are those of CLDR."""

import pytest

from openplaybook.models.offline.language.local_tables import forms_for

NBSP, THIN = "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"
IN_SENTENCES = {
    "en": ("March 9, 2026", "March 9, 2026, 2:05 PM UTC", "1,234.5", "12,345", f"$1,234.50 €1,234.50 CHF{NBSP}3.00"),
    "de": (
        "9. März 2026",
        "9. März 2026, 14:05 UTC",
        "1.234,5",
        "12.345",
        f"1.234,50{NBSP}$ 1.234,50{NBSP}€ 3,00{NBSP}CHF",
    ),
    "es": (
        "9 de marzo de 2026",
        "9 de marzo de 2026, 14:05 UTC",
        "1234,5",
        "12.345",
        f"1234,50{NBSP}US$ 1234,50{NBSP}€ 3,00{NBSP}CHF",
    ),
    "fr": (
        "9 mars 2026",
        "9 mars 2026, 14:05 UTC",
        f"1{THIN}234,5",
        f"12{THIN}345",
        f"1{THIN}234,50{NBSP}$US 1{THIN}234,50{NBSP}€ 3,00{NBSP}CHF",
    ),
    "pt": (
        "9 de março de 2026",
        "9 de março de 2026, 14:05 UTC",
        "1.234,5",
        "12.345",
        f"US${NBSP}1.234,50 €{NBSP}1.234,50 CHF{NBSP}3,00",
    ),
    "it": (
        "9 marzo 2026",
        "9 marzo 2026, 14:05 UTC",
        "1.234,5",
        "12.345",
        f"1.234,50{NBSP}USD 1.234,50{NBSP}€ 3,00{NBSP}CHF",
    ),
    "ja": ("2026年3月9日", "2026年3月9日 14:05 UTC", "1,234.5", "12,345", f"$1,234.50 €1,234.50 CHF{NBSP}3.00"),
    "ko": (
        "2026년 3월 9일",
        "2026년 3월 9일 오후 2:05 UTC",
        "1,234.5",
        "12,345",
        f"US$1,234.50 €1,234.50 CHF{NBSP}3.00",
    ),
}


@pytest.mark.parametrize("code", IN_SENTENCES)
def test_a_language_writes_values_in_its_own_way(code: str) -> None:
    forms = forms_for(code)
    values = [forms.own(each) for each in ("2026-03-09", "2026-03-09T14:05:00Z", 1234.5, 12345)]
    sums = " ".join(forms.sum(amount, currency) for amount, currency in ((1234.5, "USD"), (1234.5, "EUR"), (3, "CHF")))
    assert (*values, sums) == IN_SENTENCES[code]


def test_whole_currencies_and_debts() -> None:
    assert (forms_for("ja").sum(1234.6, "JPY"), forms_for("ko").sum(15000, "KRW")) == ("￥1,235", "₩15,000")
    assert forms_for("de-AT").sum(-2, "EUR") == f"-2,00{NBSP}€"


@pytest.mark.parametrize(
    "value", ["2026-13-45", "Oslo", "12:00", True, None, [1], float("nan"), 1e300, 1e-9, "2026-03"]
)
def test_other_values_have_no_form(value: object) -> None:
    assert forms_for("en").own(value) is None


def test_numbers_that_count_nothing_stay_as_they_are() -> None:
    assert forms_for("en").own(20260309, counts=False) is None
    assert forms_for("en").own(0.5, counts=False) == "0.5"


@pytest.mark.parametrize("code", IN_SENTENCES)
def test_whatever_form_an_example_has_is_written_the_same_again(code: str) -> None:
    forms = forms_for(code)
    for value in ("2026-03-09", "2026-03-09T09:30:00", "14:05", 1234.5, 1234567, "today", "OPEN"):
        writings = list(forms.writings(value))
        assert writings
        assert [forms.written(value, form) for form, _ in writings] == [text for _, text in writings]


def test_a_value_of_another_kind_has_not_the_forms_of_an_example() -> None:
    forms = forms_for("en")
    assert [forms.written("soon", "date:0"), forms.written(3, "date:0"), forms.written("soon", "time:0")] == [None] * 3
