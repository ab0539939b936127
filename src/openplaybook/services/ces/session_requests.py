"""RunSessionRequest, in the engine's words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, as_list
from openplaybook.resources.errors import InvalidName
from openplaybook.resources.names import APP_AGENTS, APP_SESSIONS, NamePattern, ResourceName
from openplaybook.services.ces.historical_contexts import EarlierConversation, past_of
from openplaybook.services.ces.session_inputs import TurnInputs, file_bytes, read_inputs
from openplaybook.services.errors import invalid
from openplaybook.services.turn_requests import (
    MAX_FILES_BYTES,
    TurnPayload,
    check_size,
    contents_bytes,
    request_key,
    struct_json,
    take_files,
    timeout_s,
)
from openplaybook.tools.session_files import EXECUTIONS
from openplaybook.turns.base import TurnRequest
from openplaybook.wire.api import Api
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import RpcContext

MAX_INPUTS = 1000
"""Of one turn: more fragments than anybody speaks."""

_REMOTE = "remote_dialogflow_query_parameters"
_TIME_ZONE = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*")
_NOT_SERVED = {
    "input_audio_config": "this server has no speech input",
    "output_audio_config": "this server has no speech output; outputs are text",
}


@dataclass(frozen=True, slots=True)
class SessionBasis:
    """What the store says about a SessionConfig."""

    version: str = ""
    """Resource name of the version that its deployment runs; empty: the app as it stands."""
    agents: Mapping[str, str] = field(default_factory=dict[str, str])
    """Resource names of the app's agents by display name, where its history may name them."""


def session_of(config: ApiMessage) -> ResourceName:
    """The session that a SessionConfig names. INVALID_ARGUMENT for a name that no session can have."""
    if not config.session:
        raise invalid(("config.session", "is required"))
    session = parsed("config.session", APP_SESSIONS, config.session)
    if session.id == EXECUTIONS:
        raise invalid(("config.session", f"{EXECUTIONS!r} is reserved for executions of tools"))
    return session


def run_request(api: Api, request: ApiMessage, known: SessionBasis, context: RpcContext) -> TurnRequest:
    """The turn that a RunSessionRequest asks for, as `turn_request`."""
    check_config(api, request.config)
    check_inputs(api, request.inputs)
    return turn_request(api, request.config, read_inputs(api, request.inputs), known, context)


def check_config(api: Api, config: ApiMessage) -> None:
    """Refuse a SessionConfig that is too large. Raises `RpcError`."""
    check_size(api, config, of_files=contents_bytes(getattr(config, _REMOTE).payload))


def check_inputs(api: Api, inputs: Sequence[ApiMessage]) -> None:
    """Refuse inputs of one turn that are too many, or too large. Raises `RpcError`."""
    if len(inputs) > MAX_INPUTS:
        raise invalid(("inputs", f"are {len(inputs)}; at most {MAX_INPUTS} are allowed in one turn"))
    if (size := file_bytes(inputs)) > MAX_FILES_BYTES:
        raise invalid(
            ("inputs", f"have files of {size} bytes in total; at most {MAX_FILES_BYTES} are allowed in one turn")
        )
    check_size(api, *inputs, of_files=size)


def turn_request(
    api: Api, config: ApiMessage, inputs: TurnInputs, known: SessionBasis, context: RpcContext
) -> TurnRequest:
    """The turn that a SessionConfig and its inputs ask for.

    Raises `RpcError` for what they lack or what is not served.
    """
    session = session_of(config)
    for unserved, sentence in _NOT_SERVED.items():
        if config.HasField(unserved):
            context.warn(f"config.{unserved}: {sentence}.")
    if getattr(config, _REMOTE).webhook_headers:
        context.warn(f"config.{_REMOTE}.webhook_headers: this server calls no webhooks.")
    past = past_of(api, config.historical_contexts, session.root, known.agents)
    payload = _payload(api, config, inputs, str(session))
    return TurnRequest(
        agent=session.root,
        session=str(session),
        input=inputs.input,
        language_code="",
        parameters={**past.variables, **inputs.variables},
        payload=payload.values,
        files=payload.files,
        end_user_metadata=_metadata(api, config),
        request_key=request_key(context),
        trace_parent=context.metadata.get("traceparent", ""),
        timeout_s=timeout_s(context),
        version=known.version,
        entry_playbook=_entry_agent(config, session, past),
        history=tuple(past.entries),
        use_tool_fakes=config.use_tool_fakes,
    )


def parsed(path: str, collection: NamePattern, name: str) -> ResourceName:
    """The name of a request's field. INVALID_ARGUMENT with the field's path."""
    try:
        return collection.parse(name)
    except InvalidName as error:
        raise invalid((path, str(error))) from None


def of_app(path: str, collection: NamePattern, name: str, app: str) -> ResourceName:
    """The name of a resource of an app. INVALID_ARGUMENT where it is none, or another app's."""
    resource = parsed(path, collection, name)
    if resource.root != app:
        raise invalid((path, f"{name} does not belong to {app}"))
    return resource


def _payload(api: Api, config: ApiMessage, inputs: TurnInputs, session: str) -> TurnPayload:
    """What tools read as the request's payload; files stand in it by their handles, those of the inputs last."""
    payload = take_files(_remote(api, config, "payload"), session, f"config.{_REMOTE}.payload.files")
    if not inputs.files:
        return payload
    brought = take_files({"files": list(inputs.files)}, session, "inputs")
    handles = [*as_list(payload.values.get("files")), *as_list(brought.values["files"])]
    return TurnPayload({**payload.values, "files": handles}, (*payload.files, *brought.files))


def _metadata(api: Api, config: ApiMessage) -> JsonObject:
    """What the agent is told of its user."""
    metadata = _remote(api, config, "end_user_metadata")
    if not config.time_zone:
        return metadata
    if not _TIME_ZONE.fullmatch(config.time_zone):
        raise invalid(("config.time_zone", f"{config.time_zone!r} is not a time zone such as America/Los_Angeles"))
    return {"time_zone": config.time_zone, **metadata}


def _remote(api: Api, config: ApiMessage, field: str) -> JsonObject:
    return struct_json(api, getattr(getattr(config, _REMOTE), field))


def _entry_agent(config: ApiMessage, session: ResourceName, past: EarlierConversation) -> str | None:
    """Who goes on: the agent that the conversation was given to last, else the one that the request names."""
    if config.entry_agent:
        of_app("config.entry_agent", APP_AGENTS, config.entry_agent, session.root)
    return past.agent or config.entry_agent or None
