"""Anomalies in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tensorflow_metadata.proto.v0 import anomalies_pb2

from trainwright.schemas.anomaly_advice import advice_for
from trainwright.schemas.reasons import Anomaly
from trainwright.schemas.string_domain import mark_listed_values, quote_if_unseen

# How many features a sentence names.
_MOST_NAMES = 5

DATASET = "(dataset)"

# Words of TFDV that only its authors understand.
_PLAIN_WORDS = {
    "Feature shape dropped": "values missing, or not the same number in each example, against the "
    "schema's shape"
}


@dataclass(frozen=True, kw_only=True)
class FoundAnomaly:
    """What is wrong with one feature, or with the dataset as a whole.

    Args:
        feature: The feature's path, or "(dataset)".
        types: The names of the reasons' types, for example "SCHEMA_NEW_COLUMN".
        short: A few words.
        description: Sentences with the values that were found; those with spaces that could not
            be seen are in quotes.
    """

    feature: str
    types: tuple[str, ...]
    short: str
    description: str


def list_anomalies(anomalies: anomalies_pb2.Anomalies) -> list[FoundAnomaly]:
    """The anomalies of a proto, those of the dataset first, then by feature."""
    infos = sorted(anomalies.anomaly_info.items())
    if anomalies.HasField("dataset_anomaly_info"):
        infos.insert(0, (DATASET, anomalies.dataset_anomaly_info))
    return [
        FoundAnomaly(
            feature=name,
            types=tuple(anomalies_pb2.AnomalyInfo.Type.Name(reason.type) for reason in info.reason),
            short=info.short_description or _of_reasons(info, "short_description"),
            description=mark_listed_values(
                info.description or _of_reasons(info, "description"), quote_if_unseen
            ).strip(),
        )
        for name, info in infos
    ]


def _of_reasons(info: anomalies_pb2.AnomalyInfo, field: str) -> str:
    """What the reasons say, where nothing is said of all of them together."""
    return "; ".join(dict.fromkeys(getattr(reason, field) for reason in info.reason))


def summarize_anomalies(anomalies: anomalies_pb2.Anomalies) -> str:
    """One line: "none", "no examples" or "2: age (Column dropped), sex (New column)"."""
    if anomalies.data_missing:
        return "no examples"
    found = list_anomalies(anomalies)
    if not found:
        return "none"
    named = ", ".join(
        f"{quote_if_unseen(anomaly.feature)} ({_PLAIN_WORDS.get(anomaly.short, anomaly.short)})"
        for anomaly in found[:_MOST_NAMES]
    )
    rest = len(found) - _MOST_NAMES
    return f"{len(found)}: {named}" + (f" and {rest} more" if rest > 0 else "")


def anomaly_table(found: Sequence[FoundAnomaly]) -> str:
    """The anomalies as a table in plain text, for a log, and below it what they mean."""
    rows = [("FEATURE", "ANOMALY", "DESCRIPTION")]
    rows += [
        (quote_if_unseen(anomaly.feature), anomaly.short, anomaly.description) for anomaly in found
    ]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    lines = [
        f"{feature.ljust(widths[0])}  {short.ljust(widths[1])}  {description}".rstrip()
        for feature, short, description in rows
    ]
    types = [Anomaly.Type.Value(name) for anomaly in found for name in anomaly.types]
    advice = advice_for(types)
    if advice:
        lines += ["", "What this means:", *(f"- {sentence}" for sentence in advice)]
    return "\n".join(lines)
