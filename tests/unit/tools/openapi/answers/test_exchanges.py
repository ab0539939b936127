"""Exchanges as traces show them."""

from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.egress.base import HttpRequest, HttpResponse
from openplaybook.egress.errors import EgressError, TimedOut
from openplaybook.jsonvalues import dumps
from openplaybook.tools.base import Exchange, ToolContext
from openplaybook.tools.openapi.answers.exchanges import exchange

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
