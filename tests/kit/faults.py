"""Answers that a fake service gives once in place of its own, and what it would not have taken."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tests.kit.http_peer import Received

Service = Callable[[Received], Awaitable["bytes | None"]]


@dataclass
class Faults:
    """What goes wrong next, on which side."""

    waiting: list[tuple[str, str, bytes | None]] = field(default_factory=list[tuple[str, str, bytes | None]])
    refused: list[str] = field(default_factory=list[str])
    """Requests that the real service would refuse."""

    def add(self, method: str, part: str, reply: bytes | None, times: int = 1) -> None:
        """Answer the next requests of this method, whose target has this part, so; None closes the connection."""
        self.waiting += [(method, part, reply)] * times

    def take(self, received: Received) -> tuple[bool, bytes | None]:
        """Whether a fault is due for a request, and its answer."""
        for each in self.waiting:
            method, part, reply = each
            if received.method == method and part in received.target:
                self.waiting.remove(each)
                return True, reply
        return False, None

    def strict(self, service: Service) -> Service:
        """The service, its failed assertions noted in `refused`."""

        async def checked(received: Received) -> bytes | None:
            try:
                return await service(received)
            except AssertionError as error:
                place = error.__traceback__
                while place is not None and place.tb_next is not None:
                    place = place.tb_next
                line = place.tb_lineno if place is not None else 0
                self.refused.append(f"{received.method} {received.target}: line {line}: {error}")
                return None

        return checked
