"""Cost of an ml-metadata file of 100 000 executions: importing it, and asking it as it is.

Each execution has an input, an output, six properties and three contexts, as one of TFX has.
"""

from __future__ import annotations

import contextlib
import sqlite3
import sys
import tempfile
from pathlib import Path

from measuring import Figure, describe, median, run_process, trainwright_command

from trainwright.compat.ml_metadata.sqlite.schema import (
    ARTIFACT_TYPE,
    CONTEXT_TYPE,
    EXECUTION_TYPE,
    create_schema,
)

NODES = 10  # of a run
_TIME = 1_700_000_000_000
_ASK = """
import sys
import ml_metadata
from ml_metadata.proto import metadata_store_pb2

config = metadata_store_pb2.ConnectionConfig()
config.sqlite.filename_uri = sys.argv[1]
store = ml_metadata.MetadataStore(config)
node = store.get_context_by_type_and_name("node", "penguin.node_3")
options = ml_metadata.ListOptions(limit=10, order_by=ml_metadata.OrderByField.ID, is_asc=False)
newest = store.get_executions_by_context(node.id, options)
events = store.get_events_by_execution_ids([one.id for one in newest])
assert len(store.get_artifacts_by_id([one.artifact_id for one in events])) == 20
"""


def write_file(path: str, executions: int) -> None:
    """Writes the file with plain SQL: through the interface it would take minutes."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        create_schema(connection)
        types = [("Model", ARTIFACT_TYPE), ("Trainer", EXECUTION_TYPE)]
        types += [(name, CONTEXT_TYPE) for name in ("pipeline", "pipeline_run", "node")]
        connection.executemany(
            "INSERT INTO Type (id, name, type_kind) VALUES (?, ?, ?)",
            [(100 + index, *row) for index, row in enumerate(types)],
        )
        runs = executions // NODES
        contexts = [(1, 102, "penguin")]
        contexts += [(2 + node, 104, f"penguin.node_{node}") for node in range(NODES)]
        contexts += [(2 + NODES + run, 103, f"run-{run:06}") for run in range(runs)]
        connection.executemany(
            f"INSERT INTO Context VALUES (?, ?, ?, NULL, {_TIME}, {_TIME})", contexts
        )
        for id_ in range(1, executions + 1):
            _write_execution(connection, id_)
        connection.commit()


def _write_execution(connection: sqlite3.Connection, id_: int) -> None:
    run, node = divmod(id_ - 1, NODES)
    insert = connection.execute
    uri = f"/nowhere/node_{node}/model/{id_}"
    insert("INSERT INTO Artifact VALUES (?, 100, ?, 2, NULL, NULL, ?, ?)", (id_, uri, _TIME, _TIME))
    insert("INSERT INTO Execution VALUES (?, 101, 3, NULL, NULL, ?, ?)", (id_, _TIME, _TIME + 99))
    for name in ("name", "tfx_version"):
        insert(
            "INSERT INTO ArtifactProperty (artifact_id, name, is_custom_property, string_value) "
            "VALUES (?, ?, 1, 'model')",
            (id_, name),
        )
    for name in ("module_file", "train_args", "eval_args", "custom_config"):
        insert(
            "INSERT INTO ExecutionProperty (execution_id, name, is_custom_property, string_value) "
            "VALUES (?, ?, 1, '{\"num_steps\": 100}')",
            (id_, name),
        )
    for artifact_id, kind, key in ((max(id_ - 1, 1), 3, "base"), (id_, 4, "model")):
        event = insert(
            "INSERT INTO Event (artifact_id, execution_id, type, milliseconds_since_epoch) "
            "VALUES (?, ?, ?, ?)",
            (artifact_id, id_, kind, _TIME),
        ).lastrowid
        insert("INSERT INTO EventPath VALUES (?, 0, NULL, ?)", (event, key))
        insert("INSERT INTO EventPath VALUES (?, 1, 0, NULL)", (event,))
    for context in (1, 2 + node, 2 + NODES + run):
        insert("INSERT INTO Association (context_id, execution_id) VALUES (?, ?)", (context, id_))
        insert("INSERT INTO Attribution (context_id, artifact_id) VALUES (?, ?)", (context, id_))


def run(quick: bool) -> list[Figure]:
    executions = 5_000 if quick else 100_000
    times = 2 if quick else 3
    with tempfile.TemporaryDirectory() as directory:
        path = str(Path(directory) / "mlmd.db")
        write_file(path, executions)
        imports = []
        for attempt in range(times):
            store = str(Path(directory) / f"{attempt}.db")
            imports.append(run_process(trainwright_command("import-mlmd", path, "--store", store)))
        questions = [run_process([sys.executable, "-c", _ASK, path]) for _ in range(times)]
    assert f"executions  {executions}" in imports[0].output, imports[0].output
    imported, asked = ([cost.cpu for cost in costs] for costs in (imports, questions))
    file = f"ml-metadata file of {executions:,} executions"
    return [
        Figure(
            what=f"{file}: `trainwright import-mlmd`, CPU",
            value=median(imported),
            unit="s",
            remark=f"{describe(imported)}; wall {median(cost.wall for cost in imports):.1f} s",
        ),
        Figure(
            what=f"{file}: a script finds a node's ten newest executions, CPU",
            value=median(asked),
            unit="s",
            remark=f"{describe(asked)}; the import of ml_metadata included",
        ),
    ]
