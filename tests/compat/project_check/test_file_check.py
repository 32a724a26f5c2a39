"""`check_file` on code for TFX, of which it runs nothing."""

import json
import textwrap

import pytest

from trainwright import _estimator_repairs as estimator_repairs
from trainwright._extras import EXTRA_OF_MODULE
from trainwright.compat.project_check.file_check import check_file
from trainwright.compat.project_check.name_lookup import look_up


@pytest.fixture
def verdicts(tmp_path):
    """Checks code; returns the verdict and the advice of everything that was found."""

    def check(code, name="pipeline.py"):
        path = tmp_path / name
        path.write_text(textwrap.dedent(code))
        found = check_file(str(path))
        return {one.what: (one.verdict.value, one.advice) for one in found}

    return check


def test_names_are_found_through_every_kind_of_import(verdicts):
    found = verdicts("""
        import tfx.v1 as a
        from tfx import v1 as b
        import tfx
        from tfx.components import Trainer as T, CsvExampleGen
        from tfx.orchestration.metadata import sqlite_metadata_connection_config
        a.components.Pusher(push_destination=None)
        b.components.SchemaGen(statistics=None)
        tfx.components.Evaluator()
        T(examples=None)
    """)
    assert {verdict for verdict, _ in found.values()} == {"here"}
    assert "tfx.v1.components.Pusher" in found
    assert "tfx.v1.components.SchemaGen" in found
    assert "tfx.components.Evaluator" in found
    assert "tfx.components.Trainer" in found


def test_names_that_are_not_here_say_what_to_use(verdicts):
    found = verdicts("""
        from tfx import v1 as tfx
        from tfx.components import Evalator
        from tfx.dsl.hooks import anything
        import tfx.orchestration.nothing
        from tfx.examples.penguin import penguin_utils
        tfx.components.Trainr()
    """)
    assert found["tfx.components.Evalator"][0] == "not here"
    assert "did you mean 'Evaluator'?" in found["tfx.components.Evalator"][1]
    assert "use @component" in found["tfx.dsl.hooks.anything"][1]
    assert found["tfx.orchestration.nothing"][0] == "not here"
    assert "checkout of TFX" in found["tfx.examples.penguin.penguin_utils"][1]
    assert "did you mean 'Trainer'?" in found["tfx.v1.components.Trainr"][1]


def test_arguments_that_do_not_exist_or_are_old(verdicts):
    found = verdicts("""
        from tfx import v1 as tfx
        tfx.components.Trainer(exemples=1, transform_output=2, instance_name="x", run_fn="f")
        tfx.proto.TrainArgs(num_step=1)
        tfx.dsl.Pipeline(pipline_root="root", pipeline_name="p")
        tfx.components.Trainer(**anything)
    """)
    problems = {what: one for what, one in found.items() if one[0] != "here"}
    trainer = "tfx.v1.components.Trainer"
    assert problems == {
        f"{trainer}(exemples=)": (
            "wrong",
            "It has no argument 'exemples'; did you mean 'examples'?",
        ),
        f"{trainer}(transform_output=)": ("deprecated", "Write transform_graph."),
        f"{trainer}(instance_name=)": (
            "deprecated",
            "Write .with_id(NAME) behind the component.",
        ),
        "tfx.v1.proto.TrainArgs(num_step=)": (
            "wrong",
            "It has no argument 'num_step'; did you mean 'num_steps'?",
        ),
        "tfx.v1.dsl.Pipeline(pipline_root=)": (
            "wrong",
            "It has no argument 'pipline_root'; did you mean 'pipeline_root'?",
        ),
    }


def test_what_is_refused_before_a_run_is_refused_here(verdicts):
    found = verdicts("""
        from tfx import v1 as tfx
        from tfx.dsl.components.base import executor_spec
        from tfx.extensions.google_cloud_ai_platform.trainer import executor
        from tfx.orchestration.kubeflow import kubeflow_dag_runner
        import tensorflow as tf
        tfx.extensions.google_cloud_ai_platform.BulkInferrer(examples=None)
        tfx.components.BulkInferrer(examples=None)
        tfx.components.InfraValidator(model=None, custom_executor_spec=mine)
        tfx.components.Trainer(
            custom_executor_spec=executor_spec.ExecutorClassSpec(executor.GenericExecutor)
        )
        kubeflow_dag_runner.KubeflowDagRunner().run(pipeline)
        tf.estimator.BoostedTreesClassifier([])
    """)
    refused = {what for what, (verdict, _) in found.items() if verdict == "refused"}
    google = "tfx.extensions.google_cloud_ai_platform.trainer.executor.GenericExecutor"
    runner = "tfx.orchestration.kubeflow.kubeflow_dag_runner.KubeflowDagRunner"
    inferrer = "tfx.v1.extensions.google_cloud_ai_platform.BulkInferrer"
    assert refused == {google, runner, inferrer}
    assert found["tfx.v1.components.BulkInferrer"][0] == "here"
    assert "for Kubeflow Pipelines 1" in found[runner][1]
    assert found["tensorflow.estimator.BoostedTreesClassifier"][0] == "not here"
    assert found["tfx.v1.components.InfraValidator"][0] == "here"


ESTIMATOR_MODULE = """
    import tensorflow as tf

    def trainer_fn(trainer_fn_args, schema):
        return {"estimator": tf.estimator.DNNClassifier([4], [])}
"""


def test_estimators_are_here(verdicts):
    assert {verdict for verdict, _ in verdicts(ESTIMATOR_MODULE).values()} <= {"here"}


