"""How thorough a run is: `make test` takes a fixed sample of what `make proof` takes whole."""

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

IS_WHOLE = os.environ.get("OPENPLAYBOOK_WHOLE") == "1"
"""Whether this run leaves nothing out, as `make proof` does."""

_EXAMPLES = 10


def sample(cases: Sequence[T], every: int) -> Sequence[T]:
    """One case in `every`, from the first on; all of them in a whole run.

    For tests that go through many cases in one function; they have the mark `sweep`, so that `make proof` runs them.
    """
    return cases if IS_WHOLE else cases[::every]


def examples(count: int) -> int:
    """How many examples hypothesis draws of the `count` that a whole run draws: a tenth, and at least five."""
    return count if IS_WHOLE else min(count, max(5, count // _EXAMPLES))
