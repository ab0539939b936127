"""Secrets in what services say, as their writers of JSON, URLs and XML spell them."""

import json
from urllib.parse import quote
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.tools.openapi.answers.masking import without, without_long, without_rest

SECRET = 'k+e/y&<1>"=\\ä'


@pytest.mark.proves("A9")
@pytest.mark.parametrize(
    "spelt",
    [
        r"k\u002Be\/y\u0026\u003C1\u003E\u0022=\\\u00E4",
        r"k+e/y\u0026\u003c1\u003e\"=\\ä",
        r"k\u002be\u002fy\u0026\u003c1\u003e\u0022\u003d\u005c\u00e4",
        "k%2be%2fy%26%3c1%3e%22%3d%5c%c3%a4",
        "k+e/y&amp;&lt;1&gt;&quot;=\\ä",
        "k&#43;e&#x2F;y&#38;&#60;1&#62;&#34;&#61;&#092;&#xe4;",
        json.dumps({"logged": json.dumps(SECRET)})[14:-4],
    ],
    ids=[".NET", "Go", "careful JSON", "lower-case URL", "XML", "HTML by number", "JSON in JSON"],
)
def test_a_secret_is_found_however_a_service_writes_it(spelt: str) -> None:
    assert without_long(f"<{spelt}>".encode(), [SECRET]) == b"<[redacted]>"
    assert without(f"<{spelt}>", [SECRET]) == "<[redacted]>"


def test_base64_is_found_without_its_padding() -> None:
    assert without("a dXNlcjpwYXNzdw b dXNlcjpwYXNzdw== c", ["dXNlcjpwYXNzdw=="]) == "a [redacted] b [redacted] c"


SECRETS = st.text(st.characters(codec="utf-8", exclude_characters="<>[]"), min_size=6, max_size=40).filter(
    lambda text: text not in "[redacted]"
)


@given(SECRETS, st.integers(0, 4))
def test_any_secret_is_found_in_any_spelling(secret: str, spelling: int) -> None:
    written = (
        secret,
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        quote(secret, safe="").lower() if secret == secret.lower() else quote(secret),
        escape(secret, {'"': "&quot;"}),
    )[spelling]
    assert without_long(f"<<{written}>>".encode(), [secret]) == b"<<[redacted]>>"


@given(SECRETS, st.text())
def test_what_is_no_secret_stays_as_it_is(secret: str, text: str) -> None:
    masked = without(text, [secret])
    assert masked == text or "[redacted]" in masked


def test_a_short_secret_is_masked_where_it_was_put_and_not_in_bodies() -> None:
    assert without("key=abc", ["abc"]) == "key=[redacted]"
    assert without_long(b"key=abc", ["abc"]) == b"key=abc"


def test_the_beginning_of_a_secret_at_the_end_of_a_cut_body_is_masked() -> None:
    assert without_rest(b'{"key": "s3cr3t-va', ["other-secret", "s3cr3t-value"]) == b'{"key": "[redacted]'
    assert without_rest(b'{"key": "s3c', ["s3cr3t-value"]) == b'{"key": "s3c'


@pytest.mark.parametrize("unit", ["\\", '\\"', "&", "%", "a+", " "])
def test_no_body_makes_the_search_endless(unit: str) -> None:
    body = unit.encode() * 500_000
    assert without_long(body, [unit * 400 + "x"]) == body
    assert without_rest(body, [unit * 400_000 + "x"]) == body[: -min(len(unit) * 400_000, 2_000)] + b"[redacted]"


def test_what_is_too_much_for_every_spelling_is_masked_in_the_usual_ones() -> None:
    secret = "a+/b" * 1_000
    spelt = [secret, secret.replace("/", "\\/"), quote(secret, safe="")]
    body = b" " * 30_000 + " ".join(spelt).encode()
    assert without_long(body, [secret]) == b" " * 30_000 + b"[redacted] [redacted] [redacted]"
