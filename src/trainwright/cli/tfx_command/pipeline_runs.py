"""The runs of registered pipelines, in the metadata stores that their files name."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainwright.cli.tfx_command.options import Failure, guess
from trainwright.cli.tfx_command.registered_pipelines import PipelineHome, RegisteredPipeline

if TYPE_CHECKING:
    from trainwright.history.run_view import RunView
    from trainwright.metadata.store import MetadataStore

# How many runs of a pipeline a message names.
_SHOWN = 5


@contextlib.contextmanager
def open_store_of(pipeline: RegisteredPipeline) -> Iterator[MetadataStore | None]:
    """The store of a pipeline's runs; None before its first run."""
    from trainwright.metadata.connection import open_store
    from trainwright.metadata.store import StoreNotFoundError

    with contextlib.ExitStack() as stack:
        store = None
        if pipeline.store is not None:
            try:
                store = stack.enter_context(open_store(pipeline.store, create=False))
            except StoreNotFoundError:
                pass
            except ModuleNotFoundError as error:  # the driver of a database server
                raise Failure(str(error)) from error
        yield store


@contextlib.contextmanager
def open_store_with(home: PipelineHome, run_id: str) -> Iterator[tuple[MetadataStore, RunView]]:
    """The store that has a run of a registered pipeline, and the run."""
    known: list[str] = []
    for name in home.names():
        with open_store_of(home.get(name)) as store:
            if store is None:
                continue
            view = _find(store, name, run_id, known)
            if view is not None:
                yield store, view
                return
    raise Failure(f'Run "{run_id}" does not exist.{guess(run_id, known)}')


def find_run_of(store: MetadataStore | None, name: str, run_id: str) -> RunView:
    """A run of a pipeline by its id, or an error that names some."""
    known: list[str] = []
    view = None if store is None else _find(store, name, run_id, known)
    if view is None:
        raise Failure(f'Run "{run_id}" of pipeline "{name}" does not exist.{guess(run_id, known)}')
    return view


def _find(store: MetadataStore, name: str, run_id: str, known: list[str]) -> RunView | None:
    """The run, if the pipeline has one of this very id; else some that it has are added to `known`,
    for a message."""
    from trainwright.history.run_history import find_run
    from trainwright.history.run_view import view_run

    record = store.get_run(run_id)
    if record is not None and record.deleted_at is None:
        run = find_run(store, run_id)
        if run.pipeline == name:
            return view_run(store, run)
    known += [run.run_id for run in store.get_runs(pipeline=name, limit=_SHOWN)]
    return None
