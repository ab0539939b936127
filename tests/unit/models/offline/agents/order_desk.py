"""An invented agent: the order desk of a shop, five operations, six examples."""

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import Effect
from tests.unit.models.offline.talk import Agent, Function, example, function

_TEXT: JsonObject = {"type": "string"}
_NUMBER: JsonObject = {**_TEXT, "description": "Number of the order"}
_ORDER: JsonObject = {"orderId": "1001", "status": "shipped", "eta": "2026-11-24"}


def agent() -> Agent:
    """Every order is known, and everything works."""
    return Agent(
        goal="Help customers with their orders.",
        declarations=(
            function("get_order", "Look up an order and where it is", {"order_id": _NUMBER}, ["order_id"]),
            function(
                "list_orders",
                "List the orders of a customer",
                {
                    "email": {**_TEXT, "format": "email", "description": "E-mail address of the customer"},
                    "status": {**_TEXT, "enum": ["open", "shipped", "delivered", "cancelled"]},
                },
                ["email"],
            ),
            function(
                "place_order",
                "Place an order for a product",
                {
                    "product": {**_TEXT, "description": "Name of the product"},
                    "quantity": {"type": "integer", "minimum": 1, "description": "How many pieces"},
                },
                ["product", "quantity"],
                Effect.CHANGES,
            ),
            function("cancel_order", "Cancel an order", {"order_id": _NUMBER}, ["order_id"], Effect.CHANGES),
            function(
                "change_address",
                "Change the delivery address of an order",
                {"order_id": _NUMBER, "address": {**_TEXT, "description": "New delivery address, street and city"}},
                ["order_id", "address"],
                Effect.CHANGES,
            ),
        ),
        examples=(
            example(
                "Where is it",
                "U: where is my order 4711?",
                ("get_order", {"order_id": "4711"}, {"200": {**_ORDER, "orderId": "4711"}}),
                "A: Order 4711 is shipped.",
            ),
            example(
                "Number is missing",
                "U: I'd like to know the status of my order",
                "A: What is your order number?",
                "U: it is 5555",
                ("get_order", {"order_id": "5555"}, {"200": {**_ORDER, "orderId": "5555"}}),
                "A: Order 5555 is shipped.",
            ),
            example(
                "All of a customer",
                "U: show me all orders of anna@example.com",
                ("list_orders", {"email": "anna@example.com"}, {"200": [{"orderId": "1"}, {"orderId": "2"}]}),
                "A: These are the orders: 1 and 2.",
            ),
            example(
                "New",
                "U: I want to order 3 garden chairs",
                ("place_order", {"product": "garden chairs", "quantity": 3}, {"201": {"orderId": "9"}}),
                "A: Your order has the number 9.",
            ),
            example(
                "Cancel",
                "U: please cancel order 8080",
                ("cancel_order", {"order_id": "8080"}, {"200": {"orderId": "8080"}}),
                "A: Order 8080 is cancelled.",
            ),
            example(
                "Move",
                "U: send order 31 to 5 Hill Street, Leeds instead",
                ("change_address", {"order_id": "31", "address": "5 Hill Street, Leeds"}, {"200": {"orderId": "31"}}),
                "A: Order 31 goes to 5 Hill Street, Leeds.",
            ),
        ),
        functions={
            "get_order": _gives({"200": _ORDER}),
            "list_orders": _gives({"200": [_ORDER]}),
            "place_order": _gives({"201": {"orderId": "12"}}),
            "cancel_order": _gives({"200": {}}),
            "change_address": _gives({"200": {}}),
        },
    )


def _gives(output: JsonValue) -> Function:
    return lambda arguments: (output, False)
