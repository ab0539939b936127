"""Real OpenAPI documents, read with parsers that the product does not use.

OPENPLAYBOOK_CORPUS names a folder with `openapi/INDEX.json` and the gzip-compressed documents it lists.
"""

import gzip
import json
import os
import random
import re
from dataclasses import dataclass
from pathlib import Path

import yaml

from openplaybook.jsonvalues import JsonObject, JsonValue

CORPUS = os.environ.get("OPENPLAYBOOK_CORPUS", "")
LEFT_OUT = "OPENPLAYBOOK_CORPUS names no folder of real documents: what is true of them is not tested"

_SEED = 20261122


@dataclass(frozen=True, slots=True)
class Described:
    """A document of the corpus and what the index knows of it."""

    id: str
    file: Path
    version: str
    """`2.0`, or such as `3.0.1`."""
    size: int
    """Bytes of the text."""
    operations: int

    @property
    def minor(self) -> str:
        """`2.0`, `3.0` or `3.1`."""
        return self.version[:3]

    def text(self) -> str:
        """The document as its authors wrote it."""
        return gzip.decompress(self.file.read_bytes()).decode("utf-8-sig")

    def root(self) -> JsonObject:
        """The document as another author's parser reads it."""
        text = self.text()
        try:
            return json.loads(text)
        except ValueError:
            return _with_text_keys(yaml.load(text, Loader=_Yaml12))


def described() -> list[Described]:
    """All documents of the corpus, smallest first; none when there is no corpus."""
    if not CORPUS:
        return []
    folder = Path(CORPUS) / "openapi"
    listed = json.loads((folder / "INDEX.json").read_bytes())["specs"]
    found = [
        Described(each["id"], folder / each["file"], str(each["openapi"]), each["size"], each["operations"])
        for each in listed
    ]
    return sorted(found, key=lambda each: (each.size, each.id))


def stratified(count: int, most_operations: int, seed: int = _SEED) -> list[Described]:
    """`count` documents, of each version and size as many as their share of the corpus.

    Documents with more than `most_operations` are left out, since one of them would be the whole sample.
    """
    documents = [each for each in described() if 0 < each.operations <= most_operations]
    ordered = sorted(documents, key=_minor)  # a stable sort: by version, and by size within each
    step = len(ordered) / count
    first = random.Random(seed).random()
    return [ordered[int((number + first) * step)] for number in range(count if ordered else 0)]


def _minor(document: Described) -> str:
    return document.minor


class _Yaml12(yaml.CSafeLoader):
    """PyYAML with the scalars of YAML 1.2's core schema: no dates, `on` and `off` are words, no base 60."""


_Yaml12.yaml_implicit_resolvers = {}

for _tag, _form, _firsts in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    (
        "float",
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
        "-+0123456789.",
    ),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("merge", r"<<", "<"),
):
    _Yaml12.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"^(?:{_form})$"), list(_firsts))


def _integer(_: yaml.CSafeLoader, node: yaml.ScalarNode) -> int:
    # PyYAML's own reads 010 as eight.
    text = node.value
    return int(text, 0) if re.match(r"0[ox]", text) else int(text, 10)


_Yaml12.add_constructor("tag:yaml.org,2002:int", _integer)


def _with_text_keys(value: JsonValue) -> JsonValue:
    match value:
        case dict():
            return {_key(key): _with_text_keys(item) for key, item in value.items()}
        case list():
            return [_with_text_keys(item) for item in value]
        case _:
            return value


def _key(key: object) -> str:
    return key if isinstance(key, str) else json.dumps(key)
