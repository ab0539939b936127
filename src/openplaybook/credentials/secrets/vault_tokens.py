"""How we prove to Vault who we are: a token from a file or `VAULT_TOKEN`, or AppRole."""

from collections.abc import Mapping

from openplaybook.credentials.errors import CredentialMissing
from openplaybook.credentials.secrets.file_secrets import read_token
from openplaybook.credentials.secrets.remote_store import ask, refusal
from openplaybook.credentials.secrets.vault_settings import VaultSettings
from openplaybook.credentials.token_cache import LONGEST_S, IssuedToken, TokenCache
from openplaybook.egress.base import Transport
from openplaybook.jsonvalues import as_list, as_object, dumps

_TIMEOUT_S = 10.0


class VaultTokens:
    """The token to send; one from AppRole is kept for as long as Vault leases it."""

    def __init__(self, settings: VaultSettings, environment: Mapping[str, str], transport: Transport) -> None:
        self._settings = settings
        self._environment = environment
        self._transport = transport
        self._tokens = TokenCache()
        self._latest = ""

    async def current(self) -> str:
        """A token. Raises `CredentialMissing`, `CredentialRefused`, `CredentialUnavailable`."""
        if self._settings.role_id_file is not None:
            self._latest = await self._tokens.get("approle", self._log_in, _TIMEOUT_S)
            return self._latest
        if self._settings.token_file is not None:
            # Read each time: an agent of Vault that writes it replaces it too.
            return read_token(self._settings.token_file)
        token = self._environment.get("VAULT_TOKEN", "")
        if not token:
            raise CredentialMissing("no token for Vault is set: set VAULT_TOKEN, token_file or role_id_file")
        return token

    def forget(self) -> bool:
        """Told that the token was refused; whether another can be had."""
        return self._tokens.forget(self._latest)

    async def _log_in(self) -> IssuedToken:
        settings = self._settings
        assert settings.role_id_file is not None, "asked for above"
        assert settings.secret_id_file is not None, "given with the other one"
        body = dumps({"role_id": read_token(settings.role_id_file), "secret_id": read_token(settings.secret_id_file)})
        answer = await ask(
            self._transport,
            settings.request(
                "POST", f"auth/{settings.auth_mount}/login", ("Content-Type", "application/json"), body=body
            ),
            "Vault",
        )
        auth = as_object(answer.members.get("auth"))
        if answer.status != 200 or not auth.get("client_token"):
            errors = "; ".join(map(str, as_list(answer.members.get("errors"))))
            raise refusal(answer, "Vault, asked to log us in with AppRole,", errors)
        # A lease of 0 has no end.
        return IssuedToken(str(auth["client_token"]), float(auth.get("lease_duration") or LONGEST_S))
