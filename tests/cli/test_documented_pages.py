"""Terminal output on pages other than that of the command line is what is printed today."""

from __future__ import annotations

import io
import re
import shutil
import sys

import pytest
from documented_output import REPOSITORY, assert_lines_are_printed, assert_sentence, block

sys.path.append(str(REPOSITORY / "tests" / "compat" / "mlmd_import"))
from tfx_shaped_store import write as write_tfx_store  # noqa: E402

from trainwright import (
    Channel,
    Cond,
    LocalDagRunner,
    OutputDict,
    Pipeline,
    PipelineRunError,
    Resolver,
    component,
)
from trainwright.components import (
    CsvExampleGen,
    ExampleValidator,
    ImportSchemaGen,
    SchemaGen,
    StatisticsGen,
    Trainer,
)
from trainwright.dsl.strategies import LatestArtifactStrategy
from trainwright.evaluation.config.config_reading import read_eval_config
from trainwright.orchestration.events import NodeCached, NodeCompleted, NodeStarted, NodeWaiting
from trainwright.orchestration.reports.reports import LineReport
from trainwright.types.standard_artifacts import Examples

PENGUINS = REPOSITORY / "examples" / "penguin"
GOLDEN = REPOSITORY / "tests" / "schemas" / "golden" / "penguins"


def copy_data(scene):
    data = scene.directory / "data"
    data.mkdir()
    shutil.copy(PENGUINS / "data" / "penguins.csv", data)
    return str(data)


def run(directory, *nodes, name="p"):
    pipeline = Pipeline(name, str(directory / "root"), components=list(nodes), enable_cache=True)
    return LocalDagRunner(observer=[]).run(pipeline)


def test_the_lines_of_a_run():
    printed = io.StringIO()
    report = LineReport(printed)
    for event in (
        NodeWaiting(node="Trainer", execution_id=17, host="ada"),
        NodeCached(node="Trainer", execution_id=18, reused_execution_id=17, reason="", outputs={}),
        NodeStarted(node="Trainer", execution_id=3, reason="it has not run before", log=""),
        NodeCompleted(node="Trainer", execution_id=3, seconds=8.7, outputs={}),
    ):
        report(event)
    for shown in (
        block("docs/running.md", "12:00:07 Trainer: waits"),
        block("docs/running.md", "12:00:07 Trainer: started"),
    ):
        # What the node itself has printed stands between them.
        ours = [line for line in shown.splitlines() if not line.startswith("Trainer | ")]
        assert_lines_are_printed("\n".join(ours), printed.getvalue())


def test_a_field_of_an_eval_config_in_the_wrong_place():
    threshold = {"lower_bound": 0.5}
    config = {"metrics_specs": [{"metrics": [{"class_name": "AUC", "threshold": threshold}]}]}
    with pytest.raises(ValueError) as refused:
        read_eval_config(config)
    assert_sentence(block("docs/eval_config.md", "EvalConfig.metrics_specs"), str(refused.value))


@component
def measure() -> OutputDict(report=dict):
    return {"report": {"best": "adam"}}


@component
def push():
    pass


def test_a_condition_that_compares_a_string_with_a_number(tmp_path):
    measured = measure()
    with Cond(measured.outputs["report"].future()[0].value["best"] == 1):
        pushed = push()
    with pytest.raises(PipelineRunError) as failed:
        run(tmp_path, measured, pushed)
    shown = block("docs/conditions.md", "push: the condition")
    assert_sentence(shown, failed.value.result.failures[0].message)


MODULE_FILE = """
from pathlib import Path

def run_fn(fn_args):
    Path(fn_args.serving_model_dir).mkdir(parents=True)
    Path(fn_args.serving_model_dir, "model.txt").write_text(str(fn_args.base_model))
"""


def test_a_resolver_changes_what_the_next_run_does(scene):
    copy_data(scene)
    (scene.directory / "linear_trainer.py").write_text(MODULE_FILE)
    (scene.directory / "pipeline.py").write_text(
        """
from trainwright import Channel, Pipeline, Resolver
from trainwright.components import CsvExampleGen, Trainer
from trainwright.dsl.strategies import LatestArtifactStrategy
from trainwright.types.standard_artifacts import Model

example_gen = CsvExampleGen(input_base="data")
resolver = Resolver(
    strategy_class=LatestArtifactStrategy, latest_model=Channel(type=Model)
).with_id("latest_model_resolver")
trainer = Trainer(
    examples=example_gen.outputs["examples"],
    module_file="linear_trainer.py",
    base_model=resolver.outputs["latest_model"],
)
pipeline = Pipeline(
    "linear", "output", components=[example_gen, resolver, trainer], enable_cache=True
)
"""
    )
    scene.run_here("pipeline.py")
    explained = scene.call("explain", "pipeline.py").stdout
    assert_lines_are_printed(block("docs/resolver.md", "NODE  "), explained)


def test_an_input_for_which_nothing_is_found(tmp_path):
    spans = Resolver(
        strategy_class=LatestArtifactStrategy,
        examples=Channel(type=Examples, producer_component_id="CsvExampleGen"),
    ).with_id("span_resolver")
    (tmp_path / "trainer.py").write_text(MODULE_FILE)
    trainer = Trainer(spans.outputs["examples"], module_file=str(tmp_path / "trainer.py"))
    with pytest.raises(PipelineRunError) as failed:
        run(tmp_path, spans, trainer)
    assert_sentence(
        block("docs/resolver.md", "Input 'examples'"), failed.value.result.failures[0].message
    )


