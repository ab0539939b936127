"""Replaying recordings one after the other, each on its own."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.models.base import Model
from openplaybook.recordings.errors import RecordingError
from openplaybook.recordings.form import RecordedTurn, Recording, WordMatch
from openplaybook.recordings.recorded_model import RecordedModel
from openplaybook.recordings.replay import ReplayStage, replay
from openplaybook.recordings.replay_outcomes import ReplayOutcome
from openplaybook.recordings.turn_comparison import ComparisonOptions, compare


@dataclass(frozen=True, slots=True)
class Replays:
    """How recordings are replayed."""

    model: Model | None = None
    """None: the recorded one."""
    live_tools: bool = False
    words: WordMatch | None = None
    """None: as the recording says."""

    async def run(self, file: str, recording: Recording, stage: ReplayStage) -> ReplayOutcome:
        """Replay the recording of a file. That it cannot be is an outcome, too."""
        begun = time.perf_counter()
        try:
            happened = await replay(recording, stage, model=self.model, live_tools=self.live_tools)
        except RecordingError as error:
            return ReplayOutcome(file, problem=f"{file}: {error}")
        found = compare(recording, happened, ComparisonOptions(self.words, outputs=not self.live_tools))
        return ReplayOutcome(file, recording, happened, found, seconds=time.perf_counter() - begun)


def updated_recording(expected: Recording, happened: Recording, found: Sequence[Sequence[object]]) -> Recording:
    """The recording as it would be had it been made today; `found` are the differences of each turn.

    Turns that are the same stay as they are, with the marks that stand in them; so do turns that fail, as they show
    nothing.
    """
    turns: list[RecordedTurn] = []
    for one, other, differ in zip(expected.turns, happened.turns, found, strict=True):
        stays = other.failed is not None or (one.steps is not None and not differ)
        turns.append(one if stays else other.model_copy(update={"words": one.words}))
    changed: dict[str, object] = {"turns": turns, "agent": happened.agent}
    if all(turn.steps is not None for turn in turns):
        # What had to happen at some point now stands where it happens.
        changed["actions"] = []
    if happened.model != RecordedModel.name:
        changed["model"] = happened.model
    return expected.model_copy(update=changed)
