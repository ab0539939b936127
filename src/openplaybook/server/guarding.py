"""Who is let in to a server, and how."""

import logging
from dataclasses import dataclass

from openplaybook.egress.base import Transport
from openplaybook.server.access.authenticator import CallerAuthenticator
from openplaybook.server.access.entrance_guards import authenticator_of, gate_of, is_authenticated, proxies_of
from openplaybook.server.access.gate import Gate
from openplaybook.server.access.proxies import Proxies
from openplaybook.server.cors import Cors, parse_origins
from openplaybook.server.settings import Settings
from openplaybook.server.sockets import check_exposure, is_loopback
from openplaybook.server.tls import ServerTls, tls_of

_LOG = logging.getLogger("openplaybook.server")


@dataclass(frozen=True, slots=True)
class EntranceGuards:
    """The parts that stand between the ports and the API."""

    tls: ServerTls | None
    authenticator: CallerAuthenticator | None
    gate: Gate
    proxies: Proxies
    cors: Cors | None


def entrance_guards(settings: Settings, way_out: Transport) -> EntranceGuards:
    """As the settings say; `way_out` leads to the identity provider. Raises `SettingsError` or `Unprotected`."""
    is_asking = is_authenticated(settings)
    check_exposure(settings.host, is_authenticated=is_asking, insecure=settings.insecure)
    guarding = EntranceGuards(
        tls=tls_of(settings),
        authenticator=authenticator_of(settings, way_out),
        gate=gate_of(settings),
        proxies=proxies_of(settings),
        cors=parse_origins(settings.cors_origins, is_authenticated=is_asking),
    )
    if guarding.tls is None and not is_loopback(settings.host) and not settings.trusted_proxies:
        _LOG.warning(
            "without TLS, others on the network can read keys and conversations; see tls_cert or trusted_proxies"
        )
    return guarding
