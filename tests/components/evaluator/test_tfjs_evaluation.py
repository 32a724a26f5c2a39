"""TF.js models are evaluated in Node as the SavedModels that they were made of."""

from __future__ import annotations

import pytest
from converted_models import make_module, save

from trainwright.components.trainer.rewriting.converters import rewrite_saved_model
from trainwright.components.trainer.rewriting.rewriter import ModelType
from trainwright.components.trainer.rewriting.rewriter_factory import make_rewriter
from trainwright.evaluation.models.tfjs_runtime import NODE_MODULES_VARIABLE, find_tfjs_runtime

ROWS = [
    {"x": 0.9, "label": 1, "town": "Ulm", "year": 2007},
    {"x": 0.2, "label": 0, "town": "Ulm", "year": 2007},
    {"x": 0.6, "label": 0, "town": "Bonn", "year": 2007},
    {"x": 0.8, "label": 1, "town": "Bonn", "year": 2007},
]


def config(**spec):
    threshold = {
        "value_threshold": {"lower_bound": {"value": 0.5}},
        "change_threshold": {"absolute": -0.01, "direction": "HIGHER_IS_BETTER"},
    }
    metric = {"class_name": "BinaryAccuracy", "threshold": threshold}
    return {
        "model_specs": [{"label_key": "label", **spec}],
        "slicing_specs": [{}, {"feature_keys": ["town"]}],
        "metrics_specs": [{"metrics": [metric]}],
    }


def test_without_node_nothing_runs(run, examples, model_at, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(NODE_MODULES_VARIABLE, raising=False)
    with pytest.raises(ValueError, match="TensorFlow.js in Node, which is not there"):
        run(examples(ROWS), model_at(tmp_path), eval_config=config(model_type="tf_js"))


@pytest.mark.reference
def test_it_is_evaluated_and_compared_with_a_saved_model(run, examples, model, model_at, tmp_path):
    find_tfjs_runtime(make=True)
    source = save(make_module(), tmp_path / "saved", serving_default="score")
    rewriter = make_rewriter("tfjs", make_environment=True)
    served = str(tmp_path / "model" / "Format-Serving")
    rewrite_saved_model(source, served, rewriter, ModelType.TFJS_MODEL)
    converted = model_at(tmp_path / "model")
    done = run(examples(ROWS), converted, eval_config=config(model_type="tf_js"))
    assert done.metrics(slice_key=[("town", "Bonn")]) == {"binary_accuracy": 0.5}
    assert done.blessed == 1
    done = run(examples(ROWS), converted, model(shift=-0.15), eval_config=config())
    assert done.metrics("candidate", is_diff=True) == {"binary_accuracy": -0.25}
    assert done.blessed == 0
