"""Every public name of TFDV and TFMA is here, or says what to use instead."""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

import tensorflow_data_validation
import tensorflow_model_analysis
from trainwright.compat.tfdv.names import TFDV
from trainwright.compat.tfma.names import TFMA

pytestmark = pytest.mark.not_quick  # what is imported by halves stays so

ROOT = Path(__file__).parents[2]
STAND_INS = {one.package: one for one in (TFDV, TFMA)}


def names_by_module():
    found = defaultdict(list)
    for line in (Path(__file__).parent / "sibling_public_names.tsv").read_text().splitlines():
        module, name = line.split("\t")
        found[module].append(name)
    return found


NAMES = names_by_module()


@pytest.mark.parametrize("package", STAND_INS)
def test_each_name_is_there_or_says_what_to_use(package):
    stand_in = STAND_INS[package]
    unknown, here = [], 0
    for module, names in NAMES.items():
        if module.split(".")[0] != package:
            continue
        path = module.partition(".")[2]
        for name in names:
            full_path = f"{path}.{name}" if path else name
            try:
                if path not in stand_in.modules:
                    raise AttributeError
                stand_in.load(path, name)
            except AttributeError:
                if not stand_in.reason(full_path):
                    unknown.append(full_path)
            else:
                here += 1
    assert unknown == []
    assert here > 90


@pytest.mark.parametrize("package", STAND_INS)
def test_what_is_missing_is_a_name_of_the_package(package):
    modules = {name.partition(".")[2] for name in NAMES if name.startswith(f"{package}.")}
    known = {f"{module}.{name}" if module else name for module, name in _rows(package)}
    known |= {module for one in modules for module in _parents(one)}
    # C++ and messages have no source to read names from; `test` is a module under another name.
    known |= {"anomalies", "pywrap", "proto", "test"}
    # Some metrics are in modules of their own only.
    known |= {f"metrics.{path.rpartition('.')[2]}" for path in known if path.startswith("metrics.")}
    assert [name for name in STAND_INS[package].missing if name not in known] == []


def _rows(package):
    for module, names in NAMES.items():
        if module.split(".")[0] == package:
            yield from ((module.partition(".")[2], name) for name in names)


def _parents(module):
    parts = module.split(".")
    return {".".join(parts[:number]) for number in range(1, len(parts) + 1)}


@pytest.mark.parametrize("module", [tensorflow_data_validation, tensorflow_model_analysis])
def test_an_unknown_name_has_a_guess(module):
    with pytest.raises(AttributeError, match="is not known here"):
        module.visualise_everything  # noqa: B018
    assert not hasattr(module, "__wrapped__")
    assert set(module.__all__) <= set(dir(module))
    for name in module.__all__:
        assert getattr(module, name) is not None


def test_a_reason_says_what_to_use():
    with pytest.raises(AttributeError, match="generate_statistics_from_tfrecord, _csv and"):
        tensorflow_data_validation.GenerateStatistics  # noqa: B018
    stats_api = importlib.import_module("tensorflow_data_validation.api.stats_api")
    with pytest.raises(AttributeError, match="load_sharded_statistics"):
        stats_api.MergeDatasetFeatureStatisticsList  # noqa: B018
    with pytest.raises(ImportError, match="ExampleDiff finds feature skew in a pipeline"):
        from tensorflow_data_validation.skew.feature_skew_detector import (  # noqa: F401
            DetectFeatureSkewImpl,
        )
    with pytest.raises(AttributeError, match="examples of a query together"):
        tensorflow_model_analysis.metrics.NDCG  # noqa: B018


def test_modules_have_the_same_objects():
    import tensorflow_model_analysis.view.view_types
    from tensorflow_data_validation.utils import display_util, slicing_util
    from tensorflow_model_analysis.api import model_eval_lib

    tfma, tfdv = tensorflow_model_analysis, tensorflow_data_validation
    assert model_eval_lib.run_model_analysis is tfma.run_model_analysis
    assert tfma.view.view_types.EvalResult is tfma.EvalResult
    assert tfma.config.EvalConfig is tfma.EvalConfig
    assert display_util.visualize_statistics is tfdv.visualize_statistics
    slicer = slicing_util.get_feature_value_slicer
    assert slicer is tfdv.experimental_get_feature_value_slicer


@pytest.mark.parametrize("package", STAND_INS)
def test_importing_loads_nothing_heavy(package):
    code = (
        f"import sys, {package}; "
        "print(sorted({'tensorflow', 'apache_beam', 'pandas', 'keras'} & set(sys.modules)))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


FAKE = "print('loading the real one')\nStatsOptions = 'its own'\n"


@pytest.mark.parametrize("first", ["", "import tfx", "import trainwright"])
@pytest.mark.parametrize("order", ["before", "behind"])
def test_a_tfdv_that_is_installed_comes_first(run_script, tmp_path, first, order):
    package = tmp_path / "tensorflow_data_validation"
    (package / "utils").mkdir(parents=True)
    (package / "__init__.py").write_text(FAKE)
    (package / "utils" / "__init__.py").write_text("")
    (package / "utils" / "display_util.py").write_text("name = 'its own'")
    source = f"""
    {first}
    import tensorflow_data_validation as tfdv
    from tensorflow_data_validation.utils import display_util
    import trainwright
    print(tfdv.StatsOptions, display_util.name, hasattr(tfdv, "infer_schema"))
    """
    path = [str(tmp_path), str(ROOT / "src")]
    found = run_script(source, PYTHONPATH=":".join(path if order == "before" else path[::-1]))
    assert found.stdout == "loading the real one\nits own its own False\n"


def test_the_docs_have_the_tables():
    spec = importlib.util.spec_from_file_location(
        "sibling_names", ROOT / "scripts" / "sibling_names.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.document(check=True) == 0


def test_what_our_modules_import_is_not_among_the_names():
    names = dir(tensorflow_model_analysis.experimental.dataframe)
    assert "metrics_as_dataframes" in names
    assert not {"Any", "annotations", "dataclass", "TYPE_CHECKING"} & set(names)