AGE_AND_ISLAND = """
feature {
  name: "age" type: INT
  presence { min_fraction: 1 min_count: 1 } shape { dim { size: 1 } }
}
feature {
  name: "island" type: BYTES domain: "island"
  presence { min_fraction: 1 min_count: 1 } shape { dim { size: 1 } }
}
string_domain { name: "island" value: "Biscoe" value: "Dream" }
"""


def test_schemas_differ(scene):
    (scene.directory / "old.pbtxt").write_text(AGE_AND_ISLAND)
    (scene.directory / "new.pbtxt").write_text(
        AGE_AND_ISLAND.replace("min_fraction: 1", "min_fraction: 0.99", 1).replace(
            'value: "Biscoe"', 'value: "Anvers" value: "Biscoe"'
        )
        + 'feature { name: "referrer" type: BYTES presence { min_count: 1 }'
        " value_count { min: 1 max: 1 } }"
    )
    printed = scene.call("schema", "diff", "old.pbtxt", "new.pbtxt").stdout
    assert_lines_are_printed(block("docs/schema.md", "$ trainwright schema diff"), printed)


def test_a_schema_that_was_changed_by_hand_is_not_overwritten(scene):
    kept = scene.directory / "schema" / "schema.pbtxt"
    kept.parent.mkdir()
    inferred = (GOLDEN / "schema.pbtxt").read_text()
    kept.write_text(inferred.replace('"Torgersen"', '"Elsewhere"'))
    finished = scene.call("schema", "freeze", GOLDEN, "-o", "schema/schema.pbtxt")
    difference, *sentence = block("docs/command_line.md", "~ domain island").splitlines()
    assert finished.stdout.splitlines() == [difference]
    assert_sentence(" ".join(sentence), finished.stderr)


def test_the_table_of_anomalies(scene):
    """As in the page, the schema does not know one of the islands."""
    examples = CsvExampleGen(copy_data(scene))
    statistics = StatisticsGen(examples.outputs.examples).outputs.statistics
    inferred = SchemaGen(statistics).outputs.schema
    schema = scene.directory / "schema.pbtxt"
    ran = run(scene.directory, inferred.producer_component)
    shutil.copy(f"{ran['SchemaGen'].schema.uri}/schema.pbtxt", schema)
    schema.write_text(schema.read_text().replace('  value: "Torgersen"\n', ""))
    known = ImportSchemaGen(schema_file=str(schema)).outputs.schema
    run(scene.directory, ExampleValidator(statistics, schema=known))
    printed = scene.call("logs", "latest", "ExampleValidator").stdout
    assert_lines_are_printed(block("docs/schema.md", "$ trainwright logs"), printed)


def test_a_project_for_tfx_is_checked(scene):
    project = scene.directory / "my_project"
    project.mkdir()
    lines = {
        1: "from tfx import v1 as tfx",
        12: "ROOT = 'hdfs://my-host/root'",
        57: "tfx.components.Trainer(module_file='t.py', examples=e, transform_output=g)",
        61: "tfx.components.Trainer(module_file='t.py', exemples=e)",
    }
    (project / "pipeline.py").write_text("\n".join(lines.get(n, "") for n in range(1, 62)))
    printed = scene.call("check", "--problems", "my_project/").stdout
    shown = block("docs/migrating-from-tfx.md", "LINE  VERDICT")
    *table, summary = shown.splitlines()
    assert_lines_are_printed("\n".join(table), printed)
    assert printed.splitlines()[-1].endswith(summary.partition("here, ")[2])


def test_a_file_is_checked(scene):
    (scene.directory / "pipeline.py").write_text(
        "\n\nfrom tfx import v1 as tfx\n\n\n\n\n\nDATA = 'hdfs://my-host/data'\n"
    )
    printed = scene.call("check", "pipeline.py").stdout
    assert_lines_are_printed(block("docs/command_line.md", "LINE  VERDICT"), printed)


def test_a_history_of_tfx_is_imported(scene):
    (scene.directory / "tfx").mkdir()
    write_tfx_store(scene.directory / "tfx/metadata.db", scene.directory / "root")
    command = ["import-mlmd", "tfx/metadata.db", "--store", "output/metadata.db"]
    shown = block("docs/command_line.md", "$ trainwright import-mlmd")
    printed = scene.call(*command, "--dry-run").stdout
    assert_lines_are_printed(shown, printed, {"/home/ada/penguin": str(scene.directory)})

    # The other page tells of a longer history, and of files that are gone.
    shown = block("docs/migrating-from-tfx.md", "$ mv metadata/")
    shutil.rmtree(scene.directory / "root")
    printed = scene.call(*command).stdout
    assert_lines_are_printed(
        _without_numbers(shown).replace("metadata/penguin/tfx-metadata.db", command[1]),
        _without_numbers(printed),
        {"/home/ada/penguin/metadata/penguin": str(scene.directory / "output")},
    )


def _without_numbers(text):
    return re.sub(r"\b\d+( runs\)|\.?)$", r"N\1", text, flags=re.MULTILINE)


def test_a_new_project(scene):
    finished = scene.call("new", "my_penguins")
    shown = block("docs/command_line.md", "$ trainwright new")
    assert_lines_are_printed(
        shown, finished.stdout + finished.stderr, {"/home/ada": str(scene.directory)}
    )
