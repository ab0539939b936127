"""Who is let in to a server, and how, as its settings say."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from openplaybook.egress.base import Transport
from openplaybook.server.access.api_keys import KeyFile
from openplaybook.server.access.authenticator import CallerAuthenticator
from openplaybook.server.access.gate import Gate
from openplaybook.server.access.proxies import Proxies, parse_proxies
from openplaybook.server.access.rate_limits import Rate, RateLimiter, parse_rate
from openplaybook.server.access.role_claims import RoleClaims, parse_role_map
from openplaybook.server.cors import Cors, parse_origins
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.server.sockets import check_exposure, is_loopback
from openplaybook.server.tls import ServerTls, tls_of

if TYPE_CHECKING:
    from openplaybook.credentials.sealer import Sealer
    from openplaybook.server.access.code_login import CodeLogin
    from openplaybook.server.access.oidc import TokenVerifier

_LOG = logging.getLogger("openplaybook.server")


@dataclass(frozen=True, slots=True)
class EntranceGuards:
    """The parts that stand between the ports and the API."""

    tls: ServerTls | None
    authenticator: CallerAuthenticator | None
    gate: Gate
    proxies: Proxies
    cors: Cors | None
    login: "Callable[[Sealer], CodeLogin] | None" = None
    """Logs browsers in at the identity provider; None where the console has no client id there."""


def entrance_guards(settings: Settings, way_out: Transport) -> EntranceGuards:
    """As the settings say; `way_out` leads to the identity provider. Raises `SettingsError` or `Unprotected`."""
    asks = is_authenticated(settings)
    check_exposure(settings.host, is_authenticated=asks, insecure=settings.insecure)
    authenticator = authenticator_of(settings, way_out)
    guards = EntranceGuards(
        tls=tls_of(settings),
        authenticator=authenticator,
        gate=gate_of(settings),
        proxies=proxies_of(settings),
        cors=parse_origins(settings.cors_origins, is_authenticated=asks),
        login=_login(settings, authenticator, way_out),
    )
    if guards.tls is None and not is_loopback(settings.host) and not settings.trusted_proxies:
        _LOG.warning(
            "without TLS, others on the network can read keys and conversations; see tls_cert or trusted_proxies"
        )
    return guards


def is_authenticated(settings: Settings) -> bool:
    """Whether a server with these settings asks who calls."""
    return settings.api_key_file is not None or bool(settings.oidc_issuer)


def authenticator_of(settings: Settings, way_out: Transport) -> CallerAuthenticator | None:
    """What tells callers apart; None where nothing is asked. `way_out` leads to the identity provider.

    Raises `SettingsError`.
    """
    tokens = _tokens(settings, way_out)
    if not is_authenticated(settings):
        return None
    return CallerAuthenticator(KeyFile(settings.api_key_file) if settings.api_key_file else None, tokens)


def gate_of(settings: Settings) -> Gate:
    """Roles and limits. Raises `SettingsError`."""
    requests = _rate("rate_limit", settings.rate_limit)
    turns = _rate("rate_limit_turns", settings.rate_limit_turns)
    return Gate(RateLimiter(requests) if requests else None, RateLimiter(turns) if turns else None)


def proxies_of(settings: Settings) -> Proxies:
    """Whose word on where a request comes from is believed. Raises `SettingsError`."""
    try:
        return parse_proxies(settings.trusted_proxies)
    except ValueError as error:
        raise SettingsError(f"trusted_proxies: {error}") from error


def _tokens(settings: Settings, way_out: Transport) -> "TokenVerifier | None":
    issuer = settings.oidc_issuer
    if not issuer:
        if settings.oidc_audience or settings.oidc_role_map:
            raise SettingsError("oidc_audience and oidc_role_map require oidc_issuer")
        return None
    if not settings.oidc_audience:
        raise SettingsError("oidc_issuer requires oidc_audience, the audience of its tokens")
    if issuer.startswith("http://") and not is_loopback(urlsplit(issuer).hostname or ""):
        raise SettingsError(f"oidc_issuer {issuer} must start with https://: its keys decide who may do what")
    try:
        meaning = parse_role_map(settings.oidc_role_map)
    except ValueError as error:
        raise SettingsError(f"oidc_role_map: {error}") from error
    # Only a server with an identity provider needs what reads its tokens; the others start earlier without it.
    from openplaybook.server.access.oidc import TokenVerifier
    from openplaybook.server.access.provider_keys import ProviderKeys

    roles = RoleClaims(settings.oidc_roles_claim, meaning)
    return TokenVerifier(issuer, settings.oidc_audience, roles, ProviderKeys(issuer, way_out))


def _login(
    settings: Settings, authenticator: CallerAuthenticator | None, way_out: Transport
) -> "Callable[[Sealer], CodeLogin] | None":
    tokens = authenticator.tokens if authenticator is not None else None
    if tokens is None or not settings.oidc_client_id:
        if settings.oidc_client_id or settings.oidc_client_secret_file:
            raise SettingsError("login in the browser requires both oidc_issuer and oidc_client_id")
        return None
    if "openid" not in settings.oidc_scopes.split():
        raise SettingsError("oidc_scopes must contain openid, or the identity provider sends no ID token")
    from openplaybook.server.access.code_login import CodeLogin, LoginClient

    secret = _secret_in(settings.oidc_client_secret_file) if settings.oidc_client_secret_file else ""
    client = LoginClient(settings.oidc_issuer, settings.oidc_client_id, secret, settings.oidc_scopes)
    return lambda sealer: CodeLogin(client, tokens, sealer, way_out)


def _secret_in(file: Path) -> str:
    try:
        secret = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"oidc_client_secret_file {file} cannot be read: {error}") from error
    if not secret:
        raise SettingsError(f"oidc_client_secret_file {file} is empty")
    return secret


def _rate(name: str, text: str) -> Rate | None:
    try:
        return parse_rate(text)
    except ValueError as error:
        raise SettingsError(f"{name}: {error}") from error
