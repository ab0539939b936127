"""A planted secret never survives, and what is no secret is left alone."""

import json
import string
from urllib.parse import quote, quote_plus
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue
from openplaybook.telemetry.redaction import (
    MASK,
    excerpt,
    is_secret_name,
    mask_event,
    mask_headers,
    mask_json,
    mask_text,
    mask_url,
    without,
    without_long,
    without_rest,
)

SECRET_NAMES = [
    *("Authorization", "authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-API-Key", "x-goog-api-key"),
    *("apiKey", "api_key", "X-Auth-Token", "access_token", "accessToken", "refresh_token", "id_token", "client_secret"),
    *("clientSecret", "password", "PASSWORD", "passwd", "X-Amz-Signature", "X-Amz-Security-Token", "private_key"),
    *(
        "Ocp-Apim-Subscription-Key",
        "credentials",
        "client_assertion",
        "X-CSRF-Token",
        "token",
        "token2",
        "db_password_1",
    ),
]
HARMLESS_NAMES = [
    *("Content-Type", "Accept", "User-Agent", "Host", "ETag", "name", "key", "petId", "pageToken", "next_page_token"),
    *("max_tokens", "inputTokens", "token_type", "tokenEndpoint", "authorization_url", "secretVersion", "tokenize"),
    *("author", "authorId", "keyboard", "monkey", "", "---", "signatures_count", "code"),
]
SECRET = "s3cr3t-of-mine"

secrets = st.text(string.ascii_letters + string.digits, min_size=8, max_size=40).map(lambda text: f"zq{text}qz")
secret_names = st.sampled_from(SECRET_NAMES)
harmless_values = st.none() | st.booleans() | st.integers() | st.text(max_size=5)


@st.composite
def documents_with(draw: st.DrawFn, secret: JsonValue) -> JsonValue:
    """A JSON document that holds `secret` somewhere under a secret name."""
    value: JsonValue = {
        draw(secret_names): draw(st.sampled_from([secret, [secret], {"value": secret}, [[{"x": secret}]]]))
    }
    for _ in range(draw(st.integers(0, 4))):
        beside = draw(harmless_values)
        value = draw(st.sampled_from([[value, beside], {"data": value, "beside": beside}]))
    return value


class TestNames:
    @pytest.mark.parametrize("name", SECRET_NAMES)
    def test_a_name_of_a_secret_is_known_however_it_is_spelled(self, name: str) -> None:
        assert is_secret_name(name)

    @pytest.mark.parametrize("name", HARMLESS_NAMES)
    def test_a_harmless_name_is_not_taken_for_one(self, name: str) -> None:
        assert not is_secret_name(name)


class TestHeaders:
    def test_secret_values_are_masked_and_the_others_stay(self) -> None:
        headers = {"Authorization": f"Bearer {SECRET}", "Accept": "text/html", "X-API-KEY": SECRET, "cookie": SECRET}
        assert mask_headers(headers) == {
            "Authorization": MASK,
            "Accept": "text/html",
            "X-API-KEY": MASK,
            "cookie": MASK,
        }

    def test_a_name_that_a_tool_declares_is_secret_too(self) -> None:
        assert mask_headers({"X-Owner": SECRET}, ["x-owner"]) == {"X-Owner": MASK}

    @given(secret_names, secrets)
    def test_a_planted_secret_never_survives(self, name: str, secret: str) -> None:
        assert secret not in str(mask_headers({"a": "b", name: secret, name.upper(): secret}))


class TestUrls:
    @pytest.mark.parametrize(
        ("url", "masked"),
        [
            (f"https://h/p?key={SECRET}", "https://h/p?key=[redacted]"),
            (f"https://h/p?a=1&api_key={SECRET}&b=2#top", "https://h/p?a=1&api_key=[redacted]&b=2#top"),
            (f"https://h/p?a=1;token={SECRET}", "https://h/p?a=1;token=[redacted]"),
            (f"/p?%6bey={SECRET}", "/p?%6bey=[redacted]"),
            (f"https://h/cb#access_token={SECRET}&state=x", "https://h/cb#access_token=[redacted]&state=x"),
            (f"https://u:{SECRET}@h:8080/p", "https://[redacted]@h:8080/p"),
            (f"https://{SECRET}@h", "https://[redacted]@h"),
            (f"https://a@b:{SECRET}@h/p@q", "https://[redacted]@h/p@q"),
            (f"?key={SECRET}?x=1", "?key=[redacted]"),
            ("https://h/p?key=&a==b&&c", "https://h/p?key=&a==b&&c"),
            ("https://h/users/@me?q=a@b", "https://h/users/@me?q=a@b"),
            ("not a url ://?#", "not a url ://?#"),
            ("", ""),
        ],
    )
    def test_only_secrets_are_masked(self, url: str, masked: str) -> None:
        assert mask_url(url) == masked

    def test_a_parameter_that_a_tool_declares_is_secret_too(self) -> None:
        assert mask_url(f"/p?Owner={SECRET}", ["owner"]) == "/p?Owner=[redacted]"

    @given(secret_names | st.sampled_from(["key", "code", "sig"]), secrets, st.text(max_size=8), st.sampled_from("?#"))
    def test_a_planted_secret_never_survives(self, name: str, secret: str, beside: str, sign: str) -> None:
        parameters = f"a={quote(beside)}&{quote_plus(name)}={secret}&b={quote(beside)}"
        assert secret not in mask_url(f"https://{secret}:{secret}@h/p{sign}{parameters}")

    @given(st.text())
    def test_any_text_may_be_given_and_masking_again_changes_nothing(self, text: str) -> None:
        assert mask_url(mask_url(text)) == mask_url(text)


