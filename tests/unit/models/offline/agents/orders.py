"""An invented agent: orders of a shop, by number, by status and day."""

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import Effect
from tests.unit.models.offline.talk import Agent, example, function

ORDER: JsonObject = {"orderId": "AB-1001", "status": "shipped", "total": 49.9}


def agent() -> Agent:
    """One order exists; lists are made of it."""
    text: JsonObject = {"type": "string"}
    return Agent(
        goal="Help customers with their orders.",
        declarations=(
            function(
                "getOrder",
                "Get the status of one order",
                {"orderId": {**text, "description": "Order number"}},
                ["orderId"],
            ),
            function(
                "searchOrders",
                "Search orders by status and date",
                {
                    "status": {**text, "enum": ["OPEN", "SHIPPED", "CANCELLED"]},
                    "since": {**text, "format": "date", "description": "First day of the orders"},
                },
            ),
            function(
                "cancelOrder",
                "Cancel an order",
                {
                    "orderId": {**text, "description": "Order number"},
                    "refund": {"type": "boolean", "description": "Whether the money is given back"},
                },
                ["orderId"],
                Effect.CHANGES,
            ),
        ),
        examples=(
            example(
                "Status",
                "U: where is my order AB-1234?",
                ("getOrder", {"orderId": "AB-1234"}, {"200": {"orderId": "AB-1234", "status": "open", "total": 10.5}}),
                "A: Order AB-1234 is open. Its total is 10.5.",
            ),
            example(
                "Open orders",
                "U: show me my open orders",
                (
                    "searchOrders",
                    {"status": "OPEN"},
                    {"200": {"orders": [{"orderId": "AB-1"}, {"orderId": "AB-2"}, {"orderId": "AB-7"}], "page": 1}},
                ),
                "A: I found three orders: AB-1, AB-2 and AB-7.",
            ),
            example(
                "Cancel",
                "U: please cancel order ZZ-9",
                "A: Do you really want to cancel order ZZ-9?",
                "U: yes",
                ("cancelOrder", {"orderId": "ZZ-9"}, {"200": {"cancelled": True}}),
                "A: Order ZZ-9 is cancelled.",
            ),
        ),
        functions={"getOrder": _get, "searchOrders": _search, "cancelOrder": _cancel},
    )


def _get(arguments: JsonObject) -> tuple[JsonValue, bool]:
    if arguments["orderId"] == ORDER["orderId"]:
        return {"200": ORDER}, False
    body = {"message": f"Order {arguments['orderId']} is not known"}
    return {"error": {"code": "HTTP_ERROR", "message": "404"}, "output": {"404": body}}, True


def _search(arguments: JsonObject) -> tuple[JsonValue, bool]:
    return {"200": {"orders": [ORDER], "page": 1}}, False


def _cancel(arguments: JsonObject) -> tuple[JsonValue, bool]:
    return {"200": {"cancelled": True}}, False
