"""What users think of an answer: kept beside the session, shown in its history, and forgotten with it."""

from collections.abc import Mapping

from openplaybook.resources.masks import merge
from openplaybook.resources.names import SESSIONS
from openplaybook.resources.stored_form import from_body, to_body
from openplaybook.services.documented_bounds import check_feedback
from openplaybook.services.errors import invalid, not_found
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_service import unseen_by
from openplaybook.turns.session.history import kept_turns
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

MAX_BYTES = 64 * 1024
"""Of a request as protobuf: whoever may talk may also say what they think of it, and it is stored."""


class AnswerFeedback:
    """Submit, and what the history reads."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts

    async def submit(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Keep the feedback on one response, or change the masked fields of what is kept; all of it as it now is."""
        session = str(SESSIONS.parse(request.session))
        if request.ByteSize() > MAX_BYTES:
            raise invalid(("answer_feedback", f"is larger than {MAX_BYTES} bytes"))
        if not await self._has_response(session, request.response_id):
            raise not_found("Response", f"{request.response_id!r} of {session}")
        key = _key(session, request.response_id)
        stored = await self._read(key)
        feedback = merge(
            stored,
            request.answer_feedback,
            request.update_mask.paths,
            context.sent_fields,
            unseen_by(self._parts.api, context.version),
        )
        check_feedback(feedback)
        await self._parts.store.put_blob(key, to_body(feedback, self._parts.api.codec))
        return feedback

    async def of_session(self, session: str) -> Mapping[str, ApiMessage]:
        """All feedback of a session, by response id."""
        prefix = _key(session, "")
        keys = [blob.key for blob in await self._parts.store.blobs(prefix)]
        return {key.removeprefix(prefix): await self._read(key) for key in keys}

    async def _read(self, key: str) -> ApiMessage:
        """What is kept; an empty message where nothing is."""
        body = await self._parts.store.get_blob(key)
        feedback = self._parts.cx("AnswerFeedback")
        return feedback if body is None else from_body(body, feedback, self._parts.api.codec)

    async def _has_response(self, session: str, response_id: str) -> bool:
        async for turn in kept_turns(self._parts.store, session):
            if turn.response is not None and turn.turn_id == response_id:
                return True
        return False


def _key(session: str, response_id: str) -> str:
    return f"{session}/feedback/{response_id}"
