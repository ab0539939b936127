"""Why a TLS handshake failed, and what to do about it."""

import ssl

import pytest

from openplaybook.egress.tls_failures import NOTHING_SHOWN, CertificateFacts, refused_by_service, refused_certificate

SHOWN = CertificateFacts("a.example, b.example", "CN=Someone", "2090-01-01 00:00 UTC", "2020-01-02 00:00 UTC")


def verdict(code: int, message: str = "what OpenSSL says") -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_code, error.verify_message = code, message
    return error


@pytest.mark.parametrize(
    ("code", "shown", "said"),
    [
        (9, SHOWN, "its certificate is not valid before 2090-01-01 00:00 UTC"),
        (9, NOTHING_SHOWN, "its certificate is not valid before a day to come"),
        (10, SHOWN, "its certificate expired on 2020-01-02 00:00 UTC"),
        (10, NOTHING_SHOWN, "its certificate has expired"),
        (18, SHOWN, "its certificate is signed by itself and not trusted: add it to tlsConfig.caCerts"),
        (
            19,
            SHOWN,
            "its certificate is signed by an authority that is not trusted, CN=Someone: add it to tlsConfig.caCerts",
        ),
        (
            20,
            NOTHING_SHOWN,
            "its certificate is signed by an authority that is not trusted: add it to tlsConfig.caCerts",
        ),
        (23, SHOWN, "its certificate is revoked"),
        (62, SHOWN, "its certificate is for a.example, b.example, not api.example"),
        (64, NOTHING_SHOWN, "its certificate is for another host, not api.example"),
        (66, SHOWN, "its certificate is refused: what OpenSSL says"),
    ],
)
def test_a_refused_certificate_is_explained(code: int, shown: CertificateFacts, said: str) -> None:
    assert refused_certificate(verdict(code), shown, "api.example", own_trust=False) == said


def test_own_authorities_are_said_to_replace_the_systems() -> None:
    said = refused_certificate(verdict(20), NOTHING_SHOWN, "api.example", own_trust=True)
    assert said.endswith(": add it to tlsConfig.caCerts, which replace the system's authorities")


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("TLSV13_ALERT_CERTIFICATE_REQUIRED", "it asks for a client certificate"),
        ("SSLV3_ALERT_HANDSHAKE_FAILURE", "it refuses the handshake"),
        ("TLSV1_ALERT_UNKNOWN_CA", "it does not trust the authority"),
        ("SSLV3_ALERT_BAD_CERTIFICATE", "it refuses the client certificate"),
        ("SSLV3_ALERT_CERTIFICATE_UNKNOWN", "it refuses the client certificate"),
        ("SSLV3_ALERT_UNSUPPORTED_CERTIFICATE", "it cannot use this kind"),
        ("SSLV3_ALERT_CERTIFICATE_EXPIRED", "it says that the client certificate has expired"),
        ("SSLV3_ALERT_CERTIFICATE_REVOKED", "it says that the client certificate is revoked"),
        ("TLSV1_ALERT_ACCESS_DENIED", "it does not let the owner"),
        ("TLSV1_ALERT_PROTOCOL_VERSION", "it does not speak TLS 1.2"),
        ("UNSUPPORTED_PROTOCOL", "it does not speak TLS 1.2"),
        ("WRONG_VERSION_NUMBER", "what listens there does not speak TLS"),
        ("TLSV1_UNRECOGNIZED_NAME", "it does not know this host name"),
        ("tlsv13 alert certificate required", "it asks for a client certificate"),
    ],
)
def test_an_alert_is_put_into_words(reason: str, said: str) -> None:
    error = ssl.SSLError(1, "failed")
    error.reason = reason
    words = refused_by_service(error)
    assert words is not None
    assert words.startswith(said)


def test_other_errors_are_not_about_tls() -> None:
    record = ssl.SSLError(1, "failed")
    record.reason = "DECRYPTION_FAILED_OR_BAD_RECORD_MAC"
    assert [refused_by_service(error) for error in (record, ssl.SSLError(), ConnectionResetError())] == [None] * 3
