"""Names to checked addresses: the place where rebinding and private names are stopped."""

import asyncio
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

from openplaybook.egress.address_policy import AddressPolicy
from openplaybook.egress.base import Resolver

_MAX_ADDRESSES = 64
"""More are never dialled, and those past them not looked at."""

_MAX_LOOKUPS = 64
"""Names that are looked up at once; threads are made as they are needed."""

Lookup: TypeAlias = Callable[[str, int], Sequence[str]]


def _addresses(host: str, port: int) -> Sequence[str]:
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in entries))


class SystemResolver:
    """The operating system's resolver, asked in threads of its own.

    A name whose servers do not answer holds a thread for many seconds, and tools may name any number of such names:
    neither the other lookups nor the rest of the server may wait for them.
    """

    def __init__(self, lookup: Lookup = _addresses) -> None:
        """`lookup` gives the addresses of a host, or waits."""
        self._lookup = lookup
        self._threads = ThreadPoolExecutor(_MAX_LOOKUPS, thread_name_prefix="resolver")

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """The addresses of `host`; raises `socket.gaierror` when it has none."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._lookup, host, port)


class CheckedResolver:
    """What connections are dialled by: exactly the addresses returned here, so what was checked is what is dialled.

    One refused address refuses the name: a name that is public and private at once is an attack or a mistake.
    """

    def __init__(self, resolver: Resolver, policy: AddressPolicy) -> None:
        self._resolver = resolver
        self._policy = policy

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """The checked addresses of `host`; raises `AddressRefused`, or `OSError` when there are none."""
        tried = (await self._resolver.resolve(host, port))[:_MAX_ADDRESSES]
        for address in tried:
            self._policy.check_address(address, host)
        return tried
