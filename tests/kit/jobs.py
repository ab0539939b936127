"""Tasks that children do in tests: one that answers, and some that end as foreign input makes them end."""

import os
import signal


def task(data: bytearray) -> bytes:
    """What a job's first word says."""
    word, _, rest = bytes(data).partition(b" ")
    match word:
        case b"echo":
            return rest
        case b"pid":
            return str(os.getpid()).encode()
        case b"surroundings":
            return repr(dict(os.environ)).encode()
        case b"crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        case b"exit":
            os._exit(int(rest))
        case b"raise":
            raise ValueError(rest)
        case b"spin":
            while True:
                pass
        case b"hang":
            signal.pause()
        case b"eat":
            return b"x" * int(rest)
        case b"grow":
            _KEPT.append(b"x" * int(rest))
            return str(os.getpid()).encode()
        case _:
            pass
    return b""


_KEPT: list[bytes] = []
