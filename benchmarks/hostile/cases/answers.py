"""What the APIs of tools, and whoever gives tokens, may answer."""

import json
import uuid

from benchmarks.hostile.cases.base import Cases
from benchmarks.hostile.prey import Prey
from benchmarks.hostile.service import ANSWERS
from openplaybook.jsonvalues import JsonObject

case = Cases()


def _api(url: str, schema: JsonObject, **root: object) -> str:
    parameter = {"name": "kind", "in": "path", "required": True, "schema": {"type": "string"}}
    answers = {"200": {"description": "d", "content": {"application/json": {"schema": schema}}}}
    operation = {"operationId": "ask", "parameters": [parameter], "responses": answers}
    return json.dumps(
        {
            "openapi": "3.0.3",
            "info": {"title": "t", "version": "1"},
            "servers": [{"url": url}],
            "paths": {"/answers/{kind}": {"get": operation}},
            **root,
        }
    )


def _answered(kind: str, sentence: str) -> None:
    async def attack(prey: Prey) -> None:
        await prey.executes(_api(prey.service, {"type": "object"}), "ask", {"kind": kind})

    case.add(f"answer-{kind}", f"an API that answers {sentence}", attack)


for _kind, _answer in ANSWERS.items():
    _answered(_kind, _answer.sentence)


@case
async def answer_large_ten_at_once(prey: Prey) -> None:
    """Ten calls at once of an API that answers 30 MB."""
    schema = _api(prey.service, {"type": "object"})
    await prey.together(10, lambda: prey.executes(schema, "ask", {"kind": "large"}))


@case
async def answer_against_a_pattern(prey: Prey) -> None:
    """An answer that is judged by a pattern that backtracks."""
    schema: JsonObject = {"type": "object", "properties": {"a": {"type": "string", "pattern": "(?=a)a*a*c"}}}
    await prey.executes(_api(prey.service, schema), "ask", {"kind": "letters"})


@case
async def tokens_from_a_hostile_server(prey: Prey) -> None:
    """Token endpoints that answer depth, 30 MB and nothing."""
    for kind in ("deep", "large", "silent", "digits"):
        tool: JsonObject = {
            "displayName": f"t{uuid.uuid4().hex}",
            "description": "Hostile.",
            "openApiSpec": {
                "textSchema": _api(prey.service, {"type": "object"}),
                "authentication": {
                    "oauthConfig": {
                        "oauthGrantType": "CLIENT_CREDENTIAL",
                        "clientId": "id",
                        "clientSecret": "secret",
                        "tokenEndpoint": f"{prey.service}/answers/{kind}",
                    }
                },
            },
        }
        made = await prey.rest("POST", f"/v3/{prey.agent}/tools", tool)
        if made.status == "200":
            name = made.text.partition('"name":"')[2].partition('"')[0]
            call: JsonObject = {"action": "ask", "inputParameters": {"kind": "letters"}}
            await prey.rest("POST", f"/v3/{name}:execute", call)


@case
async def webhook_of_a_playbook(prey: Prey) -> None:
    """A handler that calls a webhook which is not there, and one of 2,000 that are not."""
    for count in (1, 2_000):
        handlers = [
            {"eventHandler": {"event": f"e{n}", "fulfillment": {"webhook": f"{prey.agent}/webhooks/w{n}", "tag": "t"}}}
            for n in range(count)
        ]
        await prey.rest(
            "POST", f"/v3/{prey.agent}/playbooks", {"displayName": f"w{count}", "goal": "g", "handlers": handlers}
        )
