"""Texts are cut into sentences where their readers would."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some

from openplaybook.retrieval.language.sentences import sentences


def cut(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in sentences(text, language)]


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("en", ["Dr. Smith paid $3.50 to J. R. Jones.", "He left!", "Did he?"]),
        ("en", ['"It works."', "She smiled (a little).", "Then e.g. this."]),
        ("de", ["Am 3. Oktober ist z.B. frei.", "Danach nicht."]),
        ("es", ["¿Dónde está?", "Aquí, Sr. López."]),
        ("fr", ["Bonjour M. Dupont.", "Ça va ?"]),
        ("it", ["Il sig. Rossi abita qui.", "Arriva domani."]),
        ("pt", ["A av. Paulista é longa.", "Fica em São Paulo."]),
        ("nl", ["Dhr. De Vries komt.", "Hij is laat."]),
        ("ru", ["Он жил на ул. Ленина.", "Потом уехал."]),
        ("ar", ["هل هذا صحيح؟", "نعم."]),
        ("hi", ["यह एक वाक्य है।", "यह दूसरा है।"]),
        ("el", ["Πού είναι;", "Εδώ είναι."]),
        ("tr", ["Bu 3. bölümdür.", "Sonra biter."]),
        ("ko", ["안녕하세요.", "반갑습니다."]),
    ],
)
def test_sentences_of_a_language_are_told_apart(language: str, parts: list[str]) -> None:
    assert cut(" ".join(parts), language) == parts


@pytest.mark.parametrize(
    ("language", "parts"),
    [("zh", ["今天下雨。", "他说：「走吧！」", "好吗？"]), ("ja", ["雨です。", "傘を持ちますか？"])],
)
def test_no_blank_is_needed_where_writers_set_none(language: str, parts: list[str]) -> None:
    assert cut("".join(parts), language) == parts


def test_thai_is_cut_at_blanks_between_longer_parts() -> None:
    first = "กรุงเทพมหานครเป็นเมืองหลวงและนครที่มีประชากรมากที่สุด"
    assert cut(f"{first} เป็นศูนย์กลางการปกครอง", "th") == [first, "เป็นศูนย์กลางการปกครอง"]


def test_paragraphs_and_items_of_lists_end_a_sentence() -> None:
    assert cut("Heading\n\nText that\ngoes on\n- one\n- two") == ["Heading", "Text that\ngoes on", "- one", "- two"]


@given(
    some.text(alphabet="ab A.?!।。；;\n -1\u0e01\"'()", max_size=80), some.sampled_from(["", "de", "el", "en", "th"])
)
def test_spans_are_in_order_and_leave_out_nothing_but_blanks(text: str, language: str) -> None:
    spans = sentences(text, language)
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(text)]
    assert all(not text[end:start].strip() for end, start in zip(ends, starts, strict=True))
    assert all(start < end for start, end in spans)


@pytest.mark.parametrize("sign", [".", "?", "…", ".)", "!”", "\n ", "\u0e01 ", "\r", "。"])
def test_signs_without_end_are_looked_at_once(sign: str) -> None:
    text = sign * 100_000 + "x"
    spans = sentences(text)
    assert spans[-1][1] == len(text)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
