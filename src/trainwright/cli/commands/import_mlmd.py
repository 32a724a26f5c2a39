"""`trainwright import-mlmd`: the history of TFX pipelines, brought over into a store."""

from __future__ import annotations

import contextlib
import datetime
import os
import shlex
from typing import TYPE_CHECKING

import click

from trainwright._printable import printable_line
from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.output import echo, json_option, print_facts, print_json
from trainwright.cli.store_option import find_store, store_option

if TYPE_CHECKING:
    from trainwright.compat.mlmd_import.import_file import ImportSummary
    from trainwright.compat.mlmd_import.source_file import MlmdFile
    from trainwright.history.store_choice import StoreChoice


@click.command("import-mlmd")
@click.argument("file", type=click.Path())
@store_option
@click.option("--dry-run", is_flag=True, help="Only show what would be imported.")
@json_option
def import_mlmd(file: str, store: str | None, dry_run: bool, as_json: bool) -> None:
    """Import the records of an ml-metadata file, such as TFX's metadata.db.

    Artifacts, executions, events and contexts come over with their ids, types, properties, states
    and times: Resolvers, `runs`, `artifacts` and `lineage` go on from there. The store must be new
    or empty. The file itself is only read. Files of artifacts stay where they are, and `gc` never
    deletes them.

    \b
    trainwright import-mlmd tfx/metadata.db --store output/metadata.db --dry-run
    trainwright import-mlmd tfx/metadata.db --store output/metadata.db

    Exit code: 0 if the records are in the store, also if they were before; 2 if the file or the
    store cannot be used.
    """
    from trainwright.compat.mlmd_import.source_file import open_mlmd_file

    chosen = _choose_store(file, store)
    with open_mlmd_file(file) as opened:
        imported_at, summary = _import(opened, chosen, dry_run)
    if as_json:
        outcome = "already imported" if summary is None else "dry run" if dry_run else "imported"
        print_json({"outcome": outcome, "store": chosen.shown, "summary": summary})
    elif summary is None:
        when = datetime.datetime.fromtimestamp(imported_at or 0).strftime("%Y-%m-%d %H:%M")
        echo(f"{file} was imported into {chosen.shown} on {when}. Nothing was changed.")
    else:
        _show(summary, chosen, dry_run)


def _choose_store(file: str, address: str | None) -> StoreChoice:
    chosen = find_store(address)
    if chosen is None or chosen.is_guess:
        # The store that was used last is hardly meant, and has records.
        raise WrongQuestionError(
            "Say where the records go: --store PATH of a new store, TRAINWRIGHT_STORE or "
            "trainwright.toml."
        )
    if _is_same_file(file, chosen.path):
        moved = os.path.join(os.path.dirname(file), "tfx-" + os.path.basename(file))
        raise WrongQuestionError(
            f"{file} cannot be imported into itself. To keep the path for the store, move the "
            f"file first: mv {shlex.quote(file)} {shlex.quote(moved)}, then trainwright "
            f"import-mlmd {shlex.quote(moved)} --store {shlex.quote(file)}"
        )
    return chosen


def _is_same_file(file: str, store: str | None) -> bool:
    try:
        return store is not None and os.path.samefile(file, store)
    except (OSError, ValueError):  # one of them is not there
        return False


def _import(
    file: MlmdFile, chosen: StoreChoice, dry_run: bool
) -> tuple[float | None, ImportSummary | None]:
    """When the file was imported before, or what was imported now."""
    from trainwright.compat.mlmd_import.import_file import (
        check_is_empty,
        find_import,
        import_file,
        survey_file,
    )
    from trainwright.metadata.sql_store import SqlMetadataStore
    from trainwright.metadata.store import StoreNotFoundError

    try:
        with contextlib.closing(SqlMetadataStore(chosen.url, create=not dry_run)) as store:
            imported_at = find_import(store, file)
            if imported_at is not None:
                return imported_at, None
            if not dry_run:
                return None, import_file(store, file)
            check_is_empty(store)
    except StoreNotFoundError:
        assert dry_run
    except ModuleNotFoundError as error:  # the driver of a database server
        raise WrongQuestionError(str(error)) from error
    return None, survey_file(file)


def _show(summary: ImportSummary, chosen: StoreChoice, dry_run: bool) -> None:
    print_facts(
        [
            ("from", summary.source),
            ("to", chosen.shown),
            *((noun, str(count)) for noun, count in summary.counts.items()),
            *_describe_pipelines(summary),
        ]
    )
    for remark in _remarks(summary):
        echo(f"- {remark}")
    if dry_run:
        echo("Nothing was imported: this is a dry run.")
    else:
        echo(f"Imported. Look at it: trainwright runs --store {shlex.quote(chosen.shown)}")


def _describe_pipelines(summary: ImportSummary) -> list[tuple[str, str]]:
    runs = [
        f"{printable_line(name) or '(without a pipeline)'} ({count} run{'s' if count != 1 else ''})"
        for name, count in sorted(summary.pipelines.items())
    ]
    return [("pipelines", "\n".join(runs))] if runs else []


def _remarks(summary: ImportSummary) -> list[str]:
    remarks = list(summary.remarks)
    if summary.missing_files:
        remarks.append(
            "Published artifacts whose files are not there, which resolvers pass over until they "
            f"are: {summary.missing_files}."
        )
    if summary.relative:
        remarks.append(
            "Published artifacts with a relative path, which counts from where pipelines are run: "
            f"{summary.relative}."
        )
    if summary.remote:
        remarks.append(
            "Published artifacts in an object store, which pipelines here do not read (copy them "
            f"to this machine): {summary.remote}."
        )
    remarks += [f"Left out: {count} {what}." for what, count in summary.left_out.items()]
    return remarks
