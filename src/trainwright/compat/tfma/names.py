"""The names of TFMA: where our object of each is, and what to use instead of those not here."""

from __future__ import annotations

from trainwright._tfma_names import CONFIG_NAMES
from trainwright.compat.stand_in_names import StandIn
from trainwright.evaluation.metrics.unsupported import UNSUPPORTED_METRICS

_OURS = "trainwright.compat.tfma"
_EVALUATION = "trainwright.evaluation"
_MESSAGES = "trainwright.proto.tfma"


def _from(module: str, *names: str) -> dict[str, str]:
    return dict.fromkeys(names, module)


_CONFIG = _from(f"{_MESSAGES}.config_pb2", *CONFIG_NAMES)
_CONSTANTS = _from(
    f"{_OURS}.constants",
    "ANALYSIS_KEY",
    "ARROW_INPUT_COLUMN",
    "ARROW_RECORD_BATCH_KEY",
    "ATTRIBUTIONS_KEY",
    "BASELINE_KEY",
    "BASELINE_SCORE_KEY",
    "CANDIDATE_KEY",
    "DATA_CENTRIC_MODE",
    "EXAMPLE_SCORE_KEY",
    "EXAMPLE_WEIGHTS_KEY",
    "FEATURES_KEY",
    "FEATURES_PREDICTIONS_LABELS_KEY",
    "INPUT_KEY",
    "LABELS_KEY",
    "METRICS_KEY",
    "MODEL_CENTRIC_MODE",
    "PLOTS_KEY",
    "PREDICTIONS_KEY",
    "SLICE_KEY_TYPES_KEY",
    "TFMA_EVAL",
    "TF_ESTIMATOR",
    "TF_GENERIC",
    "TF_JS",
    "TF_KERAS",
    "TF_LITE",
    "VALIDATIONS_KEY",
)
_SHARED_MODEL = _from(
    f"{_EVALUATION}.models.shared_model",
    "EvalSharedModel",
    "MaybeMultipleEvalSharedModels",
    "ModelLoader",
)
_LIBRARY = {
    **_from(
        f"{_MESSAGES}.metrics_for_slice_pb2",
        "AttributionsForSlice",
        "MetricsForSlice",
        "PlotsForSlice",
    ),
    **_from(f"{_MESSAGES}.validation_result_pb2", "ValidationResult"),
    **_from(
        f"{_OURS}.analysis",
        "analyze_raw_data",
        "multiple_data_analysis",
        "multiple_model_analysis",
        "run_model_analysis",
    ),
    **_from(f"{_OURS}.eval_results", "load_eval_results", "make_eval_results"),
    **_from(f"{_EVALUATION}.tfma_format.eval_result", "load_eval_result"),
    **_from(
        f"{_EVALUATION}.models.shared_model", "default_eval_shared_model", "default_extractors"
    ),
    **_from(
        f"{_EVALUATION}.tfma_format.reading",
        "load_attributions",
        "load_metrics",
        "load_plots",
        "load_validation_result",
    ),
}
_RESULTS = {
    **_from(f"{_EVALUATION}.tfma_format.eval_result", "EvalResult"),
    **_from(f"{_OURS}.eval_results", "EvalResults"),
}
_SLICED = _from(f"{_EVALUATION}.tfma_format.eval_result", "SlicedMetrics", "SlicedPlots")
_VIEWS = _from(f"{_OURS}.views", "render_plot", "render_slicing_metrics", "render_time_series")
_FRAMES = f"{_OURS}.data_frames"

# Of Estimators: TFMA had these until 0.46.
_EVAL_EXPORT = _from(
    "trainwright.components.trainer.eval_export",
    "EvalInputReceiver",
    "build_parsing_eval_input_receiver_fn",
    "export_eval_savedmodel",
)

MODULES: dict[str, str | dict[str, str]] = {
    "": {**_CONFIG, **_CONSTANTS, **_LIBRARY, **_RESULTS, **_SHARED_MODEL},
    "addons": {},
    "addons.fairness": {},
    "addons.fairness.metrics": _from(f"{_OURS}.metrics", "FairnessIndicators"),
    "addons.fairness.metrics.fairness_indicators": _from(f"{_OURS}.metrics", "FairnessIndicators"),
    "addons.fairness.view": {},
    "addons.fairness.view.widget_view": _from(f"{_OURS}.views", "render_fairness_indicator"),
    "api": {},
    "api.dataframe": _FRAMES,
    "api.model_eval_lib": _LIBRARY,
    "api.types": _SHARED_MODEL,
    "config": _CONFIG,
    "constants": f"{_OURS}.constants",
    "dataframe": _FRAMES,
    "experimental": {},
    "experimental.dataframe": _FRAMES,
    "eval_saved_model": {},
    "eval_saved_model.export": _EVAL_EXPORT,
    "export": _EVAL_EXPORT,
    "export_only": {},
    "export_only.export": _EVAL_EXPORT,
    "extractors": _from(f"{_EVALUATION}.models.shared_model", "Extractor"),
    "metrics": f"{_OURS}.metrics",
    "metrics.metric_specs": f"{_OURS}.metrics",
    "proto": {},
    "proto.config_pb2": f"{_MESSAGES}.config_pb2",
    "proto.metrics_for_slice_pb2": f"{_MESSAGES}.metrics_for_slice_pb2",
    "proto.validation_result_pb2": f"{_MESSAGES}.validation_result_pb2",
    "sdk": {**_CONFIG, **_CONSTANTS},
    "slicer": f"{_OURS}.slicer",
    "slicer.slicer_lib": f"{_OURS}.slicer",
    "types": _SHARED_MODEL,
    "version": {"VERSION": f"{_EVALUATION}.tfma_format.file_names:TFMA_VERSION"},
    "view": {**_VIEWS, **_SLICED},
    "view.view_types": {
        **_RESULTS,
        **_SLICED,
        **_from(f"{_EVALUATION}.tfma_format.eval_result", "SlicedAttributions"),
    },
    "view.widget_view": _VIEWS,
}

