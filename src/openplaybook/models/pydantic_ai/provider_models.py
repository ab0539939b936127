"""Models of pydantic-ai's providers by name."""

import re
from collections.abc import Mapping

from google.auth.exceptions import GoogleAuthError
from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model as ProviderModel
from pydantic_ai.models import infer_model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider

from openplaybook.models.base import Model
from openplaybook.models.context_windows import window_of
from openplaybook.models.errors import ModelNotConfigured
from openplaybook.models.model_keys import ModelKey, key_of
from openplaybook.models.pydantic_ai.pydantic_ai_model import PydanticAIModel
from openplaybook.models.wrappers import RetryingModel

_ANTHROPIC_ANSWER_TOKENS = 8_192
"""Anthropic insists on a limit, and on streaming where it is high."""


def create_google_model(name: str, environment: Mapping[str, str]) -> Model:
    """Gemini by `GOOGLE_API_KEY` (or `GEMINI_API_KEY`), at `GOOGLE_GEMINI_BASE_URL` if given."""
    key = _key(f"google:{name}", environment)
    provider = GoogleProvider(api_key=key.value, base_url=environment.get("GOOGLE_GEMINI_BASE_URL") or None)
    return _adapted(f"google:{name}", name, GoogleModel(name, provider=provider), key, environment)


def create_anthropic_model(name: str, environment: Mapping[str, str]) -> Model:
    """Claude by `ANTHROPIC_API_KEY`, at `ANTHROPIC_BASE_URL` if given."""
    key = _key(f"anthropic:{name}", environment)
    provider = AnthropicProvider(api_key=key.value, base_url=environment.get("ANTHROPIC_BASE_URL") or None)
    model = AnthropicModel(name, provider=provider)
    window = window_of(name, environment)
    return RetryingModel(
        PydanticAIModel(f"anthropic:{name}", model, window, key, longest_answer=_ANTHROPIC_ANSWER_TOKENS)
    )


def create_provider_model(name: str, environment: Mapping[str, str]) -> Model:
    """Any provider by `PROVIDER:NAME`; its keys come from the process's own environment, under its own names."""
    specification = f"pydantic-ai:{name}"
    provider, _, model = name.partition(":")
    if not provider or not model:
        raise ModelNotConfigured(f"{specification} names no model: write pydantic-ai:PROVIDER:NAME.")
    key = key_of(specification, environment) or ModelKey("", "")
    try:
        return _adapted(specification, model, infer_model(name), key, environment)
    except (UserError, GoogleAuthError) as error:
        raise ModelNotConfigured(f"{specification}: {_for_operators(str(error))}") from None


def _for_operators(message: str) -> str:
    """The first sentence of what the library says to programmers, without the arguments that they might pass."""
    return re.sub(r" or pass it via `[^`]*`", "", message).split(". ")[0].rstrip(".") + "."


def _key(specification: str, environment: Mapping[str, str]) -> ModelKey:
    """The key that a provider insists on. Raises `ModelNotConfigured` where it is not set."""
    key = key_of(specification, environment)
    if key is None or not key.value:
        raise ModelNotConfigured(f"{specification} needs {key.variable if key else 'a key'}.")
    return key


def _adapted(
    specification: str, name: str, model: ProviderModel, key: ModelKey, environment: Mapping[str, str]
) -> Model:
    return RetryingModel(PydanticAIModel(specification, model, window_of(name, environment), key))
