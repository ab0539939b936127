"""OpenPlaybook.Doctor: what works where the server runs."""

from collections.abc import Awaitable, Callable, Sequence

from openplaybook.services.openplaybook.checks import Check
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class Doctor:
    """Looks at the machine that serves."""

    def __init__(self, api: Api, look: Callable[[], Awaitable[Sequence[Check]]]) -> None:
        """`look` takes every check anew."""
        self._response = api.message("openplaybook.v1.DoctorResponse")
        self._look = look

    async def doctor(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Every check with what it found."""
        response = self._response()
        for found in await self._look():
            response.checks.add(name=found.name, ok=found.ok, detail=found.detail, remedy=found.remedy)
        return response
