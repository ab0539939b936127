"""Our OpenAPI tool, as the turn engine calls it, by the transport of the server: arguments checked, address judged."""

from loop import DOCUMENT, GET_ARGUMENTS, PET, Calls, work

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.egress.resilient_transport import ResilientTransport
from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.tools.base import Call, Success, ToolContext
from openplaybook.tools.kind_registry import register
from openplaybook.tools.toolbox import Toolbox


async def prepare(*, is_traced: bool = False) -> Calls:
    """The calls; with `is_traced` what was sent and got is rendered too, as a turn does for its trace."""
    register()
    transport = ResilientTransport(HttpTransport(AddressPolicy(parse_allow("127.0.0.0/8"))))
    spec: JsonObject = {"textSchema": dumps(DOCUMENT).decode()}
    tool = Toolbox(transport).build({"name": "t", "displayName": "pets", "openApiSpec": spec})
    actions = {action.action: action for action in tool.actions()}

    async def call(name: str, arguments: JsonObject) -> object:
        context = ToolContext("session")
        outcome = await tool.invoke(Call("1", actions[name], arguments), context)
        if is_traced and len(context.exchanges) != 1:
            raise RuntimeError("the exchange is not on record")
        return outcome.output["200"] if isinstance(outcome, Success) else outcome

    return {"get": lambda: call("getPet", GET_ARGUMENTS), "post": lambda: call("createPet", {"requestBody": PET})}


if __name__ == "__main__":
    work(prepare)
