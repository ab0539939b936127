"""Which model answers a request that asks for one by its Dialogflow name."""

from collections.abc import Mapping

from openplaybook.models.base import Model
from openplaybook.models.errors import ModelNotConfigured
from openplaybook.models.model_registry import create_model


class ModelDirectory:
    """The models of a server: one that answers by default, and others under the names that agents use."""

    def __init__(self, default: Model, aliases: Mapping[str, Model]) -> None:
        self._default = default
        self._aliases = dict(aliases)

    @property
    def default(self) -> Model:
        """The model that runs when none, or one without an alias, is asked for."""
        return self._default

    @property
    def aliases(self) -> Mapping[str, Model]:
        """The others, by the names that agents ask for them by."""
        return self._aliases

    def resolve(self, requested: str | None) -> tuple[Model, bool]:
        """The model for `llmModelSettings.model`, and whether the default stands in for one without an alias."""
        if not requested or requested == self._default.name:
            return self._default, False
        model = self._aliases.get(requested)
        return (self._default, True) if model is None else (model, False)

    async def aclose(self) -> None:
        """Give back the connections of every model."""
        for model in {id(model): model for model in (self._default, *self._aliases.values())}.values():
            await model.aclose()


def create_directory(default: str, aliases: str, environment: Mapping[str, str]) -> ModelDirectory:
    """The directory of a server's settings; a specification named several times is one model.

    `default` is a specification as `registry.create_model` takes it, `aliases` the text `parse_aliases` takes.
    Raises `ModelNotConfigured`.
    """
    models: dict[str, Model] = {}
    specifications = parse_aliases(aliases)
    for specification in (default, *specifications.values()):
        if specification not in models:
            models[specification] = create_model(specification, environment)
    return ModelDirectory(
        models[default], {name: models[specification] for name, specification in specifications.items()}
    )


def parse_aliases(text: str) -> dict[str, str]:
    """`gemini-1.5-flash=openai:gpt-4o-mini,text-bison=offline` as a mapping of names to specifications.

    Blanks around names are dropped and empty text is no alias. Raises `ModelNotConfigured` for a part without
    a name or a specification, and for a name given twice.
    """
    aliases: dict[str, str] = {}
    for number, part in enumerate(text.split(","), start=1):
        if not part.strip():
            continue
        name, _, specification = (piece.strip() for piece in part.partition("="))
        if not name or not specification:
            raise ModelNotConfigured(f"Model alias {number} is {part.strip()!r}; write NAME=KIND:NAME.")
        if name in aliases:
            raise ModelNotConfigured(f"Model alias {name!r} is given twice.")
        aliases[name] = specification
    return aliases
