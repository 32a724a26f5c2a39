"""Internal properties: Trainwright's own notes about executions and runs."""

from __future__ import annotations

# Custom properties of an execution.
NODE_ID = "__node_id__"
RUN_ID = "__run_id__"
ERROR = "__error__"
REASON = "__reason__"  # why the node ran, or why it did not have to
KEPT_OUTPUTS = "__kept_outputs__"  # keys of the outputs whose files stay if the node fails
REUSED_EXECUTION = "__reused_execution__"  # whose outputs a CACHED execution has
EXECUTION_NOTES = frozenset({NODE_ID, RUN_ID, ERROR, REASON, KEPT_OUTPUTS, REUSED_EXECUTION})

# Attachments of an execution.
CACHE_KEY_PARTS = "cache_key_parts"
SOURCE_FILES = "source_files"  # digests with size, time and inode, for the next run
PROGRESS = "progress"  # what the executor reported last: rows, steps, loss, metrics
MARK = (
    "mark"  # the token by which its directories are known: see `orchestration/publishing/claims.py`
)
IMPORTED_MARK = "imported-from-ml-metadata"  # in the place of a token: it was not made here
WRITTEN_MARK = "written-through-ml-metadata"  # the same, of what another program has added
FOREIGN_MARKS = (IMPORTED_MARK, WRITTEN_MARK)
RESULT = "result"  # manifests of the outputs, and the user's own modules that were loaded

# A custom property of artifacts, as TFX names it: 1 says that its files are not a run's to remove.
IS_EXTERNAL = "is_external"

# Custom properties of a run's context. They repeat what the run's row says, for readers of ML
# Metadata: see `run_rows.py`.
HEARTBEAT_AT = "heartbeat_at"
RUN_NOTES = frozenset(
    {
        "pipeline",
        "root",
        "state",
        "nodes",
        "upstream",
        "host",
        "pid",
        "process_started_at",
        HEARTBEAT_AT,
        "skipped",
        "cancel_requested_at",
        "deleted_at",
    }
)
