"""What a session is between two steps: small, explicit, and stored as JSON at the end of every turn; and what a turn
does next, a pure function of that.

The conversation itself is not in here: it is the journal, folded by `transcript`.
"""

from dataclasses import dataclass, field
from enum import Enum

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, loads
from openplaybook.turns.base import TurnInput
from openplaybook.turns.journal.journal_messages import input_json, input_of
from openplaybook.turns.journal.lifts import STATE, VERSION, lifted


class CallKind(Enum):
    """What taking a call means for the engine."""

    TOOL = "TOOL"
    """Invoke a tool here."""
    CLIENT = "CLIENT"
    """Hand the call to the client and wait."""
    PLAYBOOK = "PLAYBOOK"
    """Enter another playbook."""
    TRANSITION = "TRANSITION"
    """Leave this playbook for another, which takes its place."""
    END = "END"
    """Leave this playbook."""
    INVALID = "INVALID"
    """Nothing to take: settled with an error as soon as it is asked for."""


class CallStatus(Enum):
    """How far a call has come."""

    PLANNED = "PLANNED"
    SENT = "SENT"
    """Its intent is on record: it may have happened."""
    SETTLED = "SETTLED"


@dataclass(slots=True)
class PendingCall:
    """One call of a model reply, until all calls of that reply are settled."""

    id: str
    """Ours, unique in the session."""
    model_id: str
    """The id the model knows it by."""
    name: str
    """Model-facing function name."""
    kind: CallKind
    arguments: JsonObject
    tool: str = ""
    action: str = ""
    playbook: str = ""
    status: CallStatus = CallStatus.PLANNED
    given: JsonObject | None = None
    """The arguments as a client is given them, where they are not the model's own."""

    def copy(self) -> "PendingCall":
        """One that can change while this one stays."""
        return PendingCall(
            self.id,
            self.model_id,
            self.name,
            self.kind,
            self.arguments,
            self.tool,
            self.action,
            self.playbook,
            self.status,
            self.given,
        )

    def to_json(self) -> JsonObject:
        """The stored form."""
        return {
            "id": self.id,
            "modelId": self.model_id,
            "name": self.name,
            "kind": self.kind.value,
            "arguments": self.arguments,
            "tool": self.tool,
            "action": self.action,
            "playbook": self.playbook,
            "status": self.status.value,
            **({} if self.given is None else {"given": self.given}),
        }

    @classmethod
    def from_json(cls, stored: JsonObject) -> "PendingCall":
        """The inverse of `to_json`."""
        return cls(
            id=stored["id"],
            model_id=stored["modelId"],
            name=stored["name"],
            kind=CallKind(stored["kind"]),
            arguments=stored["arguments"],
            tool=stored["tool"],
            action=stored["action"],
            playbook=stored["playbook"],
            status=CallStatus(stored["status"]),
            given=stored.get("given"),
        )


@dataclass(slots=True)
class Frame:
    """One playbook being followed; the last of the stack is the one that decides."""

    id: int
    """Unique in the session."""
    playbook: str
    """Resource name."""
    inputs: JsonObject
    call: str = ""
    """Id of the call of the frame beneath that entered this one; empty for the first."""
    batch: list[PendingCall] = field(default_factory=list[PendingCall])
    """Calls of the latest reply while any of them is open, in the model's order."""
    planner: JsonObject = field(default_factory=dict[str, JsonValue])
    """The model's own state in this playbook."""
    preceding: int = 0
    """Id of the frame whose place this one took; 0: none."""
    answers: bool = False
    """Whether its last words are the result of the call that entered it: no user hears them."""

    def to_json(self) -> JsonObject:
        """The stored form."""
        return {
            "id": self.id,
            "playbook": self.playbook,
            "inputs": self.inputs,
            "call": self.call,
            "batch": [call.to_json() for call in self.batch],
            "planner": self.planner,
            "preceding": self.preceding,
            "answers": self.answers,
        }

    @classmethod
    def from_json(cls, stored: JsonObject) -> "Frame":
        """The inverse of `to_json`."""
        return cls(
            id=stored["id"],
            playbook=stored["playbook"],
            inputs=stored["inputs"],
            call=stored["call"],
            batch=[PendingCall.from_json(call) for call in stored["batch"]],
            planner=stored["planner"],
            preceding=stored["preceding"],
            answers=stored["answers"],
        )


