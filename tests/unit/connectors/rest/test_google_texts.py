"""Texts of e-mails, documents and slides are read and made."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from email import message_from_bytes
from email.policy import default

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.rest.google_texts import mail_of, plain_text, text_of_mail, text_of_runs
from openplaybook.jsonvalues import JsonObject


def part(kind: str, content: bytes, **more: object) -> JsonObject:
    return {"mimeType": kind, "body": {"data": urlsafe_b64encode(content).decode()}, **more}


def test_the_text_of_a_document_is_that_of_its_runs_in_order() -> None:
    cell = {"content": [{"paragraph": {"elements": [{"textRun": {"content": "In a table\n"}}]}}]}
    body = {
        "content": [
            {"paragraph": {"elements": [{"textRun": {"content": "Hello "}}, {"textRun": {"content": "world\n"}}]}},
            {"table": {"tableRows": [{"tableCells": [cell]}]}},
        ]
    }
    assert text_of_runs(body) == "Hello world\nIn a table\n"


def test_the_plain_text_of_a_message_comes_before_its_html_and_attachments_do_not_count() -> None:
    attached = part("text/plain", b"secret plan", filename="plan.txt")
    both = {"mimeType": "multipart/alternative", "parts": [part("text/plain", b"Hi"), part("text/html", b"<p>Hi</p>")]}
    assert text_of_mail({"mimeType": "multipart/mixed", "parts": [both, attached]}) == "Hi"
    assert text_of_mail(part("text/html", b"<p>Dear Ann,</p><p>bye &amp; thanks</p>")) == "Dear Ann,\n\nbye & thanks"


def test_a_message_is_read_in_the_character_set_that_it_says() -> None:
    headers = [{"name": "Content-Type", "value": 'text/plain; charset="iso-8859-1"'}]
    assert text_of_mail(part("text/plain", "Grüße".encode("latin-1"), headers=headers)) == "Grüße"
    headers = [{"name": "Content-Type", "value": "text/plain; charset=no-such"}]
    assert text_of_mail(part("text/plain", "Grüße".encode(), headers=headers)) == "Grüße"
    assert text_of_mail({"mimeType": "text/plain", "body": {"data": "=!!"}}) == ""


def test_what_a_page_does_not_show_is_no_text() -> None:
    page = "<html><head><title>T</title></head><body>One<br>two<style>a{}</style><script>x('<p>')</script> three</body>"
    assert plain_text(page) == "One\ntwo three"
    assert plain_text("a < b and <b>bold") == "a < b and bold"


def test_an_e_mail_is_made_of_its_parts() -> None:
    raw = mail_of(
        {
            "to": ["Ann <ann@example.org>", "bob@example.org"],
            "cc": ["c@example.org"],
            "subject": "Grüße",
            "text": "Hallo",
        }
        | {"html": "<b>Hallo</b>", "in_reply_to": "<1@example.org>"}
    )
    message = message_from_bytes(urlsafe_b64decode(raw), policy=default)
    assert message["To"] == "Ann <ann@example.org>, bob@example.org"
    assert (message["Cc"], message["Subject"]) == ("c@example.org", "Grüße")
    assert message["In-Reply-To"] == message["References"] == "<1@example.org>"
    assert [each.get_content_type() for each in message.iter_parts()] == ["text/plain", "text/html"]


@pytest.mark.parametrize("name", ["to", "cc", "subject", "in_reply_to"])
def test_no_value_of_an_e_mail_becomes_another_header(name: str) -> None:
    with pytest.raises(InvalidValue, match="line breaks"):
        mail_of({name: "a@example.org\r\nBcc: thief@example.org", "text": "Hi"})


@pytest.mark.parametrize("address", ["ann", "ann@", "a@b.c, d@e.f", "Team: a@b.c;", "<a@b.c", "é@example.org", "a@[1]"])
def test_what_is_no_single_address_is_refused(address: str) -> None:
    with pytest.raises(InvalidValue, match="must hold addresses"):
        mail_of({"to": [address], "text": "Hi"})


@given(st.text(max_size=200), st.lists(st.text(max_size=60), max_size=3), st.text(max_size=60))
def test_of_any_texts_an_e_mail_is_made_or_refused(text: str, to: list[str], subject: str) -> None:
    try:
        raw = mail_of({"to": to, "subject": subject, "text": text})
    except InvalidValue:
        return
    message = message_from_bytes(urlsafe_b64decode(raw), policy=default)
    assert {name.lower() for name in message} <= {
        "to",
        "subject",
        "content-type",
        "content-transfer-encoding",
        "mime-version",
    }
