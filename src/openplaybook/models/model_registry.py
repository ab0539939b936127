"""From what an operator writes (`--model openai:gpt-4o-mini`) to a `Model`."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from openplaybook.models.base import Model
from openplaybook.models.errors import ModelNotConfigured

SPECIFICATIONS = (
    "offline (no key, no network)",
    "openai:NAME (OPENAI_API_KEY, and OPENAI_BASE_URL for any compatible server)",
    "google:NAME (GOOGLE_API_KEY)",
    "anthropic:NAME (ANTHROPIC_API_KEY)",
    "pydantic-ai:PROVIDER:NAME (that provider's own variables)",
    "scripted:FILE (YAML or JSON)",
)
"""What may be asked for, as error messages and help texts show it."""


def create_model(specification: str, environment: Mapping[str, str]) -> Model:
    """The model of a specification `KIND` or `KIND:NAME`; keys and base URLs are taken from `environment`.

    Raises `ModelNotConfigured` for an unknown specification, a missing key, a missing extra, or a script that
    cannot be read. Nothing is sent before the first decision.
    """
    kind, colon, name = specification.partition(":")
    builder = _BUILDERS.get(kind)
    if builder is None or (colon == "" and kind != "offline") or (colon and not name):
        raise ModelNotConfigured(f"No model {specification!r}. Allowed are: {'; '.join(SPECIFICATIONS)}.")
    return builder(name, environment)


# Each adapter is imported only when it is asked for: together they cost seconds and need optional extras.


def _offline(name: str, environment: Mapping[str, str]) -> Model:
    if name:
        raise ModelNotConfigured(f"The offline model has no variants: write 'offline', not 'offline:{name}'.")
    from openplaybook.encoders.encoder_registry import small_encoder
    from openplaybook.models.offline import OfflineModel
    from openplaybook.models.offline.tool_meanings import ToolMeanings

    return OfflineModel(meanings=ToolMeanings(small_encoder))


def _openai(name: str, environment: Mapping[str, str]) -> Model:
    from openplaybook.models.openai_chat.openai_model import create_openai_model

    return create_openai_model(name, environment)


def _google(name: str, environment: Mapping[str, str]) -> Model:
    with _extra(f"google:{name}"):
        from openplaybook.models.pydantic_ai.provider_models import create_google_model

        return create_google_model(name, environment)


def _anthropic(name: str, environment: Mapping[str, str]) -> Model:
    with _extra(f"anthropic:{name}"):
        from openplaybook.models.pydantic_ai.provider_models import create_anthropic_model

        return create_anthropic_model(name, environment)


def _any_provider(name: str, environment: Mapping[str, str]) -> Model:
    with _extra(f"pydantic-ai:{name}"):
        from openplaybook.models.pydantic_ai.provider_models import create_provider_model

        return create_provider_model(name, environment)


@contextmanager
def _extra(specification: str) -> Generator[None, None, None]:
    try:
        yield
    except ImportError as error:
        if (error.name or "").startswith("openplaybook"):
            raise
        raise ModelNotConfigured(
            f"{specification} needs packages that are not installed: they come with the extra models "
            "(docs/installing.md); providers other than OpenAI, Google and Anthropic also need pydantic-ai's extra for "
            "them."
        ) from None


def _scripted(name: str, environment: Mapping[str, str]) -> Model:
    from openplaybook.models.scripted import ScriptedModel

    return ScriptedModel(Path(name))


_BUILDERS: Mapping[str, Callable[[str, Mapping[str, str]], Model]] = {
    "offline": _offline,
    "openai": _openai,
    "google": _google,
    "anthropic": _anthropic,
    "pydantic-ai": _any_provider,
    "scripted": _scripted,
}
