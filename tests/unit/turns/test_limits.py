from openplaybook.turns.journal import events
from openplaybook.turns.journal.events import Event
from openplaybook.turns.turn import Effort


def reply(*arguments: object) -> Event:
    return Event(events.REPLY, {"calls": [{"name": "f", "arguments": each} for each in arguments]})


def test_decisions_and_equal_calls_are_counted() -> None:
    effort = Effort()
    for event in (reply({"a": 1}, {"a": 1}), reply({"a": 2}), reply()):
        effort.apply(event)
    assert effort.decisions == 3
    assert [effort.times_called({"name": "f", "arguments": {"a": n}}) for n in (1, 2, 3)] == [2, 1, 0]


def test_a_turn_has_acted_once_a_call_was_sent_or_a_result_taken() -> None:
    for kind, acted in ((events.REPLY, False), (events.HEARD, False), (events.INTENT, True), (events.RESULT, True)):
        effort = Effort()
        effort.apply(Event(kind, {"calls": []}))
        assert effort.acted is acted
