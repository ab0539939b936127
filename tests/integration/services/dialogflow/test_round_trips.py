"""Nothing that a client may write is lost: every field of every kind, in both versions. Secrets read back masked."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from tests.integration.services.filling import Filler, is_output_only, writable_fields
from tests.integration.services.peers import LOCATION, Caller

_ROUNDS = 100
"""Long before, each member of each oneof has had its turn."""


async def _location(call: Caller) -> str:
    return LOCATION


async def _agent(call: Caller) -> str:
    return await call.agent()


async def _playbook(call: Caller) -> str:
    return (await call.playbook(await call.agent()))["name"]


def _as_it_is(message: ApiMessage, parent: str) -> None:
    """Nothing in it has a rule of its own."""


def _settle_agent(agent: ApiMessage, parent: str) -> None:
    agent.default_language_code, agent.time_zone = "en", "Europe/Paris"
    agent.supported_language_codes[:] = ["de", "pt-BR"]
    agent.start_flow = f"{parent}/agents/-/flows/f"
    agent.client_certificate_settings.private_key = "projects/p/secrets/key/versions/1"
    agent.client_certificate_settings.passphrase = "projects/p/secrets/passphrase/versions/latest"


def _settle_example(example: ApiMessage, parent: str) -> None:
    example.language_code = "de"


def _settle_playbook(playbook: ApiMessage, parent: str) -> None:
    playbook.referenced_tools[:] = [f"{parent}/tools/t"]


@dataclass(frozen=True)
class _Case:
    service: str
    kind: str
    field: str
    parent: Callable[[Caller], Awaitable[str]]
    settle: Callable[[ApiMessage, str], None] = _as_it_is
    """Gives the fields that have rules of their own values that fit."""


_CASES = [
    _Case("Agents", "Agent", "agent", _location, _settle_agent),
    _Case("Playbooks", "Playbook", "playbook", _agent, _settle_playbook),
    _Case("Examples", "Example", "example", _playbook, _settle_example),
    _Case("Tools", "Tool", "tool", _agent),
]


async def _send(call: Caller, rpc: str, **fields: ApiMessage | str) -> ApiMessage:
    """Call with a message as it is, not by way of JSON."""
    method = call.parts.api.methods[f"google.cloud.dialogflow.cx.{call.version}.{rpc}"]
    request = call.parts.api.message(method.input.full_name)(**fields)
    context = RpcContext(method.full_name, call.version, "grpc")
    return await call.registry.call(method, request, context)


@pytest.mark.parametrize("version", ["v3", "v3beta1"])
@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.kind)
async def test_every_field_reads_back_as_it_was_written(call: Caller, case: _Case, version: str) -> None:
    call.version = version
    message_class = call.parts.api.message(f"google.cloud.dialogflow.cx.{version}.{case.kind}")
    parent = await case.parent(call)
    filler, every_field = Filler(seed=1), writable_fields(message_class.DESCRIPTOR)
    name = ""
    for _ in range(_ROUNDS):
        sent = filler.fill(message_class())
        case.settle(sent, parent)
        if not name:
            answered = await _send(call, f"{case.service}.Create{case.kind}", parent=parent, **{case.field: sent})
            name = answered.name
        else:
            sent.name = name
            answered = await _send(call, f"{case.service}.Update{case.kind}", **{case.field: sent})
        assert answered == await _send(call, f"{case.service}.Get{case.kind}", name=name)
        assert _written(answered) == call.parts.inline_secrets.mask(_written(sent))
        # A locked agent takes no update: the next round makes another.
        name = "" if "locked" in answered.DESCRIPTOR.fields_by_name and answered.locked else name
        if filler.visited == every_field:
            break
    assert filler.visited == every_field


async def test_every_field_of_generative_settings_reads_back(call: Caller) -> None:
    agent = await call.agent()
    message_class = call.parts.api.message("google.cloud.dialogflow.cx.v3beta1.GenerativeSettings")
    filler, every_field = Filler(seed=1), writable_fields(message_class.DESCRIPTOR)
    for _ in range(_ROUNDS):
        sent = filler.fill(message_class())
        sent.name, sent.language_code = f"{agent}/generativeSettings", "en"
        answered = await _send(call, "Agents.UpdateGenerativeSettings", generative_settings=sent)
        assert answered == sent
        got = await _send(call, "Agents.GetGenerativeSettings", name=sent.name, language_code="en")
        assert got == sent
        if filler.visited == every_field:
            break
    assert filler.visited == every_field


def _written(message: ApiMessage) -> ApiMessage:
    """The message without its name and without what is the server's to fill."""
    copy = type(message)()
    copy.CopyFrom(message)
    for field in message.DESCRIPTOR.fields:
        if field.name == "name" or is_output_only(field):
            copy.ClearField(field.name)
    return copy
