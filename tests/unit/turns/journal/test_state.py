"""The stored form of a session's state."""

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.turns.journal.state import CallKind, CallStatus, Frame, PendingCall, SessionState

FIRST_FORM: JsonObject = {
    "version": 1,
    "turn": 3,
    "snapshot": "d1",
    "languageCode": "en",
    "parameters": {"size": "M"},
    "payload": {},
    "metadata": {},
    "settings": {},
    "frames": [
        {
            "id": 1,
            "playbook": "p",
            "inputs": {},
            "call": "",
            "batch": [
                {
                    "id": "call-3-1-1",
                    "modelId": "m1",
                    "name": "sign",
                    "kind": "CLIENT",
                    "arguments": {"n": 1},
                    "tool": "t",
                    "action": "sign",
                    "playbook": "",
                    "status": "PLANNED",
                }
            ],
            "planner": {},
        }
    ],
    "framesMade": 1,
    "interrupted": None,
}
"""As the first servers wrote it: without what was added since."""


def test_a_session_that_an_older_server_left_waiting_is_read() -> None:
    call = PendingCall("call-3-1-1", "m1", "sign", CallKind.CLIENT, {"n": 1}, "t", "sign", "", CallStatus.PLANNED)
    state = SessionState.load(dumps(FIRST_FORM))
    assert state == SessionState(
        turn=3,
        snapshot="d1",
        language_code="en",
        parameters={"size": "M"},
        frames=[Frame(1, "p", {}, batch=[call])],
        frames_made=1,
    )
    assert SessionState.load(state.dump()) == state
