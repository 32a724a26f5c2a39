"""EvalSavedModels of Estimators, and the receivers that say what such a model is fed.

An EvalSavedModel takes serialized examples and has, beside its predictions, the features and labels
that it parsed: the Evaluator reads labels and slices from it. TFMA has these functions as
`tfma.export`, until it dropped Estimators; the signature is the one that it wrote.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from typing import Any

from trainwright._estimator_repairs import offer_estimators

# The names of a signature's tensors, or what stands before a slash in them.
_EXAMPLES = "examples"
_INPUTS, _FEATURES, _LABELS, _INPUT_REFS = "inputs", "features", "labels", "input_refs"
_ITERATOR, _TFMA_VERSION = "iterator_initializer", "tfma/version"
# The placeholder of serialized examples, by which receivers of this kind are known.
EXAMPLES_INPUT = f"{_INPUTS}/{_EXAMPLES}"
# The version whose signature this is.
_SIGNATURE_VERSION = "0.46.0"

_logger = logging.getLogger(__name__)

EvalInputReceiverFn = Callable[[], Any]


def EvalInputReceiver(
    *,
    features: Any,
    labels: Any,
    receiver_tensors: Mapping[str, Any],
    input_refs: Any = None,
    iterator_initializer: str | None = None,
) -> Any:
    """What an `eval_input_receiver_fn` returns.

    Args:
        features: The parsed features: a tensor, or tensors by name.
        labels: The label: a tensor, or tensors by name; None for a model that has none.
        receiver_tensors: The placeholder of serialized examples, by the name `examples`.
        input_refs: From which of the examples each row of the features is; by default, row by row.
        iterator_initializer: The name of an operation that starts an iterator over the examples.

    Example:
        ```py
        def eval_input_receiver_fn():
            serialized = tf.compat.v1.placeholder(tf.string, [None], name="input_example_tensor")
            features = tf.io.parse_example(serialized, feature_spec)
            return tfma.export.EvalInputReceiver(
                features=features,
                labels=features["tips"],
                receiver_tensors={"examples": serialized},
            )
        ```
    """
    import tensorflow as tf

    offer_estimators()
    from tensorflow_estimator.python.estimator.export import export

    if list(receiver_tensors) != [_EXAMPLES]:
        raise ValueError(
            f"receiver_tensors must contain exactly one key named {_EXAMPLES!r}: the placeholder "
            f"of serialized examples. It has {sorted(receiver_tensors)}."
        )
    if input_refs is None:
        if iterator_initializer is not None:
            raise ValueError("input_refs is required if iterator_initializer is used")
        input_refs = tf.range(tf.size(receiver_tensors[_EXAMPLES]))
    inputs = {
        **_named(_INPUTS, receiver_tensors),
        **_named(_FEATURES, features),
        **(_named(_LABELS, labels) if labels is not None else {}),
        _INPUT_REFS: input_refs,
        _TFMA_VERSION: tf.constant(_SIGNATURE_VERSION),
    }
    if iterator_initializer is not None:
        inputs[_ITERATOR] = tf.constant(iterator_initializer)
    # The model must not get the tensors that the signature names: TFMA feeds those.
    features = tf.nest.map_structure(tf.identity, features)
    if labels is None:
        return export.UnsupervisedInputReceiver(features=features, receiver_tensors=inputs)
    labels = tf.nest.map_structure(tf.identity, labels)
    return export.SupervisedInputReceiver(features=features, labels=labels, receiver_tensors=inputs)


def build_parsing_eval_input_receiver_fn(
    feature_spec: Mapping[str, Any], label_key: str | None
) -> EvalInputReceiverFn:
    """Makes an `eval_input_receiver_fn` that parses tf.Examples.

    Args:
        feature_spec: What `tf.io.parse_example` takes; the label is among it.
        label_key: The name of the label; None for a model that has none.
    """

    def eval_input_receiver_fn() -> Any:
        import tensorflow as tf

        serialized = tf.compat.v1.placeholder(tf.string, [None], name="input_example_tensor")
        features = tf.io.parse_example(serialized, feature_spec)
        return EvalInputReceiver(
            features=features,
            labels=None if label_key is None else features[label_key],
            receiver_tensors={_EXAMPLES: serialized},
        )

    return eval_input_receiver_fn


def export_eval_savedmodel(
    *,
    estimator: Any,
    export_dir_base: str,
    eval_input_receiver_fn: EvalInputReceiverFn,
    serving_input_receiver_fn: Callable[[], Any] | None = None,
    assets_extra: Mapping[str, str] | None = None,
    checkpoint_path: str | None = None,
) -> str:
    """Exports an Estimator for evaluation, with its latest checkpoint or the one that is named.

    Args:
        estimator: What was trained.
        export_dir_base: Where the model goes, in a directory named after the time.
        eval_input_receiver_fn: Returns an `EvalInputReceiver`.
        serving_input_receiver_fn: If given, the model can be served, too.
        assets_extra: Files to copy into `assets.extra`, by their path in it.
        checkpoint_path: The checkpoint; the latest one if it is None.

    Returns:
        The directory of the SavedModel.
    """
    import tensorflow as tf

    receivers = {tf.estimator.ModeKeys.EVAL: eval_input_receiver_fn}
    if serving_input_receiver_fn is not None:
        receivers[tf.estimator.ModeKeys.PREDICT] = serving_input_receiver_fn
    exported = estimator.experimental_export_all_saved_models(
        export_dir_base,
        receivers,
        assets_extra=dict(assets_extra) if assets_extra else None,
        checkpoint_path=checkpoint_path,
    )
    path = os.fsdecode(exported)
    _logger.info("EvalSavedModel written to %s", path)
    return path


def _named(prefix: str, tensors: Any) -> dict[str, Any]:
    if not isinstance(tensors, Mapping):
        return {prefix: tensors}
    return {f"{prefix}/{name}": tensor for name, tensor in tensors.items()}
