"""The shared methods on a kind that has an etag, which no kind of Dialogflow CX has."""

import pytest

from openplaybook.resources.names import PLAYBOOKS, NamePattern
from openplaybook.services.errors import translated
from openplaybook.services.resource_kinds import AGENT, ResourceKind
from openplaybook.services.resource_service import ResourceService
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from tests.integration.services.peers import Caller

_CES = "google.cloud.ces.v1beta."
_GUARDRAIL = ResourceKind("Guardrail", _CES, NamePattern("guardrail", PLAYBOOKS.templates))
_CONTEXT = RpcContext("", "v1beta", "grpc")


class Guardrails:
    """Guardrails under an agent."""

    def __init__(self, call: Caller) -> None:
        self._service = ResourceService(_GUARDRAIL, call.parts, parent=AGENT)
        self._message = call.parts.api.message

    async def create(self, parent: str, display_name: str) -> ApiMessage:
        request = self._message(_CES + "CreateGuardrailRequest")(parent=parent)
        request.guardrail.display_name = display_name
        return await self._service.create(request, _CONTEXT)

    async def update(self, guardrail: ApiMessage) -> ApiMessage:
        request = self._message(_CES + "UpdateGuardrailRequest")(guardrail=guardrail)
        return await translated(self._service.update)(request, _CONTEXT)

    async def list(self, parent: str) -> list[ApiMessage]:
        request = self._message(_CES + "ListGuardrailsRequest")(parent=parent)
        return list((await self._service.list(request, _CONTEXT)).guardrails)


async def test_an_update_with_the_etag_of_an_older_state_is_aborted(call: Caller) -> None:
    agent, guardrails = await call.agent(), Guardrails(call)
    first = await guardrails.create(agent, "Polite")
    assert await guardrails.list(agent) == [first]
    changed = type(first)()
    changed.CopyFrom(first)
    changed.display_name = "Strict"
    second = await guardrails.update(changed)
    assert first.etag != second.etag != ""
    with pytest.raises(RpcError) as refused:
        await guardrails.update(changed)
    assert refused.value.code is Code.ABORTED
    assert refused.value.message.startswith(f"{first.name} has changed since it was read")
    changed.etag = ""
    changed.display_name = "Kind"
    assert (await guardrails.update(changed)).display_name == "Kind"
