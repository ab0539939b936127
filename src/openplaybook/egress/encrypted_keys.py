"""What it takes to open an encrypted private key, told from the key before that is tried.

Whoever makes a key decides how often its passphrase is hashed (RFC 8018 §4.2), up to two thousand million times. The
libraries do as they are told, and all of this process waits for them.
"""

import binascii
import re
from base64 import b64decode
from collections.abc import Iterator
from math import prod

_BLOCK = re.compile(rb"-----BEGIN ENCRYPTED PRIVATE KEY-----(.*?)(?:-----END|\Z)", re.DOTALL)
_MOST_ROUNDS = 2_000_000
"""Three times what is recommended today, about a fifth of a second."""
_MOST_MEMORY = 2**20
"""Of scrypt (RFC 7914 §2): blocks times their size, each 128 bytes."""
_MOST_PARALLEL = 16

_SEQUENCE, _OCTETS, _INTEGER = 0x30, 0x04, 0x02
_LONG_FORM = 0x80


def is_costly(pem: bytes) -> bool:
    """Whether any encrypted key in a PEM text takes too long to open, or does not say what it takes."""
    return any(_is_too_much(block) for block in _BLOCK.findall(pem))


def _is_too_much(block: bytes) -> bool:
    try:
        key = b64decode(block)
        # RFC 5958 §3: a sequence of the algorithm and the encrypted key.
        _, outer = next(_elements(key))
        _, algorithm = next(_elements(outer))
        costs = list(_costs(algorithm))
    except (binascii.Error, IndexError, StopIteration, RuntimeError, RecursionError):
        return True
    return not costs or any(map(_is_high, costs))


def _is_high(cost: list[int]) -> bool:
    """Rounds, perhaps followed by the key's length; of scrypt: blocks, their size, how often, and perhaps the same."""
    if len(cost) <= 2:
        return cost[0] > _MOST_ROUNDS
    return prod(cost[:2]) > _MOST_MEMORY or cost[2] > _MOST_PARALLEL


def _costs(content: bytes) -> Iterator[list[int]]:
    """The integers of each sequence that begins with a salt: so all schemes of RFC 8018 and RFC 7914 have it."""
    elements = list(_elements(content))
    if elements and elements[0][0] == _OCTETS:
        numbers = [int.from_bytes(value) for tag, value in elements if tag == _INTEGER]
        if numbers:
            yield numbers
    for tag, value in elements:
        if tag == _SEQUENCE:
            yield from _costs(value)


def _elements(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Tags and values of what stands side by side (X.690 §8.1, definite lengths); `IndexError` where it breaks off."""
    at = 0
    while at < len(content):
        tag, length = content[at], content[at + 1]
        at += 2
        if length & _LONG_FORM:
            size = length ^ _LONG_FORM
            length = int.from_bytes(content[at : at + size])
            at += size
        if at + length > len(content):
            raise IndexError(at)
        yield tag, content[at : at + length]
        at += length