def test_without_the_extra_estimators_say_what_to_install(verdicts, monkeypatch):
    monkeypatch.setattr(estimator_repairs, "is_installed", lambda: False)
    look_up.cache_clear()
    try:
        found = verdicts(ESTIMATOR_MODULE)
    finally:
        look_up.cache_clear()
    assert found["def trainer_fn"][0] == "refused"
    assert "pip install 'trainwright[estimator]'" in found["def trainer_fn"][1]


def test_the_trainer_for_vertex_ai_writes_its_job_and_no_more(verdicts):
    found = verdicts("""
        from tfx import v1 as tfx
        tfx.extensions.google_cloud_ai_platform.Trainer(
            examples=None, custom_config={tfx.extensions.google_cloud_ai_platform.JOB_ID_KEY: "a"}
        )
    """)
    verdict, advice = found["tfx.v1.extensions.google_cloud_ai_platform.Trainer"]
    assert verdict == "refused"
    assert "writes the job for Vertex AI (job.json) and submits nothing" in advice
    assert "use tfx.v1.components.Trainer" in advice


def test_a_module_file_with_run_fn_may_keep_its_trainer_fn(verdicts):
    assert verdicts("def trainer_fn(): pass\ndef run_fn(fn_args): pass\n") == {}


def test_remote_paths(verdicts):
    found = verdicts('''
        """The docstring names gs://bucket/path."""
        ROOT = "gs://bucket/path"
        f"s3://{bucket}/path"
        DATA = "hdfs://host/path"
        f"wasbs://{bucket}/path"
        if ROOT.startswith("gs://"):
            pass
        "https://example.com"
    ''')
    assert {what: verdict for what, (verdict, _) in found.items()} == {
        "'gs://bucket/path'": "here",
        "'s3://'": "here",
        "'hdfs://host/path'": "refused",
        "'wasbs://'": "refused",
    }


def test_packages_are_those_of_python_of_the_project_or_installed(verdicts, tmp_path, monkeypatch):
    monkeypatch.setitem(EXTRA_OF_MODULE, "absent_package_of_an_extra", "tuner")
    (tmp_path / "features.py").write_text("")
    (tmp_path / "models").mkdir()
    found = verdicts("""
        import json, features, models.keras_model
        from . import sibling
        import numpy
        import no_such_package_anywhere
        import absent_package_of_an_extra
        try:
            import another_package_that_is_absent
        except ImportError:
            another_package_that_is_absent = None
    """)
    assert found.pop("numpy") == ("here", "")
    assert found.pop("no_such_package_anywhere")[0] == "not installed"
    assert "trainwright[tuner]" in found.pop("absent_package_of_an_extra")[1]
    assert found.pop("another_package_that_is_absent")[0] == "optional"
    assert found == {}


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        ("print 'hello'", "Python 2"),
        ("def f(:\n", "not Python"),
        ("x = '\\0'\0", "not Python"),
        ("(" * 3000 + ")" * 3000, "not Python"),
    ],
)
def test_what_is_not_python(tmp_path, code, advice):
    (tmp_path / "bad.py").write_text(code)
    (finding,) = check_file(str(tmp_path / "bad.py"))
    assert finding.verdict.value == "wrong"
    assert advice in finding.advice


def test_deep_expressions_do_not_end_the_check(verdicts):
    # As deep as Python's own parser goes.
    found = verdicts("import tfx\nx = " + "+".join("1" for _ in range(900)) + "\n")
    assert found == {"tfx": ("here", "")}


def test_notebooks(tmp_path):
    def cell(source, kind="code"):
        return {"cell_type": kind, "source": source.splitlines(keepends=True)}

    cells = [
        cell("# tfx.components.Nothing()", "markdown"),
        cell("!pip install tfx\n%matplotlib inline\nfrom tfx import v1 as tfx\nfiles = !ls"),
        cell("%%bash\nimport tfx.nothing"),
        cell("%%time\nx = ('%s'\n  % tfx.components.Trainr())\nx?"),
        cell("def f(:"),
        cell("%%writefile {_trainer_module_file}\ntf.x\nfrom tfx.components import Trainr"),
    ]
    path = tmp_path / "tutorial.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    found = {one.what: one for one in check_file(str(path))}
    assert found["tfx.v1"].line == "cell 2, line 3"
    assert found["tfx.components.Trainr"].line == "cell 6, line 3"
    assert found["tfx.v1.components.Trainr"].line == "cell 4, line 3"
    assert found["the cell"].line == "cell 5, line 1"
    path.write_text("[]")
    (finding,) = check_file(str(path))
    assert "not a notebook" in finding.advice


def test_nothing_is_run_and_nothing_heavy_is_imported(run_script, tmp_path):
    (tmp_path / "evil.py").write_text("raise SystemExit('it was run')\n")
    (tmp_path / "pipeline.py").write_text(
        "import evil\nimport tensorflow as tf\nimport tensorflow_transform as tft\n"
        "import tensorflow_data_validation as tfdv\nimport tensorflow_model_analysis as tfma\n"
        "import apache_beam as beam\nfrom tfx import v1 as tfx\nfrom tfx.components import *\n"
        "tfx.components.Transform()\ntfx.components.Evaluator()\ntft.mean(1)\nbeam.Map(1)\n"
        "tfdv.generate_statistics_from_csv('x')\ntfma.EvalConfig()\n"
    )
    source = f"""
    import sys
    from trainwright.compat.project_check.file_check import check_file
    for name in ("pipeline.py", "evil.py"):
        for one in check_file({str(tmp_path)!r} + "/" + name):
            assert not one.verdict.is_problem, one
    heavy = ("tensorflow", "apache_beam", "pandas", "ray", "keras", "tensorflow_transform")
    print([name for name in heavy if name in sys.modules])
    """
    assert run_script(source).stdout == "[]\n"
