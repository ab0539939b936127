"""Events of a journal as tests want them: what a test does not care about is empty."""

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import DecisionFacts, Usage
from openplaybook.resources.guardrails import GuardStage
from openplaybook.tools.base import Exchange
from openplaybook.turns.base import TextInput, TurnInput
from openplaybook.turns.journal.events import (
    CallHanded,
    CallSettled,
    ConversationEnded,
    GuardrailFired,
    HandlerFired,
    InnerCallSettled,
    ModelReplied,
    NoticeGiven,
    PlaybookEntered,
    PlaybookLeft,
    PlaybookReplaced,
    TurnBegun,
)
from openplaybook.turns.journal.session_state import CallKind, PendingCall


def begun(
    given: TurnInput | None = None,
    *,
    at: int = 1,
    snapshot: str = "new",
    parameters: JsonObject | None = None,
    sealed: tuple[str, ...] = (),
    removed: tuple[str, ...] = (),
    payload: JsonObject | None = None,
    metadata: JsonObject | None = None,
    playbook: str = "",
    settings: JsonObject | None = None,
    client_execution: bool | None = None,
    use_fakes: bool = False,
    history: str = "",
) -> TurnBegun:
    """A request in English; where nothing is `given`, the user says hi."""
    return TurnBegun(
        at=at,
        snapshot=snapshot,
        input=given or TextInput("hi"),
        language_code="en",
        parameters=parameters or {},
        sealed=frozenset(sealed),
        removed=removed,
        payload=payload or {},
        metadata=metadata or {},
        playbook=playbook,
        settings=settings or {},
        client_execution=client_execution,
        use_fakes=use_fakes,
        history=history,
    )


def entered(
    frame: int, playbook: str = "p", *, at: int = 1, call: str = "", inputs: JsonObject | None = None, text: str = ""
) -> PlaybookEntered:
    """A playbook that talks with the user."""
    return PlaybookEntered(at=at, frame=frame, playbook=playbook, call=call, inputs=inputs or {}, text=text)


def replied(
    text: str = "",
    *calls: PendingCall,
    at: int = 1,
    frame: int = 1,
    started: int = 1,
    model: str = "m",
    usage: Usage = Usage(),
    raw: JsonObject | None = None,
    planner: JsonObject | None = None,
) -> ModelReplied:
    """A reply of one attempt."""
    return ModelReplied(
        at=at,
        frame=frame,
        started=started,
        calls=calls,
        model=model,
        usage=usage,
        attempts=1,
        finish="",
        call=DecisionFacts(),
        text=text,
        raw=raw or {},
        planner=planner,
        evidence={},
    )


def settled(
    call: str,
    output: JsonValue = None,
    *,
    at: int = 1,
    frame: int = 1,
    name: str = "f",
    kind: CallKind = CallKind.TOOL,
    tool: str = "t",
    action: str = "f",
    arguments: JsonObject | None = None,
    started: int = 1,
    is_error: bool = False,
    exchanges: tuple[Exchange, ...] = (),
    parameters: JsonObject | None = None,
    sealed: tuple[str, ...] = (),
) -> CallSettled:
    """A result of the call that the model knows by `m-` and its id."""
    return CallSettled(
        at=at,
        frame=frame,
        call=call,
        model_id=f"m-{call}",
        name=name,
        kind=kind,
        tool=tool,
        action=action,
        arguments=arguments or {},
        started=started,
        output=output,
        is_error=is_error,
        code="",
        note="",
        exchanges=exchanges,
        parameters=parameters or {},
        sealed=frozenset(sealed),
    )


def inner_settled(call: str, *, parameters: JsonObject | None = None, sealed: tuple[str, ...] = ()) -> InnerCallSettled:
    """A result of the first call within another one."""
    return InnerCallSettled(
        at=1,
        frame=1,
        call=call,
        position=1,
        name="f",
        tool="t",
        action="f",
        arguments={},
        started=1,
        output=None,
        is_error=False,
        code="",
        note="",
        exchanges=(),
        parameters=parameters or {},
        sealed=frozenset(sealed),
    )


def handed(call: str) -> CallHanded:
    """A call that its fake left to the client."""
    return CallHanded(at=1, frame=1, call=call, tool="t", action="f", arguments={})


def left(
    frame: int, playbook: str = "p", *, at: int = 1, outputs: JsonObject | None = None, state: str = "OK"
) -> PlaybookLeft:
    """A playbook that is done."""
    return PlaybookLeft(at=at, frame=frame, playbook=playbook, outputs=outputs or {}, state=state, summary="")


def ended(state: str = "OK", *, outputs: JsonObject | None = None, summary: str = "") -> ConversationEnded:
    """The end of the conversation, in its first playbook."""
    return ConversationEnded(at=1, frame=1, playbook="p", outputs=outputs or {}, state=state, summary=summary)


def replaced(
    frame: int, before: int, playbook: str = "p", *, call: str = "", inputs: JsonObject | None = None, text: str = ""
) -> PlaybookReplaced:
    """A playbook in a new frame that takes the place of the frame `before`."""
    return PlaybookReplaced(
        at=1, frame=frame, from_=before, playbook=playbook, call=call, inputs=inputs or {}, text=text
    )


def handler_fired(
    *messages: JsonObject, parameters: JsonObject | None = None, sealed: tuple[str, ...] = (), rests: bool = False
) -> HandlerFired:
    """The first handler of a playbook's beginning."""
    return HandlerFired(
        at=1,
        frame=1,
        stage="START",
        event="",
        handler=0,
        condition="",
        call="",
        messages=messages,
        parameters=parameters or {},
        sealed=frozenset(sealed),
        rests=rests,
    )


def guarded(stage: GuardStage) -> GuardrailFired:
    """A guardrail that fired."""
    return GuardrailFired(at=1, frame=1, stage=stage, guardrail="g", display_name="The g")


def noticed(once: str = "") -> NoticeGiven:
    """A notice; told once a session where `once` says what it is known by."""
    return NoticeGiven(at=1, frame=1, code="X", message="y", once=once)
