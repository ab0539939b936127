"""From a stored connection to the settings that it is opened with: what it names as secrets is read here, each time."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from openplaybook.connectors.definitions import AuthenticationKind
from openplaybook.connectors.errors import CredentialAbsent
from openplaybook.connectors.settings import (
    Authentication,
    ConfigValue,
    ConnectionSettings,
    Destination,
    GoogleAccount,
    JwtBearer,
    OAuthClient,
    OAuthRefresh,
    SshKey,
    TlsSettings,
    UserPassword,
)
from openplaybook.credentials.base import Secrets
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_MTLS = "MTLS"
_INSECURE = "INSECURE"


@dataclass(frozen=True, slots=True)
class SystemSettingsReader:
    """Reads settings. All that it does raises `CredentialError` for a secret that cannot be read."""

    secrets: Secrets
    refresh_token: Callable[[str], Awaitable[str]]
    """The refresh token that a user's consent gave a connection, by its name; empty without one."""

    async def settings(self, connection: JsonObject, *, with_credential: bool = True) -> ConnectionSettings:
        """The settings of a connection (JSON form), with its own credential or without. Raises `CredentialAbsent` where
        a user must consent first."""
        given = as_object(connection.get("authConfig"))
        own = [*map(as_object, as_list(given.get("additionalVariables")))]
        if not with_credential:
            own = [each for each in own if "secretValue" not in each]
        variables = [*map(as_object, as_list(connection.get("configVariables"))), *own]
        config = {str(each.get("key")): await self._value(each) for each in variables}
        return ConnectionSettings(
            name=str(connection["name"]),
            connector=str(connection["connectorVersion"]).split("/")[7],
            config=config,
            authentication=await self._authentication(connection, given, config) if with_credential else None,
            destinations=_destinations(connection),
            tls=await self._tls(as_object(connection.get("sslConfig")), with_credential=with_credential),
            allows_override=bool(connection.get("authOverrideEnabled")),
        )

    async def _value(self, variable: JsonObject) -> ConfigValue:
        if "secretValue" in variable:
            return await self._secret(variable["secretValue"])
        if "intValue" in variable:
            return int(variable["intValue"])
        if "boolValue" in variable:
            return bool(variable["boolValue"])
        return str(variable.get("stringValue", ""))

    async def _secret(self, secret: JsonValue) -> str:
        """The value of a `Secret`; empty for none."""
        version = as_object(secret).get("secretVersion")
        return await self.secrets.access(str(version)) if version else ""

    async def _authentication(
        self, connection: JsonObject, given: JsonObject, config: Mapping[str, ConfigValue]
    ) -> Authentication:
        match str(given.get("authType", "")):
            case AuthenticationKind.USER_PASSWORD.value:
                section = as_object(given.get("userPassword"))
                return UserPassword(str(section.get("username", "")), await self._secret(section.get("password")))
            case AuthenticationKind.OAUTH2_CLIENT_CREDENTIALS.value:
                section = as_object(given.get("oauth2ClientCredentials"))
                return OAuthClient(str(section.get("clientId", "")), await self._secret(section.get("clientSecret")))
            case AuthenticationKind.OAUTH2_JWT_BEARER.value:
                return await self._jwt_bearer(as_object(given.get("oauth2JwtBearer")))
            case AuthenticationKind.SSH_PUBLIC_KEY.value:
                return await self._ssh_key(as_object(given.get("sshPublicKey")))
            case AuthenticationKind.OAUTH2_AUTH_CODE_FLOW.value:
                section = as_object(given.get("oauth2AuthCodeFlow"))
                return await self._refresh(str(connection["name"]), section, str(config.get("token_url", "")))
            case AuthenticationKind.GOOGLE_AUTHENTICATION.value:
                return GoogleAccount(str(connection.get("serviceAccount", "")))
            case _:
                return None

    async def _jwt_bearer(self, section: JsonObject) -> JwtBearer:
        claims = as_object(section.get("jwtClaims"))
        issuer, subject, audience = (str(claims.get(claim, "")) for claim in ("issuer", "subject", "audience"))
        return JwtBearer(issuer, subject, await self._secret(section.get("clientKey")), audience)

    async def _ssh_key(self, section: JsonObject) -> SshKey:
        key, passphrase = await self._secret(section.get("sshClientCert")), section.get("sshClientCertPass")
        return SshKey(str(section.get("username", "")), key, await self._secret(passphrase))

    async def _refresh(self, name: str, section: JsonObject, token_url: str) -> OAuthRefresh:
        token = await self.refresh_token(name)
        if not token:
            raise CredentialAbsent(f"no user has consented to {name} yet: authorize it with `connections authorize`")
        client_secret = await self._secret(section.get("clientSecret"))
        return OAuthRefresh(str(section.get("clientId", "")), client_secret, token, token_url)

    async def _tls(self, given: JsonObject, *, with_credential: bool) -> TlsSettings:
        is_mutual = given.get("type") == _MTLS and with_credential
        return TlsSettings(
            is_used=bool(given.get("useSsl")) or "type" in given,
            ca_certificate=await self._secret(given.get("privateServerCertificate")),
            skips_verification=given.get("trustModel") == _INSECURE,
            client_certificate=await self._secret(given.get("clientCertificate")) if is_mutual else "",
            client_key=await self._secret(given.get("clientPrivateKey")) if is_mutual else "",
            client_key_passphrase=await self._secret(given.get("clientPrivateKeyPass")) if is_mutual else "",
        )


def _destinations(connection: JsonObject) -> Mapping[str, Destination]:
    found: dict[str, Destination] = {}
    for config in map(as_object, as_list(connection.get("destinationConfigs"))):
        first = as_object(next(iter(as_list(config.get("destinations"))), None))
        if first:
            found[str(config.get("key", ""))] = Destination(str(first.get("host", "")), int(first.get("port", 0)))
    return found
