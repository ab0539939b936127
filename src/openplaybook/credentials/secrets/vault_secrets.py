"""HashiCorp Vault and OpenBao: the KV secrets engine, version 2, by its HTTP API."""

from urllib.parse import quote, urlencode

from openplaybook.credentials.errors import CredentialRefused
from openplaybook.credentials.secrets.remote_store import RemoteAnswer, ask, refusal
from openplaybook.credentials.secrets.vault_settings import VaultSettings
from openplaybook.credentials.secrets.vault_tokens import VaultTokens
from openplaybook.egress.base import Transport
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.secret_names import SecretVersionName


class VaultSecrets:
    """The secret S of any project is the secret `PREFIX/S` of the mount; version N its version N."""

    def __init__(self, settings: VaultSettings, tokens: VaultTokens, transport: Transport) -> None:
        self._settings = settings
        self._tokens = tokens
        self._transport = transport
        self.about = f"vault ({settings.origin}/v1/{settings.mount})"

    async def access(self, name: SecretVersionName) -> str | None:
        """The field's value; None when there is no such secret or version, or it is deleted or destroyed.

        Raises `CredentialRefused`, `CredentialUnavailable`.
        """
        answer = await self._read(name)
        if answer.status == 403 and self._tokens.forget():
            answer = await self._read(name)
        if answer.status == 404:
            return None
        if answer.status != 200:
            raise refusal(answer, f"Vault, asked for {self._path(name)},", _errors(answer))
        return _field(as_object(as_object(answer.members.get("data")).get("data")), self._settings.field, name)

    async def check(self) -> None:
        """Vault is unsealed, and our token is known to it."""
        question = self._settings.request("GET", "sys/health?standbyok=true&perfstandbyok=true")
        health = await ask(self._transport, question, "Vault")
        if health.status != 200:
            raise refusal(health, "Vault", "it is sealed, or not initialised")
        answer = await self._with_token("auth/token/lookup-self")
        if answer.status != 200:
            raise refusal(answer, "Vault, asked about our token,", _errors(answer))

    async def _read(self, name: SecretVersionName) -> RemoteAnswer:
        version = "" if name.is_latest else "?" + urlencode({"version": name.version})
        return await self._with_token(f"{self._settings.mount}/data/{self._path(name)}{version}")

    async def _with_token(self, path: str) -> RemoteAnswer:
        request = self._settings.request("GET", path, ("X-Vault-Token", await self._tokens.current()))
        return await ask(self._transport, request, "Vault")

    def _path(self, name: SecretVersionName) -> str:
        return "/".join(filter(None, (quote(self._settings.prefix), name.secret.id)))


def _errors(answer: RemoteAnswer) -> str:
    return "; ".join(map(str, as_list(answer.members.get("errors"))))


def _field(data: JsonObject, field: str, name: SecretVersionName) -> str:
    """The value of the field; of the only one, where it has another name."""
    value = data.get(field, next(iter(data.values())) if len(data) == 1 else None)
    if not isinstance(value, str):
        there = ", ".join(data) or "none"
        raise CredentialRefused(
            f"the secret {name} in Vault has no text in a field {field!r} (fields: {there}); "
            "name another with field=NAME in the setting"
        )
    return value
