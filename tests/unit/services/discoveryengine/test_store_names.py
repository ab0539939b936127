import pytest

from openplaybook.resources.errors import InvalidName
from openplaybook.services.discoveryengine.store_names import (
    name_in_branch,
    name_within,
    whole_collection,
    whole_store,
)
from openplaybook.wire.errors import Code, RpcError

WHOLE = "projects/p/locations/global/collections/default_collection/dataStores/d"


@pytest.mark.parametrize("text", [WHOLE, "projects/p/locations/global/dataStores/d"])
def test_a_store_has_a_name_with_its_collection_and_one_without(text: str) -> None:
    assert whole_store(text) == WHOLE
    assert name_within(f"{text}/servingConfigs/x", "servingConfigs/{serving_config}").words == ("x",)


@pytest.mark.parametrize("branch", ["0", "default_branch"])
def test_the_branch_has_two_names(branch: str) -> None:
    name = name_in_branch(f"{WHOLE}/branches/{branch}/documents/a", "documents/{document}")
    assert (name.store, name.words, name.id) == (WHOLE, (branch, "a"), "a")


def test_there_is_no_other_branch() -> None:
    with pytest.raises(RpcError) as refused:
        name_in_branch(f"{WHOLE}/branches/1")
    assert refused.value.code == Code.NOT_FOUND


@pytest.mark.parametrize("text", ["", "dataStores/d", f"{WHOLE}/x", WHOLE.replace("/d", "/a b"), f"{WHOLE}\n"])
def test_other_texts_are_no_stores(text: str) -> None:
    with pytest.raises(InvalidName, match="dataStores"):
        whole_store(text)


def test_a_location_stands_for_its_default_collection() -> None:
    collection = WHOLE.partition("/dataStores")[0]
    assert whole_collection("projects/p/locations/global") == collection
    assert whole_collection("projects/-/locations/-/collections/-") == "projects/-/locations/-/collections/-"
    with pytest.raises(InvalidName):
        whole_collection("projects/p")
