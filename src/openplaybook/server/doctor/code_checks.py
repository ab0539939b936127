"""What doctor says about running code: each wall of the sandbox, and the libraries that code finds."""

from collections.abc import Mapping
from importlib.util import find_spec

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.sandbox.base import Executor, ExecutorReport, Layer
from openplaybook.server.code_execution import executor_of
from openplaybook.server.doctor.checks import Check
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.server.transports import LateTransport

_NAME = "code"
_LIBRARIES = ("numpy", "pandas", "matplotlib", "scipy", "sympy", "sklearn", "openpyxl", "PIL", "seaborn", "statsmodels")


async def check_code(settings: Settings, environment: Mapping[str, str]) -> list[Check]:
    """The executor that the settings name, made for the time of the look, and each layer that it stands on."""
    way_out = LateTransport(AddressPolicy(parse_allow("0.0.0.0/0,::/0")))
    try:
        executor = executor_of(settings, environment, way_out)
        try:
            return await check_executor(settings, executor)
        finally:
            if executor is not None:
                await executor.aclose()
    except SettingsError as error:
        return [Check(_NAME, False, str(error), "correct the code_ settings")]
    finally:
        await way_out.aclose()


async def check_executor(settings: Settings, executor: Executor | None) -> list[Check]:
    """An executor, such as the one that a server has, and each layer that it stands on; None: there is none."""
    if executor is None:
        return [Check(_NAME, True, "switched off by code_executor")]
    return [*_layers(await executor.report()), *_libraries(settings)]


def _layers(report: ExecutorReport) -> list[Check]:
    detail = f"runs in {report.executor}" if report.ok else f"is not run: {report.executor} lacks what is listed below"
    # What was chosen by name is no fault, but is said each time.
    overall = Check(_NAME, report.ok, detail, report.note)
    return [overall, *(_layer(layer) for layer in report.layers)]


def _layer(layer: Layer) -> Check:
    detail = layer.detail if layer.ok or layer.required else f"missing, but not required: {layer.detail}"
    return Check(f"{_NAME}: {layer.name}", layer.ok or not layer.required, detail, layer.remedy)


def _libraries(settings: Settings) -> list[Check]:
    if settings.code_python is not None or settings.code_executor in ("kubernetes", "e2b"):
        return []
    missing = [name for name in _LIBRARIES if find_spec(name) is None]
    remedy = "they come with the extra code-interpreter (docs/installing.md)" if missing else ""
    detail = f"not installed: {', '.join(missing)}" if missing else "all installed"
    return [Check(f"{_NAME}: libraries", True, detail, remedy)]
