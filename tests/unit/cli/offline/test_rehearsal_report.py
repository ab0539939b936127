"""Evidence in words."""

from openplaybook.cli.offline.rehearsal_report import reasons


def test_candidates_chances_and_sources_of_values_are_told() -> None:
    evidence = {
        "rule": "wanted_function",
        "candidates": [
            {"name": "get", "score": 0.7, "example": "Where"},
            {"name": "list", "score": 0.2, "example": ""},
        ],
        "threshold": 0.45,
        "learned": [{"name": "get", "right": 0.9, "exact": 0.5}],
        "slots": [
            {"slot": "id", "value": 7, "source": "span:number", "words": ["7"], "at": [3], "score": 1.2},
            {"slot": "city", "value": "Oslo", "source": "parameter"},
        ],
        "missing": "day",
    }
    assert list(reasons(evidence)) == [
        "rule: wanted_function",
        "likeness: get 0.7 (the example Where), list 0.2; a function is taken from 0.45 on",
        "chances: get 0.9 (exact 0.5)",
        "value: id = 7, a number (“7”), score 1.2",
        'value: city = "Oslo", a session parameter',
        "missing: day",
    ]


def test_words_that_are_like_nothing_are_told_as_such() -> None:
    assert list(reasons({"rule": "not_understood", "candidates": [], "threshold": 0.4})) == [
        "rule: not_understood",
        "likeness: the words are like no function's description or examples",
    ]
    assert list(reasons({"rule": "like_an_example", "example": "Hi", "likeness": 0.8}))[-1] == (
        "said as in the example Hi (likeness 0.8)"
    )
