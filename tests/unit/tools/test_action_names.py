import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.tools.action_names import legal_name, legal_names, unique_names
from openplaybook.tools.base import Action

LEGAL = re.compile(r"[A-Za-z0-9_-]{1,64}")


def action(name: str, tool: str, display_name: str | None = None) -> Action:
    return Action(name, name, f"tools/{tool}", display_name or tool, "", {})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("getPet", "getPet"),
        ("users.list", "users_list"),
        ("get_pets/{petId}", "get_pets_petId"),
        ("Öffnungszeiten", "Offnungszeiten"),
        ("天気", "tool_bc79d84d"),
        ("", "tool_e3b0c442"),
        ("a" * 64, "a" * 64),
    ],
)
def test_a_name_keeps_what_is_legal(text: str, name: str) -> None:
    assert legal_name(text) == name


def test_a_long_name_is_cut_and_stays_apart_from_its_like() -> None:
    first, second = legal_name("a" * 80 + "x"), legal_name("a" * 80 + "y")
    assert (len(first), len(second)) == (64, 64)
    assert first != second


def test_names_that_collide_get_their_keys_and_the_legal_one_keeps_its_own() -> None:
    assert legal_names(["a.b", "a_b", "a/b"], ["get/x", "get/y", "put/{x}"]) == ["a_b_get_x", "a_b", "a_b_put_x"]


def test_keys_that_come_to_the_same_name_give_way_to_hashes() -> None:
    names = legal_names(["a", "a", "a", "a_b"], ["b", "c.d", "c/d", "e"])
    assert names[3] == "a_b"
    assert len(set(names)) == 4
    assert all(re.fullmatch(r"a_[0-9a-f]{8}", name) for name in names[:3])


def test_equal_names_are_told_apart_by_their_keys_whatever_the_order() -> None:
    there = legal_names(["get", "get"], ["/a", "/b"])
    back = legal_names(["get", "get"], ["/b", "/a"])
    assert there == back[::-1]
    assert len(set(there)) == 2


@given(st.lists(st.text(), max_size=12))
def test_names_are_legal_and_unique_for_any_input(originals: list[str]) -> None:
    names = legal_names(originals, [str(position) for position in range(len(originals))])
    assert len(set(names)) == len(names)
    assert all(LEGAL.fullmatch(name) for name in names)


def test_an_action_keeps_its_name_where_no_other_tool_has_it() -> None:
    actions = [action("list", "pets"), action("get", "pets"), action("list", "orders")]
    names = unique_names(actions)
    assert list(names) == ["pets_list", "get", "orders_list"]
    assert list(names.values()) == actions


def test_tools_of_the_same_name_are_told_apart_by_their_resource_names() -> None:
    names = unique_names([action("list", "1", "pets"), action("list", "2", "pets")])
    assert len(names) == 2
    assert all(re.fullmatch(r"pets_list_[0-9a-f]{8}", name) for name in names)


def test_tools_whose_names_have_no_legal_letters_keep_all_their_actions() -> None:
    names = unique_names([action("list", "1", "天気"), action("list", "2", "地図"), action("list", "3", "pets")])
    assert len(names) == 3
    assert {name.removesuffix(name[-9:]) if name.startswith("list_") else name for name in names} == {
        "list",
        "pets_list",
    }


def test_an_action_that_is_called_like_a_prefixed_one_keeps_its_name() -> None:
    names = unique_names([action("pets_list", "1", "all"), action("list", "2", "pets"), action("list", "3", "orders")])
    assert [each.tool for each in names.values()] == ["tools/1", "tools/2", "tools/3"]
    own, hashed, prefixed = names
    assert (own, prefixed) == ("pets_list", "orders_list")
    assert re.fullmatch(r"pets_list_[0-9a-f]{8}", hashed)


@given(st.text())
def test_a_name_that_was_made_legal_is_legal_and_stays(text: str) -> None:
    name = legal_name(text)
    assert LEGAL.fullmatch(name)
    assert legal_name(name) == name


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["list", "get", "pets_list"]), st.sampled_from("123456"), st.sampled_from(["pets", "天", "_"])
    ),
    unique_by=lambda each: each[:2],
    max_size=10,
).map(lambda found: [action(name, tool, display) for name, tool, display in found])


@given(ACTIONS)
def test_every_action_of_any_tools_has_a_legal_name_of_its_own(actions: list[Action]) -> None:
    names = unique_names(actions)
    assert list(names.values()) == actions
    assert all(LEGAL.fullmatch(name) for name in names)


@given(ACTIONS, st.randoms(use_true_random=False))
def test_a_name_does_not_depend_on_the_order_of_the_tools(actions: list[Action], random: Random) -> None:
    shuffled = list(actions)
    random.shuffle(shuffled)
    assert unique_names(shuffled) == unique_names(actions)
