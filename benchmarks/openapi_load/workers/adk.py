# Runs in google-adk's own environment, which the type checker does not see.
# pyright: basic, reportMissingImports=false
"""google-adk's OpenAPIToolset and the declarations that it gives to the model."""

import asyncio
import json
from collections.abc import Sequence

from google.adk.tools.openapi_tool import OpenAPIToolset
from loading import work


def load(text: str) -> Sequence[str]:
    kind = "json" if text.lstrip()[:1] == "{" else "yaml"
    tools = asyncio.run(OpenAPIToolset(spec_str=text, spec_str_type=kind).get_tools())
    declarations = [tool._get_declaration() for tool in tools]
    return [json.dumps(each.model_dump(mode="json", exclude_none=True)) for each in declarations]


if __name__ == "__main__":
    work(load)
