"""CreateSessionToken: a token with which a web page holds one conversation."""

from openplaybook.credentials.session_tokens import SessionTokens
from openplaybook.services.errors import invalid, not_found
from openplaybook.services.openplaybook.session_names import session_name
from openplaybook.storage.base import Store
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

USUAL_S = 3600
LONGEST_S = 12 * 3600


class SessionPermits:
    """Hands tokens out; the server's entrance reads them."""

    def __init__(self, api: Api, store: Store, tokens: SessionTokens) -> None:
        self._store = store
        self._tokens = tokens
        self._token = api.message("openplaybook.v1.SessionToken")

    async def create(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A token for a session of an agent or app that there is. NOT_FOUND: there is none."""
        name = session_name(request.session)
        ttl_s = request.ttl.seconds if request.HasField("ttl") else USUAL_S
        if not 1 <= ttl_s <= LONGEST_S:
            raise invalid(("ttl", f"must be from 1s to {LONGEST_S}s"))
        if await self._store.get(name.agent) is None:
            raise not_found("App" if "/apps/" in name.agent else "Agent", name.agent)
        token, until = self._tokens.issue(name.session, ttl_s)
        response = self._token(token=token, session=name.session)
        response.expire_time.FromSeconds(until)
        return response
