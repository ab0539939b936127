"""Exchanges as traces show them, and secrets in what services write."""

import json
from urllib.parse import quote, quote_plus
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.egress.base import HttpRequest, HttpResponse
from openplaybook.egress.errors import EgressError, TimedOut
from openplaybook.jsonvalues import dumps
from openplaybook.tools.base import Exchange, ToolContext
from openplaybook.tools.openapi.answers.exchanges import exchange, without, without_long, without_rest

ODD_SECRET = 'k+e/y&<1>"=\\ä'


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
        json.dumps({"logged": json.dumps(ODD_SECRET)})[14:-4],
    ],
    ids=[".NET", "Go", "careful JSON", "lower-case URL", "XML", "HTML by number", "JSON in JSON"],
)
def test_a_secret_is_found_however_a_service_writes_it(spelt: str) -> None:
    assert without_long(f"<{spelt}>".encode(), [ODD_SECRET]) == b"<[redacted]>"
    assert without(f"<{spelt}>", [ODD_SECRET]) == "<[redacted]>"


def test_base64_is_found_without_its_padding() -> None:
    assert without("a dXNlcjpwYXNzdw b dXNlcjpwYXNzdw== c", ["dXNlcjpwYXNzdw=="]) == "a [redacted] b [redacted] c"


SECRETS_WITHOUT_BRACKETS = st.text(
    st.characters(codec="utf-8", exclude_characters="<>[]"), min_size=6, max_size=40
).filter(lambda text: text not in "[redacted]")


@given(SECRETS_WITHOUT_BRACKETS, st.integers(0, 4))
def test_any_secret_is_found_in_any_spelling(secret: str, spelling: int) -> None:
    written = (
        secret,
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        quote(secret, safe="").lower() if secret == secret.lower() else quote(secret),
        escape(secret, {'"': "&quot;"}),
    )[spelling]
    assert without_long(f"<<{written}>>".encode(), [secret]) == b"<<[redacted]>>"


@given(SECRETS_WITHOUT_BRACKETS, st.text())
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


SECRET = "tok/en+12345"
HEADERS = (("X-Key", SECRET), ("X-Note", f"a {SECRET} b"), ("Authorization", "Basic abc"))
REQUEST = HttpRequest("POST", f"https://api.example/a?q={SECRET}&token=t", HEADERS, f'{{"k":"{SECRET}"}}'.encode())
ANSWER = HttpResponse(200, (("X-Echo", SECRET), ("A", "1"), ("A", "2")), b'"ok"', False, 0.0125, attempts=2)


def test_what_was_sent_and_what_came_back_is_shown_without_secrets() -> None:
    assert exchange(REQUEST, [SECRET], ANSWER).shown() == Exchange(
        method="POST",
        url="https://api.example/a?q=[redacted]&token=[redacted]",
        request_headers={"X-Key": "[redacted]", "X-Note": "a [redacted] b", "Authorization": "[redacted]"},
        request_body='{"k":"[redacted]"}',
        status=200,
        response_headers={"X-Echo": "[redacted]", "A": "1, 2"},
        response_body='"ok"',
        elapsed_ms=12.5,
        attempts=2,
    )


def test_why_there_was_no_answer_is_shown() -> None:
    error: EgressError = TimedOut(f"no answer from {SECRET}", which="read", sent=True)
    error.attempts, error.elapsed_s = 3, 0.25
    shown = exchange(REQUEST, [SECRET], error).shown()
    assert (shown.status, shown.error, shown.attempts) == (0, "no answer from [redacted]", 3)
    assert (shown.response_headers, shown.response_body, shown.elapsed_ms) == ({}, "", 250.0)


def test_what_is_no_text_is_left_out_of_a_body() -> None:
    picture = b"\x89PNG\r\n\x1a\n\x00\x00\xff\x00end of it\n"
    shown = exchange(REQUEST, [], HttpResponse(200, (), picture, False, 0.1)).shown()
    assert shown.response_body == "…PNG\r\n…\n…end of it\n"


def test_a_secret_that_becomes_known_later_is_masked_too() -> None:
    secrets: list[str] = []
    sent = exchange(REQUEST, secrets, ANSWER)
    secrets.append(SECRET)
    assert SECRET not in repr(sent.shown())


@pytest.mark.proves("A6")
def test_a_context_tells_of_exchanges_only_as_they_are_shown() -> None:
    context = ToolContext("s")
    context.exchanged.append(exchange(REQUEST, [SECRET], ANSWER))
    assert SECRET not in repr(context)
    assert SECRET not in repr(context.exchanges)
    assert [each.status for each in context.exchanges] == [200]


@pytest.mark.parametrize("spelt", [quote(SECRET, safe=""), quote(SECRET), quote_plus(SECRET)])
def test_a_secret_is_masked_as_a_url_spells_it(spelt: str) -> None:
    request = HttpRequest("GET", f"https://api.example/{spelt}?q={spelt}", (("Referer", f"/?q={spelt}"),))
    shown = exchange(request, [SECRET], ANSWER).shown()
    assert shown.url == "https://api.example/[redacted]?q=[redacted]"
    assert shown.request_headers == {"Referer": "/?q=[redacted]"}


SECRETS = st.text(st.characters(exclude_characters="<>", codec="utf-8"), min_size=6, max_size=40)


@given(SECRETS.filter(lambda text: text not in "[redacted]"), st.integers(0, 3))
def test_a_body_that_echoes_a_credential_has_it_masked_however_it_is_spelt(secret: str, spelling: int) -> None:
    written = dumps(secret).decode()[1:-1]
    spelt = (secret, written, written.replace("/", "\\/"), quote(secret, safe=""))[spelling]
    body = f"<<{spelt}>>".encode()
    sent = exchange(REQUEST, [secret], HttpResponse(200, (), body, False, 0.0))
    assert isinstance(sent.result, HttpResponse)
    assert sent.result.body == b"<<[redacted]>>"


def test_a_secret_that_is_part_of_another_does_not_keep_it_from_being_masked() -> None:
    request = HttpRequest("GET", "https://api.example/a", (("X-Note", "token abcdef-123456"),))
    sent = exchange(request, ["abcdef", "abcdef-123456"], HttpResponse(200, (), b"abcdef-123456", False, 0.0))
    shown = sent.shown()
    assert (shown.request_headers["X-Note"], shown.response_body) == ("token [redacted]", "[redacted]")


def test_a_long_body_is_cut_after_it_was_masked() -> None:
    body = b"x" * 7_995 + SECRET.encode() + b"y" * 100
    shown = exchange(REQUEST, [SECRET], HttpResponse(200, (), body, False, 0.0)).shown()
    assert shown.response_body == "x" * 7_995 + "[reda…"
