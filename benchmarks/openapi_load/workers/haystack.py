# Runs in openapi-llm's own environment, which the type checker does not see.
# pyright: basic, reportMissingImports=false
"""The client of haystack's openapi-llm and its tool definitions."""

import json
from collections.abc import Sequence

from loading import work
from openapi_llm.client.openapi import OpenAPIClient


def load(text: str) -> Sequence[str]:
    return [json.dumps(each) for each in OpenAPIClient.from_spec(text).tool_definitions]


if __name__ == "__main__":
    work(load)
