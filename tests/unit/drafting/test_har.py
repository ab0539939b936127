"""Samples out of HTTP archives."""

import json

import pytest

from openplaybook.drafting.har import UnusableArchive, samples_of
from openplaybook.drafting.samples import Sample
from openplaybook.jsonvalues import JsonObject, JsonValue

URL = "https://api.shop.example/pets"


def entry(
    url: str = URL, method: str = "GET", status: JsonValue = 200, mime: str = "application/json", **more: object
) -> JsonObject:
    content = {"mimeType": mime, "text": "[]", **({"encoding": "base64"} if more.pop("encoded", False) else {})}
    return {"request": {"url": url, "method": method, **more}, "response": {"status": status, "content": content}}


def archive(*entries: JsonObject) -> str:
    return json.dumps({"log": {"version": "1.2", "entries": list(entries)}})


def test_an_entry_becomes_a_sample() -> None:
    posted = {"mimeType": "application/json", "text": '{"a": 1}'}
    read = entry(method="POST", headers=[{"name": "X-Tenant", "value": "acme"}], postData=posted)
    headers = {"X-Tenant": "acme", "Content-Type": "application/json"}
    assert samples_of(archive(read)) == [Sample(URL, "POST", headers, '{"a": 1}', "[]", 200, "application/json")]


def test_a_form_that_comes_as_parameters_is_written_out() -> None:
    fields = [{"name": "a b", "value": "1&2"}, {"name": "c", "value": "é"}]
    posted = {"mimeType": "application/x-www-form-urlencoded", "params": fields}
    assert samples_of(archive(entry(method="POST", postData=posted)))[0].request_body == "a+b=1%262&c=%C3%A9"


def test_a_body_that_is_no_text_is_left_out() -> None:
    (sample,) = samples_of(archive(entry(mime="application/octet-stream", encoded=True)))
    assert sample.response_body == ""


@pytest.mark.parametrize(
    "left_out",
    [
        entry(mime="text/html"),
        entry(mime="image/png"),
        entry(mime="text/css"),
        entry("https://shop.example/app.js", mime="application/json"),
        entry(status=0),
        entry(status=302),
        entry(method="OPTIONS"),
        entry(method="CONNECT"),
        entry("wss://shop.example/socket"),
        {},
    ],
)
def test_what_is_no_exchange_with_an_api_is_left_out(left_out: JsonObject) -> None:
    assert samples_of(archive(left_out)) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "the archive is not JSON: unexpected end of data: line 1 column 2 (char 1)"),
        ("[]", "the archive has no log.entries; save it as HAR 1.2"),
        ('{"log": {"entries": 3}}', "the archive has no log.entries; save it as HAR 1.2"),
    ],
)
def test_another_text_is_refused(text: str, reason: str) -> None:
    with pytest.raises(UnusableArchive) as refused:
        samples_of(text)
    assert str(refused.value) == reason
