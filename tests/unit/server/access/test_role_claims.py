"""Roles in the claims of a token."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.server.access.principals import Role
from openplaybook.server.access.role_claims import RoleClaims, parse_role_map

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.parametrize(
    ("claim", "claims", "role"),
    [
        ("roles", {"roles": ["viewer", "dev", "ops"]}, Role.ADMIN),
        ("roles", {"roles": "dev"}, Role.EDITOR),
        ("scope", {"scope": "openid dev email"}, Role.EDITOR),
        ("group", {"group": "All developers"}, Role.RUNTIME),
        ("realm_access.roles", {"realm_access": {"roles": ["dev"]}}, Role.EDITOR),
        ("https://example.com/roles", {"https://example.com/roles": ["ops"]}, Role.ADMIN),
        ("roles", {"roles": ["nobody"]}, None),
        ("roles", {"roles": [{"dev": 1}, 3]}, None),
        ("roles", {}, None),
        ("roles.of", {"roles": "dev"}, None),
    ],
)
def test_the_highest_role_counts(claim: str, claims: JsonObject, role: Role | None) -> None:
    meaning = parse_role_map("ops=admin, dev=editor,All developers=runtime")
    assert RoleClaims(claim, meaning).role_of(claims) is role


def test_without_a_map_values_are_roles_of_ours() -> None:
    assert parse_role_map("") == {"admin": Role.ADMIN, "editor": Role.EDITOR, "runtime": Role.RUNTIME}


def test_values_may_hold_equals_signs() -> None:
    assert parse_role_map("cn=ops=admin") == {"cn=ops": Role.ADMIN}


@pytest.mark.parametrize(("text", "entry"), [("ops", 1), ("ops=admin,dev=owner", 2), ("=admin", 1), ("ops=admin,", 2)])
def test_a_map_that_says_something_else_is_refused(text: str, entry: int) -> None:
    with pytest.raises(ValueError, match=f"entry {entry} must be VALUE=ROLE with one of admin, editor, runtime"):
        parse_role_map(text)


@given(st.dictionaries(st.sampled_from(["roles", "a", "a.b", "b"]), JSON), st.sampled_from(["roles", "a.b", "a.b.c"]))
def test_claims_of_any_shape_give_a_role_or_none(claims: JsonObject, path: str) -> None:
    assert RoleClaims(path, parse_role_map("")).role_of(claims) in (None, *Role)
