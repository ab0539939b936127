from pathlib import Path

import pytest

from openplaybook.demo.pet_store import Pet, PetStore


@pytest.fixture
def store(tmp_path: Path) -> PetStore:
    return PetStore(tmp_path / "pets.db")


def test_a_new_register_holds_eight_pets(store: PetStore) -> None:
    assert [pet.id for pet in store.find()] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_an_added_pet_gets_the_next_number_and_stays(store: PetStore, tmp_path: Path) -> None:
    assert store.add("Rex", "Kim", ["dog"]) == Pet(9, "Rex", "Kim", ("dog",))
    assert PetStore(tmp_path / "pets.db").get(9) == Pet(9, "Rex", "Kim", ("dog",))


def test_filters_are_joined_and_ignore_case(store: PetStore) -> None:
    assert [pet.name for pet in store.find(owner="maria")] == ["Bella", "Oscar"]
    assert [pet.name for pet in store.find(owner="Maria", labels=["DOG", "large"])] == ["Oscar"]
    assert [pet.name for pet in store.find(name="luna")] == ["Luna"]
    assert store.find(name="Nobody") == []


def test_an_unknown_number_is_none(store: PetStore) -> None:
    assert store.get(99) is None


def test_members_without_value_are_left_out_of_the_json() -> None:
    assert Pet(1, "Rex", None, ()).to_json() == {"id": 1, "name": "Rex"}
    assert Pet(1, "Rex", "Kim", ("dog",)).to_json() == {"id": 1, "name": "Rex", "owner": "Kim", "label": ["dog"]}
