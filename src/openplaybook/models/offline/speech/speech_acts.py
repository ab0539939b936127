"""What the user's latest words do, clause by clause."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from openplaybook.models.offline.language.tokenizer import Reading, WordToken, key_of, plain
from openplaybook.models.offline.speech.clauses import Clause, clauses_of
from openplaybook.models.offline.speech.forces import Force, looks
from openplaybook.models.offline.speech.withdrawals import Withdrawal

_ASKING = (Force.QUESTION, Force.SUPPOSED)


@dataclass(frozen=True)
class SpeechActs:
    """An utterance and its clauses."""

    reading: Reading
    clauses: tuple[Clause, ...]

    @cached_property
    def saying(self) -> list[Clause]:
        """The clauses that say something: no small talk, no "ok?"."""
        return [clause for clause in self.clauses if not clause.is_tag and not clause.kind]

    @property
    def is_question(self) -> bool:
        """Whether something is asked, or supposed."""
        return any(clause.force in _ASKING for clause in self.saying)

    @cached_property
    def may_take_back(self) -> bool:
        """Whether any clause takes something back, or denies it."""
        return any(clause.withdraws is not None or clause.force is Force.DENIED for clause in self.clauses)

    @cached_property
    def looking(self) -> list[Clause]:
        """The clauses that ask to be shown or told something."""
        text = plain(self.reading.text)
        return [clause for clause in self.saying if looks(text[clause.start : clause.end].lstrip(" ,;:."))]

    @property
    def is_plain(self) -> bool:
        """Whether all that is said is said without condition, doubt or denial."""
        return all(clause.force is Force.PLAIN and clause.withdraws is None for clause in self.saying)

    @property
    def knows_not(self) -> bool:
        """Whether the user says not to know."""
        return any(clause.knows_not for clause in self.clauses)

    def tokens(self, clause: Clause) -> Iterator[WordToken]:
        """The words of a clause."""
        return (token for token in self.reading.words if clause.start <= token.start < clause.end)

    def with_any(self, keys: Collection[str]) -> list[Clause]:
        """The clauses that have a word with one of these keys."""
        return [clause for clause in self.saying if any(self._is_any(token, keys) for token in self.tokens(clause))]

    def _is_any(self, token: WordToken, keys: Collection[str]) -> bool:
        return token.key in keys or any(key_of(word, language) in keys for word, language in _bound(token.text))

    @property
    def kind(self) -> str:
        """The kind of small talk that is all of it, such as `no`; else empty."""
        return "" if self.saying else next((clause.kind for clause in reversed(self.clauses) if clause.kind), "")

    def at(self, offset: int) -> Clause | None:
        """The clause that a character belongs to."""
        return next((clause for clause in self.clauses if clause.start <= offset < clause.end), None)

    def withdrawal(self, under_way: Collection[str], acts: Collection[str], *, is_under_way: bool) -> Clause | None:
        """The last clause that takes back what is under way, or what the same utterance asked for before it.

        `under_way`: keys of what may be under way: not wanting that takes it back. `acts`: keys of all that may be
        asked for.
        """
        last: Clause | None = None
        denied, asking = self.with_any(under_way) if is_under_way else (), self.with_any(acts)
        for clause in self.clauses:
            follows = any(one.end <= clause.start and not one.withdraws for one in asking)
            is_denial = clause.force is Force.DENIED and clause in denied
            if _applies(clause, is_under_way=is_under_way, follows=follows) or is_denial:
                last = clause
        return last


def _bound(word: str) -> Iterator[tuple[str, str]]:
    """The verb of a word that binds a pronoun, and its language: French "n'annule", Spanish "cancélalo"."""
    plainly = plain(word)
    before, mark, behind = plainly.partition("'")
    if mark and before in _ELIDED:
        yield behind, "fr"
    if match := _ENCLITIC.fullmatch(plainly):
        yield match[1], "es"


_ELIDED = frozenset(("n", "l", "d", "j", "m", "t", "s", "c", "qu"))
_ENCLITIC = re.compile(r"(\w{3,}?[aeir])(?:me|te|se|nos)?(?:lo|la|los|las|le|les)?")


def _applies(clause: Clause, *, is_under_way: bool, follows: bool) -> bool:
    if clause.withdraws is None or clause.knows_not:
        return False
    if clause.withdraws is Withdrawal.PLAIN:
        return True
    return is_under_way or (follows and clause.withdraws is Withdrawal.UNDER_WAY)


@lru_cache(maxsize=512)
def speech_of(reading: Reading, languages: frozenset[str], acts: frozenset[str]) -> SpeechActs:
    """What an utterance does, read in any of `languages`; `acts`: keys of what the agent can do."""
    return SpeechActs(reading, clauses_of(reading, languages, acts))
