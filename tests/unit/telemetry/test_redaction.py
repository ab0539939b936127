"""A planted secret never survives, and what is no secret is left alone."""

import string
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue
from openplaybook.telemetry.redaction import (
    MASK,
    is_secret_name,
    mask_event,
    mask_headers,
    mask_json,
    mask_text,
    mask_url,
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
