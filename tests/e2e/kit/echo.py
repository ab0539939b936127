"""An API that gives everything it is sent back, in its answer's body and headers, and hands out OAuth tokens."""

import json
import threading
from base64 import b64decode
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

OAUTH_TOKEN = "planted-oauth-access/token+1"
"""What the token endpoint gives."""

_SCHEMA = """
openapi: 3.0.0
info: {title: Echo, version: '1'}
servers: [{url: 'http://127.0.0.1:%d'}]
paths:
  /ok:
    post:
      operationId: NAMEOk
      parameters:
        - {name: X-Injected, in: header, schema: {type: string, x-agent-input-parameter: token}}
        - {name: injected, in: query, schema: {type: string, x-agent-input-parameter: token}}
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: {'200': {description: echoed}}
  /refuse:
    get: {operationId: NAMERefuse, responses: {'200': {description: never}}}
  /busy:
    get: {operationId: NAMEBusy, responses: {'200': {description: echoed, at the second try}}}
  /large:
    get: {operationId: NAMELarge, responses: {'200': {description: echoed, much of it}}}
"""


@dataclass
class Echo:
    """What came."""

    port: int
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    targets: list[str] = field(default_factory=list[str])

    def schema(self, name: str) -> str:
        """Its description, operations named after a tool."""
        return (_SCHEMA % self.port).replace("NAME", name)

    @property
    def token_endpoint(self) -> str:
        """Where tokens are to be had."""
        return f"http://127.0.0.1:{self.port}/token"

    def sent(self, name: str) -> list[str]:
        """The values of a header in the requests that had it."""
        return [headers[name] for headers in self.headers if name in headers]


@contextmanager
def echoing() -> Generator[Echo]:
    """Runs the API while the context lasts."""
    echo = Echo(0)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers.get("Content-Length", 0))))

        def _answer(self, body: bytes) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            echo.headers.append(headers)
            echo.targets.append(self.path)
            said = {"headers": headers, "target": self.path, "body": body.decode(), "clear": _in_clear(headers)}
            if self.path == "/token":
                said = {"access_token": OAUTH_TOKEN, "token_type": "Bearer", "expires_in": 3600}
            if self.path.startswith("/large"):
                said = {"many": [said] * 60}
            answer = json.dumps(said).encode()
            self.send_response(_status(echo, self.path))
            if self.path.startswith("/busy"):
                self.send_header("Retry-After", "0")
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.send_header("X-Echo", json.dumps(headers))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:
            """The tests' output is no place for an access log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    echo.port = server.server_port
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield echo
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _status(echo: Echo, target: str) -> int:
    if target.startswith("/busy"):
        times = sum(each.startswith("/busy") for each in echo.targets)
        return 503 if times % 2 else 200
    return 401 if target.startswith("/refuse") else 200


def _in_clear(headers: dict[str, str]) -> str:
    """User name and password of HTTP basic, as an API that logs too much would say them."""
    scheme, _, value = headers.get("authorization", "").partition(" ")
    return b64decode(value).decode() if scheme == "Basic" else ""