class TestJson:
    def test_what_stands_under_a_secret_name_is_masked_whole(self) -> None:
        user = {"id": 7, "password": SECRET}
        document = {"user": user, "tokens": [{"accessToken": SECRET}], "credentials": {"a": [1]}}
        assert mask_json(document) == {
            "user": {"id": 7, "password": MASK},
            "tokens": [{"accessToken": MASK}],
            "credentials": MASK,
        }
        assert user == {"id": 7, "password": SECRET}

    def test_a_session_parameter_that_is_named_is_secret_too(self) -> None:
        assert mask_json({"bearer": SECRET, "other": 1}, ["Bearer"]) == {"bearer": MASK, "other": 1}

    @given(st.data(), secrets)
    def test_a_planted_secret_never_survives(self, data: st.DataObject, secret: str) -> None:
        assert secret not in str(mask_json(data.draw(documents_with(secret))))

    @pytest.mark.parametrize("value", [None, True, 1, 1.5, "text", [], {}, [1, "token", {"name": "password"}]])
    def test_what_holds_no_secret_stays_as_it_is(self, value: JsonValue) -> None:
        assert mask_json(value) == value


class TestTexts:
    @pytest.mark.parametrize(
        ("text", "masked"),
        [
            (f'"GET /v3/x?key={SECRET}&a=1 HTTP/1.1" 200', '"GET /v3/x?key=[redacted]&a=1 HTTP/1.1" 200'),
            (f"client_id=a&client_secret={SECRET}", "client_id=a&client_secret=[redacted]"),
            (f"sent Authorization: Bearer {SECRET}, got 401", "sent Authorization: Bearer [redacted], got 401"),
            (f"postgresql://u:{SECRET}@db/x failed", "postgresql://[redacted]@db/x failed"),
            (f"connect(password='{SECRET}')", "connect(password='[redacted]')"),
            (f"postgresql://u:{SECRET}@{SECRET}@db", "postgresql://[redacted]@db"),
            (f'password="my {SECRET}" a=1', 'password="[redacted]" a=1'),
            (f'{{"api_key": "{SECRET}", "a": 1}}', '{"api_key": "[redacted]", "a": 1}'),
            ("key=value, a bearer of news, x@y, 1=1", "key=value, a bearer of news, x@y, 1=1"),
        ],
    )
    def test_only_secrets_are_masked(self, text: str, masked: str) -> None:
        assert mask_text(text) == masked

    @given(secret_names, secrets, st.sampled_from(["=", "='", '="', "': '", '": "', ": ", '\\": \\"']))
    def test_a_planted_secret_never_survives(self, name: str, secret: str, between: str) -> None:
        assert secret not in mask_text(f"before {name}{between}{secret}' after")

    @pytest.mark.timeout(10)
    @pytest.mark.parametrize("unit", ["a", "a=", "://", "token ", "?key", "Bearer", "\\"])
    def test_a_long_text_takes_no_long_time(self, unit: str) -> None:
        text = unit * 100_000
        assert len(mask_text(text)) >= 1

    def test_an_event_is_masked_by_its_names_and_in_its_texts(self) -> None:
        event = {
            "event": f"Bearer {SECRET}",
            "token": SECRET,
            "more": [f"?key={SECRET}", {"a": f"?key={SECRET}"}],
            "n": 1,
        }
        assert mask_event(event) == {
            "event": f"Bearer {MASK}",
            "token": MASK,
            "more": [f"?key={MASK}", {"a": f"?key={MASK}"}],
            "n": 1,
        }


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


LONG_SECRET = "".join(f"{number:03}" for number in range(30))


@pytest.mark.parametrize("before", [0, 300, 390, 399, 7_930, 7_990])
def test_no_part_of_a_secret_is_in_an_excerpt(before: int) -> None:
    told = excerpt("x" * before + LONG_SECRET + " and more" * 2_000, 400, [LONG_SECRET])

    assert len(told) <= 401
    assert LONG_SECRET[:6] not in told


def test_no_part_of_a_secret_is_left_where_masks_make_a_text_short() -> None:
    told = excerpt(f"{LONG_SECRET} " * 200, 4_000, [LONG_SECRET])

    assert LONG_SECRET[:6] not in told


def test_an_excerpt_masks_pairs_where_it_is_asked_to() -> None:
    text = "password=hunter22 is wrong"

    assert excerpt(text, 100, []) == text
    assert excerpt(text, 100, [], masks_pairs=True) == f"password={MASK} is wrong"
