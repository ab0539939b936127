"""How an answer is to look."""

import gzip
from collections.abc import Mapping

import pytest

from openplaybook.wire.api import Api
from openplaybook.wire.codec import JsonError
from openplaybook.wire.rest_reply import AnswerForm, answer_form
from openplaybook.wire.rest_request import parse_query

AGENT = "google.cloud.dialogflow.cx.v3.Agent"


def form(
    api: Api, query: bytes = b"", headers: Mapping[str, str] | None = None, *, is_stream: bool = False
) -> AnswerForm:
    return answer_form(parse_query(query), headers or {}, api.message(AGENT).DESCRIPTOR, is_stream=is_stream)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [(b"%24alt=json%3Benum-encoding%3Dint", True), (b"$alt=json;enum-encoding=int", True), (b"alt=json", False)],
)
def test_enum_numbers_are_asked_for_with_alt(api: Api, query: bytes, wanted: bool) -> None:
    assert form(api, query).enums_as_ints is wanted


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (b"alt=proto", "alt: 'proto' is not served; it takes json, and sse for an RPC that streams"),
        (b"alt=sse", "alt: 'sse' is not served; it takes json, and sse for an RPC that streams"),
        (b"$alt=json;fast", "alt: 'fast' is not known; it takes enum-encoding=int or enum-encoding=string"),
        (b"prettyPrint=yes", "prettyPrint: true or false is expected, not 'yes'"),
        (b"fields=a", "fields: the answer has no field 'a'"),
    ],
)
def test_what_is_not_served_is_refused_by_name(api: Api, query: bytes, told: str) -> None:
    with pytest.raises(JsonError) as refused:
        form(api, query)
    assert refused.value.message.startswith(told)


def test_a_stream_may_be_events(api: Api) -> None:
    assert form(api, b"alt=sse", is_stream=True).as_events


def test_an_answer_is_compact_unless_it_is_to_be_read(api: Api) -> None:
    assert form(api).whole({"a": 1})[0] == b'{"a":1}'
    assert form(api, b"$prettyPrint=true").whole({"a": 1})[0] == b'{\n  "a": 1\n}'


def test_fields_may_stand_in_a_header(api: Api) -> None:
    asked = form(api, headers={"x-goog-fieldmask": "displayName"})
    assert asked.whole({"name": "n", "displayName": "d"})[0] == b'{"displayName":"d"}'


@pytest.mark.parametrize("accepted", ["gzip", "deflate, GZIP", "gzip;q=0.5, br", "x-gzip"])
def test_what_is_worth_it_is_compressed_for_who_takes_it(api: Api, accepted: str) -> None:
    body, headers = form(api, headers={"accept-encoding": accepted}).whole({"a": "x" * 2_000})
    assert gzip.decompress(body) == b'{"a":"' + b"x" * 2_000 + b'"}'
    assert headers == {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}


@pytest.mark.parametrize("accepted", ["", "identity", "gzip;q=0", "gzip;q=0.0, br", "br"])
def test_others_get_it_as_it_is(api: Api, accepted: str) -> None:
    body, headers = form(api, headers={"accept-encoding": accepted}).whole({"a": "x" * 2_000})
    assert (len(body), headers) == (2_008, {"Vary": "Accept-Encoding"})


def test_what_is_small_is_not_compressed(api: Api) -> None:
    assert form(api, headers={"accept-encoding": "gzip"}).whole({"a": 1})[0] == b'{"a":1}'
