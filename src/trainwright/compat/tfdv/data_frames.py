"""Schemas and anomalies as pandas data frames."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tensorflow_metadata.proto.v0 import anomalies_pb2, schema_pb2

from trainwright.compat.tfdv.feature_path import FeaturePath

if TYPE_CHECKING:
    import pandas as pd

_DATASET_ROW = "[dataset anomaly]"


def get_schema_dataframe(schema: schema_pb2.Schema) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The features of a schema, and its domains of strings, as tables.

    Example: `features, domains = get_schema_dataframe(schema)`
    """
    import pandas as pd

    if not isinstance(schema, schema_pb2.Schema):
        raise TypeError(f"schema is of type {type(schema).__name__}, should be a Schema proto.")
    domains = [[_quote(one.name), _quote_all(one.value)] for one in schema.string_domain]
    for feature in schema.feature:
        if feature.HasField("string_domain"):
            values = _quote_all(feature.string_domain.value)
            domains.append([_quote(_own_domain_name(feature)), values])
    features = [
        [_quote(one.name), _type(one), _presence(one), _valency(one), _domain(one)]
        for one in schema.feature
    ]
    columns = ["Feature name", "Type", "Presence", "Valency", "Domain"]
    return (
        pd.DataFrame(features, columns=columns).set_index("Feature name"),
        pd.DataFrame(domains, columns=["Domain", "Values"]).set_index("Domain"),
    )


def _type(feature: schema_pb2.Feature) -> str:
    name = schema_pb2.FeatureType.Name(feature.type)
    has_strings = feature.HasField("domain") or feature.HasField("string_domain")
    return "STRING" if name == "BYTES" and has_strings else name


def _presence(feature: schema_pb2.Feature) -> str:
    if not feature.HasField("presence"):
        return ""
    return "required" if feature.presence.min_fraction == 1.0 else "optional"


def _valency(feature: schema_pb2.Feature) -> str:
    if not feature.HasField("value_count"):
        return ""
    count = feature.value_count
    if count.min == count.max == 1:
        return "single"
    return f"[{count.min},{count.max}]" if count.HasField("max") else f"[{count.min},inf)"


def _domain(feature: schema_pb2.Feature) -> str:
    kind = feature.WhichOneof("domain_info")
    if kind == "domain":
        return _quote(feature.domain)
    if kind == "string_domain":
        return _quote(_own_domain_name(feature))
    if kind == "int_domain":
        domain: Any = feature.int_domain
        bounds = [f"{name}: {getattr(domain, name)}" for name in _bounds_of(domain)]
    elif kind == "float_domain":
        domain = feature.float_domain
        given = {name: f"{name}: {getattr(domain, name):f}" for name in _bounds_of(domain)}
        infinite = {} if domain.disallow_inf else {"min": "min: -inf", "max": "max: inf"}
        bounds = [text for _, text in sorted({**infinite, **given}.items(), reverse=True)]
    else:
        bounds = []
    return "; ".join(bounds) or "-"


def _bounds_of(domain: Any) -> list[str]:
    return [name for name in ("min", "max") if domain.HasField(name)]


def _own_domain_name(feature: schema_pb2.Feature) -> str:
    return feature.string_domain.name or f"{feature.name}_domain"


def get_anomalies_dataframe(anomalies: anomalies_pb2.Anomalies) -> pd.DataFrame:
    """The anomalies as a table, a row for each feature; without rows if there are none."""
    import pandas as pd

    if not isinstance(anomalies, anomalies_pb2.Anomalies):
        raise TypeError(
            f"anomalies is of type {type(anomalies).__name__}, should be an Anomalies proto."
        )
    rows = [
        [_quote(name), *_descriptions(info), _types(info)]
        for name, info in anomalies.anomaly_info.items()
    ]
    if anomalies.HasField("dataset_anomaly_info"):
        info = anomalies.dataset_anomaly_info
        rows.append([_DATASET_ROW, *_descriptions(info), _types(info)])
    columns = [
        "Feature name",
        "Anomaly short description",
        "Anomaly long description",
        "Anomaly types",
    ]
    return pd.DataFrame(rows, columns=columns).set_index("Feature name")


def _descriptions(info: anomalies_pb2.AnomalyInfo) -> tuple[str, str]:
    """The short and the long description; where there is none, those of the reasons."""
    short = info.short_description or "; ".join(one.short_description for one in info.reason)
    return short, info.description or "; ".join(one.description for one in info.reason)


def _types(info: anomalies_pb2.AnomalyInfo) -> str:
    return "; ".join(anomalies_pb2.AnomalyInfo.Type.Name(one.type) for one in info.reason)


def get_drift_skew_dataframe(anomalies: anomalies_pb2.Anomalies) -> pd.DataFrame:
    """How far features have drifted, as a table: the measured distances and their thresholds."""
    import pandas as pd

    name_of = anomalies_pb2.DriftSkewInfo.Measurement.Type.Name
    rows = [
        (str(FeaturePath.from_proto(info.path)), name_of(one.type), one.value, one.threshold)
        for info in anomalies.drift_skew_info
        for one in info.drift_measurements
    ]
    columns = ["path", "type", "value", "threshold"]
    return pd.DataFrame(rows, columns=columns).set_index("path")


def _quote(text: str) -> str:
    return f"'{text}'"


def _quote_all(texts: Iterable[str]) -> str:
    return ", ".join(map(_quote, texts))
