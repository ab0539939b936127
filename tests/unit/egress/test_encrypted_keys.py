"""What it takes to open an encrypted private key, by what the key says of itself."""

from base64 import b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.egress.base import ClientCertificate
from openplaybook.egress.encrypted_keys import is_costly
from openplaybook.egress.errors import TlsFailed
from openplaybook.egress.tls_contexts import check_client_certificate

PBES2, PBKDF2 = b"\x2a\x86\x48\x86\xf7\x0d\x01\x05\x0d", b"\x2a\x86\x48\x86\xf7\x0d\x01\x05\x0c"
SCRYPT, PBE_MD5_DES = b"\x2b\x06\x01\x04\x01\xda\x47\x04\x0b", b"\x2a\x86\x48\x86\xf7\x0d\x01\x05\x03"


def der(tag: int, *contents: bytes) -> bytes:
    content = b"".join(contents)
    size = bytes([len(content)]) if len(content) < 128 else bytes([0x82, *len(content).to_bytes(2)])
    return bytes([tag]) + size + content


def number(value: int) -> bytes:
    return der(0x02, value.to_bytes(value.bit_length() // 8 + 1))


def derivation(scheme: bytes, *numbers: int) -> bytes:
    return der(0x30, der(0x06, scheme), der(0x30, der(0x04, b"saltsalt"), *map(number, numbers)))


def pbes2(function: bytes) -> bytes:
    cipher = der(0x30, der(0x06, b"\x60\x86\x48\x01\x65\x03\x04\x01\x2a"), der(0x04, b"i" * 16))
    return der(0x30, der(0x06, PBES2), der(0x30, function, cipher))


def pem(content: bytes) -> bytes:
    text = b64encode(content)
    return b"-----BEGIN ENCRYPTED PRIVATE KEY-----\n" + text + b"\n-----END ENCRYPTED PRIVATE KEY-----\n"


def key(algorithm: bytes) -> bytes:
    return pem(der(0x30, algorithm, der(0x04, b"e" * 144)))


@pytest.mark.parametrize(
    ("algorithm", "costly"),
    [
        (pbes2(derivation(PBKDF2, 600_000)), False),
        (pbes2(derivation(PBKDF2, 2_000_000, 32)), False),
        (pbes2(derivation(PBKDF2, 2_000_001)), True),
        (pbes2(derivation(PBKDF2, 2**31 - 1)), True),
        (pbes2(derivation(SCRYPT, 2**14, 8, 1)), False),
        (pbes2(derivation(SCRYPT, 2**17, 8, 1, 32)), False),
        (pbes2(derivation(SCRYPT, 2**20, 8, 1)), True),
        (pbes2(derivation(SCRYPT, 2**14, 8, 2**20)), True),
        (derivation(PBE_MD5_DES, 2048), False),
        (derivation(PBE_MD5_DES, 2**30), True),
        (pbes2(der(0x30, der(0x06, PBKDF2))), True),
    ],
)
@pytest.mark.proves("A7")
def test_a_key_is_costly_by_its_rounds_and_its_memory(algorithm: bytes, costly: bool) -> None:
    assert is_costly(key(algorithm)) is costly


def test_a_key_of_the_usual_making_is_not_costly() -> None:
    made = ec.generate_private_key(ec.SECP256R1())
    encrypted = made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"open"))
    assert not is_costly(encrypted)
    assert not is_costly(b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")


@given(st.binary())
def test_a_key_that_does_not_say_what_it_takes_counts_as_costly(content: bytes) -> None:
    assert is_costly(pem(content))


@pytest.mark.proves("A7")
@pytest.mark.parametrize("place", ["certificate", "private_key"])
def test_a_client_certificate_with_a_costly_key_is_refused_unopened(place: str) -> None:
    costly = key(pbes2(derivation(PBKDF2, 2**31 - 1)))
    parts = {"certificate": b"", "private_key": b"", place: costly}
    with pytest.raises(TlsFailed, match="takes too long to open; encrypt it with at most 2,000,000 rounds"):
        check_client_certificate(ClientCertificate(**parts, passphrase=b"open"))


def test_a_client_certificate_with_a_key_of_too_many_bits_is_refused() -> None:
    private = b"-----BEGIN RSA PRIVATE KEY-----\n" + b"k" * 4_000
    with pytest.raises(TlsFailed, match="is longer than RSA keys of 4,096 bits are"):
        check_client_certificate(ClientCertificate(b"", private))
