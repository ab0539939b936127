"""The server's certificate and key, read and checked."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from openplaybook.server.certificate import PASSPHRASE_VARIABLE, CertificateFiles, read_certificate
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.server.tls import tls_of
from tests.kit.server_certificates import write_pair

CA = trustme.CA(key_type=trustme.KeyType.ECDSA)
NOW = datetime.now(UTC)
DAY = timedelta(days=1)


@pytest.fixture
def files(tmp_path: Path) -> CertificateFiles:
    pair = write_pair(CA, tmp_path, not_after=NOW + 10 * DAY)
    return CertificateFiles(pair.tls_cert, pair.tls_key)


@pytest.fixture
def encrypted(tmp_path: Path) -> CertificateFiles:
    pair = write_pair(CA, tmp_path, passphrase=b"open it")
    return CertificateFiles(pair.tls_cert, pair.tls_key)


def refusal(files: CertificateFiles) -> str:
    with pytest.raises(SettingsError) as refused:
        read_certificate(files)
    return str(refused.value)


def test_a_pair_that_belongs_together_is_read(files: CertificateFiles) -> None:
    read = read_certificate(files)
    assert read.chain == files.certificate.read_bytes()
    assert read.leaf == read.chain.decode().split("-----END CERTIFICATE-----")[0] + "-----END CERTIFICATE-----\n"
    assert abs(read.expires - (NOW + 10 * DAY)) < timedelta(minutes=1)


def test_the_key_is_never_shown(files: CertificateFiles) -> None:
    assert "PRIVATE KEY" not in repr(read_certificate(files))


@pytest.mark.parametrize("line_end", ["", "\n", "\r\n"])
def test_a_passphrase_comes_from_a_file(encrypted: CertificateFiles, tmp_path: Path, line_end: str) -> None:
    passphrase = tmp_path / "passphrase"
    passphrase.write_text(f"open it{line_end}", newline="")
    opened = CertificateFiles(encrypted.certificate, encrypted.key, passphrase)
    assert b"BEGIN PRIVATE KEY" in read_certificate(opened).key


def test_a_passphrase_comes_from_the_environment(encrypted: CertificateFiles) -> None:
    opened = CertificateFiles(encrypted.certificate, encrypted.key, None, {PASSPHRASE_VARIABLE: "open it"})
    assert b"BEGIN PRIVATE KEY" in read_certificate(opened).key
    assert "open it" not in repr(opened)


def test_an_encrypted_key_without_its_passphrase_is_refused(encrypted: CertificateFiles) -> None:
    assert refusal(encrypted).endswith("is encrypted: set tls_passphrase_file or OPENPLAYBOOK_TLS_PASSPHRASE")


def test_a_wrong_passphrase_is_refused_and_not_shown(encrypted: CertificateFiles) -> None:
    wrong = CertificateFiles(encrypted.certificate, encrypted.key, None, {PASSPHRASE_VARIABLE: "open sesame"})
    assert refusal(wrong).endswith("is not a private key in PEM form, or the passphrase is wrong")


def test_a_passphrase_for_a_key_that_needs_none_is_refused(files: CertificateFiles) -> None:
    given = CertificateFiles(files.certificate, files.key, None, {PASSPHRASE_VARIABLE: "open it"})
    assert refusal(given).endswith("is not encrypted, but a passphrase is set")


def test_two_passphrases_are_refused(encrypted: CertificateFiles, tmp_path: Path) -> None:
    both = CertificateFiles(encrypted.certificate, encrypted.key, tmp_path / "p", {PASSPHRASE_VARIABLE: "open it"})
    assert refusal(both) == "both OPENPLAYBOOK_TLS_PASSPHRASE and tls_passphrase_file are set; set only one of them"


def test_another_certificates_key_is_refused(files: CertificateFiles, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = write_pair(CA, tmp_path / "other")
    mixed = CertificateFiles(files.certificate, other.tls_key)
    assert "is not the key of the first certificate in" in refusal(mixed)


@pytest.mark.parametrize(
    ("begins", "ends", "message"),
    [(-2, -1, r"has expired: it was valid until \d{4}-\d\d-\d\d"), (1, 2, r"is not valid yet: it begins at \d{4}-")],
)
def test_a_certificate_out_of_its_time_is_refused(tmp_path: Path, begins: int, ends: int, message: str) -> None:
    pair = write_pair(CA, tmp_path, not_before=NOW + begins * DAY, not_after=NOW + ends * DAY)
    assert re.search(message, refusal(CertificateFiles(pair.tls_cert, pair.tls_key)))


@pytest.mark.parametrize("text", ["", "-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n", "\x00\xff"])
def test_what_is_no_certificate_is_refused(files: CertificateFiles, text: str) -> None:
    files.certificate.write_text(text)
    assert refusal(files).endswith("contains no certificate in PEM form")


def test_what_is_no_key_is_refused(files: CertificateFiles) -> None:
    files.key.write_text("my key")
    assert refusal(files).endswith("is not a private key in PEM form")


def test_a_missing_file_is_named(files: CertificateFiles) -> None:
    files.key.unlink()
    assert refusal(files) == f"tls_key {files.key} cannot be read: No such file or directory"


def test_certificate_and_key_go_together(files: CertificateFiles) -> None:
    with pytest.raises(SettingsError, match="tls_cert and tls_key go together"):
        tls_of(Settings(tls_cert=files.certificate))
    with pytest.raises(SettingsError, match="tls_passphrase_file needs tls_cert and tls_key"):
        tls_of(Settings(tls_passphrase_file=files.key))
    assert tls_of(Settings()) is None
