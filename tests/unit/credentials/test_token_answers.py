import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.credentials.token_answers import refusal_in, token_in
from openplaybook.credentials.token_cache import IssuedToken
from openplaybook.jsonvalues import JsonValue, dumps
from tests.kit.openapi import responds

SECRET = "s3cret"

VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-(10**400), 10**400)
    | st.just(Decimal("0.12345678901234567890"))
    | st.floats()
    | st.text()
    | st.lists(st.text())
)


def read(body: bytes) -> IssuedToken | str:
    try:
        return token_in(responds(body))
    except ValueError as error:
        return str(error)


@given(st.binary())
def test_any_bytes_are_a_token_or_a_sentence(body: bytes) -> None:
    found = read(body)
    assert isinstance(found, IssuedToken) or found.startswith(("answered 200 without", "gave a token of type"))


@given(st.fixed_dictionaries({"access_token": VALUES}, optional={"token_type": VALUES, "expires_in": VALUES}))
def test_any_members_are_a_token_that_a_header_can_carry_or_a_sentence(members: JsonValue) -> None:
    token = read(dumps(members))
    if isinstance(token, str):
        return
    assert token.value == members["access_token"]
    assert all("\x21" <= letter <= "\x7e" for letter in token.value)
    assert token.life_s == token.life_s


@given(st.text(), st.text())
def test_what_an_endpoint_says_is_one_short_line_without_the_secret(error: str, description: str) -> None:
    answer = responds(dumps({"error": error + SECRET, "error_description": SECRET + description}), 400)
    told = refusal_in(answer, hidden=(SECRET,))
    assert SECRET not in told
    assert told.isprintable() or all(not letter.isspace() or letter == " " for letter in told if letter < "\x80")
    assert len(told) <= 201


def test_a_kind_of_token_that_is_told_holds_no_secret() -> None:
    with pytest.raises(ValueError, match=re.escape("gave a token of type 'basic [redacted]'; only")):
        token_in(responds(dumps({"access_token": "t", "token_type": f"basic {SECRET}"})), hidden=(SECRET,))
