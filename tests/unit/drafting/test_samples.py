"""Samples as callers give them."""

import pytest

from openplaybook.drafting.errors import UnusableSample
from openplaybook.drafting.samples import (
    MAX_SAMPLE_BYTES,
    MAX_SAMPLES,
    Content,
    Sample,
    read_samples,
)

URL = "https://api.shop.example/pets"
EXAMPLE = "such as https://api.example.com/v1/pets?limit=10"
RELATIVE = f"is not absolute; write one with scheme and host, {EXAMPLE}"
PORT = f"is not a URL (Port out of range 0-65535); write an absolute one, {EXAMPLE}"
CUT = "is malformed JSON: unexpected end of data: line 1 column 7 (char 6)"
LONG = "is 1,000,029 bytes; at most 1,000,000 are read of one sample"


def test_a_sample_is_taken_apart() -> None:
    sample = Sample("HTTPS://kim:pw@Api.Shop.Example:8443/v1/pets/?a=1%2C2&a=x+y&b#top", "post", status=0)
    (exchange,) = read_samples([sample])
    assert (exchange.method, exchange.origin, exchange.status) == ("post", "https://api.shop.example:8443", "200")
    assert exchange.segments == ("v1", "pets", "")
    assert exchange.query == (("a", "1%2C2"), ("a", "x+y"), ("b", ""))
    assert exchange.has_user


@pytest.mark.parametrize(
    ("sample", "field", "reason"),
    [
        (Sample(""), "url", "is required"),
        (Sample("/pets"), "url", RELATIVE),
        (Sample("ftp://shop.example/"), "url", RELATIVE),
        (Sample("https://shop.example/a b"), "url", "contains blanks or control characters; percent-encode them"),
        (Sample("https://shop.example:99999/"), "url", PORT),
        (Sample(URL + "x" * 8_000), "url", "is longer than 8,000 characters"),
        (Sample(URL + "/x" * 100), "url", "has more than 100 segments in its path"),
        (Sample(URL, "FETCH"), "method", "'FETCH' is not one of GET, PUT, POST, DELETE, OPTIONS, HEAD, PATCH, TRACE"),
        (Sample(URL, status=42), "status", "42 is not an HTTP status; it must be from 100 to 599"),
        (Sample(URL, request_body='{"a": '), "request_body", CUT),
        (Sample(URL, response_body="[" * 101 + "]" * 101), "response_body", "is nested in more than 100 levels"),
        (Sample(URL, response_body="x" * MAX_SAMPLE_BYTES), "", LONG),
    ],
    ids=[
        "none",
        "relative",
        "scheme",
        "blank",
        "port",
        "length",
        "segments",
        "method",
        "status",
        "cut",
        "deep",
        "long",
    ],
)
def test_a_sample_that_cannot_be_read_is_refused_with_its_place(sample: Sample, field: str, reason: str) -> None:
    with pytest.raises(UnusableSample) as refused:
        read_samples([Sample(URL), sample])
    place = f"samples[1].{field}" if field else "samples[1]"
    assert (refused.value.number, refused.value.place, refused.value.reason) == (1, place, reason)


def test_more_samples_than_are_read_are_refused() -> None:
    with pytest.raises(UnusableSample, match="there are 51 samples; at most 50 are read"):
        read_samples([Sample(URL)] * (MAX_SAMPLES + 1))


def test_more_bytes_than_are_read_in_all_are_refused() -> None:
    with pytest.raises(UnusableSample) as refused:
        read_samples([Sample(URL, response_body="x" * 900_000)] * 23)
    assert str(refused.value) == "samples[22]: with it the samples are more than 20,000,000 bytes; give fewer"


@pytest.mark.parametrize(
    ("body", "headers", "expected"),
    [
        ('{"a": 1}', {}, Content("application/json", {"a": 1})),
        ("[1]", {"content-type": "application/vnd.shop+json; v=2"}, Content("application/vnd.shop+json", [1])),
        ("a=1&b=x+y&a=2", {}, Content("application/x-www-form-urlencoded", {"a": ["1", "2"], "b": ["x y"]})),
        ('{"a":1}\n{"a":2}\n', {}, Content("application/x-ndjson", '{"a":1}\n{"a":2}\n')),
        ("<a/>", {}, Content("application/xml", "<a/>")),
        ("<!DOCTYPE html><p>", {}, Content("text/html", "<!DOCTYPE html><p>")),
        ("hello there", {}, Content("text/plain", "hello there")),
        ("17", {}, Content("application/json", 17)),
        (" \n", {}, None),
    ],
)
def test_a_body_is_read_by_its_type_or_by_what_it_looks_like(
    body: str, headers: dict[str, str], expected: Content | None
) -> None:
    (exchange,) = read_samples([Sample(URL, "POST", headers, body)])
    assert exchange.request == expected
