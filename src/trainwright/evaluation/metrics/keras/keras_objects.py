"""Metrics and losses of Keras, by class name: how they are found and made."""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from trainwright._suggest import did_you_mean
from trainwright.evaluation.computation import Floats
from trainwright.evaluation.metrics.errors import UnknownMetricError

# Keras makes the variables of these when it sees the first batch.
_BUILT_LATE = frozenset({"FBetaScore", "F1Score", "R2Score"})

# What Keras wraps functions in.
_FUNCTION_WRAPPERS = ("LossFunctionWrapper", "MeanMetricWrapper")

# Names that stand for a function that the shapes of labels and predictions choose, by its ending.
_CHOSEN_BY_SHAPE = {
    **dict.fromkeys(("accuracy", "acc"), "accuracy"),
    **dict.fromkeys(("crossentropy", "ce"), "crossentropy"),
}

# Keras 3 counts these in integers, which cuts weights off.
_INTEGER_METRICS = "keras.src.metrics.iou_metrics"

# From labels and predictions to one value for each example, or more than one.
ExampleFunction = Callable[[Floats, Floats], Any]


@dataclass(frozen=True)
class KerasObject:
    """A metric or a loss, as a config describes it; it can be pickled.

    Args:
        module: Where the class is; "" for keras.metrics.
        class_name: Its name.
        config: The JSON of its arguments.
    """

    module: str
    class_name: str
    config: str

    @classmethod
    def of(cls, module: str, class_name: str, arguments: Mapping[str, Any]) -> KerasObject:
        return cls(module, class_name, json.dumps(arguments, sort_keys=True))

    def make(self) -> Any:
        """The object itself; there is one of it in a process.

        Raises:
            UnknownMetricError: If there is no such class, or it is neither a metric nor a loss.
            ValueError: If it cannot be made of these arguments.
        """
        return _make(self)

    @property
    def is_of_keras(self) -> bool:
        """Whether it is Keras' own class, and not a user's of the same name."""
        return self.module.split(".")[0] in ("", "keras", "tensorflow", "tf", "tf_keras")

    @property
    def is_loss(self) -> bool:
        return _is_a(self.make(), "losses", "Loss")

    def example_function(self) -> ExampleFunction | None:
        """What a loss or a mean metric computes of each example; None of other metrics."""
        made = self.make()
        if self.is_loss:
            call: ExampleFunction = made.call
            return call
        if not _is_plain_mean(made):
            return None
        arguments = made._fn_kwargs
        return lambda labels, predictions: made._fn(labels, predictions, **arguments)

    @property
    def is_built_late(self) -> bool:
        """Whether it was made for predictions of one column, not knowing how many come."""
        return any(base.__name__ in _BUILT_LATE for base in type(self.make()).__mro__)


@dataclass(frozen=True)
class SerializedKerasObject(KerasObject):
    """A metric or a loss as a Keras wrote it into a model.

    Args:
        module: `tf_keras.metrics`, `keras.losses` and so on: what reads it.
        class_name: Its class, or the class that Keras has for its function.
        config: The JSON of what was written: an object, or the name of a function.
    """

    @classmethod
    def read(cls, module: str, written: Any) -> SerializedKerasObject:
        if isinstance(written, Mapping):
            # A number that Keras tells shared objects by.
            written = {key: value for key, value in written.items() if key != "shared_object_id"}
        return cls(module, _class_of(written), json.dumps(written, sort_keys=True))

    def make(self) -> Any:
        return _deserialize(self)


def _class_of(written: Any) -> str:
    """The class of what was written; a function's is the one that is named after it.

    >>> _class_of({"class_name": "MeanMetricWrapper", "config": {"fn": "binary_accuracy"}})
    'BinaryAccuracy'
    """
    if isinstance(written, Mapping):
        arguments = written["config"]
        function = arguments.get("fn") if isinstance(arguments, Mapping) else arguments
        if written["class_name"] not in _FUNCTION_WRAPPERS or not isinstance(function, str):
            return str(written["class_name"])
        written = function
    return "".join(word.capitalize() for word in str(written).split("_"))


