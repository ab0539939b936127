"""Conditions are written as each language has them, and no value ends its quotes."""

import re

import pytest

from openplaybook.connectors.base import DataType
from openplaybook.connectors.conditions.normal_form import normal
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.rest.languages.grammar import Inexpressible, NamedColumn
from openplaybook.connectors.rest.languages.known_languages import GRAMMARS, search_grammar
from openplaybook.connectors.rest.manifest.list_model import SearchSyntax

TYPES = {"at": DataType.TIMESTAMP_WITH_ZONE, "day": DataType.DATE, "n": DataType.INTEGER, "id": DataType.UUID}
SEARCH = search_grammar(SearchSyntax({"=": "{name}:{value}", ">": "{name}>{value}", "contains": "{name}~{value}"}))
TOKENS = {
    "jql": re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL),
    "cql": re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL),
    "soql": re.compile(r"'(?:[^'\\]|\\.)*'", re.DOTALL),
    "odata": re.compile(r"'(?:[^']|'')*'", re.DOTALL),
    "odata2": re.compile(r"'(?:[^']|'')*'", re.DOTALL),
    "kintone": re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL),
    "lucene": re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL),
}
"""A quoted text as each language reads it."""


def written(language: str, text: str) -> str:
    grammar = SEARCH if language == "search" else GRAMMARS[language]
    return grammar.written(
        normal(parsed_condition(text)), lambda name: NamedColumn(name, TYPES.get(name, DataType.STRING))
    )


@pytest.mark.parametrize(
    ("language", "condition", "expected"),
    [
        ("jql", "a = 'x' AND n > 3", 'a = "x" AND n > 3'),
        ("jql", "a = 'x' OR (n = 1 AND a != 'y')", 'a = "x" OR (n = 1 AND a != "y")'),
        ("jql", "a IN ('x', 'y') AND NOT a IN ('z')", 'a in ("x", "y") AND a not in ("z")'),
        ("jql", "a IS NULL AND NOT (a IS NULL OR n < 2)", "a is EMPTY AND a is not EMPTY AND n >= 2"),
        ("jql", "a LIKE '%oil%'", 'a ~ "oil"'),
        ("jql", "at >= '2026-11-26T09:30:00+01:00'", 'at >= "2026-11-26 08:30"'),
        ("jql", "day = '2026-11-26'", 'day = "2026-11-26"'),
        ("cql", "a = 'x' AND a LIKE '%y%'", 'a = "x" AND a ~ "y"'),
        ("soql", "a = 'it''s' AND n BETWEEN 1 AND 3", "a = 'it\\'s' AND n >= 1 AND n <= 3"),
        ("soql", "a != 'x'", "(a != 'x' AND a != null)"),
        ("soql", "a LIKE 'A%' AND at > '2026-11-26'", "a LIKE 'A%' AND at > 2026-11-26T00:00:00Z"),
        ("soql", "day = '2026-11-26' AND a IS NULL", "day = 2026-11-26 AND a = null"),
        ("odata", "a = 'O''Neil' OR n > 2", "a eq 'O''Neil' or n gt 2"),
        ("odata", "a != 'x'", "(a ne 'x' and a ne null)"),
        ("odata", "a LIKE 'A%' AND a LIKE '%z'", "startswith(a,'A') and endswith(a,'z')"),
        ("odata", "a IN ('x', 'y') AND n = 1", "(a eq 'x' or a eq 'y') and n eq 1"),
        ("odata", "at > '2026-11-26 10:00:00'", "at gt 2026-11-26T10:00:00Z"),
        ("odata", "at < '2026-11-26' AND day = '2026-11-26'", "at lt 2026-11-26T00:00:00Z and day eq 2026-11-26"),
        ("odata", "id = '123e4567-e89b-12d3-a456-426614174000'", "id eq 123e4567-e89b-12d3-a456-426614174000"),
        ("odata", "a = 7 AND n = '7'", "a eq '7' and n eq 7"),
        ("odata2", "a LIKE '%x%' AND n = 1", "substringof('x',a) and n eq 1"),
        ("odata2", "at > '2026-11-26 10:00'", "at gt datetimeoffset'2026-11-26T10:00:00Z'"),
        ("odata2", "day = '2026-11-26'", "day eq datetime'2026-11-26T00:00:00'"),
        ("odata2", "id = '123e4567-e89b-12d3-a456-426614174000'", "id eq guid'123e4567-e89b-12d3-a456-426614174000'"),
        ("kintone", "a = 'x' AND n >= 3", 'a in ("x") and n >= "3"'),
        ("kintone", "a IN ('x', 'y') AND a IS NOT NULL", 'a in ("x", "y") and a not in ("")'),
        ("kintone", "day IN ('2026-11-26', '2026-11-27')", '(day = "2026-11-26" or day = "2026-11-27")'),
        ("lucene", "a = 'x' AND NOT a = 'y'", 'a:"x" AND (_exists_:a AND NOT a:"y")'),
        ("lucene", "a = 'x' OR a IS NULL", 'a:"x" OR (*:* AND NOT _exists_:a)'),
        ("sysparm", "a = 'x' AND n > 3", "a=x^n>3"),
        ("sysparm", "a != 'x' AND NOT n IN (1, 2)", "a!=x^aISNOTEMPTY^n!=1^nISNOTEMPTY^n!=2^nISNOTEMPTY"),
        ("sysparm", "(a = 'x' OR a = 'y') AND n = 1", "a=x^ORa=y^n=1"),
        ("sysparm", "a = 'x^y'", "a=x^^y"),
        ("search", "a = 'two words' AND n > 3", 'a:"two words" n>3'),
        ("shopify", "a = 'two words' AND (n > 3 OR n = 1)", 'a:"two words" AND (n:>3 OR n:1)'),
    ],
)
def test_a_condition_is_written_as_the_language_has_it(language: str, condition: str, expected: str) -> None:
    assert written(language, condition) == expected


