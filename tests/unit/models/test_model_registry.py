from pathlib import Path

import pytest

from openplaybook.models.errors import ModelNotConfigured
from openplaybook.models.model_registry import create_model

ALLOWED = (
    "Allowed are: offline (no key, no network); openai:NAME (OPENAI_API_KEY, and OPENAI_BASE_URL for any compatible "
    "server); google:NAME (GOOGLE_API_KEY); anthropic:NAME (ANTHROPIC_API_KEY); pydantic-ai:PROVIDER:NAME (that "
    "provider's own variables); scripted:FILE (YAML or JSON)."
)


@pytest.mark.parametrize("specification", ["", "gpt-4o", "openai", "openai:", "scripted", "Offline"])
def test_an_unknown_specification_is_refused_with_all_that_are_allowed(specification: str) -> None:
    with pytest.raises(ModelNotConfigured) as caught:
        create_model(specification, {})
    assert str(caught.value) == f"No model {specification!r}. {ALLOWED}"
    assert caught.value.code == "MODEL_NOT_CONFIGURED"


def test_the_offline_model_needs_nothing() -> None:
    assert create_model("offline", {}).name == "offline"


def test_the_offline_model_has_no_variants() -> None:
    with pytest.raises(ModelNotConfigured) as caught:
        create_model("offline:big", {})
    assert str(caught.value) == "The offline model has no variants: write 'offline', not 'offline:big'."


def test_a_script_is_named_by_its_file(tmp_path: Path) -> None:
    path = tmp_path / "play.yaml"
    path.write_text("replies: []")
    assert create_model(f"scripted:{path}", {}).name == f"scripted:{path.name}"


@pytest.mark.parametrize(
    ("specification", "hint"),
    [
        (
            "openai:gpt-4o-mini",
            "openai:gpt-4o-mini needs OPENAI_API_KEY, or OPENAI_BASE_URL of a compatible server.",
        ),
        ("google:gemini-2.5-flash", "google:gemini-2.5-flash needs GOOGLE_API_KEY."),
        ("anthropic:claude-sonnet-4-5", "anthropic:claude-sonnet-4-5 needs ANTHROPIC_API_KEY."),
        ("pydantic-ai:groq", "pydantic-ai:groq names no model: write pydantic-ai:PROVIDER:NAME."),
    ],
)
def test_what_a_model_lacks_is_said(specification: str, hint: str) -> None:
    with pytest.raises(ModelNotConfigured) as caught:
        create_model(specification, {})
    assert str(caught.value) == hint


@pytest.mark.parametrize("specification", ["openai:m", "google:m", "anthropic:m"])
async def test_a_provider_is_reached_by_its_specification(specification: str) -> None:
    keys: dict[str, str] = {f"{provider}_API_KEY": "k" for provider in ("OPENAI", "GOOGLE", "ANTHROPIC")}
    model = create_model(specification, keys)
    assert model.name == specification
    await model.aclose()


async def test_other_providers_read_the_environment_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", "k")
    model = create_model("pydantic-ai:deepseek:deepseek-chat", {})
    assert model.name == "pydantic-ai:deepseek:deepseek-chat"
    await model.aclose()


def test_what_another_provider_lacks_is_said_in_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DEEPSEEK_API_KEY", raising=False)
    with pytest.raises(ModelNotConfigured) as caught:
        create_model("pydantic-ai:deepseek:deepseek-chat", {})
    said = "Set the `DEEPSEEK_API_KEY` environment variable to use the DeepSeek provider."
    assert str(caught.value) == f"pydantic-ai:deepseek:deepseek-chat: {said}"


def test_credentials_of_google_that_are_missing_are_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/key.json")
    monkeypatch.delenv("GOOGLE_CLOUD_PROJECT", raising=False)
    with pytest.raises(ModelNotConfigured) as caught:
        create_model("pydantic-ai:google-cloud:gemini-2.5-flash", {})
    assert str(caught.value) == ("pydantic-ai:google-cloud:gemini-2.5-flash: File /nowhere/key.json was not found.")


def test_a_provider_whose_package_is_missing_says_what_to_install() -> None:
    with pytest.raises(ModelNotConfigured) as caught:
        create_model("pydantic-ai:groq:m", {})
    assert str(caught.value) == (
        "pydantic-ai:groq:m needs packages that are not installed: they come with the extra models "
        "(docs/installing.md); "
        "providers other than OpenAI, Google and Anthropic also need pydantic-ai's extra for them."
    )


@pytest.mark.parametrize(
    ("environment", "problem"),
    [
        ({"OPENAI_BASE_URL": "localhost:8000"}, "OPENAI_BASE_URL must begin with http:// or https://."),
        (
            {"OPENAI_API_KEY": "k", "OPENPLAYBOOK_MODEL_WINDOW": "4k"},
            "OPENPLAYBOOK_MODEL_WINDOW is '4k'; it must be a number of tokens above 0.",
        ),
    ],
)
def test_a_setting_that_cannot_be_is_refused(environment: dict[str, str], problem: str) -> None:
    with pytest.raises(ModelNotConfigured) as caught:
        create_model("openai:m", environment)
    assert str(caught.value) == problem
