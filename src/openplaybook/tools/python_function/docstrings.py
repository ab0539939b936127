"""What a docstring says of parameters: Google's `Args:` and Sphinx's `:param name:`."""

import re
from collections.abc import Iterator, Mapping, Sequence

_SECTION = re.compile(r"(args|arguments|parameters|params)\s*:\s*", re.IGNORECASE)
# Blanks are taken once and for all: a docstring of nothing else must not hold up whoever waits for the server.
_ENTRY = re.compile(r"\*{0,2}(\w+)\s*+(?:\([^)]*\))?\s*+:\s*(.*)")
_READ_ONLY = re.compile(r":?readOnlyHint:\s*+true\.?", re.IGNORECASE)
_FIELD = re.compile(r":param\s++(?:[^:]*\s)?\*{0,2}(\w+)\s*:\s*(.*)")


def says_read_only(docstring: str) -> bool:
    """Whether a line of its own says that calling the function changes nothing: `readOnlyHint: true`, MCP's hint."""
    return any(_READ_ONLY.fullmatch(line.strip()) for line in docstring.splitlines())


def described_parameters(docstring: str) -> Mapping[str, str]:
    """Descriptions by parameter; `docstring` is clean, as `inspect.cleandoc` makes it."""
    lines = docstring.expandtabs().splitlines()
    pieces: dict[str, list[str]] = {}
    for name, text in (*_in_section(lines), *_in_fields(lines)):
        pieces.setdefault(name, []).append(text.strip())
    return {name: " ".join(filter(None, texts)) for name, texts in pieces.items()}


def _in_section(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names and pieces of text beneath `Args:`; a line further in than the names goes on with the last of them."""
    start = next((at for at, line in enumerate(lines) if _SECTION.fullmatch(line.strip())), None)
    if start is None:
        return
    # The first line of a docstring has lost its indentation.
    outer, level, name = (_indent(lines[start]) if start else -1), None, ""
    for line in lines[start + 1 :]:
        if not line.strip():
            continue
        if _indent(line) <= outer:
            return
        level = _indent(line) if level is None else level
        entry = _ENTRY.fullmatch(line.strip()) if _indent(line) <= level else None
        if entry is not None:
            name = entry[1]
            yield name, entry[2]
        elif name:
            yield name, line


def _in_fields(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    name = ""
    for line in lines:
        field = _FIELD.fullmatch(line.strip())
        if field is not None:
            name = field[1]
            yield name, field[2]
        elif name and line.strip() and not line.strip().startswith(":") and _indent(line):
            yield name, line
        else:
            name = ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
