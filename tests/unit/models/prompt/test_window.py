from hypothesis import given
from hypothesis import strategies as st

from openplaybook.models.base import AgentText, Entry, FunctionCall, FunctionResult, ProviderReply, UserText
from openplaybook.models.prompt.size import entry_tokens
from openplaybook.models.prompt.window import fit

texts = st.text(max_size=40)
user = st.builds(UserText, texts)
agent = st.builds(AgentText, texts)


@st.composite
def rounds(draw: st.DrawFn) -> list[Entry | ProviderReply]:
    """A reply with calls, and their results."""
    ids = draw(st.lists(st.uuids().map(str), min_size=1, max_size=3, unique=True))
    outputs = {id: draw(texts) for id in ids}
    opening: list[Entry | ProviderReply] = draw(st.sampled_from([[], [ProviderReply("m", {"x": 1}), AgentText("hm")]]))
    calls = [FunctionCall(id, "f", {}) for id in ids]
    return [*opening, *calls, *(FunctionResult(id, "f", output) for id, output in outputs.items())]


pieces = st.one_of(user.map(lambda entry: [entry]), agent.map(lambda entry: [entry]), rounds())
conversations = st.lists(pieces, min_size=1, max_size=12).map(
    lambda found: [entry for piece in found for entry in piece]
)


def size(entries: list[Entry | ProviderReply]) -> int:
    return sum(map(entry_tokens, entries))


@given(conversations, st.integers(0, 400))
def test_a_window_never_parts_a_call_from_its_result(conversation: list[Entry | ProviderReply], budget: int) -> None:
    kept, _ = fit(conversation, budget)
    calls = {entry.id for entry in kept if isinstance(entry, FunctionCall)}
    results = {entry.id for entry in kept if isinstance(entry, FunctionResult)}
    assert calls == results


@given(conversations, st.integers(0, 400))
def test_a_window_keeps_the_end_and_says_what_it_left_out(
    conversation: list[Entry | ProviderReply], budget: int
) -> None:
    kept, left_out = fit(conversation, budget)
    if not left_out:
        assert list(kept) == conversation
        return
    marker, *rest = kept
    assert marker == UserText(f"[Earlier conversation left out ({left_out} entries).]")
    assert len(rest) == len(conversation) - left_out
    assert rest[-1] == conversation[-1]
    remaining = iter(conversation)
    assert all(entry in remaining for entry in rest)


@given(conversations, st.integers(0, 400))
def test_a_window_keeps_the_latest_words_of_the_user(conversation: list[Entry | ProviderReply], budget: int) -> None:
    kept, _ = fit(conversation, budget)
    spoken = [entry for entry in conversation if isinstance(entry, UserText)]
    assert not spoken or spoken[-1] in kept


@given(conversations, st.integers(0, 400))
def test_a_window_is_exceeded_only_by_the_latest_exchange(
    conversation: list[Entry | ProviderReply], budget: int
) -> None:
    kept = list(fit(conversation, budget)[0])
    if size(kept) > budget:
        assert sum(isinstance(entry, UserText) for entry in kept[1:]) <= 1


def exchange(number: int) -> list[Entry | ProviderReply]:
    return [
        UserText(f"question {number}"),
        FunctionCall(f"c{number}", "f", {}),
        FunctionResult(f"c{number}", "f", {"x": "y" * 40}),
        AgentText(f"answer {number}"),
    ]


def test_the_oldest_exchanges_go_first() -> None:
    conversation = [*exchange(1), *exchange(2), *exchange(3)]
    kept, left_out = fit(conversation, size(conversation) - 1)
    assert left_out == 4
    assert list(kept) == [UserText("[Earlier conversation left out (4 entries).]"), *exchange(2), *exchange(3)]


def test_in_a_long_exchange_the_oldest_rounds_go() -> None:
    said = UserText("do it")
    loop = [entry for number in range(5) for entry in exchange(number)[1:3]]
    kept, left_out = fit([*exchange(9), said, *loop], 70)
    assert left_out == 4 + 6
    assert list(kept) == [UserText("[Earlier conversation left out (10 entries).]"), said, *loop[6:]]


def test_the_last_round_stays_however_long_it_is() -> None:
    long = FunctionResult("c", "f", "x" * 5000)
    conversation = [UserText("do it"), *exchange(1)[1:3], FunctionCall("c", "f", {}), long]
    kept, left_out = fit(conversation, 10)
    assert left_out == 2
    assert list(kept)[1:] == [UserText("do it"), FunctionCall("c", "f", {}), long]


def test_an_empty_conversation_fits() -> None:
    assert fit([], 0) == ([], 0)
