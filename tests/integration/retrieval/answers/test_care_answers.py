"""Questions to the demo's documents about the care of pets, as they are read, searched and answered without a model."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.demo.demo_agent import CARE_STORE, care_documents
from openplaybook.retrieval.answers.base import AnswerRequest, AskedStore, GroundedAnswer, SpokenLine
from openplaybook.retrieval.answers.pipeline import answer
from openplaybook.retrieval.base import StoreDocument, StoreFacts, StoreType
from openplaybook.retrieval.embedded_engine import EmbeddedEngine
from openplaybook.retrieval.ingestion.document_form import document_form
from openplaybook.retrieval.ingestion.document_reader import DocumentReader, digested
from openplaybook.retrieval.ingestion.reading_options import StoreReading
from tests.kit.memory_catalog import MemoryCatalog

FACTS = StoreFacts(CARE_STORE, "Pet care", StoreType.UNSTRUCTURED, "en")
FEEDING = "How often should I feed my cat?"
CATS_EAT = "Cats prefer many small meals: three to five a day."


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[EmbeddedEngine]:
    engine, reading = EmbeddedEngine(MemoryCatalog(), tmp_path), StoreReading(FACTS)
    read = await DocumentReader().read([digested(document_form(each), reading) for each in care_documents()], reading)
    documents = [each for each in read if isinstance(each, StoreDocument)]
    assert len(documents) == len(care_documents())
    await engine.put(CARE_STORE, documents)
    yield engine
    await engine.close()


async def asked(engine: EmbeddedEngine, *said: str) -> GroundedAnswer:
    """The answer to the last question, after the others and their answers."""
    lines: list[SpokenLine] = []
    for each in said[:-1]:
        found = await answer(AnswerRequest(each, "en", tuple(lines)), [AskedStore(FACTS)], engine)
        lines += [SpokenLine(each, is_user=True), SpokenLine(found.text, is_user=False)]
    return await answer(AnswerRequest(said[-1], "en", tuple(lines)), [AskedStore(FACTS)], engine)


async def test_a_question_has_the_sentence_that_answers_it(engine: EmbeddedEngine) -> None:
    assert (await asked(engine, FEEDING)).text.startswith(CATS_EAT)


@pytest.mark.proves("D10")
@pytest.mark.parametrize("follow_up", ["And my dog?", "What about my dog?", "and dogs?", "How about a dog?"])
async def test_a_follow_up_is_about_what_it_names(engine: EmbeddedEngine, follow_up: str) -> None:
    assert (await asked(engine, FEEDING, follow_up)).text.startswith("Adult dogs eat twice a day")


async def test_a_chain_of_follow_ups_comes_back_to_where_it_began(engine: EmbeddedEngine) -> None:
    assert (await asked(engine, FEEDING, "And my dog?", "And my cat?")).text.startswith(CATS_EAT)


async def test_a_follow_up_about_something_else_of_the_same_thing_keeps_the_thing(engine: EmbeddedEngine) -> None:
    assert (await asked(engine, FEEDING, "And how much food?")).text.startswith("An adult cat of 4 kg needs about 60 g")


@pytest.mark.parametrize(
    ("question", "row"),
    [
        (
            "When does a rabbit get its first vaccination?",
            "rabbit: first 5 weeks, second 9 weeks, then every year",
        ),
        (
            "When does a cat get its second vaccination?",
            "cat: first 8 weeks, second 12 weeks, then every three years; cats that go outdoors every year",
        ),
    ],
)
async def test_of_a_table_the_row_is_given_that_is_asked_for(engine: EmbeddedEngine, question: str, row: str) -> None:
    found = await asked(engine, question)
    assert found.text == row
    assert "animal | first | second | then" in found.snippets[found.cited[0]].text
