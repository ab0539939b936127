"""How many tokens a model reads of a playbook or an example, about: Google's output-only `token_count`.

Models count differently. The counts in exports of Google's are a token for each 4.4 characters of the JSON form (median
of 22 playbooks and examples; nine in ten between 3.7 and 5.2).
"""

from openplaybook.jsonvalues import JsonObject, dumps

_CHARACTERS = 4.4


def playbook_tokens(playbook: JsonObject) -> int:
    """Of a `Playbook` in JSON form: its goal, its instructions and its code."""
    goal = str(playbook.get("goal", ""))
    return _tokens(goal, {name: playbook[name] for name in ("instruction", "codeBlock") if name in playbook})


def example_tokens(example: JsonObject) -> int:
    """Of an `Example` in JSON form, its name left out."""
    return _tokens("", {name: value for name, value in example.items() if name not in ("name", "tokenCount")})


def _tokens(text: str, value: JsonObject) -> int:
    return round((len(text) + (len(dumps(value).decode()) if value else 0)) / _CHARACTERS)
