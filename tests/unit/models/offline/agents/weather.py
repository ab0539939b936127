"""An invented agent: the weather, from a function of the client."""

from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.unit.models.offline.talk import Agent, example, function


def agent() -> Agent:
    """Two places are known to it."""
    declaration = function(
        "current_weather",
        "Tells the current weather of a city",
        {
            "city": {"type": "string", "description": "Name of the city"},
            "unit": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
        },
        required=["city"],
    )
    return Agent(
        goal="Tell people about the weather.",
        declarations=(declaration,),
        examples=(
            example(
                "Weather in a city",
                "U: what's the weather like in Lisbon?",
                ("current_weather", {"city": "Lisbon"}, {"temperature": 21, "sky": "sunny"}),
                "A: It is 21 degrees and sunny in Lisbon.",
            ),
            example(
                "City missing",
                "U: will I need an umbrella?",
                "A: Which city are you in?",
                "U: Porto",
                ("current_weather", {"city": "Porto"}, {"temperature": 17, "sky": "rainy"}),
                "A: It is 17 degrees and rainy in Porto.",
            ),
        ),
        functions={"current_weather": _weather},
    )


def _weather(arguments: JsonObject) -> tuple[JsonValue, bool]:
    known: dict[str, JsonObject] = {
        "Mountain View": {"temperature": 28.0, "sky": "clear"},
        "Oslo": {"temperature": -3, "sky": "snowy"},
    }
    found = known.get(arguments["city"])
    if found is None:
        return {"error": {"code": "CLIENT_ERROR", "message": f"No weather station in {arguments['city']}."}}, True
    return found, False
