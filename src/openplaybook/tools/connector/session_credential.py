"""The end user's credential for a call: from parameters of the session, never anything else in their place."""

import re

from openplaybook.connectors.errors import CredentialAbsent
from openplaybook.connectors.settings import AccessToken, Authentication, ConnectionSettings, JwtBearer, UserPassword
from openplaybook.credentials.base import AuthContext, CredentialSources
from openplaybook.credentials.credential_value import CredentialValue
from openplaybook.credentials.errors import CredentialMissing
from openplaybook.jsonvalues import JsonValue
from openplaybook.tools.base import ToolContext
from openplaybook.tools.connector.connector_spec import EndUserAuthentication

_REFERENCE = re.compile(r"\$(?:session\.params|context\.variables)\.([\w.-]+)")


async def settings_for(
    settings: ConnectionSettings,
    authentication: EndUserAuthentication | None,
    sources: CredentialSources,
    context: ToolContext,
) -> ConnectionSettings:
    """The connection's settings with the end user's credential in place of its own, where the tool asks for that.

    Raises `CredentialAbsent`, which names the session parameter that is missing, or the connection that takes no
    credential but its own.
    """
    if authentication is None:
        return settings
    if not settings.allows_override:
        raise CredentialAbsent(
            f"the connection {settings.name} takes no credential of end users: authOverrideEnabled is not set"
        )
    values = {
        name: await _value(value, f"{authentication.kind}.{name}", sources, context)
        for name, value in authentication.members.items()
    }
    return settings.overridden(_authentication(authentication.kind, values))


def _authentication(kind: str, values: dict[str, str]) -> Authentication:
    if kind == "oauth2AuthCodeConfig":
        return AccessToken(values.get("oauthToken", ""))
    if kind == "oauth2JwtBearerConfig":
        return JwtBearer(values.get("issuer", ""), values.get("subject", ""), values.get("clientKey", ""))
    return UserPassword(values.get("username", ""), values.get("password", ""))


async def _value(value: JsonValue, what: str, sources: CredentialSources, context: ToolContext) -> str:
    text = value if isinstance(value, str) else ""
    source = CredentialValue(what, text, "", referenced(text))
    try:
        found = await source.read(sources, AuthContext(context.parameters))
    except CredentialMissing as error:
        raise CredentialAbsent(f"nothing was sent, since {error}") from error
    if not found:
        raise CredentialAbsent(f"nothing was sent, since {what} of the end user's authentication is empty")
    return found


def referenced(value: JsonValue) -> str:
    """Name of the session parameter that a value names, `$session.params.NAME` or as in an app; empty for a literal."""
    found = _REFERENCE.fullmatch(value) if isinstance(value, str) else None
    return found[1] if found else ""
