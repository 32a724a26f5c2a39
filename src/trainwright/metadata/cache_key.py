"""The cache key: equal keys mean that a finished execution can stand for a new one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

# Part of every key: raise it when the meaning of a key changes.
_KEY_VERSION = 1


def compute_cache_key(
    *,
    pipeline_name: str,
    node_id: str,
    node_type: str,
    executor: Mapping[str, Any],
    inputs: Mapping[str, Sequence[int]],
    output_types: Mapping[str, str],
    exec_properties: Mapping[str, Any],
    source_files: Mapping[str, str | None],
    environment: Mapping[str, str],
) -> str:
    """A digest of everything that is known before a node runs and that its result depends on.

    Inputs count by their artifact ids: a reused artifact keeps its id, a new one has a new id.
    Properties whose name begins with an underscore do not count.
    """
    counted = {
        "version": _KEY_VERSION,
        "pipeline": pipeline_name,
        "node": node_id,
        "type": node_type,
        "executor": executor,
        "inputs": {key: list(ids) for key, ids in inputs.items() if ids},
        "outputs": output_types,
        "exec_properties": {
            name: value
            for name, value in exec_properties.items()
            if value is not None and not name.startswith("_")
        },
        "source_files": source_files,
        "environment": environment,
    }
    encoded = json.dumps(counted, sort_keys=True, default=str)
    return hashlib.sha256(encoded.encode("utf-8")).hexdigest()
