import pytest

from openplaybook.resources.errors import EtagMismatch
from openplaybook.resources.etags import check_etag, etag_of


def test_a_tag_tells_contents_apart() -> None:
    assert etag_of(b"one") == etag_of(b"one")
    assert etag_of(b"one") != etag_of(b"two")


@pytest.mark.parametrize("tag", ["", etag_of(b"one")])
def test_no_tag_and_the_right_tag_pass(tag: str) -> None:
    check_etag(tag, b"one", "apps/1")


def test_the_tag_of_an_older_state_is_refused() -> None:
    with pytest.raises(EtagMismatch, match=r"^apps/1 has changed since it was read") as refused:
        check_etag(etag_of(b"one"), b"two", "apps/1")
    assert refused.value.code == "ETAG_MISMATCH"
