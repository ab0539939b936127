"""Banned phrases and expressions, held against texts: at once where that takes no time to speak of, else in a process
of its own, within a time.

Expressions run in linear time, as RE2's: whoever writes to an agent must not be able to stop it. Yet five thousand of
them times a long text are seconds.
"""

import marshal
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from struct import Struct
from typing import TypeAlias

import jsonschema_rs

from openplaybook.jsonvalues import JsonObject, as_list, as_object, dumps, loads
from openplaybook.resources.guardrails import REFUSAL, BannedTexts, Guardrail, GuardrailVerdict, RespondImmediately
from openplaybook.workers.child_processes import ChildProcesses
from openplaybook.workers.errors import WorkError, WorkersBusy, WorkTimedOut
from openplaybook.workers.lanes import JUDGEMENT

_MIB = 1024 * 1024
_MAX_BYTES = 1_000_000
"""Of one compiled regular expression."""
_MAX_JOINED = 8 * _MIB
"""Of several, joined."""
_JOINED = 500
"""Phrases that are joined to one expression."""
_KEPT = 8
_SECONDS = 2.0
_CHECK_S = 5.0
_MAX_LONG = 20_000
"""Characters of a text whose diacritics are taken away at once."""
_FEW = 50
"""Expressions that are compiled at once."""

_NO_WORD = r"[^\p{L}\p{M}\p{N}_]"
"""One character that no word has."""
_WORDS = f"(?:^|{_NO_WORD})(?:%s)(?:$|{_NO_WORD})"

_HEAD = Struct("!Q")
"""Before a job: the bytes of the phrases, behind which the text follows; 0 where expressions are only checked."""

_Matches: TypeAlias = Callable[[str], bool]
JUDGES = ChildProcesses("openplaybook.resources.banned_phrases:judge", most=2, memory=512 * _MIB, max_answer=_MIB)
"""Processes that hold many phrases against long texts."""


class Matching(Enum):
    """How phrases are held against a text."""

    SIMPLE = "SIMPLE_STRING_MATCH"
    WORDS = "WORD_BOUNDARY_STRING_MATCH"
    REGEXP = "REGEXP_MATCH"


_AT_ONCE: Mapping[Matching, int] = {Matching.SIMPLE: 10_000_000, Matching.WORDS: 1_000_000, Matching.REGEXP: 20_000}
"""Phrases times characters that are judged where they are met: some milliseconds."""


@dataclass(frozen=True)
class Phrases:
    """Phrases of one kind that are banned together."""

    matching: Matching
    phrases: Sequence[str]
    without_marks: bool
    """Whether diacritics are taken away before anything is compared."""

    async def judge(self, text: str) -> GuardrailVerdict:
        """Whether one of the phrases is in a text."""
        is_long = self.without_marks and len(text) > _MAX_LONG
        if not is_long and len(self.phrases) * (len(text) + 1) <= _AT_ONCE[self.matching]:
            return GuardrailVerdict.BANNED if self._held(self.compared(text)) else GuardrailVerdict.FREE
        try:
            is_banned = await JUDGEMENT.run(lambda: self._held_apart(text))
        except WorkError:
            return GuardrailVerdict.NOT_JUDGED
        return GuardrailVerdict.BANNED if is_banned else GuardrailVerdict.FREE

    def unusable(self) -> Sequence[int]:
        """Positions of the expressions that are none of RE2's, or take too long to be compiled.

        Blocks where they are many, and raises `WorkersBusy` or `WorkTimedOut` where there was no place for them.
        """
        if self.matching is not Matching.REGEXP:
            return ()
        if len(self.phrases) <= _FEW:
            return _unusable(self.plain)
        try:
            answer = JUDGES.run((_HEAD.pack(0), marshal.dumps(self.plain)), seconds=_CHECK_S)
        except WorkersBusy:
            raise
        except WorkError as error:
            if isinstance(error, WorkTimedOut) and not error.was_begun:
                raise
            return range(len(self.phrases))
        return tuple(map(int, as_list(loads(answer))))

    def _held(self, judged: str) -> bool:
        if self.matching is Matching.SIMPLE:
            return any(phrase in judged for phrase in self.plain)
        if self.matching is Matching.WORDS:
            return any(phrase in judged and _fits(_WORDS % _literal(phrase))(judged) for phrase in self.plain)
        return any(matches(judged) for matches in self._expressions)

    def _held_apart(self, text: str) -> bool:
        head = _HEAD.pack(len(self._packed))
        return bool(loads(JUDGES.run((head, self._packed, marshal.dumps(text)), seconds=_SECONDS)))

    def compared(self, text: str) -> str:
        """What of a text is compared."""
        plain = without_marks(text) if self.without_marks else text
        return plain if self.matching is Matching.REGEXP else plain.casefold()

    @cached_property
    def plain(self) -> list[str]:
        """What of the phrases is compared."""
        return [self.compared(phrase) for phrase in self.phrases]

    @cached_property
    def _expressions(self) -> list[_Matches]:
        unusable = set(_unusable(self.plain))
        return [_fits(each) for index, each in enumerate(self.plain) if index not in unusable]

    @cached_property
    def _packed(self) -> bytes:
        return marshal.dumps((self.matching.value, list(self.phrases), self.without_marks))


