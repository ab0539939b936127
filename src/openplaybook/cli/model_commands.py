"""`openplaybook models`: which models are configured, and whether one works."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from openplaybook.cli.options import AsJson, settings_of

if TYPE_CHECKING:
    from openplaybook.models.model_trial import Observation, Trial

app = typer.Typer(help="List the configured models, and test one.", no_args_is_help=True)


@app.command("list")
def list_models(as_json: AsJson = False) -> None:
    """List the default model and the aliases, and why one cannot be used.

    It reads the settings of this shell and folder, as `serve` would. Nothing is sent. Exit code 1 when a model cannot
    be used.
    """
    from openplaybook.cli.output import print_json, print_rows

    listed = _configured()
    if as_json:
        models = [
            {"alias": each.alias, "model": each.model, "ok": not each.fault, "detail": each.fault} for each in listed
        ]
        print_json({"models": models})
    else:
        print_rows([(each.alias or "(default)", each.model, each.fault or "can be used") for each in listed])
    if any(each.fault for each in listed):
        raise typer.Exit(1)


@app.command("test")
def try_out(
    model: Annotated[
        str,
        typer.Argument(metavar="MODEL", help="As for serve --model, or an alias; without it, the default model."),
    ] = "",
    timeout: Annotated[float, typer.Option(metavar="SECONDS", min=1, help="Time limit of each request.")] = 60,
    as_json: AsJson = False,
) -> None:
    """Send a model one short question with one tool, as turns do, and show what works and how long it took.

    It reads the keys and settings of this shell and folder, as `serve` would, and does not ask a running server. Exit
    code 0: turns can use the model; 1: something fails.
    """
    from openplaybook.cli.output import harmless, print_json

    trial = _tried(_specification(model), timeout)
    if as_json:
        print_json(_as_json(trial))
    else:
        typer.echo(harmless(f"{trial.model} at {trial.url}" if trial.url else trial.model))
        for observation in trial.observations:
            _print_observation(observation)
        typer.echo(f"        {'time taken':<14}{trial.seconds:.1f} s")
    if not trial.ok:
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class _Configured:
    """A model of the settings."""

    alias: str
    """The name that agents ask for; empty for the default model."""
    model: str
    fault: str
    """Why it cannot be used; empty where it can."""


def _configured() -> list[_Configured]:
    from openplaybook.models.model_directory import parse_aliases

    settings = settings_of()
    names = {"": settings.model, **parse_aliases(settings.model_aliases)}
    faults = {specification: _fault(specification) for specification in names.values()}
    return [_Configured(alias, model, faults[model]) for alias, model in names.items()]


def _fault(specification: str) -> str:
    import asyncio
    import os

    from openplaybook.models.errors import ModelNotConfigured
    from openplaybook.models.model_registry import create_model

    try:
        model = create_model(specification, os.environ)
    except ModelNotConfigured as error:
        return str(error)
    asyncio.run(model.aclose())
    return ""


def _specification(model: str) -> str:
    """What `model` stands for: an alias, a specification, or, empty, the default model."""
    from openplaybook.models.model_directory import parse_aliases

    settings = settings_of()
    return parse_aliases(settings.model_aliases).get(model, model or settings.model)


def _tried(specification: str, timeout: float) -> "Trial":
    import asyncio
    import os

    from openplaybook.models.errors import ModelNotConfigured
    from openplaybook.models.model_keys import key_of
    from openplaybook.models.model_registry import create_model
    from openplaybook.models.model_trial import try_model, unusable

    # Outside of a loop: Google's library leaves a task behind in one where its client cannot be made.
    try:
        model = create_model(specification, os.environ)
    except ModelNotConfigured as error:
        return unusable(specification, error)

    async def tried() -> "Trial":
        try:
            return await try_model(model, key_of(specification, os.environ), timeout)
        finally:
            await model.aclose()

    return asyncio.run(tried())


def _print_observation(observation: "Observation") -> None:
    from openplaybook.cli.output import harmless

    mark, colour = {True: ("ok", None), False: ("FAIL", "red"), None: ("-", None)}[observation.ok]
    typer.secho(harmless(f"{mark:<6}  {observation.name:<14}{observation.detail}").rstrip(), fg=colour)


def _as_json(trial: "Trial") -> dict[str, object]:
    checks = [{"name": each.name, "ok": each.ok, "detail": each.detail} for each in trial.observations]
    return {
        "model": trial.model,
        "url": trial.url,
        "ok": trial.ok,
        "seconds": round(trial.seconds, 3),
        "checks": checks,
    }
