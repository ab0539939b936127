import pytest

from openplaybook.models.model_keys import ModelKey, key_of

KEY = ModelKey("OPENAI_API_KEY", "sk-1234567890-wxyz")


@pytest.mark.parametrize(
    ("specification", "environment", "variable", "told"),
    [
        ("openai:m", {"OPENAI_API_KEY": "k"}, "OPENAI_API_KEY", "OPENAI_API_KEY"),
        ("openai:m", {}, "OPENAI_API_KEY", "none was sent, as OPENAI_API_KEY is not set"),
        ("google:m", {"GEMINI_API_KEY": "k"}, "GEMINI_API_KEY", "GEMINI_API_KEY"),
        ("google:m", {"GEMINI_API_KEY": "k", "GOOGLE_API_KEY": "k"}, "GOOGLE_API_KEY", "GOOGLE_API_KEY"),
        ("google:m", {}, "GOOGLE_API_KEY", "none was sent, as GOOGLE_API_KEY is not set"),
        ("anthropic:m", {"ANTHROPIC_API_KEY": "k"}, "ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY"),
        ("pydantic-ai:groq:m", {"GROQ_API_KEY": "k"}, "GROQ_API_KEY", "GROQ_API_KEY"),
        ("pydantic-ai:bedrock:m", {}, "", "what the provider's own library found"),
    ],
)
def test_a_key_is_known_by_the_variable_that_holds_it(
    specification: str, environment: dict[str, str], variable: str, told: str
) -> None:
    key = key_of(specification, environment)
    assert key is not None
    assert (key.variable, key.value, key.source) == (variable, environment.get(variable, ""), told)


@pytest.mark.parametrize("specification", ["offline", "scripted:play.yaml"])
def test_models_of_this_machine_need_no_key(specification: str) -> None:
    assert key_of(specification, {"OPENAI_API_KEY": "k"}) is None


def test_a_refused_key_is_one_sentence_that_says_what_to_set() -> None:
    assert str(KEY.refused("x", 401)) == "x rejects the API key (401): set OPENAI_API_KEY to one that it accepts."
    assert str(KEY.refused("x", 403, "no")) == (
        "x does not allow this to the API key (403, no): set OPENAI_API_KEY to one that may."
    )
    assert str(ModelKey("OPENAI_API_KEY", "").refused("x", 401)) == "x requires an API key (401): set OPENAI_API_KEY."
    assert str(ModelKey("", "").refused("x", 401)) == "x does not accept the API key that it was given (401)."


def test_neither_the_key_nor_a_part_of_it_is_shown() -> None:
    told = "Wrong key sk-1234567890-wxyz, that is sk-1****wxyz or ****: see wxyz, not task-12 or help."
    assert KEY.without(told) == "Wrong key …, that is … or … see … not … or help."
    assert ModelKey("X", "").without(told) == told
    assert "wxyz" not in repr(KEY)
