"""What an example's agent says to words that call nothing, and how an example's agent opens."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import AgentText, ExampleDialogue, FunctionCall, FunctionResult, UserText
from openplaybook.models.offline.knowledge.answer_templates import Part
from openplaybook.models.offline.knowledge.episodes import Episode
from openplaybook.models.offline.knowledge.learned_answers import learn
from openplaybook.models.offline.knowledge.result_outcome import read_outcome
from openplaybook.models.offline.language.local_forms import LocalForms
from openplaybook.models.offline.language.small_talk import NO, YES, kind_in_place
from openplaybook.models.offline.language.tokenizer import Reading, fold, last_sentence, read
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.models.offline.slots.slot_values import leaves, scalars, spoken
from openplaybook.models.offline.slots.value_contexts import find_words

_OWN_WORDS = re.compile(r"\w*\d\w*|(?<![.!?:]\s)(?<!^)\b[A-Z]\w+")
"""Words of a user that are likely to be this user's own: with a digit, or a capital within a sentence."""
_SHORTEST_VALUE = 2
"""Characters of a value that is not found in words by chance."""


@dataclass(frozen=True, slots=True)
class WordExchange:
    """An exchange of words alone: what the agent answers when the user says something like it."""

    reading: Reading
    kind: str
    """Kind of small talk, or empty."""
    parts: tuple[Part, ...]
    """The reply; with places for values of the latest result of `source`."""
    example: str
    ends: str = ""
    """State in which the example ended with it; empty where it went on."""
    after: str = ""
    """The sentence of the agent's that it replies to, folded; empty where the agent had said nothing."""
    source: str = ""
    """The function whose result the reply tells; empty where it tells none."""
    own: tuple[str, ...] = ()
    """What the reply tells of the example's user or results as they are: true for others only where theirs has it."""

    @property
    def needs_context(self) -> bool:
        """Whether the user's words mean something only behind the agent's: a yes, or a no."""
        return self.kind in (YES, NO)


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """A yes or a no to a question of the agent's, on which an example makes a call."""

    after: str
    """The question, folded."""
    kind: str
    function: str
    paths: frozenset[Path]
    """Which arguments the call has."""


def learn_exchange(episode: Episode, known_names: frozenset[str], forms: LocalForms) -> WordExchange | None:
    """The exchange of an episode without calls; None when one side is silent."""
    users = episode.users
    replies = [entry.text for entry in episode.utterances[1:]] if users else []
    ends = episode.example.end_state if episode.is_last else ""
    if not users or not replies:
        return None
    begins = episode.utterances[0] is episode.example.entries[0]
    kind = kind_in_place(users[0], begins=begins)
    parts, source = _reply("\n".join(replies), episode, known_names, forms)
    own = tuple(_own_values("".join(part for part in parts if isinstance(part, str)), episode))
    after = fold(last_sentence(episode.said_before))
    return WordExchange(read(users[0]), kind, parts, episode.example.display_name, ends, after, source, own)


def _reply(text: str, episode: Episode, known_names: frozenset[str], forms: LocalForms) -> tuple[tuple[Part, ...], str]:
    if episode.done_before is None:
        return (text,), ""
    call, result = episode.done_before
    template = learn(text, call.arguments, read_outcome(result), episode.example.display_name, known_names, forms)
    if template is None or all(isinstance(part, str) for part in template.parts):
        return (text,), ""
    return template.parts, call.name


def _own_values(text: str, episode: Episode) -> Iterator[str]:
    """What a text has that the user said before it, or a call or result held."""
    for entry in episode.example.entries:
        if isinstance(entry, FunctionCall | FunctionResult):
            held = entry.arguments if isinstance(entry, FunctionCall) else entry.output
            values = (spoken(value) for value in scalars(held) if not isinstance(value, bool))
        elif isinstance(entry, UserText):
            values = iter(_OWN_WORDS.findall(entry.text))
        else:
            continue
        yield from (value for value in values if _is_own(value, text))
        if isinstance(entry, UserText) and entry.text in episode.users:
            return


def _is_own(value: str, text: str) -> bool:
    """Whether a text tells a value that is somebody's own: with a digit or a capital."""
    is_special = len(value) >= _SHORTEST_VALUE and any(each.isdigit() or each.isupper() for each in value)
    return is_special and find_words(value, text) is not None


def learn_shown_answer(episode: Episode) -> ShownAnswer | None:
    """The yes or no on which the episode's first call was made; None where other words led to it."""
    if not episode.steps or not episode.utterances:
        return None
    last = episode.utterances[-1]
    if not isinstance(last, UserText):
        return None
    kind = kind_in_place(last.text, begins=False)
    question = episode.question_before(len(episode.users) - 1) or episode.said_before
    if kind not in (YES, NO) or not question:
        return None
    call = episode.steps[0][0]
    paths = frozenset(path for path, _ in leaves(call.arguments))
    return ShownAnswer(fold(last_sentence(question)), kind, call.name, paths)


def opening_of(examples: Sequence[ExampleDialogue]) -> str:
    """The words with which most of the examples' agents open, before the user says anything; empty where none does.

    Words that tell a value of the example's own inputs are no opening for others.
    """
    texts = Counter(text for example in examples if (text := _opened(example)) and not _tells(text, example.inputs))
    return texts.most_common(1)[0][0] if texts else ""


def _opened(example: ExampleDialogue) -> str:
    texts: list[str] = []
    for entry in example.entries:
        if not isinstance(entry, AgentText):
            break
        texts.append(entry.text)
    return "\n".join(texts)


def _tells(text: str, inputs: JsonObject) -> bool:
    return any(_is_own(spoken(value), text) for value in scalars(inputs) if not isinstance(value, bool))
