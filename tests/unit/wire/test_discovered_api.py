"""Integration Connectors, whose messages and methods are made from discovery documents."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.resources.unseen_fields import is_extension
from openplaybook.wire.api import Api, Method, load_api
from openplaybook.wire.codec import JsonError
from openplaybook.wire.router import Router
from tests.kit.discovery_documents import DocumentMethod, document, faults, methods, values
from tests.kit.random_messages import all_types
from tests.kit.thoroughness import examples

V1, V2 = "google.cloud.connectors.v1", "google.cloud.connectors.v2"
CHOICES: Mapping[str, Sequence[str]] = {
    "AuthConfig": (
        "oauth2AuthCodeFlow",
        "oauth2AuthCodeFlowGoogleManaged",
        "oauth2ClientCredentials",
        "oauth2JwtBearer",
        "sshPublicKey",
        "userPassword",
    ),
    "ConfigVariable": ("boolValue", "encryptionKeyValue", "intValue", "secretValue", "stringValue"),
    "Destination": ("host", "serviceAttachment"),
}
"""What Google's reference calls union fields."""

SERVED = {
    "v1": {
        "connections.connectionSchemaMetadata.getAction",
        "connections.connectionSchemaMetadata.getEntityType",
        "connections.connectionSchemaMetadata.listActions",
        "connections.connectionSchemaMetadata.listEntityTypes",
        "connections.connectionSchemaMetadata.refresh",
        "connections.create",
        "connections.delete",
        "connections.get",
        "connections.getConnectionSchemaMetadata",
        "connections.list",
        "connections.patch",
        "connections.runtimeActionSchemas.list",
        "connections.runtimeEntitySchemas.list",
        "connections.search",
        "get",
        "list",
        "operations.cancel",
        "operations.delete",
        "operations.get",
        "operations.list",
        "providers.connectors.get",
        "providers.connectors.list",
        "providers.connectors.versions.fetchAuthSchema",
        "providers.connectors.versions.get",
        "providers.connectors.versions.list",
        "providers.get",
        "providers.list",
    },
    "v2": {
        "connections.actions.execute",
        "connections.actions.get",
        "connections.actions.list",
        "connections.checkReadiness",
        "connections.checkStatus",
        "connections.entityTypes.entities.create",
        "connections.entityTypes.entities.delete",
        "connections.entityTypes.entities.deleteEntitiesWithConditions",
        "connections.entityTypes.entities.get",
        "connections.entityTypes.entities.list",
        "connections.entityTypes.entities.patch",
        "connections.entityTypes.entities.updateEntitiesWithConditions",
        "connections.entityTypes.get",
        "connections.entityTypes.list",
        "connections.exchangeAuthCode",
        "connections.executeSqlQuery",
        "connections.refreshAccessToken",
        "connections.tools",
        "connections.tools.execute",
        "connections.tools.list",
    },
}
"""By version: what a data plane and the tools need, under `projects.locations`."""


def made_messages(version: str) -> list[str]:
    """Schemas of a document that are messages here."""
    prefix = f"google.cloud.connectors.{version}."
    names = {kind.full_name.removeprefix(prefix) for kind in all_types(load_api()) if kind.full_name.startswith(prefix)}
    return sorted(names & set(document(f"connectors.{version}")["schemas"]))


SCHEMAS = [(version, schema) for version in ("v1", "v2") for schema in made_messages(version)]


def routes(router: Router, method: DocumentMethod) -> Method | None:
    match = router.match(method.content["httpMethod"], method.template.replace("*", "x"))
    verb = method.template.rpartition("/")[2].partition(":")[2]
    return match.route.method if match and match.route.template.verb == verb else None


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_methods_that_are_served_have_routes_and_no_others(api: Api, version: str) -> None:
    router = Router(api.methods.values())

    reached = {
        method.id.removeprefix("projects.locations.")
        for method in methods(f"connectors.{version}")
        if routes(router, method) is not None
    }

    assert reached == SERVED[version]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_route_takes_each_parameter_and_gives_the_response_of_its_method(api: Api, version: str) -> None:
    router = Router(api.methods.values())
    for method in methods(f"connectors.{version}"):
        rpc = routes(router, method)
        if rpc is None or rpc.version == "":
            continue
        assert rpc.output.name == method.content["response"]["$ref"], method.id
        [binding] = rpc.bindings
        for name, parameter in method.content["parameters"].items():
            outer = name.partition(".")[0]
            field = rpc.input.fields_by_camelcase_name.get(outer)
            if parameter["location"] == "path" and field is None:
                assert f"{binding.body}.{name}=" in binding.template
                continue
            assert field is not None, (method.id, name)
            assert field.is_repeated == parameter.get("repeated", False)


