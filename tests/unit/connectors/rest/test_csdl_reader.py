"""What OData services tell of themselves is read within bounds, and nothing but types and sets of it."""

import pytest

from openplaybook.connectors.base import DataType
from openplaybook.connectors.errors import SystemFault
from openplaybook.connectors.rest.csdl_reader import set_fields

HEAD = '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>'
TAIL = "</edmx:DataServices></edmx:Edmx>"
SCHEMA = """<Schema Namespace="acme.crm" Alias="self" xmlns="http://docs.oasis-open.org/odata/ns/edm">
  <EntityType Name="thing" Abstract="true"><Key><PropertyRef Name="id"/></Key>
    <Property Name="id" Type="Edm.Guid" Nullable="false"/></EntityType>
  <EntityType Name="account" BaseType="self.thing">
    <Property Name="name" Type="Edm.String">
      <Annotation Term="Org.OData.Core.V1.Description" String="Its name."/></Property>
    <Property Name="made" Type="Edm.DateTimeOffset"><Annotation Term="Org.OData.Core.V1.Computed"/></Property>
    <Property Name="code" Type="Edm.Int64"/>
    <Property Name="tags" Type="Collection(Edm.String)"/>
    <Property Name="place" Type="self.address"/>
    <Property Name="photo" Type="Edm.Stream"/>
    <NavigationProperty Name="owner" Type="self.thing"/>
  </EntityType>
  <ComplexType Name="address"><Property Name="city" Type="Edm.String"/></ComplexType>
  <Annotations Target="self.account/code"><Annotation Term="Org.OData.Core.V1.Immutable" Bool="true"/></Annotations>
  <EntityContainer Name="all"><EntitySet Name="accounts" EntityType="acme.crm.account"/></EntityContainer>
</Schema>"""
SAP = """<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices>
<Schema Namespace="SFODataSet" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
  <EntityContainer Name="all"><EntitySet Name="User" EntityType="SFOData.User"/></EntityContainer></Schema>
<Schema Namespace="SFOData" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" xmlns:sap="http://www.sap.com/">
  <EntityType Name="User"><Key><PropertyRef Name="userId"/></Key>
    <Property Name="userId" Type="Edm.String" sap:updatable="false" sap:required="true" sap:label="User ID"/>
    <Property Name="hireDate" Type="Edm.DateTime" sap:filterable="false"/>
    <Property Name="size" Type="Edm.Int64" sap:creatable="false" sap:updatable="false"/>
  </EntityType></Schema></edmx:DataServices></edmx:Edmx>"""


def test_the_fields_of_a_set_are_those_of_its_type_and_what_it_is_derived_from() -> None:
    fields = {each.name: each for each in set_fields(f"{HEAD}{SCHEMA}{TAIL}".encode(), "accounts")}
    assert {name: each.field.data_type for name, each in fields.items()} == {
        "id": DataType.UUID,
        "name": DataType.STRING,
        "made": DataType.TIMESTAMP_WITH_ZONE,
        "code": DataType.BIGINT,
        "tags": DataType.ARRAY,
        "place": DataType.OTHER,
    }
    assert [name for name, each in fields.items() if each.field.is_key] == ["id"]
    assert [name for name, each in fields.items() if each.field.is_read_only] == ["made"]
    assert fields["code"].is_create_only
    assert fields["name"].field.description == "Its name."
    assert not fields["place"].field.is_filterable


def test_what_version_2_says_of_properties_is_heard() -> None:
    fields = {each.name: each for each in set_fields(SAP.encode(), "User")}
    assert (fields["userId"].is_create_only, fields["userId"].field.is_required) == (True, True)
    assert fields["userId"].field.description == "User ID"
    assert (fields["hireDate"].field.data_type, fields["hireDate"].field.is_filterable) == (DataType.TIMESTAMP, False)
    assert fields["size"].field.is_read_only


def test_a_set_that_is_not_named_has_no_fields() -> None:
    assert set_fields(f"{HEAD}{SCHEMA}{TAIL}".encode(), "contacts") == []


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE x SYSTEM "file:///etc/passwd">'


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (f"{BOMB}{HEAD}&b;{TAIL}", "has a document type or entities"),
        (f"{OUTSIDE}{HEAD}{TAIL}", "has a document type or entities"),
        (f"{HEAD}{'<a>' * 100}{'</a>' * 100}{TAIL}", "or deeper ones, than are read"),
        (f"{HEAD}<a>", "is no XML that can be read"),
        ("", "is no XML that can be read"),
        ('{"value": []}', "is no XML that can be read"),
    ],
    ids=["entities", "outside", "deep", "cut", "empty", "json"],
)
def test_a_hostile_or_broken_document_is_refused(document: str, said: str) -> None:
    with pytest.raises(SystemFault, match=said):
        set_fields(document.encode(), "accounts")


def test_types_that_are_derived_from_each_other_end() -> None:
    loop = SCHEMA.replace('Name="thing" Abstract="true"', 'Name="thing" BaseType="self.account"')
    assert {each.name for each in set_fields(f"{HEAD}{loop}{TAIL}".encode(), "accounts")} >= {"id", "name"}
