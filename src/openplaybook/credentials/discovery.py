"""Where an OpenID provider gives tokens, from its discovery document (OpenID Connect Discovery §4)."""

from dataclasses import replace

from openplaybook.credentials.asking import asking
from openplaybook.credentials.errors import CredentialUnavailable
from openplaybook.credentials.token_cache import IssuedToken
from openplaybook.egress.base import HttpLimits, HttpRequest, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import as_object, loads

_LIMITS = HttpLimits(connect_s=5.0, read_s=10.0, total_s=15.0, max_bytes=1_000_000)
_KEPT_S = 3600.0
_OK = 200


async def token_endpoint(url: str, like: HttpRequest, transport: Transport, caller: str = "") -> IssuedToken:
    """The `token_endpoint` of the document at `url`, to be kept for an hour; certificates as `like` has them.

    A document that came by https cannot send secrets to where http leads. Raises `CredentialUnavailable`.
    """
    request = asking(like, "GET", url, (("Accept", "application/json"),), b"")
    try:
        answer = await transport.send(request, replace(_LIMITS, caller=caller))
    except EgressError as error:
        raise CredentialUnavailable(f"the OpenID provider {url} did not respond: {error}") from error
    try:
        found = as_object(loads(answer.body)).get("token_endpoint") if answer.status == _OK else None
    except ValueError:
        found = None
    allowed = "https://" if url.lower().startswith("https://") else ("http://", "https://")
    if not isinstance(found, str) or not found.startswith(allowed):
        raise CredentialUnavailable(
            f"the OpenID provider {url} answered {answer.status} without a usable token_endpoint; "
            "set oauthConfig.tokenEndpoint"
        )
    return IssuedToken(found, _KEPT_S)
