"""Recordings as YAML."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue, dumps, number_of
from openplaybook.recordings.errors import UnreadableRecording
from openplaybook.recordings.form import ClientCall, ClientResult, RecordedSettings, RecordedTurn, Recording
from openplaybook.recordings.matchers import WordMatch
from openplaybook.recordings.recording_yaml import parse_recording, read_recording, write_recording
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
from tests.kit.hostile.texts import HOSTILE_TEXTS

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.sampled_from(
    ["no", "1e3", "0o14", "2024-01-01", "~", "=", "<<", " x", "a\n b\n", "\n", "\ta", "a: b", "# a", "null", "12:30"]
)
numbers = (
    st.integers(-(2**53), 2**53)
    | st.integers(-(10**40), 10**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.decimals(allow_nan=False, allow_infinity=False).map(str).map(number_of)
    | st.sampled_from(["1E+400", "-1E-400", "0.12345678901234567890"]).map(number_of)
)
scalars = st.none() | st.booleans() | numbers
names = st.sampled_from(["", "zeta", "no", "1e3", "a: b", "a\n b\n"])
values: st.SearchStrategy[JsonValue] = st.recursive(
    scalars | texts, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)
objects = st.dictionaries(texts, values, max_size=3)
errors = st.builds(RecordedError, code=texts, message=texts)
requests = st.builds(RecordedRequest, method=texts, path=texts, body=values) | st.builds(
    RecordedRequest,
    method=names,
    path=names,
    form=st.lists(st.dictionaries(names, names, min_size=1, max_size=1), max_size=2),
)
calls = st.builds(
    RecordedCall,
    tool=texts.filter(bool),
    action=texts,
    arguments=objects | texts,
    request=st.none() | requests,
    output=values,
    error=st.none() | errors,
    note=texts,
    sets=st.dictionaries(names, names, max_size=1),
) | st.builds(RecordedCall, playbook=texts.filter(bool), arguments=objects)
steps: st.SearchStrategy[Step] = st.one_of(
    st.builds(RecordedDecision, decides=texts, says=texts, withheld=names, calls=st.lists(calls, max_size=2)),
    st.builds(Enter, enters=texts, inputs=objects),
    st.builds(Leave, leaves=texts, state=texts, outputs=objects),
    st.builds(Settle, settles=texts, error=errors),
    st.builds(Say, engine=texts, code=texts),
    st.builds(Notice, notice=texts, message=texts),
    st.builds(OtherEvent, event=texts, data=objects),
)
results = st.builds(ClientResult, tool=names, action=names, call=st.none() | st.integers(1, 9), output=objects)
turns = st.builds(
    RecordedTurn,
    user=texts,
    parameters=objects,
    removes=st.lists(names, max_size=1),
    entry=names,
    fakes=st.booleans(),
    history=st.none() | st.lists(st.dictionaries(names, names, max_size=1), max_size=1),
    settings=st.builds(RecordedSettings, model=st.none() | texts, temperature=st.none() | st.floats(0, 2)),
    words=st.none() | st.sampled_from(WordMatch),
    steps=st.none() | st.lists(steps, max_size=3),
    asks=st.none() | st.lists(st.builds(ClientCall, tool=texts, action=texts, arguments=objects), max_size=2),
    sets=objects,
    stopped=st.none() | errors,
) | st.one_of(
    st.builds(RecordedTurn, result=results),
    st.builds(RecordedTurn, results=st.lists(results, min_size=1, max_size=2)),
    st.builds(RecordedTurn, silent=st.just(True)),
)
recordings = st.builds(
    Recording,
    title=texts,
    agent=texts,
    language=texts,
    words=st.sampled_from(WordMatch),
    turns=st.lists(turns, max_size=3),
)


@pytest.mark.proves("X6")
@given(recordings)
def test_what_is_written_is_read_back_the_same(recording: Recording) -> None:
    assert parse_recording(write_recording(recording)) == recording


def test_long_texts_are_blocks_and_members_stand_in_a_fixed_order() -> None:
    call = RecordedCall(tool="pets", action="getPet", arguments={"petId": 3}, output={"200": {"name": "Rex"}})
    turn = RecordedTurn(
        user="pet 3?", steps=[RecordedDecision(decides="Start", says="Rex.\nA dog.", calls=[call])], at="Start"
    )
    head, _, body = write_recording(Recording(title="Pets: one", agent="Pets", turns=[turn])).partition(
        "recording: 1\n"
    )
    assert all(line.startswith("# ") for line in head.splitlines())
    assert body == (
        'title: "Pets: one"\n'
        "agent: Pets\n"
        "turns:\n"
        "- user: pet 3?\n"
        "  steps:\n"
        "  - decides: Start\n"
        "    says: |-\n"
        "      Rex.\n"
        "      A dog.\n"
        "    calls:\n"
        "    - tool: pets\n"
        "      action: getPet\n"
        "      arguments:\n"
        "        petId: 3\n"
        "      output:\n"
        '        "200":\n'
        "          name: Rex\n"
        "  at: Start\n"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("recording: 1\nturns: [", "is no YAML: line 3, column 1: "),
        ("title: x\n", "is no recording: it has no member `recording: 1`"),
        ("[1]\n", "is no recording: it has no member `recording: 1`"),
        ("recording: 0\nturns: []\n", "line 1, $.recording: Input should be greater than or equal to 1"),
        (
            "turns: []\nunknown: 1\nrecording: 2\n",
            "line 3, $.recording: the recording has form 2, and this version of OpenPlaybook reads form 1 only; "
            "use a newer version, or record the conversation again",
        ),
        ("recording: 1\nturns: []\nturn: []\n", "line 3, $.turn: no such member"),
        ("recording: 1\nturns: [3]\n", "line 2, $.turns[0]: Input should be a valid dictionary"),
        (
            "recording: 1\nturns:\n- language: en\n",
            "line 3, $.turns[0]: give exactly one of user, event, result, results, silent",
        ),
        (
            "recording: 1\nturns:\n- user: a\n  steps:\n  - said: b\n",
            "line 5, $.turns[0].steps[0]: a step has one of decides, enters, leaves, settles, engine, notice, event",
        ),
        (
            "recording: 1\nturns:\n- user: a\n  steps:\n  - decides: S\n    calls:\n    - action: b\n",
            "line 7, $.turns[0].steps[0].calls[0]: give exactly one of tool, playbook, end, function",
        ),
        ("recording: 1\nrecording: 1\nturns: []\n", "line 2, $.recording: given twice"),
        ("recording: 1\nturns: &a []\nactions: *a\n", "aliases (*NAME) are not allowed"),
        ("recording: 1\nturns: !!python/name:os.system\n", "line 2, $.turns: "),
        ("recording: 1\nwords: loose\nturns: []\n", "line 2, $.words: Input should be 'exact', 'normalised'"),
    ],
)
def test_a_file_that_is_no_recording_is_refused_with_the_place(text: str, said: str) -> None:
    with pytest.raises(UnreadableRecording) as refused:
        parse_recording(text)
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_deep_nesting_is_refused_before_it_ends_the_process(opening: str) -> None:
    with pytest.raises(UnreadableRecording, match=r"^more than 200 levels lie within each other$"):
        parse_recording(f"recording: 1\nturns:\n  {opening * 50_000}a")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableRecording, match=r"gone\.yaml: No such file or directory"):
        read_recording(tmp_path / "gone.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(UnreadableRecording, match=r"binary\.yaml: not UTF-8 at byte 0"):
        read_recording(tmp_path / "binary.yaml")


@pytest.mark.parametrize(
    "name", ["values in values", "keys in keys", "items in items", "open brackets", "keys of lists"]
)
def test_a_foreign_recording_that_ends_parsers_is_refused(name: str) -> None:
    with pytest.raises(UnreadableRecording):
        parse_recording(HOSTILE_TEXTS[name])


def test_members_stay_in_the_order_in_which_they_are() -> None:
    value: JsonValue = {"zeta": {"b": 1, "a": [{"y": 1, "x": 2}]}, "alpha": {}, "7": None}
    call = RecordedCall(tool="t", action="a", arguments=value, output=value, sets=value)
    turn = RecordedTurn(user="u", parameters=value, sets=value, steps=[RecordedDecision(decides="S", calls=[call])])
    [again] = parse_recording(write_recording(Recording(turns=[turn]))).turns
    [written] = [each for step in again.steps or () if isinstance(step, RecordedDecision) for each in step.calls]
    found = (again.parameters, again.sets, written.arguments, written.output, written.sets)
    assert [dumps(each) for each in found] == [dumps(value)] * 5


@pytest.mark.parametrize(
    ("members", "allowed"),
    [
        ("silent: true", True),
        ("results: [{tool: t, action: a, output: {}}, {tool: t, action: a, call: 2, error: no}]", True),
        ("results: []", False),
        ("silent: false", False),
        ("{silent: true, user: hello}", False),
        ("result: {tool: t, action: a, call: 0, output: {}}", False),
    ],
)
def test_a_turn_has_one_input(members: str, allowed: bool) -> None:
    text = f"recording: 1\nturns:\n- {members}\n"
    if allowed:
        assert len(parse_recording(text).turns) == 1
    else:
        with pytest.raises(UnreadableRecording, match=r"give exactly one of user, event, result|greater than or equal"):
            parse_recording(text)
