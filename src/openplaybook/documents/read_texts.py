"""What texts were read as, kept by digest: a tool that is saved is compiled, executed and validated soon after."""

from collections import OrderedDict
from threading import Lock

_BUDGET = 32 * 1024 * 1024
_ENTRY = 200
"""Bytes that an entry takes by itself."""


class ReadTexts:
    """Answers by digest, the last ones within a budget of bytes. Threads may share it."""

    def __init__(self, budget: int = _BUDGET) -> None:
        self._budget = budget
        self._answers: OrderedDict[bytes, bytes] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, digest: bytes) -> bytes | None:
        """The answer, if it is still known."""
        with self._lock:
            answer = self._answers.get(digest)
            if answer is not None:
                self._answers.move_to_end(digest)
            return answer

    def keep(self, digest: bytes, answer: bytes) -> None:
        """Know an answer for a while; one that takes more than half of the budget is not kept."""
        if len(answer) > self._budget // 2:
            return
        with self._lock:
            before = self._answers.pop(digest, None)
            self._size += _size(answer) - (0 if before is None else _size(before))
            self._answers[digest] = answer
            while self._size > self._budget:
                _, oldest = self._answers.popitem(last=False)
                self._size -= _size(oldest)


def _size(answer: bytes) -> int:
    return len(answer) + _ENTRY
