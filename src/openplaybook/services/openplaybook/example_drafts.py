"""An example out of a conversation: DraftExample.

An example shows one playbook. Of the turns it has what that playbook heard, said and called, and the playbooks that it
called, as one step each. Outputs are shortened, since every prompt repeats them: a model learns the form from them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.services.dialogflow.turn_traces import fill_actions
from openplaybook.services.errors import invalid, not_found
from openplaybook.services.openplaybook.session_names import session_name
from openplaybook.services.parts import ServiceParts
from openplaybook.turns.base import DepartureStep, EntryStep, ModelStep, ToolStep, TraceStep
from openplaybook.turns.session.history import History, PastTurn
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import FILES

MOST_TURNS = 50
LONGEST_TEXT = 500
"""Characters of a text in an output."""
LONGEST_LIST = 3
"""Items of a list in an output."""
_MOST_MEMBERS = 50
_DEEPEST = 8
_TITLE_CHARS = 60


class ExampleDrafts:
    """Makes examples that nobody has stored."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._history = History(parts.store)
        self._response = parts.api.message("openplaybook.v1.DraftExampleResponse")

    async def draft(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The example of some turns. NOT_FOUND: the session has none of those; INVALID_ARGUMENT: they are too many, or
        the playbook has no part in them."""
        name = session_name(request.session)
        if "/apps/" in name.session:
            raise invalid(("session", "is an app's; examples are made from sessions of agents"))
        turns = await self._turns(name.agent, name.session, request)
        trace = [step for turn in turns for step in turn.result.trace]
        playbook = request.playbook or next((step.playbook for step in trace), "")
        steps = list(_of_playbook(trace, playbook))
        if not steps:
            raise invalid(("playbook", f"{playbook} has no part in these turns"))
        return await FILES.run(partial(self._drafted, playbook, turns, steps))

    async def _turns(self, agent: str, session: str, request: ApiMessage) -> Sequence[PastTurn]:
        first, last = request.first_turn or 1, request.last_turn or 2**31
        turns: list[PastTurn] = []
        async for turn in self._history.turns(agent, session, after=first - 1):
            if turn.number > last:
                break
            turns.append(turn)
            if len(turns) > MOST_TURNS:
                raise invalid(("last_turn", f"an example is made from at most {MOST_TURNS} turns"))
        if not turns:
            raise not_found("Turn", f"{session}/turns/{first}")
        return turns

    def _drafted(self, playbook: str, turns: Sequence[PastTurn], steps: Sequence[TraceStep]) -> ApiMessage:
        shortening = _Shortening()
        example = self._parts.cx("Example")
        title = next((turn.result.query_text for turn in turns if turn.result.query_text), "From a conversation")
        example.display_name = title if len(title) <= _TITLE_CHARS else f"{title[:_TITLE_CHARS]}…"
        example.language_code = turns[0].result.language_code
        fill_actions([shortening.of(step) for step in steps], example.actions)
        left = next((step for step in steps if isinstance(step, DepartureStep) and step.playbook == playbook), None)
        states = example.DESCRIPTOR.fields_by_name["conversation_state"].enum_type.values_by_name
        state = states.get(f"OUTPUT_STATE_{left.state if left else 'OK'}", states["OUTPUT_STATE_OK"])
        example.conversation_state = state.number
        for action in example.actions:
            # When it was said belongs to the conversation, not to what is learnt from it.
            action.ClearField("start_time")
            action.ClearField("complete_time")
        response = self._response(playbook=playbook, remarks=shortening.remarks)
        self._parts.api.codec.from_json(self._parts.api.codec.to_json(example), response.example)
        return response


def _of_playbook(trace: Sequence[TraceStep], playbook: str) -> Iterator[TraceStep]:
    """What a playbook heard, said and did; of those that it called, what went in and came out."""
    path: list[TraceStep] = []
    for step in trace:
        if step.within or isinstance(step, ModelStep):
            continue
        if isinstance(step, EntryStep):
            if not path and step.playbook != playbook:
                yield step
            path.append(step)
        elif isinstance(step, DepartureStep) and path and path[-1].frame == step.frame:
            path.pop()
            if not path and step.playbook != playbook:
                yield step
        elif step.playbook == playbook:
            yield step


class _Shortening:
    """Shortens outputs, and remembers which."""

    def __init__(self) -> None:
        self.remarks: list[str] = []

    def of(self, step: TraceStep) -> TraceStep:
        """A step as an example has it."""
        if not isinstance(step, ToolStep) or step.output is None:
            return step
        output = _shortened(step.output, _DEEPEST)
        if output != step.output:
            self.remarks.append(f"The output of {step.action} was shortened.")
        return replace(step, output=output)


def _shortened(value: JsonValue, depth: int) -> JsonValue:
    if isinstance(value, str):
        return value if len(value) <= LONGEST_TEXT else f"{value[:LONGEST_TEXT]}…"
    if depth == 0 and isinstance(value, dict | list):
        return "…"
    if isinstance(value, list):
        return [_shortened(item, depth - 1) for item in as_list(value)[:LONGEST_LIST]]
    if isinstance(value, dict):
        members = list(as_object(value).items())[:_MOST_MEMBERS]
        shortened: JsonObject = {name: _shortened(member, depth - 1) for name, member in members}
        return shortened
    return value
