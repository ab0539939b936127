import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.resources.errors import InvalidPageSize, InvalidPageToken
from openplaybook.resources.page_tokens import issue_token, page_size, read_token

_QUERY = ("tool", "projects/p/locations/l/agents/a")


@pytest.mark.parametrize(("asked", "given_size"), [(0, 100), (1, 1), (100, 100), (1000, 1000), (5000, 1000)])
def test_a_page_has_100_items_by_default_and_1000_at_most(asked: int, given_size: int) -> None:
    assert page_size(asked) == given_size


def test_a_page_size_below_zero_is_refused() -> None:
    with pytest.raises(InvalidPageSize, match=r"^page_size is -1; it must be 0 \(the default\) or more$") as refused:
        page_size(-1)
    assert refused.value.code == "INVALID_PAGE_SIZE"


def test_no_token_is_the_beginning() -> None:
    assert read_token(_QUERY, "") == 0


@given(st.integers(0, 2**63 - 1), st.lists(st.text(), max_size=4))
def test_a_token_gives_back_its_position(position: int, query: list[str]) -> None:
    assert read_token(query, issue_token(query, position)) == position


@pytest.mark.parametrize("other", [("tool", "elsewhere"), ("playbook", _QUERY[1]), (*_QUERY, "de"), ()])
def test_a_token_of_another_query_is_refused(other: tuple[str, ...]) -> None:
    with pytest.raises(InvalidPageToken) as refused:
        read_token(other, issue_token(_QUERY, 7))
    assert refused.value.code == "INVALID_PAGE_TOKEN"


@given(st.text(min_size=1) | st.binary(min_size=1, max_size=40).map(lambda raw: base64.urlsafe_b64encode(raw).decode()))
def test_a_made_up_token_is_refused(token: str) -> None:
    with pytest.raises(InvalidPageToken):
        read_token(_QUERY, token)