def without_marks(text: str) -> str:
    """The text without diacritics."""
    return "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))


def judge(job: bytearray) -> bytes:
    """What a process does: hold phrases against a text, or find the expressions that cannot be used."""
    (size,) = _HEAD.unpack_from(job)
    view = memoryview(job)[_HEAD.size :]
    if not size:
        return dumps(_unusable(marshal.loads(view)))
    return dumps(_joined(bytes(view[:size]))(marshal.loads(view[size:])))


@lru_cache(maxsize=_KEPT)
def _joined(packed: bytes) -> _Matches:
    """Whether one of packed phrases is in a text; many are joined, so that a text is gone through seldom."""
    matching, phrases, strips = marshal.loads(packed)
    banned = Phrases(Matching(matching), phrases, strips)
    spelled = _spelled(banned)
    frame = _WORDS if banned.matching is Matching.WORDS else "(?:%s)"
    tests = [test for at in range(0, len(spelled), _JOINED) for test in _tests(spelled[at : at + _JOINED], frame)]

    def held(text: str) -> bool:
        judged = banned.compared(text)
        return any(test(judged) for test in tests)

    return held


def _spelled(banned: Phrases) -> list[str]:
    """Phrases as expressions."""
    plain = banned.plain
    match banned.matching:
        case Matching.SIMPLE | Matching.WORDS:
            return [_literal(each) for each in plain]
        case Matching.REGEXP:
            unusable = set(_unusable(plain))
            return [each for index, each in enumerate(plain) if index not in unusable]


def _tests(expressions: Sequence[str], frame: str) -> Sequence[_Matches]:
    """Tests that hold where one of the expressions does within a frame: one for all, where they can be joined."""
    try:
        return [_fits(frame % "|".join(f"(?:{each})" for each in expressions), _MAX_JOINED)]
    except ValueError:
        # Two groups of one name, or too much for one: half of them at a time.
        if len(expressions) == 1:
            return [_fits(frame % expressions[0])]
        half = len(expressions) // 2
        return [*_tests(expressions[:half], frame), *_tests(expressions[half:], frame)]


def _unusable(expressions: Sequence[str]) -> list[int]:
    positions: list[int] = []
    for index, each in enumerate(expressions):
        try:
            _fits(each)
        except ValueError:
            positions.append(index)
    return positions


def _literal(phrase: str) -> str:
    return "".join(each if each.isalnum() or not each.isascii() else f"\\x{ord(each):02x}" for each in phrase)


@lru_cache(maxsize=256)
def _fits(expression: str, most: int = _MAX_BYTES) -> _Matches:
    """Raises `ValueError`."""
    schema: JsonObject = {"type": "string", "pattern": expression}
    options = jsonschema_rs.RegexOptions(size_limit=most)
    return jsonschema_rs.Draft202012Validator(schema, offline=True, pattern_options=options).is_valid


_MATCHING = {"WORD_MATCH": Matching.WORDS}
"""By `default_banned_phrase_match_strategy`; a part of the text otherwise, as documented."""


def banned_phrases(agent: str, settings: Iterable[JsonObject]) -> tuple[Guardrail, ...]:
    """Guardrails of an agent by its `GenerativeSettings` in JSON form, one of each language's that bans something.

    All of them hold for every turn, whatever its language.
    """
    return tuple(_guardrails(agent, settings))


def _guardrails(agent: str, settings: Iterable[JsonObject]) -> Iterator[Guardrail]:
    for each in settings:
        safety = as_object(each.get("generativeSafetySettings"))
        texts = [str(as_object(phrase).get("text", "")) for phrase in as_list(safety.get("bannedPhrases"))]
        banned = tuple(dict.fromkeys(text for text in texts if text.strip()))
        if banned:
            strategy = str(safety.get("defaultBannedPhraseMatchStrategy", ""))
            phrases = Phrases(_MATCHING.get(strategy, Matching.SIMPLE), banned, without_marks=False)
            yield Guardrail(
                name=f"{agent}/generativeSettings",
                display_name="banned phrases",
                action=RespondImmediately((REFUSAL,)),
                judge_input=phrases.judge,
                judge_response=phrases.judge,
                banned=_banned_texts(safety, whole_words=phrases.matching is Matching.WORDS),
            )


def _banned_texts(safety: JsonObject, *, whole_words: bool) -> BannedTexts:
    phrases = [as_object(each) for each in as_list(safety.get("bannedPhrases"))]
    found = ((str(each.get("text", "")), str(each.get("languageCode", ""))) for each in phrases)
    return BannedTexts(tuple(dict.fromkeys(each for each in found if each[0].strip())), whole_words)
