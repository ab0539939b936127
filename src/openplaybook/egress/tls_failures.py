"""Why a TLS handshake failed, and what to do about it."""

import ssl
from dataclasses import dataclass

_CONFIGURE = "configure the agent's clientCertificateSettings"
ASKS_FOR_CERTIFICATE = f"it asks for a client certificate: {_CONFIGURE}"

_ALERTS = {
    "CERTIFICATE_REQUIRED": ASKS_FOR_CERTIFICATE,
    "UNKNOWN_CA": "it does not trust the authority that signed the client certificate",
    "UNSUPPORTED_CERTIFICATE": "it cannot use this kind of client certificate",
    "BAD_CERTIFICATE": "it refuses the client certificate",
    "CERTIFICATE_UNKNOWN": "it refuses the client certificate",
    "CERTIFICATE_EXPIRED": "it says that the client certificate has expired",
    "CERTIFICATE_REVOKED": "it says that the client certificate is revoked",
    "ACCESS_DENIED": "it does not let the owner of the client certificate in",
    "HANDSHAKE_FAILURE": f"it refuses the handshake; perhaps it asks for a client certificate: {_CONFIGURE}",
    "PROTOCOL_VERSION": "it does not speak TLS 1.2 or later",
    "UNSUPPORTED_PROTOCOL": "it does not speak TLS 1.2 or later",
    "WRONG_VERSION_NUMBER": "what listens there does not speak TLS; should the URL start with http://?",
    "UNRECOGNIZED_NAME": "it does not know this host name",
}
"""By part of OpenSSL's name of the reason: alerts of RFC 8446 §6.2, and two of our own side."""

# OpenSSL's X509_V_ERR_ numbers (x509_vfy.h).
_NOT_YET_VALID, _EXPIRED, _SELF_SIGNED, _REVOKED, _OTHER_HOST, _OTHER_ADDRESS = 9, 10, 18, 23, 62, 64
_NO_TRUSTED_ISSUER = (19, 20, 21)


@dataclass(frozen=True, slots=True)
class CertificateFacts:
    """What a service's certificate says of itself; empty where it is not known."""

    names: str = ""
    issuer: str = ""
    valid_from: str = ""
    valid_until: str = ""


NOTHING_SHOWN = CertificateFacts()


def refused_certificate(
    verdict: ssl.SSLCertVerificationError, facts: CertificateFacts, host: str, *, own_trust: bool
) -> str:
    """Why the other side's certificate is not accepted; `own_trust` where the tool brings its own authorities."""
    add = "add it to tlsConfig.caCerts" + (", which replace the system's authorities" if own_trust else "")
    code = verdict.verify_code
    if code in _NO_TRUSTED_ISSUER:
        issuer = f", {facts.issuer}" if facts.issuer else ""
        return f"its certificate is signed by an authority that is not trusted{issuer}: {add}"
    words = {
        _NOT_YET_VALID: f"is not valid before {facts.valid_from or 'a day to come'}",
        _EXPIRED: f"expired on {facts.valid_until}" if facts.valid_until else "has expired",
        _SELF_SIGNED: f"is signed by itself and not trusted: {add}",
        _REVOKED: "is revoked",
        _OTHER_HOST: f"is for {facts.names or 'another host'}, not {host}",
        _OTHER_ADDRESS: f"is for {facts.names or 'another host'}, not {host}",
    }
    return f"its certificate {words.get(code, 'is refused: ' + verdict.verify_message)}"


def refused_by_service(error: BaseException) -> str | None:
    """What the other side, or our own, says against the handshake, if that is what `error` is about.

    With TLS 1.3 a service refuses a client certificate after our half of the handshake (RFC 8446 §4.4.2.4), so this
    comes while the answer is awaited; it has not read the request then.
    """
    if not isinstance(error, ssl.SSLError):
        return None
    reason = str(getattr(error, "reason", None) or "").upper().replace(" ", "_")
    return next((words for part, words in _ALERTS.items() if part in reason), None)
