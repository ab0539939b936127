"""Headers that say where a message begins and ends, and what becomes of its connection (RFC 9112 §6 and §9)."""

_FRAMING = frozenset(
    {"host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "expect", "keep-alive"}
)


def is_framing(name: str) -> bool:
    """Whether a header belongs to the transport, whatever its case.

    A request with one of its own could end elsewhere than we think, and the next one on its connection, which may be
    another agent's, would be read as a part of it.
    """
    lower = name.lower()
    return lower in _FRAMING or lower.startswith("proxy-")
