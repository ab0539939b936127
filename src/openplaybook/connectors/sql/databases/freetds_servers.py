"""Servers as FreeTDS, the library below SQL Server's driver, reads them: sections of a file that its environment
variable FREETDSCONF names. Only there a certificate's authority and name can be said.

The file is one for the process, since the variable is, and is written anew and put in place as a whole: FreeTDS reads
it at each connect, from any thread.
"""

import atexit
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

from openplaybook.connectors.errors import InvalidConnection

_NAME = re.compile(r"[A-Za-z0-9_:-][A-Za-z0-9._:-]{0,252}")
"""Of hosts: what could end the line, or begin a comment, is in none."""
_VARIABLE = "FREETDSCONF"


@dataclass(frozen=True, slots=True)
class FreetdsServer:
    """What a connection is made to."""

    address: str
    """IP address, which is dialled."""
    port: int
    host: str
    """The name that the certificate must have."""
    authority: Path
    """File with the certificates that are trusted."""

    def text(self) -> str:
        """The keys of its section. Raises `InvalidConnection` for a host that can be no name of a certificate."""
        if not _NAME.fullmatch(self.host):
            raise InvalidConnection("configVariables.host", f"{self.host[:80]!r} is no name that a certificate has")
        return (
            f"host = {self.address}\nport = {self.port}\ntds version = 7.4\nencryption = require\n"
            f"ca file = {self.authority}\ncheck certificate hostname = yes\ncertificate hostname = {self.host}\n"
        )


class FreetdsServers:
    """The file of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sections: dict[str, FreetdsServer] = {}
        self._folder: Path | None = None

    def named(self, owner: str, server: FreetdsServer) -> str:
        """The name under which the driver finds a server; `owner` forgets it again."""
        with self._lock:
            known = next((name for name, each in self._sections.items() if each == server and _is_of(owner, name)), "")
            if known:
                return known
            # A name that no resolver knows (RFC 6761 §6.4): without its section nothing is dialled.
            name = f"{owner}-{token_hex(8)}.invalid"
            self._write({**self._sections, name: server})
            return name

    def forget(self, owner: str) -> None:
        """Take all servers of an owner out."""
        with self._lock:
            left = {name: each for name, each in self._sections.items() if not _is_of(owner, name)}
            if len(left) < len(self._sections):
                self._write(left)

    def _write(self, sections: Mapping[str, FreetdsServer]) -> None:
        text = "".join(f"[{name}]\n{each.text()}" for name, each in sections.items())
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="openplaybook-freetds-"))
            atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        written = self._folder / "freetds.new"
        written.touch(mode=0o600)
        written.write_text(text)
        file = written.replace(self._folder / "freetds.conf")
        # Set again each time: another library of the process may have changed it.
        os.environ[_VARIABLE] = str(file)
        self._sections = dict(sections)


def _is_of(owner: str, name: str) -> bool:
    return name.startswith(f"{owner}-")


SERVERS = FreetdsServers()
"""Those of all connections."""
