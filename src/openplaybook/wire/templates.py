"""Path templates of google.api.http: `/v3/{tool.name=projects/*/tools/*}:execute`.

template = "/" segments [ ":" verb ]
segment  = "*" | "**" | literal | "{" field.path [ "=" segments ] "}"
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

ONE = "*"
REST = "**"

_PART = re.compile(r"\{(?P<field>[a-z0-9_.]+)(?:=(?P<inner>[^{}]+))?\}|(?P<plain>[^/:{}]+)")


class TemplateError(ValueError):
    """A template that does not follow the grammar."""

    def __init__(self, template: str, position: int) -> None:
        super().__init__(f"{template}: not a path template at character {position + 1}")


@dataclass(frozen=True, slots=True)
class Variable:
    """A part of the path that is bound to a field."""

    field: tuple[str, ...]
    """Path of the field in the request: `("tool", "name")`."""
    start: int
    """Index of its first segment."""
    end: int
    """Index after its last segment; -1 where it takes all that is left (`**`)."""

    def value(self, segments: Sequence[str]) -> str:
        """What the variable holds in a path, decoded: everything in one segment, all but `%2F` in several.

        `UnicodeDecodeError` for percent codes that are no UTF-8."""
        end = len(segments) if self.end < 0 else self.end
        joined = "/".join(segments[self.start : end])
        if "%" not in joined:
            return joined
        if end - self.start > 1:
            joined = re.sub("%2f", lambda found: f"%25{found[0][1:]}", joined, flags=re.IGNORECASE)
        return unquote(joined, errors="strict")


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template."""

    text: str
    segments: tuple[str, ...]
    """Literals, `*` for one segment, `**` (last) for all that are left."""
    verb: str
    """The word after the colon; empty without one."""
    variables: tuple[Variable, ...]

    def path(self, word: str) -> str:
        """A path that fits the template, with `word` for every wildcard."""
        segments = [quote(word, safe="") if segment in (ONE, REST) else segment for segment in self.segments]
        return "/" + "/".join(segments) + (f":{self.verb}" if self.verb else "")


def parse_template(text: str) -> Template:
    """Parses a template; `TemplateError` says where it is wrong."""
    segments: list[str] = []
    variables: list[Variable] = []
    position, verb = 0, ""
    while position < len(text):
        if text[position] == ":" and segments:
            verb = text[position + 1 :]
            break
        part = _PART.match(text, position + 1) if text[position] == "/" else None
        if part is None or REST in segments:
            raise TemplateError(text, position)
        inner = part["plain"] or part["inner"] or ONE
        start = len(segments)
        segments += inner.split("/")
        if part["field"]:
            end = -1 if segments[-1] == REST else len(segments)
            variables.append(Variable(tuple(part["field"].split(".")), start, end))
        position = part.end()
    if not segments or not all(segments) or (verb == "") != (":" not in text) or not re.fullmatch(r"[A-Za-z]*", verb):
        raise TemplateError(text, position)
    return Template(text, tuple(segments), verb, tuple(variables))
