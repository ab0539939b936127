"""What doctor found, and who looked: the server that runs on the data directory, or this command."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.errors import ApiError, CommandError
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.server.settings import Settings
from openplaybook.storage.data_directory import DataDirectory, ServerAddress
from openplaybook.storage.errors import StoreUnusable

ANSWERS_S = 5.0
"""Until a server says that it is alive."""
_LOOKS_S = 30.0
"""Until it has looked at everything; other machines are asked, too."""
_TRIES_S = 110.0
"""The same with a trial of the model."""
_NOWHERE = "unknown address"


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str
    remedy: str
    by_server: bool
    """Whether the server looked at it, else this command."""

    def as_json(self) -> JsonObject:
        """The finding for `--json`."""
        by = "server" if self.by_server else "command"
        return {"name": self.name, "ok": self.ok, "detail": self.detail, "remedy": self.remedy, "by": by}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All that was found."""

    findings: Sequence[DoctorFinding]
    data_dir: str
    address: str = ""
    """Of the server that runs on the data directory; empty where none does."""
    server: JsonObject = field(default_factory=dict[str, object])
    """What the server said of itself (`DoctorResponse.Server`); empty where it did not answer."""
    has_answered: bool = False

    @property
    def server_line(self) -> str:
        """Who looked, in one line."""
        if not self.address:
            return f"server: none is running on {self.data_dir}; this command made the checks"
        if not self.has_answered:
            return f"server: {self.address} does not respond; this command made the checks"
        if not self.server:
            return f"server: {self.address}, an older version"
        began = datetime.fromisoformat(str(self.server["startTime"])).astimezone()
        return (
            f"server: {self.address}, version {self.server['version']}, since {began:%Y-%m-%d %H:%M:%S}, "
            f"process {self.server.get('processId')}"
        )

    def server_json(self) -> JsonObject | None:
        """The server for `--json`; None where none runs."""
        if not self.address:
            return None
        facts = {name: self.server[name] for name in ("version", "startTime", "processId") if name in self.server}
        return {"address": self.address, "answered": self.has_answered, **facts}


def diagnose(settings: Settings, *, try_model: bool, answers_s: float = ANSWERS_S) -> Diagnosis:
    """Ask the server that runs on the data directory; where none does, or it does not answer, look here.

    `answers_s` is the time that a server has to say that it is alive.
    """
    data_dir = str(settings.data_dir)
    address = None
    try:
        address = DataDirectory(settings.data_dir).running_server() if settings.data_dir.is_dir() else None
        if address is None:
            return Diagnosis(_looked(settings, try_model=try_model), data_dir)
        answer = _asked(address, answers_s, try_model=try_model)
    except (ApiError, CommandError, StoreUnusable) as error:
        findings = [_silent(error), *_looked(settings, try_model=try_model)]
        return Diagnosis(findings, data_dir, address.http if address else _NOWHERE)
    findings = [_of_server(as_object(each)) for each in as_list(answer.get("checks"))]
    return Diagnosis(findings, data_dir, address.http, as_object(answer.get("server")), has_answered=True)


def _asked(address: ServerAddress, answers_s: float, *, try_model: bool) -> JsonObject:
    ApiClient(address.http, address.key, address.certificate, timeout_s=answers_s).get("livez")
    patient = ApiClient(address.http, address.key, address.certificate, timeout_s=_TRIES_S if try_model else _LOOKS_S)
    query: Mapping[str, str] = {"tryModel": "true"} if try_model else {}
    return patient.get("v1/openplaybook:doctor", **query)


def _silent(error: Exception) -> DoctorFinding:
    return DoctorFinding(
        "server", False, str(error), "check its log, or restart it; this command made the other checks", False
    )


def _of_server(check: JsonObject) -> DoctorFinding:
    return DoctorFinding(
        str(check.get("name", "")),
        bool(check.get("ok")),
        str(check.get("detail", "")),
        str(check.get("remedy", "")),
        by_server=True,
    )


def _looked(settings: Settings, *, try_model: bool) -> list[DoctorFinding]:
    """What this command finds in its own process, as a server that it started would be."""
    # A second of imports, which a command beside a running server does not need.
    import asyncio

    from openplaybook.server.doctor.examination import examined_here

    checks = asyncio.run(examined_here(settings, os.environ, ask_model=try_model))
    return [DoctorFinding(each.name, each.ok, each.detail, each.remedy, by_server=False) for each in checks]
