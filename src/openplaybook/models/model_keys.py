"""Where the API key of a model comes from, and what is said when its provider refuses it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from openplaybook.models.errors import ModelRejected

_VARIABLES = {
    "openai": ("OPENAI_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "anthropic": ("ANTHROPIC_API_KEY",),
}
"""Kinds of models with keys, and their variables; the first one that is set counts."""

INVALID_AT_GOOGLE = "API_KEY_INVALID"
"""Google answers a wrong key with 400, and gives this as the reason."""


@dataclass(frozen=True, slots=True)
class ModelKey:
    """The key of a provider, with the variable that an operator sets it in."""

    variable: str
    """Empty where only the provider's own library knows it."""
    value: str = field(repr=False)
    """Empty where none is sent, or the provider's own library reads it."""

    @property
    def source(self) -> str:
        """Where the key comes from, to be shown."""
        if not self.variable:
            return "what the provider's own library found"
        return self.variable if self.value else f"none was sent, as {self.variable} is not set"

    def refused(self, provider: str, status: int, detail: str = "") -> ModelRejected:
        """The error for a key that `provider` refuses with an HTTP status; `detail` must not hold the key."""
        answer = f"{status}, {detail}" if detail else str(status)
        if not self.variable:
            message = f"{provider} does not accept the API key that it was given ({answer})."
        elif not self.value:
            message = f"{provider} requires an API key ({answer}): set {self.variable}."
        elif status == 403:
            message = f"{provider} does not allow this to the API key ({answer}): set {self.variable} to one that may."
        else:
            message = f"{provider} rejects the API key ({answer}): set {self.variable} to one that it accepts."
        error = ModelRejected(message)
        error.status, error.is_key_refused = status, True
        return error

    def without(self, text: str) -> str:
        """A text of the provider's without the key, and without words that show a part of it."""
        if not self.value:
            return text
        ends = (self.value[:4], self.value[-4:]) if len(self.value) > 8 else ()
        words = text.replace(self.value, "…").split(" ")
        return " ".join("…" if "**" in word or any(end in word for end in ends) else word for word in words)


def key_of(specification: str, environment: Mapping[str, str]) -> ModelKey | None:
    """The key of a model's specification (`KIND:NAME`, or `KIND` alone); None where it needs none."""
    kind, _, name = specification.partition(":")
    if kind == "pydantic-ai":
        variable = f"{name.partition(':')[0].upper().replace('-', '_')}_API_KEY"
        return ModelKey(variable, environment[variable]) if environment.get(variable) else ModelKey("", "")
    variables = _VARIABLES.get(kind)
    if variables is None:
        return None
    variable = next((name for name in variables if environment.get(name)), variables[0])
    return ModelKey(variable, environment.get(variable, ""))
