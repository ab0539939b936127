"""What an operation is called: `listPets`, `getPet`, `createPet`."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from openplaybook.drafting.api_words import camel, is_plural, singular_words, words_of
from openplaybook.drafting.samples import decoded
from openplaybook.drafting.text_formats import is_version

_VARIABLE = re.compile(r"\{[^{}]*\}")
_MAX_NOUNS = 3
ACTIONS = frozenset(
    {"login", "logout", "search", "query", "cancel", "send", "start", "stop", "run", "execute", "refresh", "verify"}
    | {"validate", "confirm", "approve", "reject", "submit", "publish", "register", "subscribe", "unsubscribe"}
    | {"upload", "download", "import", "export", "calculate", "convert", "translate", "check", "reset", "restore"}
    | {"sync", "ping", "pay", "refund", "capture", "close", "open", "lock", "unlock", "archive", "merge", "accept"}
    | {"decline", "activate", "deactivate", "enable", "disable", "invite", "retry", "batch", "find", "lookup", "echo"}
    | {"add", "remove", "create", "update", "delete", "get", "set", "rename", "move", "copy", "clone", "assign"}
)
"""Verbs that stand in paths by themselves."""
_ON_ITEM = {"get": "get", "post": "update", "put": "replace", "patch": "update", "delete": "delete", "head": "check"}
_ON_OTHER = {"get": "get", "post": "create", "put": "replace", "patch": "update", "delete": "delete", "head": "check"}


@dataclass(frozen=True, slots=True)
class Title:
    """An operation in words."""

    verb: str
    nouns: tuple[str, ...]
    is_one: bool
    """Whether it is about a single thing."""

    @property
    def operation_id(self) -> str:
        """`listPetToys`."""
        return camel([self.verb, *self.nouns])

    @property
    def summary(self) -> str:
        """`List pet toys`, `Get a pet`."""
        nouns = " ".join(self.nouns)
        article = ("an " if nouns[0] in "aeio" else "a ") if self.is_one and nouns else ""
        return f"{self.verb.capitalize()} {article}{nouns}".strip()


def title_of(method: str, path: str, *, gives_list: bool) -> Title:
    """The words for an operation (method in lower case); `gives_list`: its answers are arrays."""
    segments = [segment for segment in path.strip("/").split("/") if segment]
    names = [(_VARIABLE.sub("", segment), bool(_VARIABLE.search(segment))) for segment in segments]
    is_item = bool(names) and names[-1][1]
    action = names[-1][0].removeprefix(":") if is_item and names[-1][0].startswith(":") else ""
    literals = [decoded(name).partition(".")[0] for name, has_value in names if not has_value and not is_version(name)]
    if not literals:
        return Title(action or _ON_OTHER.get(method, method), ("root",) if not is_item else ("item",), False)
    if action:
        return Title(camel(words_of(action)), _nouns(literals, is_one=True), True)
    if is_item:
        return Title(_ON_ITEM.get(method, method), _nouns(literals, is_one=True), True)
    last = words_of(literals[-1])
    follows_value = len(names) > 1 and names[-2][1]
    is_action = bool(last) and last[0] in ACTIONS
    if is_action or (method == "post" and follows_value and not is_plural(literals[-1])):
        is_one = follows_value
        return Title(camel(last), _nouns(literals[:-1], is_one=is_one), is_one)
    if method == "get" and (gives_list or is_plural(literals[-1])):
        return Title("list", _nouns(literals, is_one=False), False)
    is_one = method == "post" or not is_plural(literals[-1])
    return Title(_ON_OTHER.get(method, method), _nouns(literals, is_one=is_one), method == "post")


def unique_id(title: Title, path: str, taken: Collection[str]) -> str:
    """The title's operation id, made different from those taken by the path's variables, then by a number."""
    wanted = re.sub(r"[^A-Za-z0-9_]", "", title.operation_id) or "call"
    by = [camel(words_of(name)) for name in re.findall(r"\{([^{}]*)\}", path)]
    longer = camel([wanted, "by", *(part for at, name in enumerate(by) for part in (["and"] if at else []) + [name])])
    candidates = [wanted, *([longer] if by else [])]
    numbered = (f"{wanted}{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (*candidates, *numbered) if name not in taken)


def _nouns(literals: Sequence[str], *, is_one: bool) -> tuple[str, ...]:
    """The last nouns of a path, all in the singular but the last where several are meant."""
    if not literals:
        return ()
    *before, last = literals[-_MAX_NOUNS:]
    ends = singular_words(last) if is_one else words_of(last)
    return tuple(word for name in before for word in singular_words(name)) + tuple(ends)
