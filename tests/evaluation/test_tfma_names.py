"""`import tensorflow_model_analysis`: without TFMA, and beside one that lacks names."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tfma_reference import SOURCES, run_with_tfma

import trainwright
from trainwright._tfma_names import CONFIG_NAMES
from trainwright.proto.tfma import config_pb2

MODULE = Path(SOURCES) / "tensorflow_model_analysis.py"

# As TFMA 0.52 is: the names are listed, and missing.
FAKE_TFMA = """
print("loading TFMA")
__all__ = ["EvalConfig", "run_model_analysis"]
def run_model_analysis(): pass
MetricDirection = "TFMA's own"
"""


@pytest.fixture
def installed_tfma(tmp_path):
    """A directory on the path with a package that stands for TFMA."""
    directory = tmp_path / "site-packages"
    package = directory / "tensorflow_model_analysis"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(FAKE_TFMA)
    (package / "metrics.py").write_text("AUC = 'auc'")
    return directory


def test_the_names_are_those_of_the_messages() -> None:
    messages = {*config_pb2.DESCRIPTOR.message_types_by_name, "MetricDirection"}
    assert messages - set(CONFIG_NAMES) == {"EvalConfigAndVersion", "EvalRun"}
    assert set(CONFIG_NAMES) <= messages


@pytest.mark.parametrize("first", ["", "import tfx", "import trainwright"])
def test_a_config_is_written_without_tfma(run_script, first) -> None:
    source = f"""
    {first}
    import sys
    import tensorflow_model_analysis as tfma
    config = tfma.EvalConfig(
        model_specs=[tfma.ModelSpec(label_key="tips", model_type=tfma.TF_KERAS)],
        slicing_specs=[tfma.SlicingSpec(feature_keys=["hour"])],
        metrics_specs=[
            tfma.MetricsSpec(
                metrics=[
                    tfma.MetricConfig(
                        class_name="AUC",
                        threshold=tfma.MetricThreshold(
                            value_threshold=tfma.GenericValueThreshold(
                                lower_bound={{"value": 0.5}}
                            ),
                            change_threshold=tfma.GenericChangeThreshold(
                                direction=tfma.MetricDirection.HIGHER_IS_BETTER,
                                absolute={{"value": -1e-10}},
                            ),
                        ),
                    )
                ]
            )
        ],
    )
    from trainwright.proto.tfma import config_pb2
    assert isinstance(config, config_pb2.EvalConfig)
    print(config.metrics_specs[0].metrics[0].threshold.change_threshold.direction)
    print(sorted({{"tensorflow", "apache_beam", "keras", "numpy"}} & set(sys.modules)))
    """
    assert run_script(source, PYTHONPATH=SOURCES).stdout == "2\n[]\n"


def test_messages_are_found_by_the_names_of_their_modules(run_script) -> None:
    source = """
    import pickle
    from tensorflow_model_analysis.proto import config_pb2
    import tensorflow_model_analysis.proto.validation_result_pb2
    import tensorflow_model_analysis as tfma
    from tensorflow_model_analysis import *
    assert config_pb2.EvalConfig is tfma.EvalConfig is EvalConfig
    assert tfma.proto.validation_result_pb2.ValidationResult is tfma.ValidationResult
    assert tfma.proto.metrics_for_slice_pb2.MetricsForSlice is tfma.MetricsForSlice
    config = tfma.EvalConfig(model_specs=[tfma.ModelSpec(name="a")])
    assert pickle.loads(pickle.dumps(config)) == config
    assert set(tfma.__all__) <= set(dir(tfma))
    assert all(hasattr(tfma, name) for name in tfma.__all__)
    """
    run_script(source, PYTHONPATH=SOURCES)


@pytest.mark.parametrize(
    ("code", "error", "name"),
    [
        ("tfma.default_writers", "AttributeError", "default_writers"),
        ("tfma.metrics.NDCG", "AttributeError", "metrics.NDCG"),
        ("tfma.proto.wrappers_pb2", "AttributeError", "proto.wrappers_pb2"),
        ("from tensorflow_model_analysis import writers", "ModuleNotFoundError", "writers"),
        ("from tensorflow_model_analysis import Validate", "ModuleNotFoundError", "Validate"),
        ("import tensorflow_model_analysis.notebook.colab", "ModuleNotFoundError", "notebook"),
    ],
)
def test_other_names_say_that_they_are_of_tfma(run_script, code, error, name) -> None:
    source = f"import tensorflow_model_analysis as tfma\n{code}"
    finished = run_script(source, PYTHONPATH=SOURCES, check=False)
    message = finished.stderr.splitlines()[-1]
    assert message.startswith(
        f"{error}: tensorflow_model_analysis.{name} is part of TensorFlow Model Analysis, which "
        "is not installed: `pip install tensorflow-model-analysis` brings it."
    )


def test_tfma_takes_precedence_in_the_same_directory(run_script, installed_tfma) -> None:
    shutil.copy(MODULE, installed_tfma)
    source = """
    import tensorflow_model_analysis as tfma
    print(hasattr(tfma, "run_model_analysis"), tfma.__path__ != [])
    """
    path = f"{installed_tfma}:{SOURCES}"
    assert run_script(source, PYTHONPATH=path).stdout == "loading TFMA\nTrue True\n"


USE_TFMA = """
import tensorflow_model_analysis as tfma
import tensorflow_model_analysis.metrics
from trainwright.proto.tfma import config_pb2
assert tfma.EvalConfig is config_pb2.EvalConfig
assert tfma.ModelSpec is config_pb2.ModelSpec
assert tfma.MetricDirection == "TFMA's own"
assert tfma.metrics.AUC == "auc"
assert tfma.run_model_analysis
assert type(tfma.__spec__.loader).__name__ == "SourceFileLoader", tfma.__spec__
assert tfma.__loader__ is tfma.__spec__.loader
from tensorflow_model_analysis import *
"""


@pytest.mark.parametrize("us", ["import tfx", "from trainwright.components import Evaluator"])
def test_names_are_added_to_tfma_in_either_order(run_script, installed_tfma, us) -> None:
    path = f"{installed_tfma}:{SOURCES}"
    for source in (
        f"{us}\n{USE_TFMA}",
        f"import tensorflow_model_analysis\n{us}\n{USE_TFMA}",
    ):
        assert run_script(source, PYTHONPATH=path).stdout == "loading TFMA\n"


def test_tfma_behind_us_on_the_path_is_what_is_imported(run_script, installed_tfma) -> None:
    path = f"{SOURCES}:{installed_tfma}"
    for source in (USE_TFMA, f"import trainwright\n{USE_TFMA}", f"{USE_TFMA}import trainwright"):
        assert run_script(source, PYTHONPATH=path).stdout == "loading TFMA\n"


def test_importing_us_does_not_import_tfma(run_script, installed_tfma) -> None:
    source = "import tfx, trainwright, sys; print('tensorflow_model_analysis' in sys.modules)"
    assert run_script(source, PYTHONPATH=f"{installed_tfma}:{SOURCES}").stdout == "False\n"


def test_the_finder_is_installed_once(run_script) -> None:
    source = """
    import sys, importlib, tfx
    from trainwright.components import Evaluator
    importlib.reload(tfx)
    print(sum(type(finder).__name__ == "TfmaFinder" for finder in sys.meta_path))
    """
    assert run_script(source, PYTHONPATH=SOURCES).stdout == "1\n"


def test_a_broken_tfma_fails_as_it_does_alone(run_script, installed_tfma) -> None:
    (installed_tfma / "tensorflow_model_analysis" / "__init__.py").write_text("1 / 0")
    source = """
    import tfx
    try:
        import tensorflow_model_analysis
    except ZeroDivisionError as error:
        print(error)
    """
    path = f"{installed_tfma}:{SOURCES}"
    assert run_script(source, PYTHONPATH=path).stdout == "division by zero\n"


REFERENCE = """
import json, sys
if sys.argv[1] == "ours first":
    import {us}
    import tensorflow_model_analysis as tfma
