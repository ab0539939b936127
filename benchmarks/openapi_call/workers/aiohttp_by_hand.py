"""The same by hand on aiohttp: validators compiled beforehand, URL built and quoted, body written, answer parsed."""

from typing import Any
from urllib.parse import quote, urlencode

import aiohttp
import jsonschema_rs
import orjson
from loop import DOCUMENT, GET_ARGUMENTS, PET, URL, Calls, work
from yarl import URL as Address


def _validators() -> tuple[jsonschema_rs.Draft202012Validator, jsonschema_rs.Draft202012Validator]:
    get = DOCUMENT["paths"]["/pets/{petId}"]["get"]
    properties = {each["name"]: each["schema"] for each in get["parameters"]}
    arguments = {"type": "object", "properties": properties, "required": ["petId"], "additionalProperties": False}
    body = DOCUMENT["paths"]["/pets"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return jsonschema_rs.Draft202012Validator(arguments), jsonschema_rs.Draft202012Validator(body)


async def prepare() -> Calls:
    session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), cookie_jar=aiohttp.DummyCookieJar())
    arguments, body = _validators()

    async def get(given: dict[str, Any]) -> object:
        if not arguments.is_valid(given):
            raise ValueError("the arguments do not fit")
        path = f"{URL}/v1/pets/{quote(str(given['petId']), safe='')}"
        query = urlencode([("label", label) for label in given["label"]], quote_via=quote)
        headers = {"Accept": "application/json"}
        async with session.get(Address(f"{path}?{query}", encoded=True), headers=headers) as answer:
            return orjson.loads(await answer.read())

    async def post(given: dict[str, Any]) -> object:
        if not body.is_valid(given):
            raise ValueError("the body does not fit")
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        url = Address(f"{URL}/v1/pets", encoded=True)
        async with session.post(url, data=orjson.dumps(given), headers=headers) as answer:
            return orjson.loads(await answer.read())

    return {"get": lambda: get(GET_ARGUMENTS), "post": lambda: post(PET)}


if __name__ == "__main__":
    work(prepare)
