"""Two recordings side by side."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.recordings.differences import ABSENT, ReplayDifference
from openplaybook.recordings.form import ClientCall, ExpectedAction, RecordedTurn, Recording
from openplaybook.recordings.matchers import WordMatch
from openplaybook.recordings.step_form import (
    Enter,
    Leave,
    Notice,
    OtherEvent,
    RecordedCall,
    RecordedDecision,
    RecordedError,
    RecordedRequest,
    Say,
    Settle,
    Step,
)
from openplaybook.recordings.turn_comparison import ComparisonOptions, compare


def turn(*steps: Step, **more: object) -> RecordedTurn:
    return RecordedTurn.model_validate({"user": "hello", "steps": list(steps), **more})


def shown(expected: RecordedTurn, happened: RecordedTurn, **options: object) -> list[ReplayDifference]:
    asked = ComparisonOptions(**options)  # pyright: ignore[reportArgumentType]
    [found] = compare(Recording(turns=[expected]), Recording(turns=[happened]), asked)
    return found


def call(**more: object) -> RecordedDecision:
    return RecordedDecision(decides="S", calls=[RecordedCall.model_validate({"tool": "pets", "action": "get", **more})])


GONE = RecordedError(code="HTTP_ERROR", message="gone")
HALF = RecordedCall(tool="till", action="pay", error=GONE)


@pytest.mark.parametrize(
    ("expected", "happened", "difference"),
    [
        (
            Enter(enters="A", inputs={"x": 1}),
            Enter(enters="A", inputs={"x": 2}),
            ReplayDifference("enters A inputs $.x", 1, 2),
        ),
        (
            Leave(leaves="A", state="OK"),
            Leave(leaves="A", state="FAILED"),
            ReplayDifference("leaves A state $", "OK", "FAILED"),
        ),
        (
            Notice(notice="N", message="a"),
            Notice(notice="N", message="b"),
            ReplayDifference("notice N message $", "a", "b"),
        ),
        (
            OtherEvent(event="handler", data={"stage": "s", "rests": True}),
            OtherEvent(event="handler", data={"stage": "s"}),
            ReplayDifference("handler s rests", True, ABSENT),
        ),
        (call(arguments={"id": 1}), call(arguments={"id": 2}), ReplayDifference("pets.get $.id", 1, 2)),
        (call(output={"a": 1}), call(output={}), ReplayDifference("pets.get output $.a", 1, ABSENT)),
        (call(output={}), call(error=GONE), ReplayDifference("pets.get fails", ABSENT, "HTTP_ERROR: gone")),
        (
            call(request=RecordedRequest(method="GET", path="/a")),
            call(request=RecordedRequest(method="PUT", path="/a")),
            ReplayDifference("pets.get request $.method", "GET", "PUT"),
        ),
    ],
)
def test_what_is_told_of_a_step_is_compared(expected: Step, happened: Step, difference: ReplayDifference) -> None:
    assert shown(turn(expected), turn(happened)) == [difference]


def test_steps_without_a_counterpart_stand_alone_and_do_not_shift_the_others() -> None:
    settle = Settle(settles="pets.get", error=RecordedError(code="CANCELLED"))
    expected = turn(Enter(enters="A"), call(arguments={"id": 1}), Enter(enters="B"))
    happened = turn(settle, Enter(enters="A"), Enter(enters="B"), RecordedDecision(decides="B", calls=[HALF]))
    assert shown(expected, happened) == [
        ReplayDifference("pets.get ends with CANCELLED", ABSENT, "pets.get ends with CANCELLED"),
        ReplayDifference("pets.get", {"id": 1}, ABSENT),
        ReplayDifference("till.pay", ABSENT, "HTTP_ERROR: gone"),
    ]


def test_a_request_is_compared_where_both_tell_of_one() -> None:
    assert shown(turn(call(request=RecordedRequest(method="GET", path="/a"))), turn(call())) == []


def test_fields_of_a_form_are_compared_where_both_tell_of_them() -> None:
    def sent(form: list[JsonObject] | None) -> RecordedTurn:
        return turn(call(request=RecordedRequest(method="POST", path="/a", form=form)))

    assert shown(sent(None), sent([{"a": "1"}])) == []
    assert shown(sent([{"a": "1"}]), sent([{"a": "2"}])) == [ReplayDifference("pets.get request form $[0].a", "1", "2")]


def test_errors_are_the_same_by_their_code() -> None:
    other = RecordedError(code="HTTP_ERROR", message="not there")
    assert shown(turn(call(error=GONE)), turn(call(error=other))) == []


def test_answers_of_live_tools_are_not_compared_but_that_they_fail_is() -> None:
    assert shown(turn(call(output={"a": 1})), turn(call(output={"a": 2})), outputs=False) == []
    [found] = shown(turn(call(output={"a": 1})), turn(call(error=GONE)), outputs=False)
    assert found == ReplayDifference("pets.get fails", ABSENT, "HTTP_ERROR: gone")


def test_words_are_compared_as_a_whole_however_many_decisions_said_them() -> None:
    one = turn(RecordedDecision(decides="S", says="One."), RecordedDecision(decides="S", says="Two."))
    other = turn(RecordedDecision(decides="S", says="One."), Say(engine="Two."))
    assert [each.where for each in shown(one, other)] == ["the engine speaks"]
    assert shown(one, turn(RecordedDecision(decides="S", says="One!\nTwo!"))) == [
        ReplayDifference("says", "One.\nTwo.", "One!\nTwo!")
    ]
    assert shown(one, turn(RecordedDecision(decides="S", says="one two")), words=WordMatch.NORMALISED) == []


def test_a_turn_says_how_its_words_are_compared_unless_it_is_asked_otherwise() -> None:
    expected, happened = (
        turn(RecordedDecision(decides="S", says="a"), words="ignored"),
        turn(RecordedDecision(decides="S", says="b")),
    )
    assert shown(expected, happened) == []
    assert shown(expected, happened, words=WordMatch.EXACT) == [ReplayDifference("says", "a", "b")]


def test_the_end_of_a_turn_is_compared() -> None:
    ask = ClientCall(tool="pets", action="get", arguments={"id": 1})
    expected = turn(asks=[ask.model_dump()], at="A", sets={"x": 1})
    assert shown(expected, turn(at="B", sets={"x": 2})) == [
        ReplayDifference("asks the client for pets.get", {"id": 1}, ABSENT),
        ReplayDifference("sets session parameters $.x", 1, 2),
        ReplayDifference("playbook after the turn", "A", "B"),
    ]
    assert shown(turn(at="A"), turn(stopped={"code": "TIMED_OUT", "message": "late"})) == [
        ReplayDifference("the turn is cut short", ABSENT, "TIMED_OUT: late")
    ]
    assert shown(turn(at="A"), turn(failed={"code": "NO_SUCH_AGENT", "message": "gone"})) == [
        ReplayDifference("the turn fails", ABSENT, "NO_SUCH_AGENT: gone")
    ]


def test_where_nothing_is_expected_of_the_way_only_what_is_named_is_compared() -> None:
    happened = turn(Enter(enters="A"), RecordedDecision(decides="A", says="Hi!"), sets={"x": 1, "y": 2}, at="A")
    assert shown(RecordedTurn(user="hello", says=["Hi!"], sets={"x": 1}), happened) == []
    assert shown(RecordedTurn(user="hello", sets={"x": 2, "z": None}), happened) == [
        ReplayDifference("sets session parameters $.x", 2, 1),
        ReplayDifference("sets session parameters $.z", None, ABSENT),
    ]


@pytest.mark.parametrize(
    ("actions", "found"),
    [
        ([{"playbook": "A"}, {"tool": "pets", "action": "get"}], []),
        ([{"tool": "pets", "action": "get", "arguments": {"id": "[any]"}}], []),
        (
            [{"tool": "pets", "action": "get", "arguments": {"id": 2}}, {"playbook": "A"}],
            [ReplayDifference("pets.get $.id", 2, 1), ReplayDifference("A, expected in the conversation", "A", ABSENT)],
        ),
    ],
)
def test_expected_actions_are_looked_for_in_their_order(
    actions: list[JsonObject], found: list[ReplayDifference]
) -> None:
    expected = Recording(
        turns=[RecordedTurn(user="hello")], actions=[ExpectedAction.model_validate(each) for each in actions]
    )
    happened = Recording(turns=[turn(Enter(enters="A"), call(arguments={"id": 1}))])
    assert compare(expected, happened) == [found]
