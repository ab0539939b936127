from openplaybook.jsonvalues import JsonObject
from openplaybook.turns.journal.events import CallsIntended, ModelReplied, UserHeard
from openplaybook.turns.journal.session_state import CallKind, PendingCall
from openplaybook.turns.turn import Effort
from tests.kit.happenings import replied, settled


def call(arguments: JsonObject) -> PendingCall:
    return PendingCall("c", "m", "f", CallKind.TOOL, arguments)


def reply(*arguments: JsonObject) -> ModelReplied:
    return replied("", *map(call, arguments))


def test_decisions_and_equal_calls_are_counted() -> None:
    effort = Effort()
    for event in (reply({"a": 1}, {"a": 1}), reply({"a": 2}), reply()):
        effort.apply(event)
    assert effort.decisions == 3
    assert [effort.times_called(call({"a": n})) for n in (1, 2, 3)] == [2, 1, 0]


def test_a_turn_has_acted_once_a_call_was_sent_or_a_result_taken() -> None:
    heard, sent = UserHeard(frame=1, text="hi"), CallsIntended(calls=("c",))
    for event, acted in ((reply(), False), (heard, False), (sent, True), (settled("c"), True)):
        effort = Effort()
        effort.apply(event)
        assert effort.acted is acted
