"""Names of what is within a connection."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.resources.errors import InvalidName
from openplaybook.services.connectors.names_within import name_within, segment_of

CONNECTION = "projects/p/locations/global/connections/c"
IDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=300)


@given(IDS, IDS)
def test_any_ids_make_a_name_that_gives_them_back(entity_type: str, key: str) -> None:
    text = f"{CONNECTION}/entityTypes/{segment_of(entity_type)}/entities/{segment_of(key)}"

    name = name_within(text, "entityTypes", "entities")

    assert (name.connection, name.ids, name.id) == (CONNECTION, (entity_type, key), key)
    assert text.isascii()
    assert not set(text) & set(" %?#\n\"'\\")


@pytest.mark.parametrize(
    "text",
    [
        "",
        CONNECTION,
        f"{CONNECTION}/entityTypes/",
        f"{CONNECTION}/entityTypes/a/b",
        f"{CONNECTION}/tools/a",
        f"{CONNECTION}/entityTypes/~",
        f"{CONNECTION}/entityTypes/~*",
        f"{CONNECTION}/entityTypes/~_w",
        f"{CONNECTION}/entityTypes/{'a' * 4001}",
        "projects/p/connections/c/entityTypes/a",
    ],
)
def test_another_name_is_refused_with_the_form_that_is_expected(text: str) -> None:
    with pytest.raises(InvalidName) as refused:
        name_within(text, "entityTypes", field="parent")

    assert refused.value.expected.endswith("/connections/{connection}/entityTypes/{entityType}")
    assert refused.value.field == "parent"


@pytest.mark.parametrize(("segment", "id"), [("a%2Fb", "a/b"), ("a%2fb", "a/b"), ("50%", "50%"), ("a b", "a b")])
def test_an_id_is_also_taken_as_a_client_writes_it(segment: str, id: str) -> None:
    assert name_within(f"{CONNECTION}/actions/{segment}", "actions").id == id
