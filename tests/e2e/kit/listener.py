"""A service on loopback, in a thread of its own, that keeps everything it is sent."""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Listener:
    """What came."""

    url: str = ""
    bodies: list[bytes] = field(default_factory=list[bytes])


@contextmanager
def listening(answer: Callable[[bytes], tuple[str, bytes]]) -> Generator[Listener]:
    """Runs it while the context lasts; `answer` gives media type and body for the body of a POST."""
    listener = Listener()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            listener.bodies.append(body)
            media_type, content = answer(body)
            self.send_response(200)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """The tests' output is no place for an access log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listener.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield listener
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
