"""A document as YAML that readers of YAML 1.1 and of 1.2 take for the same."""

import re
from decimal import Decimal

import yaml

from openplaybook.jsonvalues import JsonObject

_NUMBER_1_2 = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+")
"""Numbers of the core schema (YAML 1.2.2 §10.3.2), some of which are text in 1.1."""


class _Dumper(yaml.CSafeDumper):
    """Writes every value out, and quotes what either version would read as something else."""

    def ignore_aliases(self, data: object) -> bool:
        """Never refer back: a reader of an API description expects none of it."""
        return True


def _text(dumper: _Dumper, data: str) -> yaml.ScalarNode:
    return yaml.ScalarNode("tag:yaml.org,2002:str", data, style=_style(data))


def _style(text: str) -> str | None:
    """How a text is written: as a block where it has lines, in quotes where it needs them; None leaves it open."""
    if _NUMBER_1_2.fullmatch(text):
        return "'"
    lines = text.split("\n")
    if not all(map(str.isprintable, lines)):
        return '"'
    if len(lines) == 1:
        return None
    return '"' if text.startswith((" ", "\n")) or text.endswith("\n\n") else "|"


def _decimal(dumper: _Dumper, number: Decimal) -> yaml.ScalarNode:
    return yaml.ScalarNode("tag:yaml.org,2002:float", decimal_text(number))


_Dumper.add_representer(str, _text)
_Dumper.add_representer(Decimal, _decimal)


def decimal_text(number: Decimal) -> str:
    """A number with all its digits, as both versions of YAML read it: 1.1 wants a point before an exponent."""
    digits, mark, exponent = str(number).partition("E")
    return f"{digits}{'' if '.' in digits else '.0'}{mark}{exponent}"


def to_yaml(document: JsonObject) -> str:
    """The document as YAML, its members in their order."""
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
