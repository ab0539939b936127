"""Where the settings, variables or program of a running server differ from those of this shell."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.server.doctor.server_program import ServerProgram
from openplaybook.server.masked_settings import given_settings, read_variables, shown_settings
from openplaybook.server.settings import Settings

_RESTART = "to use it, restart the server from this shell"


@dataclass(frozen=True, slots=True)
class ShellDifference:
    """A setting, variable or program that differs between server and shell."""

    name: str
    """A setting, a variable, or `program`."""
    detail: str
    remedy: str

    def as_json(self) -> JsonObject:
        """The difference for `--json`."""
        return asdict(self)


def differences_from(
    server: JsonObject,
    settings: Settings,
    flags: Mapping[str, JsonValue],
    environment: Mapping[str, str],
    here: ServerProgram,
) -> list[ShellDifference]:
    """Where the server (`DoctorResponse.Server`) differs: first the program, then settings, then variables.

    Only what this shell, its folder or the flags give is compared. Values of secrets are not: the server does not
    tell them. `settings` are those that come of it, `here` is the program of this command.
    """
    if not server:
        return [ShellDifference("program", "the server is of an older version than this command", _RENEW)]
    return [*_program(server, here), *_settings(server, settings, flags, environment), *_variables(server, environment)]


_RENEW = "restart the server"


def _program(server: JsonObject, here: ServerProgram) -> Iterator[ShellDifference]:
    version, folder = str(server.get("version")), str(server.get("program"))
    if version != here.version:
        yield ShellDifference("program", f"the server runs version {version}, this command is {here.version}", _RENEW)
    elif server.get("programDigest") != here.digest:
        detail = f"the server runs other code of version {version} ({folder}) than this command ({here.folder})"
        yield ShellDifference("program", detail, "start the server with this command, or use its own")
    if server.get("programChanged"):
        detail = f"files in {folder} changed after the server started; it still runs the old ones"
        yield ShellDifference("program", detail, _RENEW)


def _settings(
    server: JsonObject, settings: Settings, flags: Mapping[str, JsonValue], environment: Mapping[str, str]
) -> Iterator[ShellDifference]:
    there, own = as_object(server.get("settings")), shown_settings(settings)
    for name, where in given_settings(flags, environment).items():
        if name in there and there[name] != own[name]:
            has = there[name] or "nothing"
            yield ShellDifference(name, f"{where} is {own[name] or 'nothing'} here; the server has {has}", _RESTART)


def _variables(server: JsonObject, environment: Mapping[str, str]) -> Iterator[ShellDifference]:
    there = as_list(server.get("variables"))
    for name in read_variables(environment):
        if name not in there:
            yield ShellDifference(name, "is set here, but not in the server", _RESTART)
