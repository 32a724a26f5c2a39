"""Models that are loaded where they are asked, in the words of TFMA, which modules of users use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from trainwright._suggest import did_you_mean
from trainwright.evaluation.models.model_formats import format_of_files, format_of_type


@dataclass(frozen=True, kw_only=True)
class ModelLoader:
    """How a model is loaded.

    Args:
        construct_fn: Loads it.
        tags: Of the SavedModel; kept for whoever asks.
    """

    construct_fn: Callable[[], Any]
    tags: Sequence[str] | None = None

    def load(self, model_load_time_callback: Any | None = None) -> Any:
        """The model, loaded anew."""
        return self.construct_fn()


@dataclass(frozen=True)
class ModelContents:
    """The file of a LiteRT or ONNX model, which whoever asks it gives to an interpreter."""

    contents: bytes


class EvalSharedModel(NamedTuple):
    """A model by its path, and what loads it; see `default_eval_shared_model`."""

    model_path: str | None = None
    add_metrics_callbacks: Sequence[Callable[..., Any]] | None = None
    include_default_metrics: bool | None = True
    example_weight_key: str | Mapping[str, str] | None = None
    additional_fetches: Sequence[str] | None = None
    model_loader: ModelLoader | None = None
    model_name: str = ""
    model_type: str = ""
    rubber_stamp: bool = False
    is_baseline: bool = False
    resource_handle: Any | None = None
    backend_config: Any | None = None
    resource_hints: Mapping[str, Any] | None = None
    construct_fn: Callable[..., Any] | None = None


MaybeMultipleEvalSharedModels = EvalSharedModel | list[EvalSharedModel] | dict[str, EvalSharedModel]


class Extractor(NamedTuple):
    """A step of TFMA's, which is a Beam transform."""

    stage_name: str
    ptransform: Any


def default_eval_shared_model(
    eval_saved_model_path: str,
    add_metrics_callbacks: Sequence[Callable[..., Any]] | None = None,
    include_default_metrics: bool | None = True,
    example_weight_key: str | Mapping[str, str] | None = None,
    additional_fetches: Sequence[str] | None = None,
    blacklist_feature_fetches: Sequence[str] | None = None,
    tags: Sequence[str] | None = None,
    model_name: str = "",
    eval_config: Any | None = None,
    custom_model_loader: ModelLoader | None = None,
    rubber_stamp: bool | None = False,
    resource_handle: Any | None = None,
    backend_config: Any | None = None,
    resource_hints: Mapping[str, Any] | None = None,
) -> EvalSharedModel:
    """A model that is loaded as its model spec and its files say, or by the given loader.

    A SavedModel is loaded by TensorFlow; of a LiteRT or ONNX model the loader gives the contents.

    With an `eval_config`, its model spec of the name says what the model is. Metrics belong to the
    eval config: callbacks that add some to a model are refused.
    """
    if add_metrics_callbacks:
        raise ValueError(
            "add_metrics_callbacks add metrics to the graph of an Estimator. List the metrics in "
            "the metrics_specs of the eval config instead."
        )

    spec = _find_spec(eval_config, model_name)
    model_type = spec.model_type if spec is not None else ""

    def load_model() -> Any:
        return _load_model(eval_saved_model_path, model_type)

    return EvalSharedModel(
        model_path=eval_saved_model_path,
        include_default_metrics=include_default_metrics,
        example_weight_key=example_weight_key,
        additional_fetches=additional_fetches,
        model_loader=custom_model_loader or ModelLoader(construct_fn=load_model, tags=tags),
        model_name=model_name,
        model_type=model_type,
        is_baseline=spec.is_baseline if spec is not None else False,
        rubber_stamp=bool(rubber_stamp),
        resource_handle=resource_handle,
        backend_config=backend_config,
        resource_hints=resource_hints,
    )


def has_default_loader(model: EvalSharedModel) -> bool:
    """Whether nobody has given the model a loader."""
    loader = model.model_loader
    return loader is None or loader.construct_fn.__module__ == __name__


def _load_model(path: str, model_type: str) -> Any:
    found = format_of_type(model_type) or (None if model_type else format_of_files(path))
    if found:
        with open(found.require_file(path), "rb") as file:
            return ModelContents(file.read())
    import tensorflow as tf

    return tf.saved_model.load(path)


def _find_spec(eval_config: Any | None, model_name: str) -> Any | None:
    """The model spec of a model; the only one need not have the model's name."""
    specs = [] if eval_config is None else list(eval_config.model_specs)
    if len(specs) < 2:
        return next(iter(specs), None)
    names = [spec.name for spec in specs]
    if model_name not in names:
        raise ValueError(
            f"The eval config has no model spec for the model_name {model_name!r}"
            f"{did_you_mean(model_name, names)}"
        )
    return specs[names.index(model_name)]


def default_extractors(
    eval_shared_model: Any | None = None,
    eval_config: Any | None = None,
    **others: Any,
) -> list[Extractor]:
    """None: without extractors of the user's own, a model is asked as it is served."""
    return []