_BEAM = (
    "It is a step of Beam: run_model_analysis evaluates and writes on this machine, an Evaluator "
    "in a pipeline."
)
_TYPE = "It is an alias for annotations: use NumPy's or Python's type itself."
_ESTIMATOR = (
    "Of what TFMA had for Estimators, tfma.export is here; the Trainer writes the EvalSavedModel "
    "itself. List metrics in the metrics_specs of the eval config."
)
_INSIDE = "It is the inside of TFMA. run_model_analysis and the names of tfma itself are here."
_COUNTERFACTUAL = (
    "Counterfactual predictions are not compared here: evaluate both sets of examples with "
    "multiple_data_analysis."
)
_ATTRIBUTIONS = "Attributions are not computed here; load_attributions reads those of TFMA."
_OWN_METRICS = (
    "A metric of your own is a Keras metric: MetricConfig(class_name=..., module=...) finds it."
)
_FAIRNESS_METRIC = 'List it as MetricConfig(class_name="FairnessIndicators").'
_WIDGET = "Pages are shown instead of widgets: tfma.view and render_fairness_indicator are here."

MISSING: dict[str, str] = {
    **{f"metrics.{name}": reason for name, reason in UNSUPPORTED_METRICS.items()},
    "AddMetricsCallbackType": _ESTIMATOR,
    "BatchedInputsToExtracts": _BEAM,
    "ExtractAndEvaluate": _BEAM,
    "ExtractEvaluateAndWriteResults": _BEAM,
    "Extracts": "It is a dict: annotate with dict[str, Any].",
    "FeaturesPredictionsLabels": _ESTIMATOR,
    "InputsToExtracts": _BEAM,
    "MaterializedColumn": _ESTIMATOR,
    "RaggedTensorValue": _TYPE,
    "SparseTensorValue": _TYPE,
    "TensorType": _TYPE,
    "TensorTypeMaybeDict": _TYPE,
    "TensorValue": _TYPE,
    "Validate": _BEAM,
    "VarLenTensorValue": _TYPE,
    "WriteResults": _BEAM,
    "addons.fairness.metrics.Lift": "Lift is not computed here.",
    "addons.fairness.metrics.counterfactual_fairness": _COUNTERFACTUAL,
    "addons.fairness.metrics.fairness_indicators": _FAIRNESS_METRIC,
    "addons.fairness.metrics.lift": "Lift is not computed here.",
    "addons.fairness.notebook": _WIDGET,
    "addons.fairness.post_export_metrics": _FAIRNESS_METRIC,
    "addons.fairness.view.widget_view": _WIDGET,
    "api.model_eval_lib": _BEAM,
    "api.tfma_unit": "Assert on the EvalResult that run_model_analysis returns.",
    "api.types": _TYPE,
    "api.verifier_lib": _BEAM,
    "constants": _INSIDE,
    "contrib": _INSIDE,
    "default_evaluators": "run_model_analysis evaluates by itself: leave evaluators out.",
    "default_writers": "run_model_analysis writes by itself: leave writers out, give output_path.",
    "eval_metrics_graph": _ESTIMATOR,
    "eval_saved_model": _ESTIMATOR,
    "evaluators": _BEAM,
    "experimental.preprocessing_functions": (
        "Save a signature with the model, and name it in preprocessing_function_names."
    ),
    "export_only": _ESTIMATOR,
    "exporter": _ESTIMATOR,
    "extractors": (
        "It is a step of Beam: an Evaluator's module file may have custom_extractors, functions of "
        "a batch."
    ),
    "is_batched_input": _INSIDE,
    "is_legacy_estimator": _ESTIMATOR,
    "metrics": _OWN_METRICS,
    "metrics.aggregation": _INSIDE,
    "metrics.attributions": _ATTRIBUTIONS,
    "metrics.AttributionsMetric": _ATTRIBUTIONS,
    "metrics.has_attributions_metrics": _ATTRIBUTIONS,
    "metrics.bleu": "Metrics of text are not computed here.",
    "metrics.rouge": "Metrics of text are not computed here.",
    "model_agnostic_eval": (
        "analyze_raw_data takes a data frame with predictions; run_model_analysis without a model "
        "takes examples that have them, with prediction_key."
    ),
    "notebook": _WIDGET,
    "post_export_metrics": _ESTIMATOR,
    "proto": "The messages of configs, metrics and validations are here.",
    "slicer": _INSIDE,
    "test": "Assert on the EvalResult that run_model_analysis returns.",
    "utils": (
        "It is the inside of TFMA. Configs are completed and checked by run_model_analysis and the "
        "Evaluator."
    ),
    "validators": _BEAM,
    "view.render_slicing_attributions": _ATTRIBUTIONS,
    "view.util": _WIDGET,
    "view.view_types": _TYPE,
    "view.widget_view.render_slicing_attributions": _ATTRIBUTIONS,
    "writers": _BEAM,
}

TFMA = StandIn(
    package="tensorflow_model_analysis",
    title="TensorFlow Model Analysis",
    distribution="tensorflow-model-analysis",
    modules=MODULES,
    missing=MISSING,
)
