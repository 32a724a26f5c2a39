"""The contexts that group executions and artifacts, named as TFX names them."""

from __future__ import annotations

from trainwright.metadata.records import ContextKey

PIPELINE = "pipeline"
PIPELINE_RUN = "pipeline_run"
NODE = "node"
EXECUTION_CACHE = "execution_cache"
# An import of an ml-metadata file into the store; TFX has nothing of this name.
IMPORT = "trainwright_import"


def pipeline_context(pipeline_name: str) -> ContextKey:
    return ContextKey(PIPELINE, pipeline_name)


def run_context(run_id: str) -> ContextKey:
    return ContextKey(PIPELINE_RUN, run_id)


def node_context(pipeline_name: str, node_id: str) -> ContextKey:
    return ContextKey(NODE, f"{pipeline_name}.{node_id}")


def cache_context(cache_key: str) -> ContextKey:
    return ContextKey(EXECUTION_CACHE, cache_key)
