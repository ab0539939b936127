"""Reads a condition into its tree, within bounds of length and depth."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal
from typing import NoReturn

from openplaybook.connectors.conditions.syntax import (
    Absence,
    ColumnComparison,
    ComparisonOperator,
    Condition,
    ConditionConjunction,
    ConditionDisjunction,
    ConditionNegation,
    Likeness,
    Literal,
    Membership,
    Range,
)
from openplaybook.connectors.errors import InvalidCondition, unsuited_words
from openplaybook.jsonvalues import MAX_DIGITS

MOST_CHARACTERS = 20_000
MOST_DEPTH = 40
"""Parentheses and NOTs within each other."""
MOST_VALUES = 1_000
"""Of one IN list."""
MOST_PATTERN = 1_000
"""Characters of what LIKE compares with."""
MOST_PATTERNS = 50
"""LIKEs of one condition: each looks at every character of a value."""

_OPERATORS = {each.value: each for each in ComparisonOperator} | {
    "<>": ComparisonOperator.UNEQUAL,
    "==": ComparisonOperator.EQUAL,
}
_TOKEN = re.compile(
    r"""\s*(?:
        (?P<text>'(?:[^']|'')*')
      | (?P<quoted>"(?:[^"]|"")+"|`(?:[^`]|``)+`)
      | (?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?(?![\w.]))
      | (?P<operator><>|!=|<=|>=|==|=|<|>)
      | (?P<name>[^\W\d][\w$]*(?:[.-][\w$]+)*)
      | (?P<sign>[(),])
    )""",
    re.VERBOSE,
)
_RESERVED = frozenset({"AND", "OR", "NOT", "IN", "LIKE", "BETWEEN", "IS", "NULL", "TRUE", "FALSE"})
_END = "end"


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    position: int

    def is_word(self, word: str) -> bool:
        return self.kind == "name" and self.text.upper() == word


def parsed_condition(text: str, columns: Collection[str] | None = None, unfiltered: Collection[str] = ()) -> Condition:
    """The tree of a condition. `columns` are the names it may use, any without; a name is taken in another case where
    only one differs so. `unfiltered` are names of what is there and cannot be filtered by. Raises `InvalidCondition`,
    which says where, and what is allowed there."""
    if len(text) > MOST_CHARACTERS:
        raise InvalidCondition(f"a condition has at most {MOST_CHARACTERS:,} characters", MOST_CHARACTERS)
    return _Parser(_tokens(text), columns, unfiltered).whole()


def known_column(name: str, columns: Collection[str]) -> str | None:
    """The column of a name: this very one, else the only one that differs in case alone; None where there is none."""
    if name in columns:
        return name
    alike = [each for each in columns if each.casefold() == name.casefold()]
    return alike[0] if len(alike) == 1 else None


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        found = _TOKEN.match(text, position)
        if found is None or found.lastgroup is None:
            at = position + len(text[position:]) - len(text[position:].lstrip())
            unclosed = text[at] in "'\"`"
            raise InvalidCondition("a quote is not closed" if unclosed else f"{text[at]!r} cannot be read here", at)
        tokens.append(_Token(found.lastgroup, found[found.lastgroup], found.start(found.lastgroup)))
        position = found.end()
    return [*tokens, _Token(_END, "", end)]


class _Parser:
    """Goes through the tokens once."""

    def __init__(self, tokens: list[_Token], columns: Collection[str] | None, unfiltered: Collection[str] = ()) -> None:
        self._tokens = tokens
        self._next = 0
        self._columns = columns
        self._unfiltered = unfiltered
        self._depth = 0
        self._patterns = 0

    def whole(self) -> Condition:
        condition = self._any_of()
        if self._ahead.kind != _END:
            self._fail("AND, OR or the end is expected")
        return condition

    @property
    def _ahead(self) -> _Token:
        return self._tokens[self._next]

    def _take(self) -> _Token:
        token = self._ahead
        self._next += 1
        return token

    def _took_word(self, word: str) -> bool:
        is_it = self._ahead.is_word(word)
        self._next += is_it
        return is_it

    def _fail(self, message: str) -> NoReturn:
        found = self._ahead
        said = "the condition ends" if found.kind == _END else f"{found.text!r} is found"
        raise InvalidCondition(f"{message}, but {said}", found.position)

    def _any_of(self) -> Condition:
        terms = [self._all_of()]
        while self._took_word("OR"):
            terms.append(self._all_of())
        return terms[0] if len(terms) == 1 else ConditionDisjunction(tuple(terms))

    def _all_of(self) -> Condition:
        terms = [self._factor()]
        while self._took_word("AND"):
            terms.append(self._factor())
        return terms[0] if len(terms) == 1 else ConditionConjunction(tuple(terms))

    def _factor(self) -> Condition:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            self._fail(f"at most {MOST_DEPTH} parentheses and NOTs may be within each other")
        if self._took_word("NOT"):
            condition: Condition = ConditionNegation(self._factor())
        elif self._ahead.text == "(" and self._ahead.kind == "sign":
            self._take()
            condition = self._any_of()
            self._expect_sign(")")
        else:
            condition = self._test()
        self._depth -= 1
        return condition

    def _test(self) -> Condition:
        column = self._column()
        if self._ahead.kind == "operator":
            return ColumnComparison(column, _OPERATORS[self._take().text], self._value())
        if self._took_word("IS"):
            is_negated = self._took_word("NOT")
            self._expect_word("NULL", "NULL is expected after IS")
            return _negated(Absence(column), is_negated)
        is_negated = self._took_word("NOT")
        if self._took_word("IN"):
            return _negated(Membership(column, self._values()), is_negated)
        if self._took_word("LIKE"):
            if self._ahead.kind != "text":
                self._fail("a text in single quotes is expected after LIKE")
            return _negated(Likeness(column, self._pattern()), is_negated)
        if self._took_word("BETWEEN"):
            low = self._value()
            self._expect_word("AND", "AND is expected between the two values")
            return _negated(Range(column, low, self._value()), is_negated)
        self._fail("one of = != <> < > <= >= IN, LIKE, BETWEEN, IS NULL is expected after a column")

    def _column(self) -> str:
        token = self._ahead
        is_name = token.kind == "name" and token.text.upper() not in _RESERVED
        if not is_name and token.kind != "quoted":
            self._fail("a column is expected")
        self._take()
        if self._ahead.text == "(" and self._ahead.kind == "sign":
            self._fail("functions are not allowed; an operator is expected")
        return self._known(token.text if is_name else _unquoted(token.text), token.position)

    def _known(self, name: str, position: int) -> str:
        if self._columns is None:
            return name
        known = known_column(name, self._columns)
        if known is not None:
            return known
        found = known_column(name, self._unfiltered)
        if found is not None:
            raise InvalidCondition(unsuited_words(found, "filtered", self._columns), position)
        raise InvalidCondition(f"there is no column {name!r}; there are: {', '.join(self._columns)}", position)

    def _values(self) -> tuple[Literal, ...]:
        self._expect_sign("(")
        values = [self._value()]
        while self._ahead.text == "," and self._ahead.kind == "sign":
            self._take()
            values.append(self._value())
            if len(values) > MOST_VALUES:
                self._fail(f"a list has at most {MOST_VALUES:,} values")
        self._expect_sign(")")
        return tuple(values)

    def _pattern(self) -> str:
        self._patterns += 1
        pattern = _unquoted(self._ahead.text)
        if len(pattern) > MOST_PATTERN:
            self._fail(f"a pattern has at most {MOST_PATTERN:,} characters")
        if self._patterns > MOST_PATTERNS:
            self._fail(f"a condition has at most {MOST_PATTERNS} LIKE")
        self._take()
        return pattern

    def _value(self) -> Literal:
        token = self._ahead
        if token.kind == "text":
            value: Literal = _unquoted(token.text)
        elif token.kind == "number":
            if len(token.text) > MAX_DIGITS:
                self._fail(f"a number has at most {MAX_DIGITS:,} digits")
            value = int(token.text) if token.text.lstrip("+-").isdigit() else Decimal(token.text)
        elif token.is_word("TRUE") or token.is_word("FALSE"):
            value = token.is_word("TRUE")
        elif token.is_word("NULL"):
            self._fail("a value is expected; what is not there is asked for with IS NULL")
        else:
            self._fail("a value is expected: a text in single quotes, a number, TRUE or FALSE")
        self._take()
        return value

    def _expect_word(self, word: str, message: str) -> None:
        if not self._took_word(word):
            self._fail(message)

    def _expect_sign(self, sign: str) -> None:
        if self._ahead.kind != "sign" or self._ahead.text != sign:
            self._fail(f"{sign!r} is expected")
        self._take()


def _negated(test: Condition, is_negated: bool) -> Condition:
    return ConditionNegation(test) if is_negated else test


def _unquoted(text: str) -> str:
    quote = text[0]
    return text[1:-1].replace(quote * 2, quote)
