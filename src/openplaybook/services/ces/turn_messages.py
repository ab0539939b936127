"""What happened in a turn as Messages: user, agents, calls and their results, in order, from the turn's trace."""

from collections.abc import Iterable, Mapping

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.ces.system_tools import find_system_tool
from openplaybook.services.ces.tool_messages import display_name_of, fill_call, fill_response, response_content
from openplaybook.turns.base import (
    AgentStep,
    DepartureStep,
    EntryStep,
    ModelStep,
    PlaybookStep,
    ToolStep,
    TraceStep,
    TransitionStep,
    TurnResult,
    UserStep,
)
from openplaybook.wire.codec.structs import read_struct
from openplaybook.wire.messages import ApiMessage

USER = "user"
"""The role of the user, and of the client that acts for them; agents' are their display names."""

_END_SESSION = "end_session"


def fill_messages(
    result: TurnResult, trace: Iterable[TraceStep], variables: Mapping[str, object], app: str, messages: ApiMessage
) -> None:
    """Append what happened.

    `trace` is the result's, as clients see it; `variables` are those of the request, of which those are shown that the
    session has taken and that are not secret. Of an agent that was called as a tool its calls are shown, not its words:
    they are what the call gave.
    """
    writer = _Writer(messages, result.current_playbook_display_name)
    taken = {name: value for name, value in variables.items() if name in result.parameters}
    steps = list(trace)
    unheard = {step.frame for step in steps if isinstance(step, PlaybookStep) and step.call_id}
    at_us = steps[0].start_us if steps else 0
    if taken:
        read_struct(taken, writer.chunk(USER, at_us).updated_variables)
    for step in steps:
        is_heard = not isinstance(step, UserStep | AgentStep) or step.frame not in unheard
        if is_heard and not step.within:
            _fill(step, writer)
    if result.ended is not None:
        tool = str((find_system_tool(f"{app}/tools/{_END_SESSION}") or {}).get("name", ""))
        end_us = steps[-1].end_us if steps else at_us
        chunk = writer.chunk(writer.agent, end_us)
        fill_call(chunk.tool_call, tool, "", _END_SESSION, "", result.ended)


class _Writer:
    """Appends messages."""

    def __init__(self, messages: ApiMessage, agent: str) -> None:
        self._messages = messages
        self.agent = agent
        """Display name of the agent that acts."""
        self.callers: list[str] = []
        """Those that wait for an agent that they called as a tool."""

    def chunk(self, role: str, at_us: int) -> ApiMessage:
        """The one chunk of a new message."""
        message = self._messages.add(role=role)
        if at_us:
            message.event_time.FromMicroseconds(at_us)
        return message.chunks.add()


def _fill(step: TraceStep, writer: _Writer) -> None:
    match step:
        case UserStep():
            writer.chunk(USER, step.start_us).text = step.text
        case AgentStep():
            writer.agent = step.playbook_display_name
            writer.chunk(writer.agent, step.end_us).text = step.text
        case ModelStep():
            writer.agent = step.playbook_display_name
        case ToolStep():
            _fill_tool(step, writer)
        case PlaybookStep(call_id=call) if call:
            _fill_agent_tool(step, writer)
        case TransitionStep():
            transfer = writer.chunk(writer.agent, step.end_us).agent_transfer
            transfer.target_agent = step.playbook
            transfer.display_name = writer.agent = step.playbook_display_name
        case _:
            pass


def _fill_tool(step: ToolStep, writer: _Writer) -> None:
    """A call of the server with its result, a call for the client, or the client's result of one."""
    identity = (step.tool, step.action, tool_name(step), step.call_id)
    if not step.is_client:
        fill_call(writer.chunk(step.playbook_display_name, step.start_us).tool_call, *identity, step.arguments)
    if step.end_us:
        role = USER if step.is_client else step.playbook_display_name
        fill_response(writer.chunk(role, step.end_us).tool_response, *identity, response_of(step))
    if step.parameters:
        read_struct(step.parameters, writer.chunk(step.playbook_display_name, step.end_us).updated_variables)


def _fill_agent_tool(step: PlaybookStep, writer: _Writer) -> None:
    """A call of another agent as a tool, when it begins or ends."""
    identity = (step.tool, "", step.name, step.call_id)
    match step:
        case EntryStep():
            fill_call(writer.chunk(writer.agent, step.start_us).tool_call, *identity, step.arguments)
            writer.callers.append(writer.agent)
        case DepartureStep():
            writer.agent = writer.callers.pop() if writer.callers else writer.agent
            chunk = writer.chunk(writer.agent, step.end_us)
            fill_response(chunk.tool_response, *identity, response_content(step.output, None))
        case _:
            pass


def tool_name(step: ToolStep) -> str:
    """Display name of the tool that a call is of."""
    return display_name_of(step.tool, step.action, step.tool_display_name)


def response_of(step: ToolStep) -> JsonObject:
    """The response of a call that has ended."""
    return response_content(step.output, None if step.error is None else step.error.to_json())
