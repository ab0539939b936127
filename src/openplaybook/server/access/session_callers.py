"""Callers with a token for one conversation: what they may send, and nothing else."""

from collections.abc import Mapping

from starlette.types import Scope

from openplaybook.credentials.session_tokens import SessionTokens, is_session_token
from openplaybook.server.access.authenticator import bearer
from openplaybook.server.access.principals import Principal, PrincipalKind, Role
from openplaybook.server.access.refusals import denied, invalid_token

_TURNS = (":detectIntent", ":serverStreamingDetectIntent", ":runSession", ":streamRunSession")
_VERSIONS = ("v3", "v3beta1", "v1", "v1beta")


class SessionCallers:
    """Tells by a request's token and address whether it is a turn of the token's own session."""

    def __init__(self, tokens: SessionTokens) -> None:
        self._tokens = tokens

    def principal(self, headers: Mapping[str, str], scope: Scope) -> Principal | None:
        """Who sends an HTTP request, names of headers in lower case; None where it has no such token.

        Raises `RpcError`: UNAUTHENTICATED for a token that is not ours or has ended, PERMISSION_DENIED for whatever is
        not a turn of its session.
        """
        token = bearer(headers)
        if not is_session_token(token):
            return None
        session = self._tokens.session_of(token)
        if session is None:
            raise invalid_token("it has expired, or is not of this server")
        allowed = {f"/{version}/{session}{turn}" for version in _VERSIONS for turn in _TURNS}
        # As it was sent: an escaped address is another text, and no client of ours escapes what needs none.
        if scope["method"] != "POST" or scope["raw_path"].decode("latin-1") not in allowed:
            raise denied(f"This token is for turns of the session {session} alone.")
        return Principal(session, Role.RUNTIME, PrincipalKind.SESSION)
