"""What users may say to the offline planner: a megabyte of odd shapes."""

import functools
from collections.abc import Callable

from benchmarks.hostile.cases.base import Cases
from benchmarks.hostile.prey import Prey

case = Cases()

_SIZE = 900_000


def _filled(unit: str) -> str:
    return unit * (_SIZE // len(unit.encode()))


TEXTS: tuple[tuple[str, str, Callable[[], str]], ...] = (
    ("text-one-word", "one word of 900 kB", lambda: "a" * _SIZE),
    ("text-words", "450,000 words of one letter", lambda: _filled("a ")),
    ("text-different-words", "130,000 different words", lambda: " ".join(f"w{n}" for n in range(130_000))),
    ("text-digits", "900 kB of digits", lambda: "7" * _SIZE),
    ("text-numbers", "200,000 numbers", lambda: _filled("12.5 ")),
    ("text-dates", "80,000 dates", lambda: _filled("2024-02-30 ")),
    ("text-dates-in-words", "dates in words", lambda: _filled("the third of march next tuesday at half past five ")),
    ("text-times", "150,000 times of the day", lambda: _filled("12:59 ")),
    ("text-brackets", "900 kB of `(`", lambda: "(" * _SIZE),
    ("text-quotes", "900 kB of quotes", lambda: _filled("\"' ")),
    ("text-combining", "450,000 marks upon one letter", lambda: "a" + "\u0301" * 440_000),
    ("text-emoji", "families of emoji", lambda: _filled("👩‍👩‍👧‍👦")),
    ("text-hangul", "300,000 characters of Korean, decomposed", lambda: _filled("\u1112\u1161\u11ab")),
    ("text-right-to-left", "marks of direction", lambda: _filled("\u202e\u202d")),
    ("text-zero-width", "characters without width", lambda: _filled("\u200b")),
    ("text-case", "characters that change their length with their case", lambda: _filled("ŉǰΐßİ")),
    ("text-spaces", "900 kB of blanks", lambda: " " * _SIZE + "a"),
    ("text-lines", "450,000 lines", lambda: _filled("a\n")),
    ("text-commas", "a list of 300,000 things", lambda: _filled("a, ")),
    ("text-capitals", "names of 100,000 words", lambda: "My name is " + _filled("Anna Maria ")),
    ("text-mail", "addresses without an end", lambda: _filled("a@b.c.")),
    ("text-urls", "a URL of 900 kB", lambda: "http://" + _filled("a.b/c?d=e&")),
    ("text-hyphens", "one word of 450,000 hyphens", lambda: _filled("a-")),
    (
        "text-references",
        "references to tools and variables",
        lambda: _filled("${TOOL: a} $session.params.a {a} {@TOOL: b} "),
    ),
    ("text-negations", "no, not, never, 200,000 times", lambda: _filled("no not never ")),
    ("text-arithmetic", "a sum of 450,000 terms", lambda: "what is " + _filled("1+")),
    ("text-powers", "powers of powers of nine", lambda: "what is 9**9**9**9?"),
    ("text-factorial", "factorials of factorials", lambda: "what is factorial(factorial(factorial(9)))?"),
    ("text-deep-sum", "brackets 300,000 deep around a sum", lambda: "what is " + "(" * 300_000 + "1+1" + ")" * 300_000),
    (
        "text-long-digits",
        "a product of two numbers of 300,000 digits",
        lambda: "what is " + "9" * 300_000 + " * " + "9" * 300_000,
    ),
    ("text-percent", "percents of percents", lambda: "what is " + "17% of " * 100_000 + "2340?"),
    ("text-roots", "a million roots", lambda: "what is " + "sqrt(" * 150_000 + "2"),
)
"""A text that is said to an agent and to an app."""


def _said(name: str, sentence: str, text: Callable[[], str]) -> None:
    async def attack(prey: Prey) -> None:
        await prey.says(text())
        await prey.asks(text())

    case.add(name, sentence, attack)


for _name, _sentence, _text in TEXTS:
    _said(_name, _sentence, functools.cache(_text))


@case
async def guardrails_500(prey: Prey) -> None:
    """Guardrails of 500 phrases on 900 kB."""
    words = {"bannedContents": [f"phrase number {n}" for n in range(500)], "matchType": "SIMPLE_STRING_MATCH"}
    action = {"respondImmediately": {"responses": [{"text": "No."}]}}
    guardrail = {"displayName": "g", "enabled": True, "contentFilter": words, "action": action}
    made = await prey.made(f"/v1beta/{prey.app}/guardrails", guardrail)
    await prey.rest("PATCH", f"/v1beta/{prey.app}?updateMask=guardrails", {"guardrails": [made["name"]]})
    await prey.asks("phrase numbe " * 69_000)
    await prey.asks("İ" * 400_000)
    await prey.rest("PATCH", f"/v1beta/{prey.app}?updateMask=guardrails", {"guardrails": []})
    await prey.rest("DELETE", f"/v1beta/{made['name']}?force=true")


@case
async def guardrails_word_bounds(prey: Prey) -> None:
    """Guardrails that match whole words and patterns that backtrack."""
    for kind, phrases in (
        ("WORD_BOUNDARY_STRING_MATCH", [f"a a {n}" for n in range(300)]),
        ("REGEXP_MATCH", ["(a+)+$", "(a|a)*b", "(.*a){20}", "(x+x+)+y"]),
    ):
        words = {"bannedContents": phrases, "matchType": kind}
        action = {"respondImmediately": {"responses": [{"text": "No."}]}}
        guardrail = {"displayName": "g", "enabled": True, "contentFilter": words, "action": action}
        made = await prey.rest("POST", f"/v1beta/{prey.app}/guardrails", guardrail)
        if made.status != "200":
            continue
        name = made.text.partition('"name":"')[2].partition('"')[0]
        await prey.rest("PATCH", f"/v1beta/{prey.app}?updateMask=guardrails", {"guardrails": [name]})
        await prey.asks("a " * 300_000)
        await prey.asks("a" * 30_000 + "!")
        await prey.rest("PATCH", f"/v1beta/{prey.app}?updateMask=guardrails", {"guardrails": []})
        await prey.rest("DELETE", f"/v1beta/{name}?force=true")
