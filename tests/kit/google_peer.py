"""What Google's token endpoint and IAM Credentials API are to a caller: they check what they are sent."""

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

from joserfc import jwt
from joserfc.errors import BadSignatureError
from joserfc.jwk import RSAKey

from openplaybook.jsonvalues import JsonObject, dumps, loads
from tests.kit.http_peer import Received, answer
from tests.kit.rsa_keys import rsa_key

ACCOUNT = "robot@project.iam.gserviceaccount.com"
_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"


@dataclass
class GooglePeer:
    """Give `reply` to `http_peer`, then `url` the peer's."""

    url: str = ""
    assertions: list[JsonObject] = field(default_factory=list[JsonObject])
    """Claims of the assertions that were good (RFC 7523 §2.1)."""
    impersonated: list[tuple[str, JsonObject]] = field(default_factory=list[tuple[str, JsonObject]])
    """Path and body of the requests to impersonate."""
    lives_s: int = 3600

    @property
    def key(self) -> RSAKey:
        """The account's."""
        return rsa_key()

    def key_file(self, folder: Path, account: str = ACCOUNT, key: RSAKey | None = None) -> Path:
        """A key file as Google gives it, with this peer in place of its token endpoint."""
        path = folder / f"{account}.json"
        content = {
            "type": "service_account",
            "project_id": "project",
            "private_key_id": "k1",
            "private_key": (key or self.key).as_pem(private=True).decode(),
            "client_email": account,
            "client_id": "1",
            "token_uri": f"{self.url}/token",
        }
        path.write_bytes(dumps(content))
        return path

    async def reply(self, received: Received) -> bytes:
        """The answer to a token request, or to one to impersonate."""
        if received.target == "/token":
            return self._token(received)
        assert received.method == "POST"
        assert (received.header("Authorization") or "").startswith("Bearer access-")
        self.impersonated.append((received.target, loads(received.body)))
        return answer(dumps({"accessToken": f"impersonated-{len(self.impersonated)}", "expireTime": _FAR}))

    def _token(self, received: Received) -> bytes:
        form = {name: values[0] for name, values in parse_qs(received.body.decode()).items()}
        assert form["grant_type"] == _GRANT
        try:
            claims = jwt.decode(form["assertion"], self.key, algorithms=["RS256"]).claims
        except BadSignatureError:
            return answer(b'{"error":"invalid_grant","error_description":"Invalid JWT Signature."}', "400 Bad Request")
        assert claims["aud"] == f"{self.url}/token" or claims["aud"] == "https://oauth2.googleapis.com/token"
        self.assertions.append(claims)
        number = len(self.assertions)
        if audience := claims.get("target_audience"):
            header, body = {"alg": "RS256"}, {"aud": audience, "exp": claims["exp"], "iat": claims["iat"]}
            return answer(dumps({"id_token": jwt.encode(header, body, self.key)}))
        grant = {"access_token": f"access-{number}", "token_type": "Bearer", "expires_in": self.lives_s}
        return answer(dumps(grant))


_FAR = "2999-01-01T00:00:00Z"