@pytest.mark.sweep
@pytest.mark.parametrize(("version", "schema"), SCHEMAS)
@settings(max_examples=examples(25))
@given(data=st.data())
def test_json_of_a_schema_comes_back_as_it_went_in(version: str, schema: str, data: st.DataObject) -> None:
    value = data.draw(values(f"connectors.{version}", schema, CHOICES))
    assert faults(f"connectors.{version}", value, schema) == []
    api = load_api()

    message = api.codec.from_json(value, api.message(f"google.cloud.connectors.{version}.{schema}")())
    kept = type(message).FromString(message.SerializeToString())

    assert api.codec.to_json(kept) == value


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_message_has_the_members_of_its_schema_and_no_others(api: Api, version: str) -> None:
    for _, schema in (each for each in SCHEMAS if each[0] == version):
        message = api.message(f"google.cloud.connectors.{version}.{schema}").DESCRIPTOR
        properties = set(document(f"connectors.{version}")["schemas"][schema].get("properties", {}))
        of_paths = {"name", "parent", "connection"} if schema.endswith("Request") else set[str]()

        googles = {field.json_name for field in message.fields if not is_extension(field)}
        assert googles - of_paths == properties - of_paths, schema


def test_a_choice_has_one_member_and_its_value_is_kept_where_it_is_nothing(api: Api) -> None:
    variable = api.message(f"{V1}.ConfigVariable")

    message = api.codec.from_json({"key": "is_safe", "boolValue": False}, variable())

    assert message.WhichOneof("value") == "bool_value"
    assert api.codec.to_json(message) == {"key": "is_safe", "boolValue": False}
    with pytest.raises(JsonError, match=r"stringValue: only one of .* may be set"):
        api.codec.from_json({"key": "port", "intValue": "1", "stringValue": "1"}, variable())


@pytest.mark.parametrize("version", [V1, V2])
def test_members_that_no_proto_name_can_have_keep_their_names_in_json(api: Api, version: str) -> None:
    schema = {"$ref": "#/$defs/a", "$defs": {"a": {"type": ["string"], "default": None, "enum": [None, "x", 1.5]}}}

    message = api.codec.from_json(schema, api.message(f"{version}.JsonSchema")())

    assert api.codec.to_json(message) == schema


def test_answers_list_their_fields_by_the_alphabet(api: Api) -> None:
    connection = {"connectorVersion": "c", "createTime": "2026-11-22T08:30:00Z", "description": "d", "name": "n"}

    message = api.codec.from_json(dict(reversed(connection.items())), api.message(f"{V1}.Connection")())

    assert list(api.codec.to_json(message)) == list(connection)


@pytest.mark.parametrize(
    ("message", "field", "number"),
    [
        (f"{V1}.Connection", "auth_config", 35556782),
        (f"{V1}.Connection", "name", 276654694),
        (f"{V1}.ConfigVariable", "string_value", 389063109),
        (f"{V2}.Entity", "fields", 124796537),
    ],
)
def test_numbers_of_fields_never_change(api: Api, message: str, field: str, number: int) -> None:
    assert api.message(message).DESCRIPTOR.fields_by_name[field].number == number


def test_numbers_of_enum_values_never_change(api: Api) -> None:
    values = api.message(f"{V1}.AuthConfig").DESCRIPTOR.fields_by_name["auth_type"].enum_type.values_by_name

    assert values["AUTH_TYPE_UNSPECIFIED"].number == 0
    assert values["USER_PASSWORD"].number == 2019036792
