"""Models of pydantic-ai's providers by name."""

from collections.abc import Mapping

from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model as ProviderModel
from pydantic_ai.models import infer_model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider

from openplaybook.models.base import Model
from openplaybook.models.errors import ModelNotConfigured
from openplaybook.models.pydantic_ai.model import PydanticAIModel
from openplaybook.models.retry import Retrying
from openplaybook.models.windows import window_of

_ANTHROPIC_ANSWER_TOKENS = 8_192
"""Anthropic insists on a limit, and on streaming where it is high."""


def create_google_model(name: str, environment: Mapping[str, str]) -> Model:
    """Gemini by `GOOGLE_API_KEY` (or `GEMINI_API_KEY`), at `GOOGLE_GEMINI_BASE_URL` if given."""
    key = environment.get("GOOGLE_API_KEY") or environment.get("GEMINI_API_KEY")
    if not key:
        raise ModelNotConfigured(f"google:{name} needs GOOGLE_API_KEY.")
    provider = GoogleProvider(api_key=key, base_url=environment.get("GOOGLE_GEMINI_BASE_URL") or None)
    return _adapted(f"google:{name}", name, GoogleModel(name, provider=provider), environment)


def create_anthropic_model(name: str, environment: Mapping[str, str]) -> Model:
    """Claude by `ANTHROPIC_API_KEY`, at `ANTHROPIC_BASE_URL` if given."""
    key = environment.get("ANTHROPIC_API_KEY")
    if not key:
        raise ModelNotConfigured(f"anthropic:{name} needs ANTHROPIC_API_KEY.")
    provider = AnthropicProvider(api_key=key, base_url=environment.get("ANTHROPIC_BASE_URL") or None)
    model = AnthropicModel(name, provider=provider)
    window = window_of(name, environment)
    return Retrying(PydanticAIModel(f"anthropic:{name}", model, window, longest_answer=_ANTHROPIC_ANSWER_TOKENS))


def create_provider_model(name: str, environment: Mapping[str, str]) -> Model:
    """Any provider by `PROVIDER:NAME`; its keys come from the process's own environment, under its own names."""
    specification = f"pydantic-ai:{name}"
    provider, _, model = name.partition(":")
    if not provider or not model:
        raise ModelNotConfigured(f"{specification} names no model: write pydantic-ai:PROVIDER:NAME.")
    try:
        return _adapted(specification, model, infer_model(name), environment)
    except UserError as error:
        raise ModelNotConfigured(f"{specification}: {error}") from None


def _adapted(specification: str, name: str, model: ProviderModel, environment: Mapping[str, str]) -> Model:
    return Retrying(PydanticAIModel(specification, model, window_of(name, environment)))