@pytest.mark.parametrize(
    ("language", "condition"),
    [
        ("jql", "a LIKE 'A_c'"),
        ("jql", "NOT a LIKE '%x%'"),
        ("soql", "at > 'yesterday'"),
        ("odata", "at > 'yesterday'"),
        ("odata", "id = 'x'' or true'"),
        ("odata", "n = '1 or true'"),
        ("odata2", "day = '2026-11-26'' or true'"),
        ("sysparm", "(a = 'x' AND n = 1) OR n = 2"),
        ("sysparm", "a != 'x' OR n = 2"),
        ("sysparm", "NOT a IN ('x', 'y') OR n = 2"),
        ("soql", "a LIKE '50\\%'"),
        ("soql", "NOT a LIKE '50\\_%'"),
        ("sysparm", "a = 'javascript:gs.getUserID()'"),
        ("sysparm", "a = ' JavaScript:gs.getUserID()'"),
        ("search", "a = 'x' OR a = 'y'"),
        ("search", "a IS NULL"),
    ],
)
def test_what_a_language_cannot_say_is_left(language: str, condition: str) -> None:
    with pytest.raises(Inexpressible):
        written(language, condition)


ATTEMPTS = [
    "' OR 1=1 --",
    '" OR project = SECRET OR summary ~ "',
    "\\' OR Name != null OR Name = '",
    '\\" OR a = "',
    "\\",
    "x\\",
    "''",
    "a' or true or 'b' eq 'b",
    "x\n OR y",
    "x\x00y",
    "*) OR (*:*",
    "{name}",
    "{value}",
]


@pytest.mark.parametrize("language", list(TOKENS))
@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_no_value_ends_its_quotes(language: str, attempt: str) -> None:
    text = written(language, "a = '" + attempt.replace("'", "''") + "'")
    rest = TOKENS[language].sub("?", text)
    assert rest in ("a = ?", "a eq ?", "a:?", "a in (?)")


@pytest.mark.parametrize("attempt", ["x^ORactive=true", "x^NQy=1", "^"])
def test_no_value_joins_a_test_in_an_encoded_query(attempt: str) -> None:
    assert re.sub(r"\^\^", "", written("sysparm", f"a = '{attempt}'")).count("^") == 0


def test_an_order_is_written_behind_the_condition() -> None:
    assert GRAMMARS["jql"].order([("created", True), ("key", False)]) == " ORDER BY created DESC, key ASC"
    assert GRAMMARS["sysparm"].order([("name", False)]) == "^ORDERBYname"
    assert GRAMMARS["odata"].order([]) == ""
