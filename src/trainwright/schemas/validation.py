"""Holding statistics against a schema: the anomalies in the data."""

from __future__ import annotations

from typing import Any

from tensorflow_metadata.proto.v0 import anomalies_pb2, schema_pb2, statistics_pb2

from trainwright._suggest import did_you_mean
from trainwright.schemas.comparators import Comparison, Controls
from trainwright.schemas.feature_fitting import fit_known_path
from trainwright.schemas.feature_paths import Path, path_proto, path_text
from trainwright.schemas.reasons import Anomaly, Reason, make_anomaly, six_digits
from trainwright.schemas.schema_index import SchemaIndex
from trainwright.schemas.statistics_view import DatasetView, FeatureView, all_examples

_NEW_COLUMN = Reason(
    Anomaly.SCHEMA_NEW_COLUMN, "New column", "New column (column in data but not in schema)"
)
_MISSING_COLUMN = Reason(
    Anomaly.SCHEMA_MISSING_COLUMN, "Column dropped", "Column is completely missing"
)


def validate_statistics(
    statistics: statistics_pb2.DatasetFeatureStatisticsList,
    schema: schema_pb2.Schema,
    environment: str | None = None,
    previous_statistics: statistics_pb2.DatasetFeatureStatisticsList | None = None,
    serving_statistics: statistics_pb2.DatasetFeatureStatisticsList | None = None,
    previous_version_statistics: statistics_pb2.DatasetFeatureStatisticsList | None = None,
) -> anomalies_pb2.Anomalies:
    """The ways in which data departs from a schema.

    Args:
        statistics: The statistics of one dataset, or of slices of it and of all examples.
        schema: What is expected.
        environment: One of the schema's default environments; features that are not in it may be
            missing, and must be.
        previous_statistics: Earlier data; `drift_comparator`s say how far it may be away.
        serving_statistics: Data at serving time; `skew_comparator`s say how far it may be away.
        previous_version_statistics: Another version of the same data, for
            `num_examples_version_comparator`.

    Example: `anomalies = validate_statistics(statistics, schema, environment="SERVING")`
    """
    current = all_examples(statistics)
    _check_schema(schema, environment)
    anomalies = anomalies_pb2.Anomalies(baseline=schema)
    if current.num_examples == 0:
        anomalies.data_missing = True
        return anomalies
    anomalies.anomaly_name_format = anomalies_pb2.Anomalies.SERIALIZED_PATH
    dataset = DatasetView(current)
    controls = Controls(
        previous=_control(previous_statistics, "previous_statistics", dataset),
        serving=_control(serving_statistics, "serving_statistics", dataset),
        previous_version=_control(
            previous_version_statistics, "previous_version_statistics", dataset
        ),
    )
    _Validation(anomalies, SchemaIndex(schema), environment, controls).run(dataset)
    return anomalies


def _check_schema(schema: schema_pb2.Schema, environment: str | None) -> None:
    if not isinstance(schema, schema_pb2.Schema):
        raise TypeError(f"schema is of type {type(schema).__name__}, should be a Schema proto.")
    known = list(schema.default_environment)
    if environment is not None and environment not in known:
        raise ValueError(
            f"Environment {environment!r} is not among the schema's default_environment"
            f"{did_you_mean(environment, known)}"
        )


def _control(statistics: Any, role: str, dataset: DatasetView) -> DatasetView | None:
    if statistics is None:
        return None
    return DatasetView(all_examples(statistics, role), by_weight=dataset.by_weight)


