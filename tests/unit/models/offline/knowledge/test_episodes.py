from openplaybook.models.base import AgentText, ExampleDialogue, UserText
from openplaybook.models.offline.knowledge.episodes import episodes_of
from tests.unit.models.offline.talk import example


def shape(built: ExampleDialogue) -> list[tuple[list[str], list[str], str]]:
    return [
        ([entry.text for entry in one.utterances], [call.name for call, _ in one.steps], one.answer)
        for one in episodes_of(built)
    ]


def test_small_talk_before_a_call_is_an_episode_of_its_own() -> None:
    built = example(
        "x", "U: hi", "A: Hello! What would you like?", "U: go", ("f", {}, {}), "A: Done.", "U: thanks", "A: Welcome."
    )
    assert shape(built) == [
        (["hi", "Hello! What would you like?"], [], ""),
        (["go"], ["f"], "Done."),
        (["thanks", "Welcome."], [], ""),
    ]


def test_questions_before_a_call_belong_to_it() -> None:
    built = example("x", "U: book", "A: When?", "U: noon", "A: For whom?", "U: Kim", ("f", {}, {}), "A: Done.")
    (episode,) = episodes_of(built)
    assert episode.users == ["book", "noon", "Kim"]
    assert [episode.question_before(index) for index in range(3)] == ["", "When?", "For whom?"]
    assert episode.is_last


def test_calls_in_a_row_belong_together() -> None:
    built = example("x", "U: go", ("f", {}, {"a": 1}), ("g", {}, {}), "A: One.", "A: Two.")
    assert shape(built) == [(["go"], ["f", "g"], "One.\nTwo.")]
    assert all(result is not None for _, result in episodes_of(built)[0].steps)


def test_an_empty_example_and_one_that_the_agent_opens_do_no_harm() -> None:
    assert shape(ExampleDialogue("x", ())) == []
    opened = ExampleDialogue("x", (AgentText("Hello"), UserText("go")))
    assert shape(opened) == [(["Hello"], [], ""), (["go"], [], "")]
