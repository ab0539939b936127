import pytest

from openplaybook.services.resource_service import unseen_by
from openplaybook.wire.api import load_api


@pytest.mark.parametrize(
    ("message", "field", "versions"),
    [
        ("Tool", "connector_spec", {"v3"}),
        ("Tool", "function_spec", set[str]()),
        ("Tool.DataStoreTool", "models", {"v3", "v3beta1", ""}),
        ("Tool.ConnectorTool", "actions", {"v3"}),
    ],
)
def test_a_client_sees_what_its_version_has(message: str, field: str, versions: set[str]) -> None:
    api = load_api()
    descriptor = api.message(f"google.cloud.dialogflow.cx.v3beta1.{message}").DESCRIPTOR.fields_by_name[field]
    assert {version for version in ("v3", "v3beta1", "") if unseen_by(api, version)(descriptor)} == versions


def test_fields_of_types_that_all_versions_share_are_seen() -> None:
    api = load_api()
    field = api.message("google.protobuf.Timestamp").DESCRIPTOR.fields_by_name["seconds"]
    assert not unseen_by(api, "v3")(field)
