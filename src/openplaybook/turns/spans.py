"""A turn's trace as a tree of spans: rendered for OpenTelemetry, and as JSON in `diagnosticInfo`.

    invoke_agent PLAYBOOK           the turn, in the playbook that it began in
      chat MODEL                    a decision
      execute_tool ACTION           a tool call that has ended, with what its tool asked and called
      invoke_agent PLAYBOOK         a playbook entered in this turn, with what happened in it
      openplaybook.KIND             what took no time, such as `user` or `notice`, and calls that still wait

Every step of the trace is one node, numbered in order by `openplaybook.step`. Names and attributes are those of the
GenAI semantic conventions where these have one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import as_object
from openplaybook.telemetry.spans import Moment, StepSpan
from openplaybook.turns.base import TraceEvent
from openplaybook.turns.span_attributes import TurnFacts, content_texts, step_attributes, step_name, turn_attributes


def span_tree(trace: Sequence[TraceEvent], facts: TurnFacts) -> StepSpan:
    """The spans of a turn, which lasts from the first of its steps to the last."""
    start = min((event.start_us for event in trace), default=facts.at_us)
    end = max((event.end_us or event.start_us for event in trace), default=facts.at_us)
    root = _Opened(f"invoke_agent {facts.playbook_display_name}", -1, start, turn_attributes(facts))
    path = [root]
    within: dict[str, list[StepSpan | Moment]] = {}
    for step, event in enumerate(trace):
        if "within" in event.data:
            within.setdefault(event.data["within"], []).append(_step(event, step, facts))
        elif event.kind == "playbook" and "state" not in event.data:
            path.append(_Opened(step_name(event), event.frame, event.start_us, step_attributes(event, step, facts)))
            path[-2].children.append(path[-1])
        elif event.kind == "playbook" and path[-1].frame == event.frame:
            path.pop().close(event, step, with_content=facts.with_content)
        else:
            if event.kind == "transition" and len(path) > 1:
                # What took its place is left instead of it.
                path[-1].frame = event.frame
            inner = within.pop(str(event.data.get("call_id", "")), [])
            path[-1].children.append(_step(event, step, facts, inner))
    # What a call made that has no end itself, as its turn was cut short.
    path[-1].children.extend(step for steps in within.values() for step in steps)
    return root.closed(end, facts.error)


@dataclass(slots=True)
class _Opened:
    """A playbook while its steps are read."""

    name: str
    frame: int
    start_us: int
    attributes: dict[str, str | int | float | Sequence[str]]
    children: "list[_Opened | StepSpan | Moment]" = field(default_factory=list["_Opened | StepSpan | Moment"])
    end_us: int = 0

    def close(self, event: TraceEvent, step: int, *, with_content: bool) -> None:
        """End with the step that left the playbook."""
        self.end_us = event.end_us
        self.attributes |= {"openplaybook.end_step": step, "openplaybook.state": str(event.data["state"])}
        if with_content:
            self.attributes |= content_texts(output=event.data["output"])

    def closed(self, end_us: int, error: str = "") -> StepSpan:
        """The span; `end_us` where the playbook was not left."""
        children = [each.closed(end_us) if isinstance(each, _Opened) else each for each in self.children]
        return StepSpan(
            self.name, self.start_us, self.end_us or end_us, self.attributes, error=error, children=tuple(children)
        )


def _step(event: TraceEvent, step: int, facts: TurnFacts, inner: Sequence[StepSpan | Moment] = ()) -> StepSpan | Moment:
    attributes = step_attributes(event, step, facts)
    if event.kind not in ("model", "tool") or not event.end_us:
        return Moment(f"openplaybook.{event.kind}", event.start_us, attributes)
    error = str(as_object(event.data.get("error")).get("code", ""))
    return StepSpan(
        step_name(event),
        event.start_us,
        event.end_us,
        attributes,
        is_client=event.kind == "model",
        error=error,
        children=tuple(inner),
    )
