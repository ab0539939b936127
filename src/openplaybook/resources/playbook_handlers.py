"""Handlers of a playbook, which Dialogflow's console calls conditional actions
(https://docs.cloud.google.com/dialogflow/cx/docs/concept/playbook/conditional-actions)."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.findings import Finding, Severity, Sink, discard
from openplaybook.resources.fulfillments import Fulfillment, Guard, compile_fulfillment, compile_guard


class HandlerStage(Enum):
    """When a handler is looked at; the values are the proto's `lifecycleStage`, and `event` beside them."""

    START = "playbook-start"
    """The first time in a session that its playbook is entered."""
    SELECTION = "pre-action-selection"
    """Each time before the model decides."""
    EXECUTION = "pre-action-execution"
    """Each time before a call that the model asked for is made."""
    EVENT = "event"
    """When the client sends the event of that name."""


_SYMBOLIC = {"END_SESSION": "OK", "END_FLOW_WITH_HUMAN_ESCALATION": "ESCALATED"}
"""Symbolic pages that end a conversation (concept/handler#symbolic-target), and the state they end it in."""


@dataclass(frozen=True, slots=True)
class Handler:
    """One handler."""

    index: int
    """Its place among the playbook's handlers, as they are stored."""
    stage: HandlerStage
    guard: Guard
    fulfillment: Fulfillment
    event: str = ""
    target_playbook: str = ""
    """Resource name or display name of the playbook to go to; empty: none."""
    ends: str = ""
    """State in which it ends the conversation, OK or ESCALATED; empty: it does not."""


def compile_handlers(value: JsonValue, path: str = "$.handlers", report: Sink = discard) -> tuple[Handler, ...]:
    """The handlers of a stored playbook; one that can never be looked at is left out and told."""
    return tuple(_handlers(as_list(value), path, report))


def _handlers(values: list[JsonValue], path: str, report: Sink) -> Iterator[Handler]:
    for index, value in enumerate(values):
        resource = as_object(value)
        key = next((key for key in ("lifecycleHandler", "eventHandler") if key in resource), None)
        if key is None:
            report(Finding(f"{path}[{index}]", "has neither lifecycleHandler nor eventHandler and is left out"))
            continue
        at, handler = f"{path}[{index}].{key}", as_object(resource[key])
        stage = HandlerStage.EVENT if key == "eventHandler" else _stage(handler, at, report)
        event = handler.get("event")
        if stage is HandlerStage.EVENT and not event:
            report(Finding(f"{at}.event", "names no event, so the handler never runs"))
        if stage is not None:
            yield Handler(
                index=index,
                stage=stage,
                guard=compile_guard(handler.get("condition"), f"{at}.condition", report),
                fulfillment=compile_fulfillment(handler.get("fulfillment"), f"{at}.fulfillment", report),
                event=event if isinstance(event, str) else "",
                target_playbook=_target(handler, at, report),
                ends=_SYMBOLIC.get(_page(handler), ""),
            )


def _stage(handler: JsonObject, at: str, report: Sink) -> HandlerStage | None:
    known = [stage.value for stage in HandlerStage if stage is not HandlerStage.EVENT]
    name = handler.get("lifecycleStage")
    if name in known:
        return HandlerStage(name)
    message = f"{name!r} is not a stage, so the handler never runs (known: {', '.join(known)})"
    report(Finding(f"{at}.lifecycleStage", message))
    return None


def _page(handler: JsonObject) -> str:
    return str(handler.get("targetPage") or "").rsplit("/", 1)[-1]


def _target(handler: JsonObject, at: str, report: Sink) -> str:
    for key in ("targetFlow", "targetPage"):
        if handler.get(key) and not (key == "targetPage" and _page(handler) in _SYMBOLIC):
            report(Finding(f"{at}.{key}", f"{handler[key]} is kept, but flows are not run", Severity.REMARK))
    target = handler.get("targetPlaybook")
    return target if isinstance(target, str) else ""
