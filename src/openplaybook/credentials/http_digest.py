"""HTTP Digest authentication (RFC 7616): the password is proved, not sent, in answer to the service's challenge."""

import hashlib
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from openplaybook.credentials.base import AuthContext, CredentialSources
from openplaybook.credentials.credential_value import CredentialValue
from openplaybook.egress.base import HttpRequest

_DIGEST = re.compile(r"(?:^|,)\s*Digest\s+", re.IGNORECASE)
_MEMBER = re.compile(r"""\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))\s*(?:,|$)""")
_ALGORITHMS: Mapping[str, str] = {"SHA-512-256": "sha512_256", "SHA-256": "sha256", "MD5": "md5"}
"""Name on the wire → in hashlib; the strongest first."""


@dataclass(frozen=True, slots=True)
class DigestChallenge:
    """What a service asks (RFC 7616 §3.3)."""

    realm: str
    nonce: str
    algorithm: str = "MD5"
    """As written; `-sess` may follow the name."""
    qop: str = ""
    """`auth` or `auth-int`; empty for services as old as RFC 2069."""
    opaque: str = ""
    is_stale: bool = False
    """Whether only the nonce of the last attempt was too old."""
    hides_user: bool = False

    @property
    def strength(self) -> int:
        """Less is stronger."""
        return list(_ALGORITHMS).index(self.name)

    @property
    def name(self) -> str:
        """The algorithm's name alone."""
        return self.algorithm.upper().removesuffix("-SESS")

    def hash(self, text: str) -> str:
        """The hash of a text, in hexadecimal."""
        return hashlib.new(_ALGORITHMS[self.name], text.encode(), usedforsecurity=False).hexdigest()


@dataclass(frozen=True, slots=True)
class DigestAttempt:
    """One answer to a challenge."""

    method: str
    uri: str
    """As it stands in the request line."""
    body: bytes
    count: int
    """How often the nonce was used, this time included."""
    client_nonce: str


class DigestCredentials:
    """Sends proofs of one password; remembers the challenge, so that later calls need no refusal first."""

    def __init__(
        self,
        username: str,
        password: CredentialValue,
        sources: CredentialSources,
        client_nonce: Callable[[], str] = lambda: secrets.token_urlsafe(24),
    ) -> None:
        self._username = username
        self._password = password
        self._sources = sources
        self._client_nonce = client_nonce
        self._challenge: DigestChallenge | None = None
        self._count = 0

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with `Authorization: Digest …`, or as it is before there was a challenge."""
        if self._challenge is None:
            return request
        password = await self._password.read(self._sources, context)
        challenge = self._challenge
        context.secrets.append(password)
        context.sent.append(f"the user name {self._username} with a proof of its password")
        self._count += 1
        parts = urlsplit(request.url)
        uri = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        attempt = DigestAttempt(request.method, uri, request.body or b"", self._count, self._client_nonce())
        return request.with_header("Authorization", answered(challenge, attempt, self._username, password))

    def refused(self, request: HttpRequest, context: AuthContext) -> bool:
        """Take the challenge; it is answered at once unless it is the second for one call and not for the nonce."""
        challenge = strongest(context.challenge)
        if challenge is None:
            return False
        self._challenge, self._count = challenge, 0
        return challenge.is_stale or not any(name.lower() == "authorization" for name, _ in request.headers)


def strongest(header: str) -> DigestChallenge | None:
    """Of the challenges in `WWW-Authenticate` the one to answer; None when there is none that can be."""
    challenges = [challenge for start in _DIGEST.finditer(header) if (challenge := _challenge(header, start.end()))]
    return min(challenges, key=lambda each: each.strength, default=None)


def answered(challenge: DigestChallenge, attempt: DigestAttempt, username: str, password: str) -> str:
    """The value of `Authorization` (RFC 7616 §3.4)."""
    members = {
        **_user(challenge, username),
        "realm": _quoted(challenge.realm),
        "nonce": _quoted(challenge.nonce),
        "uri": _quoted(attempt.uri),
        "response": _quoted(_response(challenge, attempt, username, password)),
        "algorithm": challenge.algorithm,
    }
    if challenge.opaque:
        members["opaque"] = _quoted(challenge.opaque)
    if challenge.qop:
        members |= {"qop": challenge.qop, "nc": f"{attempt.count:08x}", "cnonce": _quoted(attempt.client_nonce)}
    return "Digest " + ", ".join(f"{name}={value}" for name, value in members.items())


def _response(challenge: DigestChallenge, attempt: DigestAttempt, username: str, password: str) -> str:
    hashed = challenge.hash
    secret = hashed(f"{username}:{challenge.realm}:{password}")
    if challenge.algorithm.upper().endswith("-SESS"):
        secret = hashed(f"{secret}:{challenge.nonce}:{attempt.client_nonce}")
    subject = f"{attempt.method}:{attempt.uri}"
    if challenge.qop == "auth-int":
        body = hashlib.new(_ALGORITHMS[challenge.name], attempt.body, usedforsecurity=False).hexdigest()
        subject = f"{subject}:{body}"
    if not challenge.qop:
        return hashed(f"{secret}:{challenge.nonce}:{hashed(subject)}")
    middle = f"{challenge.nonce}:{attempt.count:08x}:{attempt.client_nonce}:{challenge.qop}"
    return hashed(f"{secret}:{middle}:{hashed(subject)}")


def _user(challenge: DigestChallenge, username: str) -> dict[str, str]:
    """Who we are (RFC 7616 §3.4.4): hashed when the service asks for that, encoded where quotes cannot hold it."""
    if challenge.hides_user:
        return {"username": _quoted(challenge.hash(f"{username}:{challenge.realm}")), "userhash": "true"}
    if username.isascii():
        return {"username": _quoted(username)}
    return {"username*": f"UTF-8''{quote(username, safe='')}"}


def _challenge(header: str, start: int) -> DigestChallenge | None:
    """The challenge whose members begin at `start`; None when it cannot be answered."""
    members: dict[str, str] = {}
    while match := _MEMBER.match(header, start):
        quoted, plain = match[2], match[3]
        members[match[1].lower()] = plain if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
        start = match.end()
    offered = [word.strip().lower() for word in members.get("qop", "").split(",") if word.strip()]
    known = [word for word in ("auth", "auth-int") if word in offered]
    challenge = DigestChallenge(
        realm=members.get("realm", ""),
        nonce=members.get("nonce", ""),
        algorithm=members.get("algorithm", "MD5"),
        qop=known[0] if known else "",
        opaque=members.get("opaque", ""),
        is_stale=members.get("stale", "").lower() == "true",
        hides_user=members.get("userhash", "").lower() == "true",
    )
    is_known = challenge.name in _ALGORITHMS and bool(challenge.nonce) and bool(known) == bool(offered)
    return challenge if is_known else None


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
