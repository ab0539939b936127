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


def compile_handlers(value: JsonValue, path: str = "$.handlers", found: Sink = discard) -> tuple[Handler, ...]:
    """The handlers of a stored playbook; one that can never be looked at is left out and told."""
    return tuple(_handlers(as_list(value), path, found))


def _handlers(values: list[JsonValue], path: str, found: Sink) -> Iterator[Handler]:
    for index, value in enumerate(values):
        resource = as_object(value)
        key = next((key for key in ("lifecycleHandler", "eventHandler") if key in resource), None)
        if key is None:
            found(Finding(f"{path}[{index}]", "has neither lifecycleHandler nor eventHandler and is left out"))
            continue
        at, held = f"{path}[{index}].{key}", as_object(resource[key])
        stage = HandlerStage.EVENT if key == "eventHandler" else _stage(held, at, found)
        event = held.get("event")
        if stage is HandlerStage.EVENT and not event:
            found(Finding(f"{at}.event", "names no event, so the handler never runs"))
        if stage is not None:
            yield Handler(
                index=index,
                stage=stage,
                guard=compile_guard(held.get("condition"), f"{at}.condition", found),
                fulfillment=compile_fulfillment(held.get("fulfillment"), f"{at}.fulfillment", found),
                event=event if isinstance(event, str) else "",
                target_playbook=_target(held, at, found),
                ends=_SYMBOLIC.get(_page(held), ""),
            )


def _stage(held: JsonObject, at: str, found: Sink) -> HandlerStage | None:
    known = [stage.value for stage in HandlerStage if stage is not HandlerStage.EVENT]
    name = held.get("lifecycleStage")
    if name in known:
        return HandlerStage(name)
    message = f"{name!r} is not a stage, so the handler never runs (known: {', '.join(known)})"
    found(Finding(f"{at}.lifecycleStage", message))
    return None


def _page(held: JsonObject) -> str:
    return str(held.get("targetPage") or "").rsplit("/", 1)[-1]


def _target(held: JsonObject, at: str, found: Sink) -> str:
    for key in ("targetFlow", "targetPage"):
        if held.get(key) and not (key == "targetPage" and _page(held) in _SYMBOLIC):
            found(Finding(f"{at}.{key}", f"{held[key]} is kept, but flows are not run", Severity.REMARK))
    target = held.get("targetPlaybook")
    return target if isinstance(target, str) else ""
