import pytest

from openplaybook.models.context_windows import window_of


@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        ("gpt-4o-mini", 128_000),
        ("gpt-4-0613", 8_000),
        ("gpt-4.1-nano", 1_000_000),
        ("models/gemini-2.5-flash", 1_000_000),
        ("claude-opus-4-6", 200_000),
        ("llama3.1:8b", 32_000),
    ],
)
def test_a_known_model_has_its_window_and_an_unknown_one_a_small_one(model: str, tokens: int) -> None:
    assert window_of(model, {}) == tokens


def test_the_operator_knows_better() -> None:
    assert window_of("gpt-4o", {"OPENPLAYBOOK_MODEL_WINDOW": "4096"}) == 4096
