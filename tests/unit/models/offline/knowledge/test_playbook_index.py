"""What is learned of a playbook at once."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Declaration, DeclarationKind, ModelTurn
from openplaybook.models.offline.knowledge.playbook_index import IndexCache, PlaybookIndex, build_index
from openplaybook.models.offline.language.tokenizer import read, words_in
from openplaybook.resources.compiled_forms import InstructionStep
from tests.unit.models.offline.agents import pets
from tests.unit.models.offline.talk import Agent, Talk, example, function

TEXT: JsonObject = {"type": "string"}
END = Declaration("end_playbook", "Leave", {"properties": {"state": TEXT}}, None, DeclarationKind.END, "")


def indexed(cache: IndexCache, turn: ModelTurn) -> PlaybookIndex:
    return cache.known(turn) or cache.keep(turn, build_index(turn))


def turn(agent: Agent) -> ModelTurn:
    return Talk(agent).turn()


def greeted(*declarations: Declaration, language: str = "en") -> Agent:
    shown = example(
        "Full",
        "U: hi",
        "A: Hello.",
        "U: find the boat of Kim",
        ("findBoat", {"owner": "Kim"}, {"boat": "Anna"}),
        "A: Kim owns Anna.",
    )
    return Agent("Boats of Acme", declarations, (shown,), {}, language)


BOAT = function("findBoat", "Find a boat", {"owner": TEXT})


def test_functions_have_books_and_the_end_stands_apart() -> None:
    index = build_index(turn(greeted(BOAT, END)))
    assert list(index.books) == ["findBoat"]
    assert index.end is not None
    assert index.end.name == "end_playbook"
    assert build_index(turn(greeted(BOAT))).end is None


def test_exchanges_of_words_alone_are_kept_and_the_rest_is_taught() -> None:
    index = build_index(turn(greeted(BOAT)))
    assert [(said.kind, "".join(map(str, said.parts))) for said in index.exchanges] == [("greeting", "Hello.")]
    assert len(index.exchange_terms) == 1
    book = index.books["findBoat"]
    assert [sample.reading.text for sample in book.samples] == ["find the boat of Kim"]
    assert len(book.sample_terms) == len(book.answers) == 1


def test_words_that_the_agent_uses_otherwise_are_no_values() -> None:
    index = build_index(turn(greeted(BOAT)))
    assert {"find", "boat", "belong"} <= index.forbidden
    assert "kim" not in index.forbidden


def test_calls_of_functions_that_are_not_declared_teach_nothing() -> None:
    index = build_index(turn(greeted(function("other", "Other", {}))))
    assert (index.books["other"].samples, index.books["other"].answers) == ([], [])


def test_names_in_the_agents_own_texts_may_be_repeated() -> None:
    shown = example("x", "U: find Anna", ("findBoat", {"owner": "Kim"}, {"boat": "Anna"}), "A: At the Harbour is Anna.")
    agent = Agent("Boats", (BOAT,), (shown,), {})
    assert build_index(turn(agent)).books["findBoat"].answers == []
    assert len(build_index(turn(replace(agent, goal="Boats of the harbour"))).books["findBoat"].answers) == 1
    told = replace(turn(agent), instructions=(InstructionStep("Go", steps=(InstructionStep("to the harbour"),)),))
    assert len(build_index(told).books["findBoat"].answers) == 1


def test_in_german_every_noun_may_be_repeated() -> None:
    shown = example("x", "U: finde Anna", ("findBoat", {"owner": "Kim"}, {"boat": "Anna"}), "A: Im Hafen liegt Anna.")
    index = build_index(turn(Agent("Boote", (BOAT,), (shown,), {}, language="de")))
    assert len(index.books["findBoat"].answers) == 1


def test_an_empty_playbook_has_an_index() -> None:
    index = build_index(turn(Agent("", (), (), {})))
    assert (index.books, index.end, index.exchanges, index.forbidden, index.threshold) == (
        {},
        None,
        (),
        frozenset(),
        0.43,
    )


def test_what_was_learned_does_not_depend_on_what_was_learned_before() -> None:
    first, second = build_index(turn(pets.agent())), build_index(turn(pets.agent()))
    assert (first.threshold, first.forbidden) == (second.threshold, second.forbidden)
    assert first.weights == second.weights


def test_a_playbook_that_says_something_else_is_learned_anew() -> None:
    cache, one = IndexCache(), turn(greeted(BOAT))
    first = indexed(cache, one)
    assert indexed(cache, replace(one, conversation=(), planner_state={"last": "x"})) is first
    others = [
        replace(one, goal="Boats of the harbour"),
        replace(one, playbook="Harbour"),
        replace(one, instructions=(InstructionStep("Go to the harbour"),)),
        replace(one, language_code="de"),
    ]
    assert len({id(indexed(cache, other)) for other in [one, *others]}) == 5


def test_the_cache_keeps_the_playbooks_that_were_used_last() -> None:
    cache = IndexCache()
    turns = [turn(Agent("", (function(f"f{number}", "", {}),), (), {})) for number in range(33)]
    first = indexed(cache, turns[0])
    kept = [indexed(cache, one) for one in turns[1:32]]
    assert indexed(cache, turns[0]) is first
    indexed(cache, turns[32])
    assert indexed(cache, turns[0]) is first
    assert indexed(cache, turns[2]) is kept[1]
    assert indexed(cache, turns[1]) is not kept[0]


@given(st.text(max_size=200))
def test_words_are_found_without_being_read(text: str) -> None:
    assert list(words_in(text)) == [token.text.casefold() for token in read(text).words]


def test_an_index_that_was_built_elsewhere_is_known() -> None:
    cache, one = IndexCache(), turn(greeted(BOAT))
    assert cache.known(one) is None
    index = cache.keep(one, build_index(one))
    assert cache.known(one) is index
    assert indexed(cache, one) is index
    assert cache.known(turn(greeted(BOAT))) is index
