"""An API with one operation, `ask`, that tests make behave in any way; and an agent that calls it."""

from dataclasses import dataclass

from tests.e2e.kit.rest import Rest

_SCHEMA = """
openapi: 3.0.0
info: {{title: Odd, version: '1'}}
servers: [{{url: '{url}'}}]
paths:
  /ask:
    get:
      operationId: ask
      responses: {{'200': {{description: an answer}}}}
"""


@dataclass(frozen=True)
class Asker:
    """An agent whose model calls the API when the user says `ask the api`."""

    rest: Rest
    session: str


def make_asker(rest: Rest, url: str, **specification: object) -> Asker:
    """The agent; `url` is the API's origin, `specification` more members of the tool's openApiSpec."""
    agent = rest.agent()
    rest.tool(agent, "Odd", openApiSpec={"textSchema": _SCHEMA.format(url=url), **specification})
    rest.start(agent, "Ask with ${TOOL: Odd}.")
    return Asker(rest, f"{agent}/sessions/1")
