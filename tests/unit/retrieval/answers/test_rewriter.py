"""Queries made complete from the conversation."""

import pytest

from openplaybook.retrieval.answers.base import PromptFailed, SpokenLine
from openplaybook.retrieval.answers.prompts import DEFAULT_REWRITE, PromptValues
from openplaybook.retrieval.answers.rewriter import MOST_ADDED, is_follow_up, resolved, rewritten


def talk(*lines: str) -> tuple[SpokenLine, ...]:
    """Lines by turns, the user's first."""
    return tuple(SpokenLine(each, is_user=at % 2 == 0) for at, each in enumerate(lines))


@pytest.mark.proves("D10")
@pytest.mark.parametrize(
    ("language", "before", "query", "added"),
    [
        ("en", "Which vaccines do dogs need?", "And for cats?", {"vaccines", "need"}),
        ("en", "What is the import tax for wine in France?", "What about Germany?", {"import", "tax", "wine"}),
        ("en", "Who wrote Hamlet?", "When did he write it?", {"Hamlet"}),
        ("de", "Welche Impfungen brauchen Hunde?", "Und für Katzen?", {"Impfungen"}),
        ("es", "¿Qué vacunas necesitan los perros?", "¿Y para gatos?", {"vacunas"}),
        ("fr", "Quels vaccins faut-il pour un chien ?", "Et pour les chats ?", {"vaccins"}),
        ("it", "Quali vaccini servono ai cani?", "E per i gatti?", {"vaccini"}),
        ("pt", "Quais vacinas os cães precisam?", "E para gatos?", {"vacinas"}),
        ("nl", "Welke vaccins heeft een hond nodig?", "En voor katten?", {"vaccins"}),
        ("ru", "Какие прививки нужны собакам?", "А кошкам?", {"прививки"}),
        ("tr", "Köpekler hangi aşılara ihtiyaç duyar?", "Peki kediler?", {"aşılara"}),
        ("el", "Ποια εμβόλια χρειάζονται οι σκύλοι;", "Και για γάτες;", {"εμβόλια"}),
        ("ar", "ما اللقاحات التي تحتاجها الكلاب؟", "وماذا عن القطط؟", {"اللقاحات"}),
        ("hi", "कुत्तों को कौन से टीके चाहिए?", "और बिल्लियों को?", {"टीके"}),
        ("zh", "狗需要什么疫苗？", "那猫呢？", {"狗需要什么疫苗"}),
        ("ja", "犬にはどのワクチンが必要ですか？", "では猫は？", {"犬にはどのワクチンが必要ですか"}),
        ("ko", "개에게 어떤 백신이 필요한가요?", "그럼 고양이는요?", {"개에게 어떤 백신이 필요한가요"}),
        ("th", "สุนัขต้องฉีดวัคซีนอะไร", "แล้วแมวล่ะ", {"สุนัขต้องฉีดวัคซีนอะไร"}),
    ],
)
def test_a_follow_up_takes_the_topics_of_the_question_before(
    language: str, before: str, query: str, added: set[str]
) -> None:
    found = resolved(query, talk(before, "…"), language)
    assert added <= set(found.added)
    assert found.query == " ".join((query, *found.added))


@pytest.mark.parametrize(
    ("language", "query"),
    [
        ("en", "What vaccines does an adult cat need every year?"),
        ("en", "How do I return my broken blender and get its price refunded?"),
        ("de", "Wie viele Gramm Futter frisst eine erwachsene Katze?"),
        ("zh", "成年猫每天需要吃多少克的干粮才算健康呢"),
    ],
)
def test_a_question_that_stands_by_itself_stays_as_it_is(language: str, query: str) -> None:
    assert resolved(query, talk("Do you ship to Canada?", "Yes."), language).query == query


def test_the_first_question_stays_as_it_is() -> None:
    assert resolved("And for cats?", (), "en").query == "And for cats?"


def test_a_chain_of_follow_ups_goes_back_to_its_beginning() -> None:
    found = resolved("And hamsters?", talk("Which vaccines do dogs need?", "Three.", "And cats?", "Two."), "en")
    assert found.added == ("vaccines", "need")