else:
    import tensorflow_model_analysis as tfma
    import {us}
from tensorflow_model_analysis.proto import config_pb2 as theirs
from tensorflow_model_analysis.proto import metrics_for_slice_pb2, validation_result_pb2
from trainwright._tfma_names import CONFIG_NAMES
from trainwright.proto.tfma import config_pb2 as ours
from trainwright.proto.tfma import metrics_for_slice_pb2 as our_metrics
from trainwright.proto.tfma import validation_result_pb2 as our_validation
config = tfma.EvalConfig(model_specs=[tfma.ModelSpec(label_key="a")])
print(json.dumps([
    tfma.__file__.endswith("__init__.py"),
    all(getattr(tfma, name) is getattr(theirs, name) for name in CONFIG_NAMES
        if name != "MetricDirection"),
    theirs.EvalConfig is ours.EvalConfig,
    validation_result_pb2.ValidationResult is our_validation.ValidationResult,
    [ours.DESCRIPTOR.serialized_pb == theirs.DESCRIPTOR.serialized_pb,
     our_metrics.DESCRIPTOR.serialized_pb == metrics_for_slice_pb2.DESCRIPTOR.serialized_pb,
     our_validation.DESCRIPTOR.serialized_pb == validation_result_pb2.DESCRIPTOR.serialized_pb],
    tfma.utils.update_eval_config_with_defaults(config).model_specs[0].label_key,
]))
"""


@pytest.mark.reference
@pytest.mark.parametrize("us", ["tfx", "trainwright.components.evaluator.component"])
@pytest.mark.parametrize("order", ["ours first", "TFMA first"])
def test_tfma_itself_shares_its_classes_with_us(us, order) -> None:
    found = run_with_tfma(REFERENCE.format(us=us), order)
    assert found == [True, True, True, True, [True, True, True], "a"]


def test_the_package_is_where_the_module_is() -> None:
    assert Path(trainwright.__file__).parents[1] == MODULE.parent
    assert MODULE.is_file()
