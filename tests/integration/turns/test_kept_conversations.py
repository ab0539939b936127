"""Conversations in memory: bounded by what they weigh, and read again when they are not there."""

import pytest

from openplaybook.models.base import UserText
from openplaybook.turns.session import stored_sessions
from tests.integration.turns.conftest import SetStage, asked
from tests.kit.agents import AGENT, SESSION, AgentDraft, says


def desk() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Help.", start=True)
    return draft


async def test_heavy_conversations_make_room_and_go_on_from_the_store(
    set_stage: SetStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_sessions, "_KEPT_BYTES", 10_000)
    stage = await set_stage(desk(), *[says("Yes.")] * 6)
    reads: list[str] = []
    history = stage.store.history

    async def counted(session: str, *, turns: int = 1000, before: int | None = None) -> object:
        reads.append(session[-1])
        return await history(session, turns=turns, before=before)

    setattr(stage.store, "history", counted)  # noqa: B010 - a method cannot be assigned to otherwise
    for session, words in [("1", "a"), ("1", "b"), ("2", "c" * 9_500), ("2", "d"), ("1", "e"), ("2", "f")]:
        await stage.run(asked(words, session=f"{AGENT}/sessions/{session}"))
    # The first is pushed out by the second, which alone is more than may be kept, and comes back for it.
    assert reads == ["1", "2"]
    assert [entry.text for entry in stage.model.asked[-1].conversation if isinstance(entry, UserText)] == [
        "c" * 9_500,
        "d",
        "f",
    ]


@pytest.mark.parametrize("how", ["deleted", "expired"])
async def test_what_was_said_in_an_earlier_life_is_not_taken_for_what_another_process_heard_since(
    set_stage: SetStage, how: str
) -> None:
    stage = await set_stage(desk(), *[says("Yes.")] * 3)
    await stage.say("my number is 4711", session_ttl_s=1e-6 if how == "expired" else None)
    if how == "deleted":
        await stage.store.delete_session(SESSION)
    here, stage.engine = stage.engine, stage.new_engine("another")
    await stage.say("hello")
    stage.engine = here
    await stage.say("who am I?")
    assert [entry.text for entry in stage.model.asked[-1].conversation if isinstance(entry, UserText)] == [
        "hello",
        "who am I?",
    ]
