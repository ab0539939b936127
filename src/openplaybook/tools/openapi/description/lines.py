"""Where in the text of a description a problem is: found when problems are shown, and only then."""

from collections.abc import Sequence
from dataclasses import replace

from openplaybook.documents.json_text import looks_like_json
from openplaybook.documents.parser_process import find_lines
from openplaybook.tools.base import Problem

MAX_JSON = 60_000_000
MAX_YAML = 1_500_000
"""Characters of a text that is searched: a second or so."""


def with_lines(problems: Sequence[Problem], text: str) -> list[Problem]:
    """The problems with the lines where they are, or where what holds them is; None for a text that is too large.

    Their paths are those of the document, such as `$.paths./pets.get`.
    """
    wanted = {problem.path for problem in problems if problem.line is None}
    if not wanted or not _is_searched(text):
        return list(problems)
    lines = find_lines(text, wanted)
    return [replace(each, line=_nearest(each.path, lines)) if each.line is None else each for each in problems]


def _is_searched(text: str) -> bool:
    return len(text) <= (MAX_JSON if looks_like_json(text) else MAX_YAML)


def _nearest(path: str, lines: dict[str, int]) -> int | None:
    """The line of a path, or of the longest beginning of it that has one."""
    while path and path not in lines:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return lines.get(path)