@pytest.mark.proves("D10")
@pytest.mark.parametrize(
    ("language", "before", "query", "added"),
    [
        ("en", "How often should I feed my cat?", "And my dog?", ("often", "feed")),
        ("en", "How often should I feed my adult cat?", "what about my puppy?", ("often", "feed")),
        ("en", "How often should I feed my cat?", "and how often should I bathe my dog?", ("feed",)),
        ("en", "How much food does a dog eat?", "And a cat?", ("much", "food", "eat")),
        ("en", "How much food does my old dog eat?", "And my cat?", ("much", "food", "eat")),
        ("en", "What is the import tax for wine in France?", "And for beer?", ("import", "tax", "France")),
        ("en", "What is the import tax for wine in France?", "What about Germany?", ("import", "tax", "wine")),
        ("en", "Which vaccines do dogs need?", "And for cats?", ("vaccines", "need")),
        ("en", "When does a rabbit get its first vaccination?", "and the second?", ("rabbit", "vaccination")),
        ("de", "Wie oft soll ich meine Katze füttern?", "Und mein Hund?", ("oft", "füttern")),
        ("de", "Wie oft soll ich meine Katze füttern?", "Was ist mit meinem Hund?", ("oft", "füttern")),
        ("de", "Welche Impfungen brauchen Hunde?", "Und für Katzen?", ("Impfungen", "brauchen")),
        ("fr", "Quels vaccins faut-il pour un chien ?", "Et pour un lapin ?", ("vaccins", "faut-il")),
        ("es", "¿Cada cuánto come mi gato?", "¿Y mi perro?", ("Cada", "come")),
        ("it", "Quanto spesso devo nutrire il mio gatto?", "E il mio cane?", ("spesso", "nutrire")),
        ("pt", "Quais vacinas os cães precisam?", "E para gatos?", ("vacinas", "precisam")),
        ("nl", "Hoe vaak moet ik mijn kat voeren?", "En mijn hond?", ("vaak", "voeren")),
        ("ru", "Какие прививки нужны собакам?", "А кошкам?", ("прививки", "нужны")),
        ("tr", "Köpekler hangi aşılara ihtiyaç duyar?", "Peki kediler?", ("aşılara", "ihtiyaç", "duyar")),
        ("el", "Ποια εμβόλια χρειάζονται οι σκύλοι;", "Και για γάτες;", ("εμβόλια", "χρειάζονται")),
        ("ar", "ما اللقاحات التي تحتاجها الكلاب؟", "وماذا عن القطط؟", ("اللقاحات", "تحتاجها")),
        ("hi", "कुत्तों को कौन से टीके चाहिए?", "और बिल्लियों को?", ("टीके", "चाहिए")),
    ],
)
def test_what_a_follow_up_names_takes_the_place_of_what_was_asked_about(
    language: str, before: str, query: str, added: tuple[str, ...]
) -> None:
    assert resolved(query, talk(before, "…"), language).added == added


@pytest.mark.parametrize(
    ("language", "before", "query", "added"),
    [
        ("en", "How long can I return shoes?", "And in Germany?", ("long", "return", "shoes")),
        ("en", "How often should I feed my cat?", "And how much food?", ("often", "feed", "cat")),
        ("en", "How often should I feed my cat?", "And when?", ("often", "feed", "cat")),
        ("de", "Wie lange kann ich Schuhe zurückgeben?", "Und in Österreich?", ("lange", "Schuhe", "zurückgeben")),
    ],
)
def test_what_adds_to_the_question_before_takes_the_place_of_nothing(
    language: str, before: str, query: str, added: tuple[str, ...]
) -> None:
    assert resolved(query, talk(before, "…"), language).added == added


def test_names_of_an_answer_about_something_else_are_left_out() -> None:
    found = resolved("And Faust?", talk("Who wrote Hamlet?", "It was written by William Shakespeare."), "en")
    assert found.query == "And Faust? wrote"


def test_names_of_the_answer_before_are_taken_along() -> None:
    found = resolved("When was he born?", talk("Who wrote Hamlet?", "It was written by William Shakespeare."), "en")
    assert found.query == "When was he born? wrote Hamlet William Shakespeare"


def test_not_more_words_are_added_than_help() -> None:
    before = " ".join(f"word{number}" for number in range(50))
    assert len(resolved("And it?", talk(before, "Yes."), "en").added) == MOST_ADDED


def test_the_language_is_found_out_where_it_is_not_known() -> None:
    assert "vaccines" in resolved("And what is it for the cats?", talk("Which vaccines do dogs need?", "…"), "").added


def test_words_without_a_topic_are_a_follow_up() -> None:
    assert is_follow_up("why?", "en")
    assert not is_follow_up("refund policy", "en")


class Model:
    """Says one thing, or nothing."""

    name = "model-1"

    def __init__(self, says: str | None) -> None:
        self.says = says
        self.prompts: list[str] = []

    async def reply(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if self.says is None:
            raise PromptFailed("it is asleep")
        return self.says


VALUES = PromptValues("And for cats?", conversation=talk("Which vaccines do dogs need?", "Three."), language="en")


async def test_a_model_writes_the_query() -> None:
    model = Model('"vaccines for cats"\n')
    found = await rewritten(DEFAULT_REWRITE, VALUES, model)
    assert found.query == "vaccines for cats"
    assert found.exchange is not None
    assert (found.exchange.prompt, found.exchange.model) == (model.prompts[0], "model-1")
    assert "The user says: And for cats?" in model.prompts[0]
    assert "Human: Which vaccines do dogs need?\nAI: Three." in model.prompts[0]


@pytest.mark.parametrize("says", [None, "", "x" * 1_001])
async def test_a_model_that_gives_no_query_leaves_the_words_and_is_told_of(says: str | None) -> None:
    found = await rewritten(DEFAULT_REWRITE, VALUES, Model(says))
    assert found.query == "And for cats?"
    assert found.problem