@functools.cache
def _deserialize(described: SerializedKerasObject) -> Any:
    library, _, kind = described.module.partition(".")
    module = getattr(importlib.import_module(library), kind)
    written = json.loads(described.config)
    try:
        made = _by_shape(module, written) or module.get(written)
    except Exception as error:
        # What Keras raises here ranges from TypeError to errors of the user's own classes.
        reason = (str(error).strip() or type(error).__name__).splitlines()[0].split(". ")[0]
        raise ValueError(f"Keras cannot read it: {reason.rstrip('.')}") from error
    # Keras 2 returns what it was given for a function that it does not know, or wraps that.
    if not all(map(callable, (made, getattr(made, "_fn", made), getattr(made, "fn", made)))):
        raise ValueError("Keras cannot read it: it is a function of the user's own")
    if not _is_a(made, "metrics", "Metric") and not _is_a(made, "losses", "Loss"):
        made = _wrap_function(library, kind, made)
    if kind == "metrics":
        _check_additive(described.class_name, made)
    elif str(getattr(made, "reduction", "")) == "sum":
        raise ValueError("its reduction is 'sum', so that it depends on the size of batches")
    return made


def _by_shape(module: Any, written: Any) -> Callable[[Floats, Floats], Any] | None:
    """Names that Keras has for three functions, of which labels and predictions choose one."""
    ending = _CHOSEN_BY_SHAPE.get(str(written).lower())
    if ending is None:
        return None

    def choose(labels: Floats, predictions: Floats) -> Any:
        kind = "categorical" if labels.shape[-1] == predictions.shape[-1] else "sparse_categorical"
        kind = "binary" if predictions.shape[-1] == 1 else kind
        return getattr(module, f"{kind}_{ending}")(labels, predictions)

    return choose


def _wrap_function(library: str, kind: str, function: Callable[..., Any]) -> Any:
    """A function as a metric or loss, as Keras wraps those that it is given by name."""
    wrapper = (
        importlib.import_module(library).metrics.MeanMetricWrapper
        if kind == "metrics"
        else importlib.import_module(f"{library}.src.losses").LossFunctionWrapper
    )
    return wrapper(function, name=function.__name__)


def to_numpy(tensor: Any) -> Floats:
    """The numbers of a tensor or variable of either Keras."""
    if hasattr(tensor, "numpy"):
        return np.asarray(tensor.numpy(), dtype=np.float64)
    return np.asarray(_keras().ops.convert_to_numpy(tensor), dtype=np.float64)


@functools.cache
def _make(described: KerasObject) -> Any:
    made_class = _find_class(described.module, described.class_name)
    arguments = json.loads(described.config)
    _check_arguments(described.class_name, made_class, arguments)
    if made_class.__module__ == _INTEGER_METRICS:
        arguments.setdefault("dtype", "float32")
    try:
        made = made_class.from_config(arguments)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"The metric {described.class_name} cannot be made with the config "
            f"{described.config}: {error}"
        ) from error
    if not _is_a(made, "losses", "Loss"):
        _check_additive(described.class_name, made)
    elif str(getattr(made, "reduction", "")) == "sum":
        raise ValueError(
            f"The loss {described.class_name} has reduction 'sum'. As a metric it is a mean over "
            "examples: leave reduction out."
        )
    return made


def _find_class(module: str, class_name: str) -> Any:
    if not module:
        found = getattr(_keras().metrics, class_name, None)
        if not isinstance(found, type):
            raise UnknownMetricError(f"There is no metric {class_name!r}.")
    else:
        found = getattr(_import(module), class_name, None)
    if not isinstance(found, type):
        raise UnknownMetricError(
            f"The module {module!r} has no metric {class_name!r}"
            f"{did_you_mean(class_name, _class_names(_import(module)))}"
        )
    if not any(
        issubclass(found, base) for base in _bases("metrics", "Metric") + _bases("losses", "Loss")
    ):
        raise UnknownMetricError(
            f"{module}.{class_name} is neither a Keras metric nor a Keras loss: derive it from "
            "keras.metrics.Metric."
        )
    return found


