"""Fields that are refused by name are there, so that no spelling mistake lets one through."""

from collections.abc import Mapping

import pytest
from google.protobuf.descriptor import Descriptor

from openplaybook.services.discoveryengine.unserved_fields import ANSWER, SEARCH, WRITE_STORE
from openplaybook.wire.api import Api, load_api


@pytest.fixture(scope="module")
def api() -> Api:
    return load_api()


@pytest.mark.parametrize(
    ("message", "unserved"),
    [("SearchRequest", SEARCH), ("AnswerQueryRequest", ANSWER), ("CreateDataStoreRequest", WRITE_STORE)],
)
def test_each_path_leads_to_a_field(api: Api, message: str, unserved: Mapping[str, str]) -> None:
    descriptor = api.message(f"google.cloud.discoveryengine.v1.{message}").DESCRIPTOR
    assert [path for path in unserved if not leads_somewhere(descriptor, path.split("."))] == []


def leads_somewhere(descriptor: Descriptor, path: list[str]) -> bool:
    step, *rest = path
    field = descriptor.fields_by_name.get("value" if step == "*" else step)
    if field is None or not rest:
        return field is not None
    return field.message_type is not None and leads_somewhere(field.message_type, rest)
