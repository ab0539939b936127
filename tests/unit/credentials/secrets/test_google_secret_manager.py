import google_crc32c
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.credentials.secrets.google_secret_manager import crc32c


@pytest.mark.parametrize(
    ("data", "checksum"),
    [(bytes(32), 0x8A9136AA), (b"\xff" * 32, 0x62A8AB43), (bytes(range(32)), 0x46DD794E), (b"123456789", 0xE3069283)],
)
def test_the_checksums_of_rfc_3720(data: bytes, checksum: int) -> None:
    assert crc32c(data) == checksum


@given(st.binary(max_size=300))
def test_it_agrees_with_googles_own(data: bytes) -> None:
    assert crc32c(data) == google_crc32c.value(data)
