"""A turn whose files cannot be kept, since too many others are being kept: what it did before is not forgotten."""

import pytest

from openplaybook.storage.errors import StoreUnusable
from openplaybook.tools import session_files
from openplaybook.turns.base import GivenFile, TextMessage
from openplaybook.workers.errors import WorkersBusy
from openplaybook.workers.lanes import FILES, Lane
from tests.faults.points import arm_store
from tests.integration.turns.conftest import SetStage
from tests.integration.turns.test_store_refusals import FULL, Refuses, pets, replied

NO_PLACE = Lane("files", threads=0, waiting=0, seconds=1)
LARGE = (GivenFile("photo.png", "image/png", bytes(2_000_000)),)


async def test_a_turn_that_was_cut_short_is_not_forgotten_where_its_file_finds_no_place(
    set_stage: SetStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = pets()
    stage = await set_stage(draft, *[replied] * 6)
    arm_store(stage.store, Refuses("commit.before", 2, FULL))
    with pytest.raises(StoreUnusable):
        await stage.say("add Rex", files=LARGE)
    monkeypatch.setattr(session_files, "FILES", NO_PLACE)
    with pytest.raises(WorkersBusy):
        await stage.say("add Rex", files=LARGE)
    monkeypatch.setattr(session_files, "FILES", FILES)
    result = await stage.say("add Rex", files=LARGE)
    assert result.messages == (TextMessage("I do not know."),)
    assert len(draft.shelf.tools["pets"].invoked) == 1
