"""Real descriptions: none may crash the reader, and what works today keeps working.

OPENPLAYBOOK_CORPUS names a folder of gzip-compressed descriptions with an INDEX.json that counts their operations.
"""

import gzip
import os
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.tools.openapi.document import UnreadableDocument
from openplaybook.tools.openapi.inspect import inspect

CORPUS = os.environ.get("OPENPLAYBOOK_CORPUS", "")
LARGEST = 6_000_000
"""Bytes; larger ones are for the benchmarks."""

pytestmark = pytest.mark.skipif(not CORPUS, reason="OPENPLAYBOOK_CORPUS names no folder of descriptions")


def descriptions() -> list[JsonObject]:
    if not CORPUS:
        return []
    listed: list[JsonObject] = loads((Path(CORPUS) / "openapi" / "INDEX.json").read_bytes())["specs"]
    return [each for each in listed if str(each["openapi"]).startswith("3") and each["size"] <= LARGEST]


def read(description: JsonObject) -> JsonObject:
    text = gzip.decompress((Path(CORPUS) / "openapi" / description["file"]).read_bytes()).decode("utf-8-sig")
    return inspect(text, description["id"])


@pytest.mark.parametrize("description", descriptions(), ids=lambda each: each["id"])
def test_a_real_description_is_read_with_all_its_operations(description: JsonObject) -> None:
    report = read(description)
    assert len(report["actions"]) == description["operations"]
    names = [action["name"] for action in report["actions"]]
    assert len(set(names)) == len(names)
    dumps(report)


def test_what_is_not_supported_is_refused_and_nothing_else_is() -> None:
    refused: list[str] = []
    for description in loads((Path(CORPUS) / "openapi" / "INDEX.json").read_bytes())["specs"]:
        if not str(description["openapi"]).startswith("3"):
            with pytest.raises(UnreadableDocument, match="is not supported yet"):
                read(description)
            refused.append(description["id"])
    assert refused
