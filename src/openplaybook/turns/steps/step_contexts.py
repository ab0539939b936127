"""What the model gets to see of a session, and what a tool may know of the turn that calls it."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from openplaybook.credentials.errors import CredentialError
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.models.base import Declaration, Entry, FunctionCall, FunctionResult, ModelTurn
from openplaybook.resources.compiled_forms import LlmSettings
from openplaybook.resources.guardrails import BannedTexts
from openplaybook.tools.base import EarlierCall, ToolContext
from openplaybook.tools.session_files import SessionFiles
from openplaybook.turns.agent.declarations import tool_declaration
from openplaybook.turns.agent.snapshot import PlaybookView
from openplaybook.turns.errors import NoSuchPlaybook
from openplaybook.turns.journal.session_state import PendingCall
from openplaybook.turns.session.seals import ParameterSeals
from openplaybook.turns.steps.session_parameters import filled
from openplaybook.turns.turn import Turn

_PRECEDING_UTTERANCES = 20
"""How much of the calling playbook's conversation a called one is shown."""


def view_of(turn: Turn) -> PlaybookView:
    """The deciding playbook. Raises `NoSuchPlaybook` when the agent no longer has it."""
    name = turn.state.top.playbook
    view = turn.snapshot.playbooks.get(name)
    if view is None:
        raise NoSuchPlaybook(f"The agent has no playbook {name}; it was deleted while the session was in it.")
    return view


def model_turn(turn: Turn, timeout_s: float) -> ModelTurn:
    """The structured request for the next decision."""
    view, frame = view_of(turn), turn.state.top
    called = len(turn.state.frames) > 1
    goal, instructions = filled(turn, view.playbook)
    return ModelTurn(
        playbook=view.playbook.display_name,
        declarations=tuple(_offered(turn, view, called=called)),
        goal=goal,
        instructions=instructions,
        examples=view.examples,
        conversation=tuple(turn.transcript.conversation(frame.id)),
        language_code=turn.state.language_code,
        inputs=frame.inputs,
        parameters=turn.visible_parameters(),
        input_definitions=view.playbook.input_parameters,
        output_definitions=view.playbook.output_parameters,
        preceding_conversation=_preceding(turn),
        end_user_metadata=turn.state.metadata,
        files=tuple(_sent_files(turn)),
        settings=model_settings(turn),
        planner_state=frame.planner,
        timeout_s=timeout_s,
    )


def _sent_files(turn: Turn) -> Iterator[str]:
    """Names of those in the request's payload that lie in the session."""
    for file in map(as_object, as_list(turn.state.payload.get("files"))):
        if str(file.get("contents")).startswith(f"{turn.request.session}/files/"):
            yield str(file.get("name"))


def model_settings(turn: Turn) -> LlmSettings:
    """What is asked of the model of the deciding playbook, by all levels together."""
    own = view_of(turn).playbook.settings
    return layered(turn.snapshot.settings, own, settings_of(turn.state.settings))


def _offered(turn: Turn, view: PlaybookView, *, called: bool) -> Iterator[Declaration]:
    """What may be called, without the inputs that the session fills in as it stands now."""
    for each in view.declarations_with_end if called else view.declarations:
        action = view.actions.get(each.name)
        described = None if action is None else turn.described.get(action.tool, {}).get(action.action)
        if described is not None:
            yield tool_declaration(each.name, described)
        elif action is None or action.for_session is None:
            yield each
        else:
            schema = action.for_session(turn.state.parameters, turn.state.payload)
            yield each if schema is action.input_schema else replace(each, input_schema=schema)


def settings_of(stored: JsonObject) -> LlmSettings:
    """Model settings from their stored form, the inverse of `settings_json`."""
    return LlmSettings(**stored)


def settings_json(settings: LlmSettings) -> JsonObject:
    """Model settings as they are kept in a session; what is not set is left out."""
    fields: JsonObject = {
        "model": settings.model,
        "prompt_text": settings.prompt_text,
        "temperature": settings.temperature,
        "input_token_limit": settings.input_token_limit,
        "output_token_limit": settings.output_token_limit,
    }
    return {name: value for name, value in fields.items() if value is not None}


@lru_cache(256)
def layered(*levels: LlmSettings) -> LlmSettings:
    """Settings of agent, playbook and request on top of each other: the last level that says something wins."""
    merged: JsonObject = {}
    for level in levels:
        merged |= settings_json(level)
    return settings_of(merged)


