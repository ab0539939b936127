"""JSON as a message, and a message as JSON."""

from decimal import Decimal

import pytest

from openplaybook.connectors.errors import InvalidValue, UnknownName
from openplaybook.connectors.rest.soap.message_reader import MessageReader
from openplaybook.connectors.rest.soap.message_writer import MessageWriter
from openplaybook.connectors.rest.soap.xml_elements import parsed_xml
from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.kit.soap.soap_mock import WsdlDocument
from tests.kit.soap.xsd_samples import ETREE
from tests.unit.connectors.rest.soap.people import WSDL, P, people

DOCUMENT = WsdlDocument(WSDL)


def put(person: JsonObject, **more: JsonValue) -> str:
    """The request with a person, which the schema allows."""
    text = MessageWriter(people().schema).written(f"{P}Put_Person_Request", {"Person": person, **more})
    DOCUMENT.schema.assertValid(ETREE.fromstring(text))
    return text


def told(text: str) -> JsonValue:
    return MessageReader(people().schema).read(parsed_xml(text.encode(), most_elements=1_000))


def test_elements_come_in_the_order_of_the_schema() -> None:
    text = put({"Active": False, "Salary": "1.50", "Seen": "2026-11-30T09:00:00Z", "Name": "A"})
    names = [each.tag.rpartition("}")[2] for each in ETREE.fromstring(text)[0]]
    assert names == ["Name", "Salary", "Seen", "Active"]


@pytest.mark.parametrize(
    "person",
    [
        {"Name": "A & <B> ü", "Salary": "123456789012345678.000001"},
        {"Name": "  a\r\n\tb ", "Hourly_Rate": "0.10", "Grade": "senior", "Nickname": ["a", "b", "c"]},
        {"Name": "", "Salary": "1", "Born": None, "Photo": "AQID", "Active": True},
        {"Name": "A", "Salary": "1", "Manager": {"Descriptor": 'a "b"\t\n', "ID": [{"type": "WID", "value": "1"}]}},
        {"Name": "A", "Salary": "1", "Deputy": {"Name": "B", "Salary": "2", "Deputy": {"Name": "C", "Salary": "3"}}},
        {"Name": "A", "Salary": "-1.5", "Born": "1999-12-31+01:00", "Seen": "2026-11-30T09:00:00.123456789-08:00"},
    ],
)
def test_what_is_written_reads_back_the_same(person: JsonObject) -> None:
    assert told(put(person)) == {"Person": person}


def test_references_may_be_said_shortly() -> None:
    short = put({"Name": "A", "Salary": "1", "Manager": {"Person_ID": "7", "WID": "w"}})
    ids = [{"type": "Person_ID", "value": "7"}, {"type": "WID", "value": "w"}]
    assert told(short) == {"Person": {"Name": "A", "Salary": "1", "Manager": {"ID": ids}}}


@pytest.mark.parametrize(
    ("given", "written"),
    [(7, "7"), (0.1, "0.1"), ("0.100", "0.100"), ("1e3", "1000"), (Decimal("0.000001"), "0.000001"), ("+5", "+5")],
)
def test_numbers_keep_their_value(given: JsonValue, written: str) -> None:
    assert f">{written}<" in put({"Name": "A", "Salary": given})


@pytest.mark.parametrize(
    ("person", "kind", "said"),
    [
        ({"Salary": "1"}, InvalidValue, "Person.Name: is required"),
        ({"Name": "A"}, InvalidValue, "Person: needs one of Salary, Hourly_Rate"),
        ({"Name": "A", "Salary": "1", "Hourly_Rate": "2"}, InvalidValue, "only one of Salary, Hourly_Rate"),
        ({"Name": "A", "Salary": "1", "Sallary": "1"}, UnknownName, "no member 'Person.Sallary'; there are: Grade"),
        ({"Name": {"a": 1}, "Salary": "1"}, InvalidValue, "Person.Name: must be a text, not an object"),
        ({"Name": "A", "Salary": "much"}, InvalidValue, "Person.Salary: is 'much'; a number"),
        ({"Name": "A", "Salary": "NaN"}, InvalidValue, "a number, or its digits"),
        ({"Name": "A", "Salary": True}, InvalidValue, "Person.Salary"),
        ({"Name": "A", "Salary": "0.0000001"}, InvalidValue, "6 decimal places"),
        ({"Name": "A", "Salary": "1" * 25}, InvalidValue, "24 digits"),
        ({"Name": "A", "Salary": "1" + "0" * 24 + ".0"}, InvalidValue, "24 digits"),
        ({"Name": "A", "Salary": "1e24"}, InvalidValue, "24 digits"),
        ({"Name": "A", "Salary": "1e999999999"}, InvalidValue, "digits"),
        ({"Name": "A", "Salary": "1", "Born": "2026-02-30"}, InvalidValue, "Person.Born: is '2026-02-30'; a date"),
        ({"Name": "A", "Salary": "1", "Active": "yes"}, InvalidValue, "true or false is expected"),
        ({"Name": "A", "Salary": "1", "Photo": "%%"}, InvalidValue, "base64"),
        ({"Name": "A", "Salary": "1", "Grade": "chief"}, InvalidValue, "Person.Grade: must be one of junior, senior"),
        ({"Name": "A", "Salary": "1", "Nickname": ["x" * 21]}, InvalidValue, r"Nickname\[0\]: has 21 characters"),
        ({"Name": "A", "Salary": "1", "Nickname": list("abcd")}, InvalidValue, "may stand 3 times at most"),
        ({"Name": ["A", "B"], "Salary": "1"}, InvalidValue, "Person.Name: may stand only once"),
        ({"Name": "A\x00", "Salary": "1"}, InvalidValue, "control character"),
        ({"Name": "A", "Salary": "1", "Manager": {"ID": {"value": "7"}}}, InvalidValue, r"ID\[0\].type: is required"),
        ({"Name": "A", "Salary": "1", "Manager": "7"}, InvalidValue, "must be an object with: Descriptor, ID"),
    ],
)
def test_what_does_not_fit_is_told_with_its_path(person: JsonObject, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        put(person)


def test_no_value_becomes_an_element() -> None:
    text = put({"Name": "</n1:Name><n1:Salary>9</n1:Salary>", "Salary": "1", "Grade": "junior"})
    assert len(ETREE.fromstring(text)[0]) == 2


def test_objects_within_each_other_have_an_end() -> None:
    person: JsonObject = {"Name": "A", "Salary": "1"}
    for _ in range(200):
        person = {"Name": "A", "Salary": "1", "Deputy": person}
    with pytest.raises(InvalidValue, match="within each other"):
        put(person)


def test_what_the_description_does_not_have_is_read_as_it_comes() -> None:
    text = f"""<p:Put_Person_Response xmlns:p="{P[1:-1]}" xmlns:q="urn:q" new="1"><p:Reference>
        <p:ID p:type="WID">w</p:ID></p:Reference><q:More><q:a>1</q:a><q:a>2</q:a></q:More><p:Odd/>
        </p:Put_Person_Response>"""
    ids = {"ID": [{"type": "WID", "value": "w"}]}
    assert told(text) == {"@new": "1", "Reference": ids, "More": {"a": ["1", "2"]}, "Odd": ""}


def test_a_value_that_is_not_what_it_should_be_is_its_text() -> None:
    text = f'<p:Get_People_Response xmlns:p="{P[1:-1]}"><p:Total_Pages>many</p:Total_Pages></p:Get_People_Response>'
    assert told(text) == {"Total_Pages": "many"}