def keras_metric_names() -> list[str]:
    """The metrics that Keras has."""
    return _class_names(_keras().metrics)


def _class_names(module: ModuleType) -> list[str]:
    return [name for name, value in vars(module).items() if isinstance(value, type)]


def _import(module: str) -> ModuleType:
    root, _, rest = module.partition(".")
    if root == "tf" or module.startswith("tensorflow.keras"):
        root, rest = _keras_of_tensorflow(), rest.removeprefix("keras").lstrip(".")
    if root not in ("keras", "tf_keras"):
        return _import_of_user(module)
    try:
        return importlib.import_module(f"{root}.{rest}" if rest else root)
    except ModuleNotFoundError:
        # A module of another version of Keras, or of tf_keras, which is not installed: what it
        # has, Keras has in its public modules.
        public: ModuleType = _keras().losses if "losses" in rest else _keras().metrics
        return public


def _import_of_user(module: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise UnknownMetricError(
            f"The module {module!r} of a metric cannot be imported: {error}. It must be importable "
            "where the pipeline runs."
        ) from error


def _keras() -> Any:
    """Imported when the first metric asks for it: it takes seconds, as TensorFlow does."""
    import keras

    return keras


def _keras_of_tensorflow() -> str:
    """Which Keras `tf.keras` is: TensorFlow goes by this variable, too."""
    legacy = os.environ.get("TF_USE_LEGACY_KERAS", "").lower() in ("1", "true")
    return "tf_keras" if legacy else "keras"


def _bases(module: str, name: str) -> list[Any]:
    """The base class in each Keras that is imported."""
    libraries = [sys.modules.get(library) for library in ("keras", "tf_keras")]
    return [getattr(getattr(library, module), name) for library in libraries if library]


def _is_a(made: Any, module: str, name: str) -> bool:
    return any(isinstance(made, base) for base in _bases(module, name))


def _check_arguments(class_name: str, made_class: Any, arguments: Mapping[str, Any]) -> None:
    parameters = inspect.signature(made_class).parameters
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return
    for name in arguments:
        if name not in parameters:
            raise ValueError(
                f"The metric {class_name} has no argument {name!r}{did_you_mean(name, parameters)}"
            )


def _is_plain_mean(metric: Any) -> bool:
    """Whether a metric is the mean of a function, with nothing of its own around it."""
    kind: Any = type(metric)
    return any(
        isinstance(metric, wrapper)
        and kind.update_state is wrapper.update_state
        and kind.result is wrapper.result
        for wrapper in _bases("metrics", "MeanMetricWrapper")
    )


def _check_additive(class_name: str, metric: Any) -> None:
    """States of parts of the data are added, so that adding must be what merges them."""
    if any(base.__name__ in _BUILT_LATE for base in type(metric).__mro__):
        build = getattr(metric, "_build", None) or metric.build
        build((None, 1), (None, 1))
    owner = next((base for base in type(metric).__mro__ if "merge_state" in vars(base)), None)
    if owner is not None and owner.__module__.split(".")[0] not in ("keras", "tf_keras"):
        raise ValueError(
            f"The metric {class_name} has a merge_state of its own. Parts of the data are "
            "evaluated apart and the variables of the metric are added, so that it must be one "
            "whose variables are sums."
        )
    metric.reset_state()
    if any(to_numpy(variable).any() for variable in metric.variables):
        raise ValueError(
            f"The metric {class_name} has variables that do not begin at 0. Parts of the data are "
            "evaluated apart and the variables of the metric are added, so that it must be one "
            "whose variables are sums."
        )
