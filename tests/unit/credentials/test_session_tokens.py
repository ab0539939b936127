"""Tokens for one conversation: what they are good for, and until when."""

import pytest

from openplaybook.credentials.sealer import Sealer
from openplaybook.credentials.session_tokens import SessionTokens, is_session_token

SESSION = "projects/p/locations/l/agents/a/sessions/s"


class Clock:
    now = 1000.5

    def __call__(self) -> float:
        return self.now


def test_a_token_names_its_session_until_it_ends() -> None:
    clock = Clock()
    tokens = SessionTokens(Sealer([bytes(32)]), clock)
    token, until = tokens.issue(SESSION, 60)
    assert (until, is_session_token(token), tokens.session_of(token)) == (1060, True, SESSION)
    assert SESSION not in token
    clock.now = 1060
    assert tokens.session_of(token) is None


def test_a_token_has_the_characters_of_a_bearer_token() -> None:
    token, _ = SessionTokens(Sealer([bytes(32)])).issue(SESSION, 60)
    assert all(each.isascii() and (each.isalnum() or each in "-._~+/=") for each in token)


@pytest.mark.parametrize("change", [lambda t: t[:-2], lambda t: t + "A", lambda t: "session.", lambda t: "session.a.b"])
def test_a_token_that_was_changed_is_none(change: object) -> None:
    tokens = SessionTokens(Sealer([bytes(32)]))
    assert callable(change)
    assert tokens.session_of(str(change(tokens.issue(SESSION, 60)[0]))) is None


def test_a_token_of_another_server_is_none() -> None:
    token, _ = SessionTokens(Sealer([bytes(32)])).issue(SESSION, 60)
    assert SessionTokens(Sealer([b"1" * 32])).session_of(token) is None


def test_what_is_sealed_for_something_else_is_no_token() -> None:
    sealer = Sealer([bytes(32)])
    sealed = sealer.seal(f"99999999999 {SESSION}", "console session")
    assert SessionTokens(sealer).session_of("session." + sealed.removeprefix("sealed:v1:").replace(":", ".")) is None
