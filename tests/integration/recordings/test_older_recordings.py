"""A recording that an earlier build of form 1 wrote: members by name, and none of those that came later."""

import pytest

from openplaybook.recordings.recording_yaml import parse_recording
from openplaybook.tools.base import ExecutionPlace, Success
from tests.kit.agents import AgentDraft
from tests.kit.recordings import found

WRITTEN = """\
recording: 1
agent: Test
model: played
turns:
- user: return Rex
  parameters:
    city: Rome
    mood: good
  steps:
  - enters: Start
  - decides: Start
    says: One moment.
    calls:
    - tool: pets
      action: getPet
      arguments:
        full: true
        petId: 3
      output:
        "200":
          age: 3
          name: Rex
    - tool: weather
      action: weather
      arguments:
        at: noon
        city: Rome
  asks:
  - tool: weather
    action: weather
    arguments:
      at: noon
      city: Rome
  at: Start
- result:
    tool: weather
    action: weather
    output:
      sky: blue
      temperature: 20
  steps:
  - decides: Start
    calls:
    - playbook: Returns
  - enters: Returns
  - decides: Returns
    calls:
    - end: true
      arguments:
        done: true
        state: OK
  - leaves: Returns
    state: OK
    outputs:
      done: true
  - decides: Start
    says: Rex is back.
  at: Start
"""


def shop() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets}, ${TOOL: weather}, then ${PLAYBOOK: Returns}.", start=True)
    draft.playbook("Returns", "Use ${TOOL: pets}.", outputParameterDefinitions=[{"name": "done"}])
    draft.tool("pets", "getPet", answer=lambda call, context: Success({"200": {"name": "Rex", "age": 3}}))
    draft.tool("weather", place=ExecutionPlace.CLIENT)
    return draft


@pytest.mark.proves("X6")
async def test_a_recording_of_an_earlier_build_is_read_and_replayed_without_a_difference() -> None:
    recording = parse_recording(WRITTEN)
    assert [len(turn.steps or ()) for turn in recording.turns] == [2, 5]
    assert await found(recording, shop()) == [[], []]
