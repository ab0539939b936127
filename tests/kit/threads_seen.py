"""In which threads a function does its work: on the event loop, or beside it."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

LOOP = threading.main_thread().name
"""Tests have their event loop there."""


def _always(*args: Any) -> bool:
    return True


def threads_of(
    monkeypatch: pytest.MonkeyPatch, owner: object, name: str, *, when: Callable[..., bool] = _always
) -> list[str]:
    """The thread of each call of the function that `owner` has under that name, from now on; a lane's without its
    number. `when`: of calls with which arguments, as far as they have no names."""
    seen: list[str] = []
    called: Callable[..., Any] = getattr(owner, name)

    def noting(*args: Any, **kwargs: Any) -> Any:
        thread = threading.current_thread().name
        if when(*args):
            seen.append(thread if thread == LOOP else thread.rpartition("-")[0])
        return called(*args, **kwargs)

    monkeypatch.setattr(owner, name, noting)
    return seen
