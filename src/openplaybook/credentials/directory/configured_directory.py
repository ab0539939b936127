"""Private services that the operator lists."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address

from openplaybook.credentials.base import NoServiceDirectory, ServiceDirectory
from openplaybook.egress.base import Endpoint

_ID = r"(?!\.{1,2}(?:/|$))[\w.:~-]+"
SERVICE_NAME = re.compile(f"projects/{_ID}/locations/{_ID}/namespaces/{_ID}/services/{_ID}", re.ASCII)
SERVICE_FORM = "projects/P/locations/L/namespaces/N/services/S"

_ENDPOINT = re.compile(r"(?:\[(?P<v6>[^\[\]]+)\]|(?P<v4>[^:\[\]]+)):(?P<port>[0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class ConfiguredDirectory:
    """A list of services, and another directory for what it does not list."""

    services: Mapping[str, Sequence[Endpoint]]
    otherwise: ServiceDirectory = field(default_factory=NoServiceDirectory)

    async def endpoints(self, service: str) -> Sequence[Endpoint]:
        """Where a service listens; raises what the other directory raises."""
        known = self.services.get(service)
        return known if known is not None else await self.otherwise.endpoints(service)


def parse_services(entries: Sequence[str]) -> dict[str, Sequence[Endpoint]]:
    """The services of entries such as `projects/…/services/S=10.0.0.5:8443|[fd00::5]:8443`.

    Raises `ValueError` naming the entry that is not understood.
    """
    services: dict[str, Sequence[Endpoint]] = {}
    for entry in entries:
        name, equals, places = (part.strip() for part in entry.partition("="))
        if not equals or not SERVICE_NAME.fullmatch(name):
            raise ValueError(f"{entry!r} must have the form {SERVICE_FORM}=ADDRESS:PORT, further ones behind |")
        services[name] = tuple(map(_endpoint, places.split("|")))
    return services


def _endpoint(text: str) -> Endpoint:
    match = _ENDPOINT.fullmatch(text.strip())
    if match is None or not 0 < int(match["port"]) < 65536:
        raise ValueError(f"{text!r} must be ADDRESS:PORT, such as 10.0.0.5:8443 or [fd00::5]:8443")
    try:
        return Endpoint(str(ip_address(match["v6"] or match["v4"])), int(match["port"]))
    except ValueError as error:
        raise ValueError(f"{text!r} must begin with an IP address") from error
