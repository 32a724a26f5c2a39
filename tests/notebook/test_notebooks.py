"""Notebooks run from the first cell to the last in a real Jupyter kernel."""

from __future__ import annotations

import html
import re

import pytest
from documented_output import assert_lines_are_printed, block


@pytest.fixture(scope="module")
def functions(run_notebook):
    return run_notebook("function_components", allow_errors=True)


@pytest.fixture(scope="module")
def native(run_notebook):
    return run_notebook("native")


def test_what_a_component_prints_is_shown_and_its_result_drawn(functions):
    assert "MyGenerator | generating one two three" in functions.printed(
        "generator = MyGenerator()"
    )
    drawn = functions.html("generator = MyGenerator()")
    assert "complete</span>" in drawn
    assert "<b>ExecutionResult</b> of MyGenerator" in drawn
    assert re.search(r"Channel.*of type.*Examples.*\(1 artifact\)", drawn)


def test_results_are_values_of_the_notebook(functions):
    assert functions.printed('print("counted"') == "counted 3\n"


def test_the_same_component_is_not_run_twice(functions):
    assert functions.printed("again = ") == "state {'MyGenerator': 'cached'}\n"


def test_components_and_channels_are_drawn(functions):
    [component] = [c for c in functions.cells if c.source == "generator"]
    assert "<b>MyGenerator</b>" in component.outputs[0].data["text/html"]
    drawn = functions.html('generator.outputs["data"]')
    assert "one two three" in drawn, "the artifact's custom properties"


def test_a_failure_shows_the_line_of_the_cell_and_no_frames_of_ours(functions):
    shown = functions.error("context.run(Fail")
    assert 'Cell In[3], line 24, in Fail\n        print(numbers["unknown"])' in shown
    assert "trainwright/" not in shown.replace(".system", "")
    documented = block("docs/notebooks.md", "PipelineRunError: ")
    directory = re.search("Log: (.*)/root/Fail/", shown)[1]
    assert_lines_are_printed(documented, shown, {"/home/ada/output": f"{directory}/root"})
    assert "failed</span>" in functions.html("context.run(Fail")


def test_what_was_not_run_yet_is_named(functions):
    assert functions.error("context.run(Count(data=MyGenerator(").startswith(
        "ValueError: Unresolved input channel 'data' of Count: MyGenerator has not been run"
    )
    assert "Expected a component, got 'generator'" in functions.error('context.run("generator")')


def test_a_component_reads_what_it_was_declared_with(functions):
    printed = functions.printed("# The old components")
    assert "old 3\nnew 2\n" in printed


def test_removed_artifacts_are_noticed(functions):
    assert "is gone. Run MyGenerator again." in functions.error("shutil.rmtree")


def test_a_native_notebook_shows_a_schema(native):
    shown = html.unescape(native.html("notebook.show(schema_gen)"))
    assert "Artifact at " in shown
    assert "bill_length_mm" in shown
    assert 'sandbox="allow-scripts"' in shown
    assert native.html('notebook.show("anything') == ""


def test_the_kernel_imports_nothing_heavy(native):
    assert native.printed('print("heavy"') == "heavy []\n"


def test_a_whole_pipeline_has_a_live_table(native):
    table, result = native.html("LocalDagRunner().run").split("\n")
    assert "complete</span>" in table
    assert "<b>CsvExampleGen</b>" in table
    assert result.startswith("<p>Run ")


def test_a_closed_notebook_can_go_on(native):
    assert "complete</span>" in native.html("notebook.close()")


def test_the_tutorial_component_by_component_with_keras(run_notebook):
    notebook = run_notebook("components_keras")
    read = notebook.printed("artifact = ")
    assert read.startswith('["train", "eval"] ')
    assert "'bill_length_mm'" in read
    for cell, expected in (
        ("context.show(statistics_gen", "body_mass_g"),
        ("schema_gen = ", "flipper_length_mm"),
        ("example_validator = ", "No anomalies"),
        ("context.show(evaluator", "sparse_categorical_accuracy"),
    ):
        assert expected.lower() in html.unescape(notebook.html(cell)).lower(), cell
    assert "60/60" in notebook.printed("trainer = ")
    assert "['Format-Serving']" in notebook.printed("print(sorted(os.listdir(trainer")
    assert notebook.printed("eval_result = ") == "3\n['BLESSED']\n"
    assert notebook.printed("pushed = ") == "['serving_default', 'transform_features']\n"


def test_the_tutorial_with_data_validation(run_notebook):
    notebook = run_notebook("penguin_tfdv")
    assert (
        notebook.printed(
            "config = tfx.orchestration.metadata.sqlite_metadata_connection_config(SCHEMA"
        )
        == "True\n"
    )
    for cell, expected in (
        ("visualize_artifacts(stats_artifacts)", "body_mass_g"),
        ("visualize_artifacts(schema_artifacts)", "Chinstrap"),
        ("tfdv.display_schema", "Torgersen"),
        ("tfdv.visualize_statistics", "flipper_length_mm"),
        ("tfdv.display_anomalies", "Out-of-range values"),
        ("visualize_artifacts(anomalies_artifacts)", "2009"),
    ):
        assert expected in html.unescape(notebook.html(cell)), cell


@pytest.mark.reference  # for its time alone: it starts TensorFlow twice
def test_the_simplest_tutorial(run_notebook):
    notebook = run_notebook("penguin_simple")
    assert notebook.html("tfx.orchestration.LocalDagRunner().run").count("complete</span>") == 3
    assert notebook.printed("!find").endswith("saved_model.pb\r\n")


@pytest.mark.reference  # likewise
def test_the_tutorial_with_transform_and_model_analysis(run_notebook):
    notebook = run_notebook("penguin_tfma")
    assert "Torgersen" in html.unescape(notebook.html("tfma.view.render_slicing_metrics"))
    assert notebook.printed("print(tfma.load_validation_result") == "True\n"
