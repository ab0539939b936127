"""Examples of the playbook as few-shot dialogue, and which of them are shown."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.models.base import Entry, ExampleDialogue, FunctionCall, FunctionResult, UserText
from openplaybook.models.prompt.prompt_texts import entry_tokens


@dataclass(frozen=True, slots=True)
class Shot:
    """One example, ready to be shown."""

    entries: tuple[Entry, ...]
    """Begins with a note that it is an example; every call has its result."""
    tokens: int
    words: frozenset[str]
    """What its user says, and its name, for relevance."""
    is_static: bool


def shot(example: ExampleDialogue) -> Shot:
    """An example as dialogue."""
    entries = (UserText(_note(example)), *_completed(example.entries))
    said = [example.display_name, *(entry.text for entry in example.entries if isinstance(entry, UserText))]
    return Shot(entries, sum(map(entry_tokens, entries)), words(" ".join(said)), example.is_static)


def select(shots: Sequence[Shot], user_text: str, budget: int) -> Sequence[int]:
    """Positions of the examples that fit `budget` tokens, in stored order.

    Static ones are taken first, then those that share most words with what the user just said.
    """
    if sum(candidate.tokens for candidate in shots) <= budget:
        return range(len(shots))
    asked = words(user_text)
    # sorted() is stable: equally relevant examples keep their order.
    by_need = sorted(range(len(shots)), key=lambda at: (not shots[at].is_static, -len(shots[at].words & asked)))
    chosen: list[int] = []
    for at in by_need:
        if shots[at].tokens <= budget:
            budget -= shots[at].tokens
            chosen.append(at)
    return sorted(chosen)


def words(text: str) -> frozenset[str]:
    """The different words of a text, in one case."""
    return frozenset(re.findall(r"\w+", text.casefold()))


def _note(example: ExampleDialogue) -> str:
    parts = [f"[Example {example.display_name!r}"]
    if example.summary:
        parts.append(f"before it: {example.summary}")
    parts += _values("inputs", example.inputs)
    if example.end_state:
        parts.append(f"ends {example.end_state}")
    parts += _values("outputs", example.outputs)
    if example.execution_summary:
        parts.append(f"reports: {example.execution_summary}")
    return "; ".join(parts) + "]"


def _values(name: str, values: JsonObject) -> Iterator[str]:
    if values:
        yield f"{name} {dumps(values).decode()}"


def _completed(entries: Sequence[Entry]) -> Iterable[Entry]:
    """The entries, with an empty result behind a call that the author left without one."""
    settled = {entry.id for entry in entries if isinstance(entry, FunctionResult)}
    for entry in entries:
        yield entry
        if isinstance(entry, FunctionCall) and entry.id not in settled:
            yield FunctionResult(entry.id, entry.name, {})
