"""What doctor says about who may use the server, and about its certificate."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from openplaybook.egress.address_policy import AddressPolicy
from openplaybook.server.access.entrance_guards import authenticator_of, is_authenticated
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.server.tls import tls_of
from openplaybook.server.transports import LateTransport
from openplaybook.services.openplaybook.doctor_checks import Check

_SOON = timedelta(days=14)


def check_entrance(settings: Settings) -> Sequence[Check]:
    """The checks of what is set; nothing for a server that asks for nothing and speaks no TLS. Asks nobody."""
    return [*_access(settings), *_certificate(settings)]


def _access(settings: Settings) -> list[Check]:
    if not is_authenticated(settings):
        return []
    try:
        authenticator_of(settings, LateTransport(AddressPolicy()))
    except SettingsError as error:
        return [Check("access", False, str(error), "correct api_key_file and the oidc_ settings")]
    keys = [f"keys of {settings.api_key_file}"] if settings.api_key_file else []
    tokens = [f"tokens of {settings.oidc_issuer}"] if settings.oidc_issuer else []
    return [Check("access", True, " and ".join(keys + tokens))]


def _certificate(settings: Settings) -> list[Check]:
    try:
        tls = tls_of(settings)
    except SettingsError as error:
        return [Check("certificate", False, str(error), "correct tls_cert and tls_key")]
    if tls is None:
        return []
    expires = tls.certificate.expires
    remedy = "renew it, then send the server SIGHUP" if expires - datetime.now(UTC) < _SOON else ""
    return [Check("certificate", True, f"valid until {expires:%Y-%m-%d}", remedy)]
