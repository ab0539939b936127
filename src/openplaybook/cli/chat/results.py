"""What a user types as the result of a call."""

from openplaybook.cli.chat.chat_session import CallResult
from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonValue, as_object, loads

_ERROR = "error:"


def read_result(text: str) -> CallResult:
    """A JSON object is the output, `error: …` an error. Raises `CommandError` for anything else."""
    if text.strip().lower().startswith(_ERROR):
        return CallResult(error=text.strip()[len(_ERROR) :].strip() or "failed")
    try:
        value: JsonValue = loads(text)
    except ValueError as error:
        raise CommandError(
            f"not JSON: {error}. Type a JSON object, or error: and what went wrong", exit_code=2
        ) from error
    if not isinstance(value, dict):
        raise CommandError('a result must be a JSON object, such as {"temperature": 23.5}', exit_code=2)
    return CallResult(output=as_object(value))
