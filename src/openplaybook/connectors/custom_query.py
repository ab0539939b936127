"""`ExecuteCustomQuery` as clients see it, whatever the language."""

from openplaybook.connectors.base import (
    CUSTOM_QUERY,
    DEFAULT_QUERY_ROWS,
    DEFAULT_QUERY_TIMEOUT_S,
    ActionType,
    DataType,
    Field,
)


def custom_query_action(description: str, *, is_read_only: bool) -> ActionType:
    """The action; `description` says what it runs, and in which language."""
    return ActionType(
        name=CUSTOM_QUERY,
        display_name="Execute custom query",
        description=description,
        parameters=(
            Field("query", DataType.TEXT, is_required=True, description="The query."),
            Field("queryParameters", DataType.ARRAY, description="Values for its ?, in order."),
            Field(
                "maxRows",
                DataType.INTEGER,
                default=DEFAULT_QUERY_ROWS,
                description="Rows that are given at most.",
            ),
            Field(
                "timeout", DataType.INTEGER, default=DEFAULT_QUERY_TIMEOUT_S, description="Seconds that it may take."
            ),
        ),
        is_read_only=is_read_only,
        is_repeatable=is_read_only,
    )
