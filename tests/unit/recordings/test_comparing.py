"""Two recordings side by side."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.recordings.comparing import Options, compare
from openplaybook.recordings.differences import ABSENT, Difference
from openplaybook.recordings.form import Action, Asked, Recording, Turn, Words
from openplaybook.recordings.happenings import (
    Call,
    Decision,
    Enter,
    Error,
    Happening,
    Leave,
    Notice,
    Request,
    Say,
    Settle,
    Step,
)


def turn(*steps: Step, **more: object) -> Turn:
    return Turn.model_validate({"user": "hello", "steps": list(steps), **more})


def shown(expected: Turn, happened: Turn, **options: object) -> list[Difference]:
    asked = Options(**options)  # pyright: ignore[reportArgumentType]
    [found] = compare(Recording(turns=[expected]), Recording(turns=[happened]), asked)
    return found


def call(**more: object) -> Decision:
    return Decision(decides="S", calls=[Call.model_validate({"tool": "pets", "action": "get", **more})])


GONE = Error(code="HTTP_ERROR", message="gone")
HALF = Call(tool="till", action="pay", error=GONE)


@pytest.mark.parametrize(
    ("expected", "happened", "difference"),
    [
        (
            Enter(enters="A", inputs={"x": 1}),
            Enter(enters="A", inputs={"x": 2}),
            Difference("enters A inputs $.x", 1, 2),
        ),
        (
            Leave(leaves="A", state="OK"),
            Leave(leaves="A", state="FAILED"),
            Difference("leaves A state $", "OK", "FAILED"),
        ),
        (Notice(notice="N", message="a"), Notice(notice="N", message="b"), Difference("notice N message $", "a", "b")),
        (
            Happening(event="handler", data={"stage": "s", "rests": True}),
            Happening(event="handler", data={"stage": "s"}),
            Difference("handler s rests", True, ABSENT),
        ),
        (call(arguments={"id": 1}), call(arguments={"id": 2}), Difference("pets.get $.id", 1, 2)),
        (call(output={"a": 1}), call(output={}), Difference("pets.get output $.a", 1, ABSENT)),
        (call(output={}), call(error=GONE), Difference("pets.get fails", ABSENT, "HTTP_ERROR: gone")),
        (
            call(request=Request(method="GET", path="/a")),
            call(request=Request(method="PUT", path="/a")),
            Difference("pets.get request $.method", "GET", "PUT"),
        ),
    ],
)
def test_what_is_told_of_a_step_is_compared(expected: Step, happened: Step, difference: Difference) -> None:
    assert shown(turn(expected), turn(happened)) == [difference]


def test_steps_without_a_counterpart_stand_alone_and_do_not_shift_the_others() -> None:
    settle = Settle(settles="pets.get", error=Error(code="CANCELLED"))
    expected = turn(Enter(enters="A"), call(arguments={"id": 1}), Enter(enters="B"))
    happened = turn(settle, Enter(enters="A"), Enter(enters="B"), Decision(decides="B", calls=[HALF]))
    assert shown(expected, happened) == [
        Difference("pets.get ends with CANCELLED", ABSENT, "pets.get ends with CANCELLED"),
        Difference("pets.get", {"id": 1}, ABSENT),
        Difference("till.pay", ABSENT, "HTTP_ERROR: gone"),
    ]


def test_a_request_is_compared_where_both_tell_of_one() -> None:
    assert shown(turn(call(request=Request(method="GET", path="/a"))), turn(call())) == []


def test_fields_of_a_form_are_compared_where_both_tell_of_them() -> None:
    def sent(form: list[JsonObject] | None) -> Turn:
        return turn(call(request=Request(method="POST", path="/a", form=form)))

    assert shown(sent(None), sent([{"a": "1"}])) == []
    assert shown(sent([{"a": "1"}]), sent([{"a": "2"}])) == [Difference("pets.get request form $[0].a", "1", "2")]


def test_errors_are_the_same_by_their_code() -> None:
    other = Error(code="HTTP_ERROR", message="not there")
    assert shown(turn(call(error=GONE)), turn(call(error=other))) == []


def test_answers_of_live_tools_are_not_compared_but_that_they_fail_is() -> None:
    assert shown(turn(call(output={"a": 1})), turn(call(output={"a": 2})), outputs=False) == []
    [found] = shown(turn(call(output={"a": 1})), turn(call(error=GONE)), outputs=False)
    assert found == Difference("pets.get fails", ABSENT, "HTTP_ERROR: gone")


def test_words_are_compared_as_a_whole_however_many_decisions_said_them() -> None:
    one = turn(Decision(decides="S", says="One."), Decision(decides="S", says="Two."))
    other = turn(Decision(decides="S", says="One."), Say(engine="Two."))
    assert [each.where for each in shown(one, other)] == ["the engine speaks"]
    assert shown(one, turn(Decision(decides="S", says="One!\nTwo!"))) == [
        Difference("says", "One.\nTwo.", "One!\nTwo!")
    ]
    assert shown(one, turn(Decision(decides="S", says="one two")), words=Words.NORMALISED) == []


def test_a_turn_says_how_its_words_are_compared_unless_it_is_asked_otherwise() -> None:
    expected, happened = turn(Decision(decides="S", says="a"), words="ignored"), turn(Decision(decides="S", says="b"))
    assert shown(expected, happened) == []
    assert shown(expected, happened, words=Words.EXACT) == [Difference("says", "a", "b")]


def test_the_end_of_a_turn_is_compared() -> None:
    ask = Asked(tool="pets", action="get", arguments={"id": 1})
    expected = turn(asks=[ask.model_dump()], at="A", sets={"x": 1})
    assert shown(expected, turn(at="B", sets={"x": 2})) == [
        Difference("asks the client for pets.get", {"id": 1}, ABSENT),
        Difference("sets session parameters $.x", 1, 2),
        Difference("playbook after the turn", "A", "B"),
    ]
    assert shown(turn(at="A"), turn(stopped={"code": "TIMED_OUT", "message": "late"})) == [
        Difference("the turn is cut short", ABSENT, "TIMED_OUT: late")
    ]
    assert shown(turn(at="A"), turn(failed={"code": "NO_SUCH_AGENT", "message": "gone"})) == [
        Difference("the turn fails", ABSENT, "NO_SUCH_AGENT: gone")
    ]


def test_where_nothing_is_expected_of_the_way_only_what_is_named_is_compared() -> None:
    happened = turn(Enter(enters="A"), Decision(decides="A", says="Hi!"), sets={"x": 1, "y": 2}, at="A")
    assert shown(Turn(user="hello", says=["Hi!"], sets={"x": 1}), happened) == []
    assert shown(Turn(user="hello", sets={"x": 2, "z": None}), happened) == [
        Difference("sets session parameters $.x", 2, 1),
        Difference("sets session parameters $.z", None, ABSENT),
    ]


@pytest.mark.parametrize(
    ("actions", "found"),
    [
        ([{"playbook": "A"}, {"tool": "pets", "action": "get"}], []),
        ([{"tool": "pets", "action": "get", "arguments": {"id": "[any]"}}], []),
        (
            [{"tool": "pets", "action": "get", "arguments": {"id": 2}}, {"playbook": "A"}],
            [Difference("pets.get $.id", 2, 1), Difference("A, expected in the conversation", "A", ABSENT)],
        ),
    ],
)
def test_expected_actions_are_looked_for_in_their_order(actions: list[JsonObject], found: list[Difference]) -> None:
    expected = Recording(turns=[Turn(user="hello")], actions=[Action.model_validate(each) for each in actions])
    happened = Recording(turns=[turn(Enter(enters="A"), call(arguments={"id": 1}))])
    assert compare(expected, happened) == [found]
