"""Asks for health all the time: `python -m benchmarks.hostile.pulse PORT`.

Prints, as JSON, `[moment, seconds]` for every wait of more than 20 ms between two answers beyond the pause between
them. A connection is kept for twenty questions: both an open one and a new one have to be answered.
"""

import http.client
import sys
import time

from openplaybook.jsonvalues import dumps

_PAUSE_S = 0.01
_WORTH_TELLING_S = 0.02
_KEPT_FOR = 20


def main() -> None:
    """Ask until the process is ended."""
    port = int(sys.argv[1])
    last = time.monotonic()
    connection, asked = http.client.HTTPConnection("127.0.0.1", port, timeout=120), 0
    while True:
        time.sleep(_PAUSE_S)
        try:
            if asked % _KEPT_FOR == 0:
                connection.close()
            connection.request("GET", "/healthz")
            is_answered = connection.getresponse().read() != b""
        except (TimeoutError, OSError, http.client.HTTPException):
            connection.close()
            is_answered = False
        if not is_answered:
            continue
        asked += 1
        now = time.monotonic()
        if now - last - _PAUSE_S > _WORTH_TELLING_S:
            sys.stdout.buffer.write(dumps([now, now - last - _PAUSE_S]) + b"\n")
            sys.stdout.flush()
        last = now


if __name__ == "__main__":
    main()
