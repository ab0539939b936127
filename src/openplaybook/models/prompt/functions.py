"""What a model is told of a function beside its input schema."""

from openplaybook.jsonvalues import as_object, dumps
from openplaybook.models.base import Declaration

MAX_DESCRIPTION_CHARS = 1024
"""The longest description OpenAI's API takes."""


def function_description(declaration: Declaration) -> str:
    """Description, and what the function returns: its output schema where there is room, else the members' names."""
    description = declaration.description
    if len(description) > MAX_DESCRIPTION_CHARS:
        return description[: MAX_DESCRIPTION_CHARS - 1] + "…"
    if declaration.output_schema is None:
        return description
    members = ", ".join(as_object(declaration.output_schema.get("properties")))
    whole = f"Returns JSON of this schema: {dumps(declaration.output_schema).decode()}"
    for returns in (whole, f"Returns a JSON object with {members}." if members else ""):
        text = f"{description}\n{returns}" if description else returns
        if returns and len(text) <= MAX_DESCRIPTION_CHARS:
            return text
    return description