class _Validation:
    """The walk over one dataset that fills an Anomalies proto."""

    def __init__(
        self,
        anomalies: anomalies_pb2.Anomalies,
        index: SchemaIndex,
        environment: str | None,
        controls: Controls,
    ) -> None:
        self._anomalies = anomalies
        self._index = index
        self._environment = environment
        self._controls = controls
        self._comparisons: dict[Path, Comparison] = {}

    def run(self, dataset: DatasetView) -> None:
        views = list(dataset.roots)
        while views:
            views += self._validate_feature(views.pop())
        for path in self._index.missing_paths(dataset.features, self._environment):
            self._add(path, [_MISSING_COLUMN])
        self._add_measurements()
        constraints = self._index.schema.dataset_constraints
        reasons = _check_dataset(dataset, constraints, self._controls)
        if reasons:
            self._anomalies.dataset_anomaly_info.CopyFrom(make_anomaly(reasons))

    def _validate_feature(self, view: FeatureView) -> list[FeatureView]:
        """Looks at one feature; returns what inside of it is to be looked at."""
        if view.path not in self._index:
            self._add(view.path, [_NEW_COLUMN])
            return []
        if self._index.is_unchecked(view.path):
            return []
        excerpt = self._index.excerpt(view.path)
        fit = fit_known_path(view, excerpt, self._environment, self._controls)
        if fit.reasons:
            self._add(view.path, fit.reasons)
        if fit.comparison.measurements:
            self._comparisons[view.path] = fit.comparison
        return [] if excerpt.is_unchecked(view.path) else view.children

    def _add(self, path: Path, reasons: list[Reason]) -> None:
        anomaly = make_anomaly(reasons)
        anomaly.path.CopyFrom(path_proto(path))
        self._anomalies.anomaly_info[path_text(path)].CopyFrom(anomaly)

    def _add_measurements(self) -> None:
        for path, comparison in sorted(self._comparisons.items()):
            info = self._anomalies.drift_skew_info.add(path=path_proto(path))
            for name, measurements in comparison.measurements.items():
                getattr(info, name).extend(measurements)


def _check_dataset(dataset: DatasetView, constraints: Any, controls: Controls) -> list[Reason]:
    """Says how the number of examples departs from what was expected."""
    reasons = []
    comparators = (
        ("num_examples_drift_comparator", controls.previous, "previous span"),
        ("num_examples_version_comparator", controls.previous_version, "previous version"),
    )
    for name, control, control_name in comparators:
        if constraints.HasField(name) and control is not None:
            reasons += _compare_counts(dataset, control, getattr(constraints, name), control_name)
    return reasons + _check_count(dataset, constraints)


def _check_count(dataset: DatasetView, constraints: Any) -> list[Reason]:
    found = f"The dataset has {six_digits(dataset.num_examples)} examples, which is"
    reasons = []
    if (
        constraints.HasField("min_examples_count")
        and dataset.num_examples < constraints.min_examples_count
    ):
        kind, short = Anomaly.DATASET_LOW_NUM_EXAMPLES, "Low num examples in dataset."
        reasons.append(Reason(kind, short, f"{found} fewer than expected."))
    if (
        constraints.HasField("max_examples_count")
        and dataset.num_examples > constraints.max_examples_count
    ):
        kind, short = Anomaly.DATASET_HIGH_NUM_EXAMPLES, "High num examples in dataset."
        reasons.append(Reason(kind, short, f"{found} more than expected."))
    return reasons


def _compare_counts(
    dataset: DatasetView, control: DatasetView, comparator: Any, name: str
) -> list[Reason]:
    beginning = f"num examples in current dataset versus the {name}"
    has_most = comparator.HasField("max_fraction_threshold")
    if control.num_examples == 0:
        text = (
            f"The {name} has 0 examples, so there is a high number of examples in the current "
            f"dataset versus the {name}."
        )
        short = f"High {beginning}, which has 0."
        return [Reason(Anomaly.COMPARATOR_HIGH_NUM_EXAMPLES, short, text)] if has_most else []
    ratio = dataset.num_examples / control.num_examples
    found = (
        f"The ratio of num examples in the current dataset versus the {name} is "
        f"{six_digits(ratio)} (up to six significant digits), which is"
    )
    reasons = []
    if has_most and ratio > comparator.max_fraction_threshold:
        text = f"{found} above the threshold {six_digits(comparator.max_fraction_threshold)}."
        reasons.append(Reason(Anomaly.COMPARATOR_HIGH_NUM_EXAMPLES, f"High {beginning}.", text))
    if comparator.HasField("min_fraction_threshold") and ratio < comparator.min_fraction_threshold:
        text = f"{found} below the threshold {six_digits(comparator.min_fraction_threshold)}."
        reasons.append(Reason(Anomaly.COMPARATOR_LOW_NUM_EXAMPLES, f"Low {beginning}.", text))
    return reasons
