"""Access to Google's services as this server itself: by `GOOGLE_APPLICATION_CREDENTIALS`, or as its machine."""

from openplaybook.credentials.identity.google_tokens import GoogleTokens
from openplaybook.credentials.service_identity import CLOUD_PLATFORM
from openplaybook.credentials.token_cache import IssuedToken, TokenCache

_TIMEOUT_S = 20.0


class OwnAccess:
    """Keeps its token while that is valid."""

    def __init__(self, google: GoogleTokens | None = None) -> None:
        self._google = google or GoogleTokens()
        self._tokens = TokenCache()
        self.account = ""
        """Email address of whom the latest token stands for; empty where it is not known."""

    async def token(self) -> str:
        """An access token for everything that the account may do at Google. Raises `CredentialError`."""
        return await self._tokens.get("own", self._fetched, _TIMEOUT_S)

    def forget(self, token: str) -> bool:
        """Drop a token that was refused; whether it was still kept."""
        return self._tokens.forget(token)

    async def _fetched(self) -> IssuedToken:
        token = await self._google.own_access_token((CLOUD_PLATFORM,))
        self.account = token.account
        return token
