"""Two datasets compared by their statistics, as a config asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tensorflow_metadata.proto.v0 import anomalies_pb2, schema_pb2, statistics_pb2

from trainwright.schemas.anomaly_report import summarize_anomalies
from trainwright.schemas.inference import infer_schema
from trainwright.schemas.reasons import Anomaly
from trainwright.schemas.validation import validate_statistics

# What comes of comparing; the data may well depart from the baseline's schema in other ways.
_COMPARISONS = frozenset(
    (
        Anomaly.COMPARATOR_CONTROL_DATA_MISSING,
        Anomaly.COMPARATOR_TREATMENT_DATA_MISSING,
        Anomaly.COMPARATOR_L_INFTY_HIGH,
        Anomaly.COMPARATOR_NORMALIZED_ABSOLUTE_DIFFERENCE_HIGH,
        Anomaly.COMPARATOR_JENSEN_SHANNON_DIVERGENCE_HIGH,
        Anomaly.COMPARATOR_LOW_NUM_EXAMPLES,
        Anomaly.COMPARATOR_HIGH_NUM_EXAMPLES,
    )
)

_NOT_COMPARED = (
    "Validation could not be done, which could be due to missing data, use of a comparator that "
    "is not suitable for the feature type, or some other reason."
)


@dataclass(frozen=True)
class Compared:
    """What came of it: the message, whether something is wrong, and that in words."""

    anomalies: anomalies_pb2.Anomalies

    @property
    def is_anomalous(self) -> bool:
        found = self.anomalies
        return bool(found.anomaly_info) or found.HasField("dataset_anomaly_info")

    @property
    def summary(self) -> str:
        return summarize_anomalies(self.anomalies)


def compare_statistics(
    statistics: statistics_pb2.DatasetFeatureStatisticsList,
    baseline: statistics_pb2.DatasetFeatureStatisticsList,
    config: Any,
) -> Compared:
    """Compares the features of a `DatasetConfig`, and the number of examples if it asks for that.

    A feature that cannot be compared is an anomaly, too.
    """
    schema = _make_schema(baseline, config)
    anomalies = _only_comparisons(
        validate_statistics(statistics, schema, previous_statistics=baseline)
    )
    _add_missing(anomalies, config)
    return Compared(anomalies)


def _make_schema(
    baseline: statistics_pb2.DatasetFeatureStatisticsList, config: Any
) -> schema_pb2.Schema:
    """The baseline's schema with the comparators of the config."""
    schema = infer_schema(baseline)
    for wanted in config.feature:
        feature = _find(schema, list(wanted.path.step))
        if feature is not None:
            feature.drift_comparator.CopyFrom(wanted.distribution_comparator)
    if config.HasField("num_examples_comparator"):
        schema.dataset_constraints.num_examples_drift_comparator.CopyFrom(
            config.num_examples_comparator
        )
    return schema


def _find(schema: schema_pb2.Schema, path: list[str]) -> Any | None:
    features, found = schema.feature, None
    for step in path:
        found = next((one for one in features if one.name == step), None)
        if found is None:
            return None
        features = found.struct_domain.feature if found.HasField("struct_domain") else []
    return found


def _only_comparisons(anomalies: anomalies_pb2.Anomalies) -> anomalies_pb2.Anomalies:
    """Leaves out what is not about the other dataset, and descriptions that mix both."""
    kept = anomalies_pb2.Anomalies()
    kept.CopyFrom(anomalies)
    kept.ClearField("data_missing")
    for name in list(kept.anomaly_info):
        if not _keep_comparisons(kept.anomaly_info[name]):
            del kept.anomaly_info[name]
    if not kept.HasField("dataset_anomaly_info") or not _keep_comparisons(
        kept.dataset_anomaly_info
    ):
        kept.ClearField("dataset_anomaly_info")
    return kept


def _keep_comparisons(anomaly: anomalies_pb2.AnomalyInfo) -> bool:
    reasons = [reason for reason in anomaly.reason if reason.type in _COMPARISONS]
    for field in ("description", "short_description", "diff_regions", "reason"):
        anomaly.ClearField(field)
    anomaly.reason.extend(reasons)
    return bool(reasons)


def _add_missing(anomalies: anomalies_pb2.Anomalies, config: Any) -> None:
    """Adds an anomaly for each feature of the config that was not compared."""
    compared = {tuple(info.path.step) for info in anomalies.drift_skew_info}
    anomalies.anomaly_name_format = anomalies_pb2.Anomalies.SERIALIZED_PATH
    for wanted in config.feature:
        if tuple(wanted.path.step) in compared:
            continue
        anomaly = anomalies.anomaly_info[".".join(wanted.path.step)]
        anomaly.path.CopyFrom(wanted.path)
        anomaly.severity = anomalies_pb2.AnomalyInfo.ERROR
        anomaly.reason.add(
            type=anomalies_pb2.AnomalyInfo.STATS_NOT_AVAILABLE,
            short_description="Comparison could not be done.",
            description=_NOT_COMPARED,
        )