def _preceding(turn: Turn) -> tuple[Entry, ...]:
    """What was said in the playbooks that this one took the place of, or that called it; nothing for the first."""
    frames = turn.state.frames
    before = frames[-1].preceding or (frames[-2].id if len(frames) > 1 else 0)
    return turn.transcript.spoken(before, _PRECEDING_UTTERANCES) if before else ()


def _session_context(turn: Turn, seals: ParameterSeals, timeout_s: float) -> ToolContext:
    """What a tool may know of the session before anything is called. Raises `CredentialError`."""
    parameters = seals.open(turn.state, turn.request.session)
    return ToolContext(
        session_id=turn.request.session.rsplit("/", 1)[-1],
        session=turn.request.session,
        parameters=parameters.values,
        secrets=parameters.secrets,
        secret_parameters=turn.state.sealed,
        payload=turn.state.payload,
        timeout_s=timeout_s,
    )


def tool_context(turn: Turn, call: PendingCall, seals: ParameterSeals, timeout_s: float) -> ToolContext:
    """The context of one call, with nothing sealed. Raises `CredentialError`."""
    parameters = seals.open(turn.state, turn.request.session)
    return ToolContext(
        session_id=turn.request.session.rsplit("/", 1)[-1],
        session=turn.request.session,
        parameters=parameters.values,
        secrets=parameters.secrets,
        secret_parameters=turn.state.sealed,
        payload=turn.state.payload,
        end_user_metadata=turn.state.metadata,
        timeout_s=timeout_s,
        idempotency_key=f"{turn.lease.turn_id}:{call.id}",
        earlier=lambda: earlier_calls(turn),
        files=SessionFiles(turn.store, turn.request.session),
        call_id=call.id,
        turn_id=turn.lease.turn_id,
        playbook=turn.snapshot.display_name(turn.state.top.playbook),
        user_text=turn.transcript.last_user_text(turn.state.top.id),
        use_fakes=turn.state.use_fakes,
        conversation=lambda: spoken(turn),
        language_code=turn.state.language_code,
        search_config=turn.request.search_config,
        banned=_banned(turn),
    )


async def describe_tools(turn: Turn, seals: ParameterSeals, timeout_s: float) -> None:
    """Ask the systems behind the deciding playbook's tools what their actions take for this session, once in a turn.

    Of a session whose credentials cannot be read nothing is asked: its calls are told why.
    """
    live = turn.snapshot.live_tools
    if not live:
        return
    used = {action.tool for action in view_of(turn).actions.values()}
    ahead = [name for name in live if name in used and name not in turn.described]
    if not ahead:
        return
    try:
        context = _session_context(turn, seals, timeout_s)
    except CredentialError:
        turn.described.update({name: {} for name in ahead})
        return
    found = await asyncio.gather(*(live[name].described(context) for name in ahead))
    turn.described.update(
        {name: {action.action: action for action in actions} for name, actions in zip(ahead, found, strict=True)}
    )


def spoken(turn: Turn) -> Sequence[Entry]:
    """The latest utterances that the deciding playbook knows of, those before it was called among them."""
    own = turn.transcript.spoken(turn.state.top.id, _PRECEDING_UTTERANCES)
    return [*_preceding(turn), *own][-_PRECEDING_UTTERANCES:]


def _banned(turn: Turn) -> Sequence[BannedTexts]:
    """What the deciding playbook's tools may neither be asked nor answer."""
    view = turn.snapshot.playbooks.get(turn.state.top.playbook)
    return () if view is None else [each.banned for each in view.playbook.guardrails if each.banned is not None]


def earlier_calls(turn: Turn) -> Sequence[EarlierCall]:
    """The tool calls that the deciding playbook knows to be settled, oldest first."""
    actions = view_of(turn).actions
    calls: dict[str, FunctionCall] = {}
    earlier: list[EarlierCall] = []
    for entry in turn.transcript.conversation(turn.state.top.id):
        if isinstance(entry, FunctionCall):
            calls[entry.id] = entry
        elif isinstance(entry, FunctionResult) and entry.id in calls:
            call = calls[entry.id]
            action = actions.get(call.name)
            if action is not None:
                earlier.append(
                    EarlierCall(action.tool_display_name, action.action, call.arguments, entry.output, entry.is_error)
                )
    return earlier
