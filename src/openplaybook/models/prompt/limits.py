"""Token limits of Dialogflow's LLM settings (v3beta1 `LlmModelSettings.Parameters`)."""

from openplaybook.resources.compiled import LlmSettings

INPUT_TOKENS = {"SHORT": 8_000, "MEDIUM": 32_000, "LONG": 100_000}
"""`InputTokenLimit`."""
OUTPUT_TOKENS = {"SHORT": 512, "MEDIUM": 1_024, "LONG": 2_048}
"""`OutputTokenLimit`."""

_USUAL_OUTPUT_TOKENS = 1_024


def input_tokens(settings: LlmSettings, window: int) -> int:
    """Tokens a request may have, the answer included: the model's window, or less where the settings say so."""
    return min(window, INPUT_TOKENS.get(settings.input_token_limit or "", window))


def output_tokens(settings: LlmSettings) -> int | None:
    """Tokens the answer may have; None leaves it to the provider."""
    return OUTPUT_TOKENS.get(settings.output_token_limit or "")


def reserved_output_tokens(settings: LlmSettings, window: int) -> int:
    """Tokens kept free for the answer, at most a quarter of the window."""
    return min(output_tokens(settings) or _USUAL_OUTPUT_TOKENS, window // 4)
