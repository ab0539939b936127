"""An invented agent without a single example, for conversations: rooms to meet in, trains, the weather."""

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import Effect
from tests.unit.models.offline.talk import Agent, function

_CITY: JsonObject = {"type": "string", "description": "City where the room is"}
_DAY: JsonObject = {"type": "string", "description": "Day of the meeting"}
ROOMS: tuple[JsonObject, ...] = (
    {"room_name": "Blue Hall", "city": "Vienna", "price": "120", "phone_number": "555-0199", "has_wifi": "True"},
    {"room_name": "Garden Studio", "city": "Vienna", "price": "80", "phone_number": "555-0142", "has_wifi": "False"},
)


def agent() -> Agent:
    """Rooms are found in Vienna; everything can be reserved."""
    return Agent(
        goal="Help people to meet.",
        declarations=(
            function("find_rooms", "Find meeting rooms in a city", {"city": _CITY}, ["city"]),
            function(
                "reserve_room",
                "Reserve a meeting room",
                {
                    "room_name": {"type": "string", "description": "Name of the room"},
                    "city": _CITY,
                    "date": _DAY,
                    "people": {"type": "integer", "description": "Number of people"},
                },
                ["room_name", "city", "date"],
                Effect.CHANGES,
            ),
            function(
                "find_trains",
                "Find trains between two cities",
                {
                    "origin": {"type": "string", "description": "City of departure"},
                    "destination": {"type": "string", "description": "City of arrival"},
                    "date": {"type": "string", "description": "Day of departure"},
                },
                ["origin", "destination", "date"],
            ),
            function(
                "get_weather",
                "Get the weather of a city on a day",
                {"city": {"type": "string", "description": "Name of the city"}, "date": {"type": "string"}},
                ["city"],
            ),
        ),
        examples=(),
        functions={"find_rooms": _rooms, "reserve_room": _kept, "find_trains": _none, "get_weather": _weather},
    )


def _rooms(arguments: JsonObject) -> tuple[JsonValue, bool]:
    return [room for room in ROOMS if room["city"] == arguments["city"]], False


def _kept(arguments: JsonObject) -> tuple[JsonValue, bool]:
    return {"reserved": arguments["room_name"]}, False


def _none(arguments: JsonObject) -> tuple[JsonValue, bool]:
    return [], False


def _weather(arguments: JsonObject) -> tuple[JsonValue, bool]:
    return {"temperature": "21", "humidity": "40", **arguments}, False
