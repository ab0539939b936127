"""OpenPlaybook.Doctor: what works where the server runs."""

from openplaybook.services.openplaybook.checks import Machine, examine
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class Doctor:
    """Looks at the machine that serves."""

    def __init__(self, api: Api, machine: Machine) -> None:
        self._response = api.message("openplaybook.v1.DoctorResponse")
        self._machine = machine

    async def doctor(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Every check with what it found."""
        response = self._response()
        for found in await examine(self._machine):
            response.checks.add(name=found.name, ok=found.ok, detail=found.detail, remedy=found.remedy)
        return response
