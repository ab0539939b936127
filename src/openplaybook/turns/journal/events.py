"""The journal's rows. A turn is its events: state, conversation and trace are all folds over them.

kind     when                                        data beside `at` (microseconds, UTC)
begin    a request is admitted                       snapshot, input, languageCode, parameters, sealed[] (names
                                                     of parameters), payload, metadata, playbook, settings,
                                                     clientExecution (true, false, or null: the agent decides);
                                                     where given: entryPlaybook, version, useFakes, history (its
                                                     digest: what the session holds is set aside)
declared the session begins                          parameters (those that have a value in the beginning),
                                                     sealed[] (names)
restored the request brought what was said before    frame, entries[] ({user}, {agent}, {call, …} or {result, …})
heard    the user's words reach a playbook           frame, text
push     a playbook is entered                       frame, playbook, call, inputs, text; of one that answers its
                                                     caller: answers (true), name, tool (of the call)
reply    the model has decided                       frame, started, text, calls[], model, usage, attempts,
                                                     finish, raw, planner, evidence, call (`reply_facts`);
                                                     unheard (true: its words are for no user), withheld (words
                                                     that nobody is told, as a guardrail fired)
guarded  a guardrail has fired                       frame, stage (`input` or `response`), guardrail, displayName
fault    the model gave no decision                  frame, started, model, code, message, attempts
intent   calls are about to be sent                  calls[] (ids)
result   a call is settled                           frame, call, modelId, name, kind, tool, action, arguments,
                                                     started, output, isError, code, note, exchanges[], models[]
                                                     (what the tool asked of its model; where it did),
                                                     parameters (null clears), sealed[] (names; where it set any)
handed   the client has to make a call after all    frame, call, tool, action, arguments (its fake left it open)
inner    a call is about to make another             frame, call (the outer one), position (in it, from 1), name, tool,
                                                     action, arguments
inner_result  that call is settled                   as `inner`, and started, output, isError, code, note, exchanges[];
                                                     parameters, sealed[] (where it set any)
pop      a playbook is left                          frame, playbook, outputs, state, summary; of one that answers
                                                     its caller: call, name, tool
handled  a handler of a playbook has fired           frame, stage, event, handler (its place), condition, call (id
                                                     or empty), messages[], parameters (null clears), sealed[]
                                                     (names), rests (the turn has its last word)
move     a routine gives way to another              frame (the new one's), from, playbook, call, inputs, text
end      the conversation is over                    frame, playbook, outputs, state, summary
say      the engine itself speaks                    frame, text, code
pause    the wait for the client is limited          until (microseconds, UTC)
notice   something worth knowing                     frame, code, message; once (what it is known by, where it is
                                                     told once a session)
stop     the turn is cut short after it had acted    frame, input, code, message
"""

import time
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.storage.base import Step

BEGIN = "begin"
DECLARED = "declared"
RESTORED = "restored"
HEARD = "heard"
PUSH = "push"
REPLY = "reply"
GUARDED = "guarded"
FAULT = "fault"
INTENT = "intent"
RESULT = "result"
HANDED = "handed"
INNER = "inner"
INNER_RESULT = "inner_result"
POP = "pop"
HANDLED = "handled"
MOVE = "move"
END = "end"
SAY = "say"
PAUSE = "pause"
NOTICE = "notice"
STOP = "stop"

INPUT = "input"
RESPONSE = "response"
"""Stages of `guarded`: what a guardrail fired on."""


def now_us() -> int:
    """Microseconds since the epoch, UTC."""
    return time.time_ns() // 1000


@dataclass(frozen=True, slots=True)
class Event:
    """One row of the journal."""

    kind: str
    data: JsonObject

    def row(self) -> tuple[str, bytes]:
        """The stored form."""
        return self.kind, dumps(self.data)

    @classmethod
    def from_step(cls, step: Step) -> "Event":
        """The inverse of `row`, from a stored step."""
        return cls(step.kind, loads(step.payload))