@dataclass(slots=True)
class SessionState:
    """Everything the next step depends on, apart from the conversation and the agent's snapshot."""

    turn: int = 0
    """How many turns there were, the latest among them; those that failed without a trace are none."""
    began: int = 0
    """When the latest turn began, in microseconds since the epoch."""
    snapshot: str = ""
    """Digest of the agent's snapshot that the open calls belong to."""
    language_code: str = ""
    parameters: JsonObject = field(default_factory=dict[str, JsonValue])
    """Sealed are those that `sealed` names."""
    sealed: set[str] = field(default_factory=set[str])
    """Names of the parameters that hold credentials."""
    payload: JsonObject = field(default_factory=dict[str, JsonValue])
    """Of the latest request that had one, as long as its turn is paused."""
    metadata: JsonObject = field(default_factory=dict[str, JsonValue])
    settings: JsonObject = field(default_factory=dict[str, JsonValue])
    """The request's model settings, as long as its turn is paused."""
    client_execution: bool | None = None
    """What the requests of a turn say of `playbookExecutionMode`, as long as it is paused; None: nothing."""
    use_fakes: bool = False
    """Whether tools answer with their fakes in this turn, as long as it is paused."""
    waits_until: int | None = None
    """Microseconds since the epoch at which open calls have timed out; None: the wait has no limit."""
    frames: list[Frame] = field(default_factory=list[Frame])
    frames_made: int = 0
    started: set[str] = field(default_factory=set[str])
    """Resource names of the playbooks that were entered in this session and whose beginning is over."""
    told: set[str] = field(default_factory=set[str])
    """What was told and is told once a session alone, by the `once` of its notice; kept when all else begins anew."""
    ended: bool = False
    """Whether the conversation is over: the next input begins another, of which this one is no part."""
    interrupted: TurnInput | None = None
    """Input of a turn that was cut short after it had acted; the same input again continues that turn."""
    answered: bool = False
    """Whether this turn has its last word. Never stored: a turn at rest is answered or paused."""

    @property
    def top(self) -> Frame:
        """The frame that decides."""
        return self.frames[-1]

    def open_client_calls(self) -> list[PendingCall]:
        """Calls that the client has to answer, oldest first."""
        if not self.frames:
            return []
        return [
            call for call in self.top.batch if call.kind is CallKind.CLIENT and call.status is not CallStatus.SETTLED
        ]

    def dump(self) -> bytes:
        """The stored form."""
        return dumps(
            {
                "version": VERSION,
                "turn": self.turn,
                "began": self.began,
                "snapshot": self.snapshot,
                "languageCode": self.language_code,
                "parameters": self.parameters,
                "sealed": sorted(self.sealed),
                "payload": self.payload,
                "metadata": self.metadata,
                "settings": self.settings,
                "clientExecution": self.client_execution,
                "useFakes": self.use_fakes,
                "waitsUntil": self.waits_until,
                "frames": [frame.to_json() for frame in self.frames],
                "framesMade": self.frames_made,
                "started": sorted(self.started),
                "told": sorted(self.told),
                "ended": self.ended,
                "interrupted": None if self.interrupted is None else input_json(self.interrupted),
            }
        )

    @classmethod
    def load(cls, stored: bytes) -> "SessionState":
        """The inverse of `dump`, of any version. Raises `NewerData`."""
        read: JsonObject = loads(stored)
        data = lifted(STATE, read, read["version"])
        return cls(
            turn=data["turn"],
            began=data["began"],
            snapshot=data["snapshot"],
            language_code=data["languageCode"],
            parameters=data["parameters"],
            sealed=set(data["sealed"]),
            payload=data["payload"],
            metadata=data["metadata"],
            settings=data["settings"],
            client_execution=data["clientExecution"],
            use_fakes=data["useFakes"],
            waits_until=data["waitsUntil"],
            frames=[Frame.from_json(frame) for frame in data["frames"]],
            frames_made=data["framesMade"],
            started=set(data["started"]),
            told=set(data["told"]),
            ended=data["ended"],
            interrupted=None if data["interrupted"] is None else input_of(data["interrupted"]),
        )


class Phase(Enum):
    """The next thing to do in a turn.

    ```text
    DECIDE ──► CALL ──► DECIDE …          the model decides, tools run, until it has only words
       │         ├────► PAUSED            a call is the client's: the turn ends, the session waits
       │         ├────► ENTER ──► DECIDE  a call enters another playbook
       │         ├────► MOVE ──► DECIDE   a call gives way to another playbook
       │         └────► LEAVE ──► …       a call leaves the playbook; the one beneath goes on, or the conversation ends
       └──────────────► DONE              the last word of the turn
    ```
    """

    DECIDE = "DECIDE"
    CALL = "CALL"
    ENTER = "ENTER"
    MOVE = "MOVE"
    LEAVE = "LEAVE"
    PAUSED = "PAUSED"
    DONE = "DONE"


# Tools first, so that nothing runs again after a pause; playbooks last, as they may take many turns.
_ORDER = (
    (CallKind.TOOL, Phase.CALL),
    (CallKind.CLIENT, Phase.PAUSED),
    (CallKind.PLAYBOOK, Phase.ENTER),
    (CallKind.TRANSITION, Phase.MOVE),
    (CallKind.END, Phase.LEAVE),
)


def phase_of(state: SessionState) -> Phase:
    """The next thing to do."""
    for kind, phase in _ORDER:
        if unsettled(state, kind):
            return phase
    return Phase.DONE if state.answered else Phase.DECIDE


def unsettled(state: SessionState, kind: CallKind) -> list[PendingCall]:
    """The deciding frame's open calls of one kind, in the model's order."""
    if not state.frames:
        return []
    return [call for call in state.top.batch if call.kind is kind and call.status is not CallStatus.SETTLED]
