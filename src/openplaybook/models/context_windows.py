"""How many tokens a model reads at once."""

from collections.abc import Mapping

from openplaybook.models.errors import ModelNotConfigured

VARIABLE = "OPENPLAYBOOK_MODEL_WINDOW"

_WINDOWS = (
    ("gpt-5", 400_000),
    ("gpt-4.1", 1_000_000),
    ("gpt-4o", 128_000),
    ("gpt-4-turbo", 128_000),
    ("gpt-4", 8_000),
    ("gpt-3.5", 16_000),
    ("o1", 200_000),
    ("o3", 200_000),
    ("o4", 200_000),
    ("gemini-", 1_000_000),
    ("claude-", 200_000),
)
"""As the providers publish them, rounded down; the first prefix that fits counts."""

_UNKNOWN = 32_000


def window_of(model: str, environment: Mapping[str, str]) -> int:
    """Tokens of a model by its name, 32,000 for a model nobody here knows.

    `OPENPLAYBOOK_MODEL_WINDOW` overrules it (a local server may be started with less than its model can do);
    `ModelNotConfigured` when that is no number above 0.
    """
    setting = environment.get(VARIABLE, "")
    if setting:
        if not setting.isdecimal() or int(setting) == 0:
            raise ModelNotConfigured(f"{VARIABLE} is {setting!r}; it must be a number of tokens above 0.")
        return int(setting)
    bare = model.rpartition("/")[2]
    return next((window for prefix, window in _WINDOWS if bare.startswith(prefix)), _UNKNOWN)
