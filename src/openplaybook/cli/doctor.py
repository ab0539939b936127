"""`openplaybook doctor`: what works on this machine, and what to do for the rest."""

import asyncio
import os
from dataclasses import asdict

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import AsJson, DataDir, ModelName, settings_of


def doctor(data_dir: DataDir = None, model: ModelName = None, as_json: AsJson = False) -> None:
    """Say what works on this machine, and what to do for the rest. Exit code 1 when something does not.

    It looks for itself rather than asking a server, since it is wanted most when no server starts.
    """
    from openplaybook.cli.output import print_json
    from openplaybook.server.examination import examined

    settings = settings_of(data_dir=data_dir, model=model)
    checks = asyncio.run(examined(settings, os.environ))
    if as_json:
        print_json({"checks": [asdict(check) for check in checks]})
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            typer.secho(
                f"{'ok  ' if check.ok else 'FAIL'}  {check.name:<{width}} {check.detail}",
                fg=None if check.ok else "red",
            )
            if check.remedy:
                typer.echo(f"      {'':<{width}} → {check.remedy}")
    failed = [check.name for check in checks if not check.ok]
    if failed:
        raise CommandError(f"{len(failed)} of {len(checks)} checks failed: {', '.join(failed)}")
