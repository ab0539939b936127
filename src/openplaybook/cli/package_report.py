"""What an import or a conversion has to tell, in groups."""

from collections.abc import Sequence

import typer

from openplaybook.cli.output import harmless, print_json
from openplaybook.cli.package_transfer import Imported
from openplaybook.cli.sync_showing import print_differences
from openplaybook.jsonvalues import JsonObject, as_list
from openplaybook.sync.file_comparison import FileDifference

_GROUPS = {
    "PROBLEM": "to check",
    "MISSING_FILE": "files missing from the export",
    "MISSING_SECRET": "secrets to set",
    "CHANGED": "changed in meaning",
    "LEFT_OUT": "not carried over",
    "KEPT": "kept for export, not run here",
    "WITHHELD_SECRET": "secrets that are not written",
}
"""Heading of each kind of note, the most urgent first."""
_RUNS = "RUNS"
_VERDICTS = {
    "NEEDS_MODEL": "needs a model (openplaybook serve --model …, docs/models.md)",
    "LEANS_ON": "depends on parts that are not run here",
}
"""Heading of each other verdict on a playbook."""
_NAMED = 8
"""Names in a line; the rest is counted."""
_SHOWN = 20
"""Notes of a group; the rest is counted."""


def show_notes(notes: Sequence[JsonObject]) -> None:
    """Print notes by kind on standard error, each with its place and the command that mends it."""
    for kind, heading in _GROUPS.items():
        group = [note for note in notes if note.get("kind") == kind]
        if group:
            typer.secho(f"{heading}:", err=True, bold=True)
        for note in group[:_SHOWN]:
            typer.echo(harmless(f"  {note.get('place')}: {note.get('message')}"), err=True)
            if note.get("remedy"):
                typer.echo(harmless(f"    $ {note['remedy']}"), err=True)
        if len(group) > _SHOWN:
            typer.echo(f"  and {len(group) - _SHOWN} more; --json has them all", err=True)


def show_verdicts(playbooks: Sequence[JsonObject]) -> None:
    """Print on standard error which playbooks run, which need a model, and what others lean on."""
    runs = [each for each in playbooks if each.get("verdict") == _RUNS]
    if runs:
        named = _listed([f"{each.get('displayName')}{_answered(each)}" for each in runs])
        typer.secho("runs: ", err=True, bold=True, nl=False)
        typer.echo(harmless(named), err=True)
    for kind, heading in _VERDICTS.items():
        group = [each for each in playbooks if each.get("verdict") == kind]
        if group:
            typer.secho(f"{heading}:", err=True, bold=True)
        for each in group[:_SHOWN]:
            typer.echo(harmless(f"  {each.get('displayName')}: {_why(each)}{_answered(each)}"), err=True)
        if len(group) > _SHOWN:
            typer.echo(f"  and {len(group) - _SHOWN} more; --json has them all", err=True)


def _why(verdict: JsonObject) -> str:
    leans, need = list(map(str, as_list(verdict.get("leansOn")))), verdict.get("needsModel")
    if not leans:
        return str(need)
    return _listed(leans, "; ") + (f"; and it needs a model: {need}" if need else "")


def _answered(verdict: JsonObject) -> str:
    functions = list(map(str, as_list(verdict.get("clientFunctions"))))
    return f" (the client answers {_listed(functions)})" if functions else ""


def _listed(names: Sequence[str], between: str = ", ") -> str:
    shown = between.join(names[:_NAMED])
    return f"{shown} and {len(names) - _NAMED} more" if len(names) > _NAMED else shown


def print_import(imported: Imported, to_mend: Sequence[str], differences: Sequence[FileDifference] | None) -> None:
    """What an import made, with all that is to be told; `differences` where it changed what was there."""
    show_notes(imported.notes)
    for fault in to_mend:
        typer.echo(harmless(f"to fix: {fault}"), err=True)
    show_verdicts(imported.playbooks)
    if differences is None:
        typer.echo(imported.name)
        return
    if differences:
        print_differences(differences)
    typer.echo(f"{imported.name}: {'changed' if differences else 'nothing to change'}")


def print_import_json(imported: Imported, to_mend: Sequence[str], differences: Sequence[FileDifference] | None) -> None:
    """The same for programs."""
    told: JsonObject = {
        **imported.resource,
        "notes": imported.notes,
        "playbooks": imported.playbooks,
        "toMend": list(to_mend),
    }
    if differences is not None:
        told["differences"] = [each.as_json() for each in differences]
    print_json(told)
