"""The service of `kit/soap/people.wsdl`, read once."""

from functools import cache
from pathlib import Path

import tests.kit.soap
from openplaybook.connectors.rest.soap.schema_model import SoapService
from openplaybook.connectors.rest.soap.wsdl_reader import read_wsdl

WSDL = Path(tests.kit.soap.__file__).with_name("people.wsdl").read_bytes()
P = "{urn:example:people}"


@cache
def people() -> SoapService:
    """Its operations and schema."""
    return read_wsdl(WSDL)
