import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.credentials.errors import SealedValueUnreadable
from openplaybook.credentials.sealer import Sealer, is_sealed, key_id, sealing_key
from tests.kit.sealing import KEY, SEALER

OTHER_KEY = bytes(32)


TEXTS = st.text(st.characters(codec="utf-8"))


@given(TEXTS, TEXTS)
def test_what_is_sealed_for_a_place_opens_there(text: str, place: str) -> None:
    assert SEALER.unseal(SEALER.seal(text, place), place) == text


def test_a_sealed_text_names_its_key_and_never_repeats() -> None:
    first, second = SEALER.seal("hunter2", "p"), SEALER.seal("hunter2", "p")
    assert first.startswith(f"sealed:v1:{key_id(KEY)}:")
    assert first != second
    assert sealing_key(first) == key_id(KEY)
    assert (is_sealed(first), is_sealed("hunter2"), sealing_key("hunter2")) == (True, False, "")


def test_a_text_that_is_not_sealed_is_its_own_value() -> None:
    assert SEALER.unseal("hunter2", "p") == "hunter2"
    assert not SEALER.opens("hunter2", "p")


def test_a_sealed_text_does_not_open_in_another_place() -> None:
    sealed = SEALER.seal("hunter2", "tools/a")
    with pytest.raises(
        SealedValueUnreadable, match="tools/b cannot be decrypted: it was encrypted for another place"
    ) as caught:
        SEALER.at("tools/b").unseal(sealed)
    assert "hunter2" not in str(caught.value)
    assert SEALER.at("tools/b").at("tools/a").unseal(sealed) == "hunter2"


@given(st.integers(min_value=0, max_value=60), st.sampled_from("AZ09-_"))
def test_a_sealed_text_that_was_changed_does_not_open(position: int, character: str) -> None:
    sealed = SEALER.seal("a secret of some length", "p")
    at = len("sealed:v1:00000000:") + position
    changed = sealed[:at] + character + sealed[at + 1 :]
    assert SEALER.opens(changed, "p") is (changed == sealed)


@pytest.mark.parametrize("end", ["", "A", "é", "AAAA", "=" * 9])
def test_a_torn_sealed_text_does_not_open(end: str) -> None:
    assert not SEALER.opens(f"sealed:v1:{key_id(KEY)}:{end}", "p")


def test_keys_can_be_exchanged() -> None:
    old = SEALER.seal("hunter2", "p")
    both = Sealer([OTHER_KEY, KEY])
    assert both.unseal(old, "p") == "hunter2"
    new = both.seal("hunter2", "p")
    assert (both.is_current(old), both.is_current(new)) == (False, True)
    assert Sealer([OTHER_KEY]).unseal(new, "p") == "hunter2"


def test_a_text_sealed_with_a_key_that_is_gone_says_which() -> None:
    message = f"sealed with the master key {key_id(KEY)}, which this server does not have .it has {key_id(OTHER_KEY)}"
    with pytest.raises(SealedValueUnreadable, match=message):
        Sealer([OTHER_KEY]).unseal(SEALER.seal("hunter2", "p"), "p")
