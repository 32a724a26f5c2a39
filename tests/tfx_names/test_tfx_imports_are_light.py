"""Importing `tfx` and declaring a pipeline loads nothing that takes long."""

from __future__ import annotations

from pathlib import Path

import pytest

import trainwright

REPOSITORY = Path(__file__).resolve().parents[2]
SOURCES = str(Path(trainwright.__file__).parents[1])

SAY_WHAT_IS_HEAVY = """
import sys
heavy = {"apache_beam", "keras", "pandas", "ray", "tensorflow", "tf_keras"}
print(sorted(heavy & set(sys.modules)))
"""

DECLARE_PENGUIN = f"""
import sys
sys.path.insert(0, {str(REPOSITORY / "examples" / "penguin")!r})
import tfx
import pipeline
pipeline.create_pipeline()
"""

DECLARE_WITH_TFX_NAMES = """
from tfx import v1 as tfx
example_gen = tfx.components.CsvExampleGen(input_base="data")
trainer = tfx.components.Trainer(
    examples=example_gen.outputs["examples"],
    module_file="module.py",
    train_args=tfx.proto.TrainArgs(num_steps=1),
    eval_args=tfx.proto.EvalArgs(num_steps=1),
)
tfx.dsl.Pipeline(
    pipeline_name="light",
    pipeline_root="root",
    metadata_connection_config=(
        tfx.orchestration.metadata.sqlite_metadata_connection_config("metadata.db")
    ),
    components=[example_gen, trainer],
)
tfx.orchestration.LocalDagRunner()
"""

IMPORT_EVERYTHING = """
import importlib, pkgutil, tfx
for module in pkgutil.walk_packages(tfx.__path__, "tfx."):
    importlib.import_module(module.name)
"""


@pytest.mark.parametrize(
    "source",
    [
        "import tfx",
        "from tfx import v1 as tfx",
        "from tfx.components import Trainer",
        "from tfx.utils import io_utils",
        DECLARE_PENGUIN,
        DECLARE_WITH_TFX_NAMES,
        IMPORT_EVERYTHING,
    ],
    ids=["tfx", "v1", "Trainer", "io_utils", "penguin", "tfx names", "all modules"],
)
def test_nothing_heavy_is_loaded(run_script, source):
    finished = run_script(source + SAY_WHAT_IS_HEAVY, PYTHONPATH=SOURCES)
    assert finished.stdout == "[]\n"


@pytest.mark.parametrize("imports", ["import absl, tfx", "from tfx import v1\nimport absl"])
def test_modules_of_absl_are_there_and_loaded_when_used(run_script, imports):
    source = """
import sys
print("absl.logging" in sys.modules)
absl.logging.set_verbosity(absl.logging.INFO)
absl.flags.DEFINE_string("root", "here", "Where it is.")
absl.logging.info("root %s", "is there")
print(absl.app.run.__module__, hasattr(absl, "loging"))
"""
    finished = run_script(f"{imports}\n{source}", PYTHONPATH=SOURCES)
    assert finished.stdout == "False\nabsl.app False\n"
    assert "root is there" in finished.stderr


def test_importing_v1_loads_no_component(run_script):
    source = """
    import sys
    from tfx import v1 as tfx
    print(sorted(name for name in sys.modules if name.startswith(("trainwright.", "tfx.v1."))))
    """
    loaded = run_script(source, PYTHONPATH=SOURCES).stdout
    light = [
        *("_absl_modules", "_after_import", "_estimator_repairs", "_extras", "_keras_choice"),
        *("_lazy", "_rivals", "_stand_ins", "_tfma_names", "_version"),
    ]
    assert loaded == f"{[f'trainwright.{name}' for name in light]}\n"
