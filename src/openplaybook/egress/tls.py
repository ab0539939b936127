"""TLS settings: the system's trust, or a tool's own certificates in its place."""

import ssl
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property

from openplaybook.egress.errors import TlsFailed

_KEPT = 64


class TlsContexts:
    """Makes one context per set of certificates and keeps the last ones used, since making one costs milliseconds."""

    def __init__(self) -> None:
        self._own: OrderedDict[tuple[bytes, ...], ssl.SSLContext] = OrderedDict()

    def context(self, certificates: tuple[bytes, ...]) -> ssl.SSLContext:
        """The context that trusts `certificates`, or the system's when there are none.

        Raises `TlsFailed` when one cannot be read.
        """
        if not certificates:
            return self._system
        found = self._own.get(certificates)
        if found is None:
            found = self._own[certificates] = trusting(certificates)
            if len(self._own) > _KEPT:
                self._own.popitem(last=False)
        else:
            self._own.move_to_end(certificates)
        return found

    @cached_property
    def _system(self) -> ssl.SSLContext:
        """Made at the first need: reading the system's certificates takes a tenth of a second."""
        return ssl.create_default_context()


def trusting(certificates: Sequence[bytes]) -> ssl.SSLContext:
    """A context that trusts only `certificates`, each PEM (one or more) or DER; raises `TlsFailed`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    for position, certificate in enumerate(certificates, start=1):
        is_pem = b"-----BEGIN CERTIFICATE-----" in certificate
        try:
            context.load_verify_locations(cadata=certificate.decode("ascii") if is_pem else certificate)
        except (ssl.SSLError, ValueError) as error:
            raise TlsFailed(f"CA certificate {position} cannot be read; PEM and DER are accepted") from error
    return context
