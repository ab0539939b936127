"""What is read of a WSDL, and what is refused in one."""

import pytest

from openplaybook.connectors.rest.soap.schema_model import ComplexType, SimpleKind, SimpleType
from openplaybook.connectors.rest.soap.wsdl_reader import read_wsdl
from openplaybook.connectors.rest.soap.xml_elements import UnreadableXml
from tests.unit.connectors.rest.soap.people import WSDL, P, people


def test_operations_have_their_messages_action_and_documentation() -> None:
    operations = people().operations
    assert list(operations) == ["Get_People", "Put_Person"]
    found = operations["Get_People"]
    assert (found.input, found.output, found.action) == (
        f"{P}Get_People_Request",
        f"{P}Get_People_Response",
        "urn:get",
    )
    assert found.documentation == "People, all or some."


def test_a_type_has_what_it_extends_and_its_members_by_their_names() -> None:
    record = people().schema.types[f"{P}Record"]
    assert isinstance(record, ComplexType)
    assert record.members[:3] == ["Grade", "Name", "Salary"]
    assert record.members[-1] == "Reference"
    assert [name for name, each in record.elements.items() if each.is_repeated] == ["Nickname"]
    salary = record.elements["Salary"].declaration.type
    assert salary == SimpleType(SimpleKind.DECIMAL, digits=24, places=6)
    assert people().schema.types[f"{P}Kind"] == SimpleType(documented=("WID", "Person_ID"))


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        (
            b"<wsdl:types>",
            b'<wsdl:import location="http://127.0.0.1/x.wsdl" namespace="u"/><wsdl:types>',
            "another doc",
        ),
        (
            b'<xsd:attribute name="version"',
            b'<xsd:include schemaLocation="http://127.0.0.1/x.xsd"/><xsd:attribute name="version"',
            "in another document",
        ),
        (
            b'<xsd:attribute name="version"',
            b'<xsd:import namespace="u" schemaLocation="file:///etc/passwd"/><xsd:attribute name="version"',
            "in another document",
        ),
        (b'style="document"', b'style="rpc"', "only document is spoken"),
        (b'type="tns:PeoplePort"', b'type="tns:Other"', "no operation"),
        (b'<xsd:extension base="p:Person">', b'<xsd:extension base="p:Record">', "made of itself"),
        (b'schemas.xmlsoap.org/wsdl/"', b'www.w3.org/ns/wsdl"', "no WSDL 1.1"),
        (b'<xsd:element name="Hourly_Rate"', b"<xsd:element", "without a name"),
        (
            b'<wsdl:part name="body" element="p:Get_People_Request"/>',
            b'<wsdl:part name="a" element="p:Get_People_Request"/><wsdl:part name="b" element="p:Person"/>',
            "several parts",
        ),
    ],
)
def test_what_is_elsewhere_or_not_spoken_is_refused(right: bytes, wrong: bytes, said: str) -> None:
    assert right in WSDL
    with pytest.raises(UnreadableXml, match=said):
        read_wsdl(WSDL.replace(right, wrong, 1))
