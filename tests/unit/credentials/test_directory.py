import pytest

from openplaybook.credentials.directory.configured_directory import ConfiguredDirectory, parse_services
from openplaybook.credentials.errors import CredentialUnsupported
from openplaybook.egress.base import Endpoint

SERVICE = "projects/p/locations/l/namespaces/n/services/s"


async def test_a_listed_service_has_its_endpoints_in_their_order() -> None:
    services = parse_services([f"{SERVICE}=10.0.0.5:8443|[fd00::5]:443", f" {SERVICE}2 = 10.0.0.6:80 "])
    directory = ConfiguredDirectory(services)
    assert await directory.endpoints(SERVICE) == (Endpoint("10.0.0.5", 8443), Endpoint("fd00::5", 443))
    assert await directory.endpoints(f"{SERVICE}2") == (Endpoint("10.0.0.6", 80),)


async def test_a_service_that_is_not_listed_is_named() -> None:
    with pytest.raises(CredentialUnsupported, match=f"the service {SERVICE} cannot be looked up"):
        await ConfiguredDirectory({}).endpoints(SERVICE)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("services/s=10.0.0.5:80", "must have the form projects/P/locations/L/namespaces/N/services/S=ADDRESS:PORT"),
        (SERVICE, "must have the form"),
        (f"{SERVICE}?alt=media=10.0.0.5:80", "must have the form"),
        ("projects/../locations/l/namespaces/n/services/s=10.0.0.5:80", "must have the form"),
        ("projects/p/locations/l/namespaces/n/services/..=10.0.0.5:80", "must have the form"),
        (f"{SERVICE}=", "'' must be ADDRESS:PORT"),
        (f"{SERVICE}=10.0.0.5", "'10.0.0.5' must be ADDRESS:PORT"),
        (f"{SERVICE}=10.0.0.5:0", "must be ADDRESS:PORT"),
        (f"{SERVICE}=10.0.0.5:65536", "must be ADDRESS:PORT"),
        (f"{SERVICE}=fd00::5:80", "must be ADDRESS:PORT"),
        (f"{SERVICE}=host.example:80", "'host.example:80' must begin with an IP address"),
        (f"{SERVICE}=10.0.0.5:80|", "'' must be ADDRESS:PORT"),
    ],
)
def test_an_entry_that_is_not_understood_is_told(entry: str, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("[", r"\[").replace("|", r"\|")):
        parse_services([entry])
