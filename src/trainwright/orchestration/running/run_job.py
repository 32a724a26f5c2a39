"""Job of a run: a pipeline, checked, with what this run makes of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from trainwright._paths import is_remote
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.pipeline import Pipeline
from trainwright.metadata.connection import (
    ConnectionConfig,
    as_connection_config,
    sqlite_metadata_connection_config,
)
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration import last_store
from trainwright.orchestration.events import RunObserver
from trainwright.orchestration.launching.launcher import Launcher
from trainwright.orchestration.launching.node_request import engine_by_flags
from trainwright.orchestration.listed_order import listed_order, nodes_after_own
from trainwright.orchestration.pipeline_check import (
    check_nodes,
    check_pipeline,
    check_store_place,
    with_root,
)
from trainwright.orchestration.planning.partial_run_inputs import (
    ReusedOutputs,
    find_reused_outputs,
)
from trainwright.orchestration.publishing.published_outputs import Records
from trainwright.orchestration.run_options import RunOptions, Selection, select_nodes


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """How a runner runs pipelines.

    Args:
        max_parallel: How many nodes may run at once.
        keep_listed_order: Whether components of the user's own keep to the pipeline's list.
        default_store: The metadata store of pipelines that name none; if None it is `metadata.db`
            in the pipeline root, or, for a root in an object store, a file of this user for it.
        engine: What runs passes over data, in place of the pipeline's own engine.
        open_report: Opens what is told of the run.
        make_launcher: Makes what launches the nodes of one run, which closes it.
        made_before: What nodes outside of the pipeline have made for it, by node id.
        check_nodes: Raises ValueError for nodes, or a root, that this runner has no use for.
    """

    max_parallel: int
    keep_listed_order: bool
    default_store: str | None
    engine: str | None
    open_report: Callable[[], AbstractContextManager[RunObserver]]
    make_launcher: Callable[[], Launcher]
    made_before: Mapping[str, Records]
    check_nodes: Callable[[Iterable[BaseNode], Mapping[str, Any], str], None]


@dataclass(frozen=True, kw_only=True)
class RunJob:
    """A pipeline, checked, with what this run makes of it.

    Args:
        pipeline: What is run.
        root: The absolute pipeline root.
        store: Where it is remembered.
        engine: What runs passes over data, by name or URL; the local engine if None.
        parameters: Values for the pipeline's runtime parameters.
        selection: The nodes that run, and those whose earlier outputs are reused.
        base_run_id: The run whose outputs are reused; None for the newest of each node.
        waits_for: The nodes that each node waits for beside those whose outputs it takes.
        after_own: The nodes for which a component of the user's own may make what they read.
        missing: Which of these things are not there yet, in words, by node id.
    """

    pipeline: Pipeline
    root: str
    store: ConnectionConfig
    engine: str | None
    parameters: Mapping[str, Any]
    selection: Selection
    base_run_id: str | None
    waits_for: Mapping[str, list[str]]
    after_own: Collection[str]
    missing: Mapping[str, str]

    @property
    def nodes(self) -> list[BaseNode]:
        """The nodes that this run has to do with, in the order of the pipeline."""
        chosen = self.selection.run | self.selection.reuse
        return [node for node in self.pipeline.components if node.id in chosen]

    @property
    def nodes_to_run(self) -> list[BaseNode]:
        return [node for node in self.nodes if node.id in self.selection.run]

    def find_reused_outputs(self, store: MetadataStore) -> list[ReusedOutputs]:
        return [
            find_reused_outputs(store, self.pipeline.pipeline_name, node, self.base_run_id)
            for node in self.nodes
            if node.id in self.selection.reuse
        ]


def check_job(
    pipeline: Pipeline,
    options: RunOptions | None,
    parameters: Mapping[str, Any],
    settings: RunSettings,
    *,
    with_checks: bool = True,
) -> RunJob:
    """What is to run, and where it is remembered; raises ValueError if it cannot run.

    Without checks of the nodes it may be a job that cannot run, but can be looked at.
    """
    selection = select_nodes(pipeline, options)
    root = check_pipeline(pipeline, parameters)
    parameters = with_root(pipeline, parameters, root)
    listed = pipeline.listed_components if settings.keep_listed_order else []
    in_order = [node for node in listed if node.id in selection.run]
    after_own = nodes_after_own(in_order)
    nodes = [node for node in pipeline.components if node.id in selection.run]
    missing = check_nodes(nodes, parameters, after_own) if with_checks else {}
    if with_checks:
        settings.check_nodes(nodes, parameters, root)
    job = RunJob(
        pipeline=pipeline,
        root=root,
        store=_connection_config(pipeline, root, settings.default_store),
        engine=_checked_engine(settings.engine or pipeline.engine, pipeline, nodes),
        parameters=parameters,
        selection=selection,
        base_run_id=options.base_pipeline_run_id if options else None,
        waits_for=listed_order(in_order),
        after_own=after_own,
        missing=missing,
    )
    check_store_place(job.nodes, job.root, job.store.url)
    return job


def _checked_engine(
    engine: str | None, pipeline: Pipeline, nodes: Iterable[BaseNode]
) -> str | None:
    components = [node for node in nodes if isinstance(node, BaseComponent)]
    chosen = [engine] if engine else [engine_by_flags(pipeline, node) for node in components]
    for one in filter(None, chosen):
        # Most pipelines name none, and need none of it to find that all is cached.
        from trainwright.engine.choice import check_engine

        check_engine(one)
    return engine


def _connection_config(pipeline: Pipeline, root: str, default: str | None) -> ConnectionConfig:
    given = pipeline.metadata_connection_config
    if given is not None:
        return as_connection_config(given)
    if default is not None:
        return as_connection_config(default)
    if is_remote(root):
        return sqlite_metadata_connection_config(last_store.store_for_root(root))
    return sqlite_metadata_connection_config(os.path.join(root, "metadata.db"))
