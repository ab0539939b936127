"""An invented agent without a single example: tables of a restaurant."""

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import Effect
from tests.unit.models.offline.talk import Agent, function


def agent() -> Agent:
    """Every table is free."""
    return Agent(
        goal="Take bookings for the restaurant.",
        declarations=(
            function(
                "book_table",
                "Book a table at the restaurant",
                {
                    "requestBody": {
                        "type": "object",
                        "required": ["date", "time", "people", "name"],
                        "properties": {
                            "date": {"type": "string", "format": "date", "description": "Day of the visit"},
                            "time": {"type": "string", "description": "Time of day, HH:MM"},
                            "people": {
                                "type": "integer",
                                "minimum": 1,
                                "maximum": 12,
                                "description": "Number of people",
                            },
                            "name": {"type": "string", "description": "Name of the guest"},
                            "outdoor": {"type": "boolean", "description": "A table outside"},
                        },
                    }
                },
                ["requestBody"],
                Effect.CHANGES,
            ),
            function("opening_hours", "Opening hours of the restaurant", {}),
        ),
        examples=(),
        functions={"book_table": _book, "opening_hours": _hours},
    )


def _book(arguments: JsonObject) -> tuple[JsonValue, bool]:
    return {"201": {"bookingId": 77, **arguments["requestBody"]}}, False


def _hours(arguments: JsonObject) -> tuple[JsonValue, bool]:
    return {"200": {"opens": "12:00", "closes": "23:00"}}, False
