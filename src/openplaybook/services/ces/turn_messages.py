"""What happened in a turn as Messages: user, agents, calls and their results, in order, from the turn's trace."""

from collections.abc import Callable, Iterable, Mapping

from openplaybook.resources.ces.system_tools import find_system_tool
from openplaybook.services.ces.tool_messages import display_name_of, fill_call, fill_response, told_of
from openplaybook.turns.base import TraceEvent, TurnResult
from openplaybook.wire.codec.structs import read_struct
from openplaybook.wire.messages import ApiMessage

USER = "user"
"""The role of the user, and of the client that acts for them; agents' are their display names."""

_END_SESSION = "end_session"
_WORDS = ("user", "agent")
"""Kinds of events that are somebody's words."""


def fill_messages(
    result: TurnResult, trace: Iterable[TraceEvent], given: Mapping[str, object], app: str, messages: ApiMessage
) -> None:
    """Append what happened.

    `trace` is the result's, as clients see it; `given` the variables of the request, of which those are shown that the
    session has taken and that are not secret. Of an agent that was called as a tool its calls are shown, not its words:
    they are what the call gave.
    """
    writer = _Writer(messages, result.current_playbook_display_name)
    taken = {name: value for name, value in given.items() if name in result.parameters}
    events = list(trace)
    unheard = {event.frame for event in events if event.kind == "playbook" and event.data.get("call_id")}
    at_us = events[0].start_us if events else 0
    if taken:
        read_struct(taken, writer.chunk(USER, at_us).updated_variables)
    for event in events:
        fill = _FILLERS.get(event.kind)
        is_heard = event.kind not in _WORDS or event.frame not in unheard
        if fill is not None and is_heard and "within" not in event.data:
            fill(event, writer)
    if result.ended is not None:
        tool = str((find_system_tool(f"{app}/tools/{_END_SESSION}") or {}).get("name", ""))
        end_us = events[-1].end_us if events else at_us
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


def _user(event: TraceEvent, writer: _Writer) -> None:
    writer.chunk(USER, event.start_us).text = event.data["text"]


def _agent(event: TraceEvent, writer: _Writer) -> None:
    writer.agent = event.playbook_display_name
    writer.chunk(writer.agent, event.end_us).text = event.data["text"]


def _model(event: TraceEvent, writer: _Writer) -> None:
    writer.agent = event.playbook_display_name


def _tool(event: TraceEvent, writer: _Writer) -> None:
    """A call of the server with its result, a call for the client, or the client's result of one."""
    said = event.data
    is_result_of_client = bool(said.get("client"))
    identity = (said["tool"], said["action"], tool_name(event), said["call_id"])
    if not is_result_of_client:
        fill_call(writer.chunk(event.playbook_display_name, event.start_us).tool_call, *identity, said["arguments"])
    if event.end_us:
        role = USER if is_result_of_client else event.playbook_display_name
        told = told_of(said.get("output"), said.get("error"))
        fill_response(writer.chunk(role, event.end_us).tool_response, *identity, told)
    if changed := said.get("parameters"):
        read_struct(changed, writer.chunk(event.playbook_display_name, event.end_us).updated_variables)


def _agent_tool(event: TraceEvent, writer: _Writer) -> None:
    """A call of another agent as a tool, when it begins or ends."""
    said = event.data
    if not said.get("call_id"):
        return
    identity = (said["tool"], "", said["name"], said["call_id"])
    if "state" in said:
        writer.agent = writer.callers.pop() if writer.callers else writer.agent
        chunk = writer.chunk(writer.agent, event.end_us)
        fill_response(chunk.tool_response, *identity, told_of(said["output"], None))
    else:
        fill_call(writer.chunk(writer.agent, event.start_us).tool_call, *identity, said["arguments"])
        writer.callers.append(writer.agent)


def _transition(event: TraceEvent, writer: _Writer) -> None:
    transfer = writer.chunk(writer.agent, event.end_us).agent_transfer
    transfer.target_agent = event.data["playbook"]
    transfer.display_name = writer.agent = event.data["playbook_display_name"]


def tool_name(event: TraceEvent) -> str:
    """Display name of the tool that a call is of."""
    return display_name_of(event.data["tool"], event.data["action"], event.data["tool_display_name"])


_FILLERS: Mapping[str, Callable[[TraceEvent, _Writer], None]] = {
    "user": _user,
    "agent": _agent,
    "model": _model,
    "tool": _tool,
    "playbook": _agent_tool,
    "transition": _transition,
}
