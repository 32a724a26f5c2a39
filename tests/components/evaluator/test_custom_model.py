"""Models that a module file loads and asks: what its functions get, and what they may return."""

from __future__ import annotations

import textwrap

import pytest

ROWS = [
    {"x": 0.9, "label": 1, "tags": ["a", "b"]},
    {"x": 0.2, "label": 0, "tags": None},
    {"x": 0.6, "label": 0, "tags": ["a"]},
    {"x": 0.8, "label": 1, "tags": ["c"]},
]

ACCURACY = [{"metrics": [{"class_name": "BinaryAccuracy"}]}]


@pytest.fixture
def evaluate(run, examples, model, tmp_path):
    """Evaluates with a module file; the model adds nothing to `x` unless it is asked otherwise."""

    def with_module(source, label_key="label", **config):
        module = tmp_path / f"module_of_{tmp_path.name}.py"
        module.write_text(textwrap.dedent(source))
        spec = {"label_key": label_key} if label_key else {"name": ""}
        return run(
            examples(ROWS),
            model(),
            eval_config={"model_specs": [spec], "metrics_specs": ACCURACY, **config},
            module_file=str(module),
        )

    return with_module


def test_features_of_several_lengths_are_lists_of_arrays(evaluate):
    done = evaluate(
        """
        import numpy as np

        def custom_extractors(eval_shared_model, eval_config, tensor_adapter_config):
            def predict(extracts):
                features = extracts["features"]
                features["tag_count"] = np.array([len(tags) for tags in features["tags"]])
                features["first"] = [tags[:1] for tags in features["tags"]]
                return {**extracts, "predictions": features["x"]}
            return [predict]
        """,
        slicing_specs=[{}, {"feature_keys": ["tag_count"]}, {"feature_keys": ["first"]}],
    )
    assert done.metrics() == {"binary_accuracy": 0.75}
    assert done.metrics(slice_key=[("tag_count", 1)]) == {"binary_accuracy": 0.5}
    assert done.metrics(slice_key=[("first", "a")]) == {"binary_accuracy": 0.5}


def test_labels_of_an_extractor_need_no_key(evaluate):
    done = evaluate(
        """
        def custom_extractors(eval_shared_model, eval_config, tensor_adapter_config):
            def predict(extracts):
                labels = 1 - extracts["features"]["label"]
                return {**extracts, "predictions": extracts["features"]["x"], "labels": labels}
            return [predict]
        """,
        label_key=None,
    )
    assert done.metrics() == {"binary_accuracy": 0.25}


def test_a_saved_model_that_the_module_loads_is_asked_as_it_is_served(evaluate):
    done = evaluate(
        """
        import tensorflow as tf

        def custom_eval_shared_model(
            eval_saved_model_path, model_name, eval_config, add_metrics_callbacks
        ):
            assert add_metrics_callbacks is None
            return tf.saved_model.load(eval_saved_model_path)
        """
    )
    assert done.metrics() == {"binary_accuracy": 0.75}


def test_an_extractor_that_returns_nothing_is_named(evaluate):
    with pytest.raises(ValueError, match="The extractor 'predict' returned None: expected"):
        evaluate(
            """
            def custom_extractors(eval_shared_model, eval_config, tensor_adapter_config):
                def predict(extracts):
                    extracts["predictions"] = extracts["features"]["x"]
                return [predict]
            """
        )


def test_functions_and_tfma_s_extractors_do_not_mix(evaluate):
    with pytest.raises(ValueError, match="or TFMA's extractors, and not both"):
        evaluate(
            """
            from collections import namedtuple

            Extractor = namedtuple("Extractor", ["stage_name", "ptransform"])

            def custom_extractors(eval_shared_model, eval_config, tensor_adapter_config):
                return [Extractor("Predict", None), lambda extracts: extracts]
            """
        )


@pytest.mark.parametrize("has_shared_model", [True, False])
def test_a_module_may_take_what_tfma_does_by_default(evaluate, has_shared_model):
    source = """
        import tensorflow_model_analysis as tfma

        def custom_extractors(
            eval_shared_model: tfma.MaybeMultipleEvalSharedModels,
            eval_config: tfma.EvalConfig,
            tensor_adapter_config,
        ) -> list[tfma.extractors.Extractor]:
            return tfma.default_extractors(
                eval_shared_model=eval_shared_model,
                eval_config=eval_config,
                tensor_adapter_config=tensor_adapter_config,
            )
        """
    if has_shared_model:
        source += """
        def custom_eval_shared_model(
            eval_saved_model_path, model_name, eval_config, **kwargs
        ) -> tfma.EvalSharedModel:
            return tfma.default_eval_shared_model(
                eval_saved_model_path=eval_saved_model_path,
                model_name=model_name,
                eval_config=eval_config,
                add_metrics_callbacks=kwargs.get("add_metrics_callbacks"),
            )
        """
    assert evaluate(source).metrics() == {"binary_accuracy": 0.75}
