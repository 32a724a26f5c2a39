"""Metrics and plots as pandas data frames: `tfma.experimental.dataframe`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from google.protobuf import wrappers_pb2
from google.protobuf.message import Message

from trainwright.evaluation.tfma_format.reading import load_metrics, load_plots
from trainwright.proto.tfma.metrics_for_slice_pb2 import MetricsForSlice, PlotsForSlice

if TYPE_CHECKING:
    import pandas as pd

_SLICES = "slices"
_OVERALL = "Overall"
_WRAPPERS = tuple(
    getattr(wrappers_pb2, f"{name}Value")
    for name in ("Double", "Float", "Bool", "Bytes", "String", "Int64", "Int32")
)


@dataclass(frozen=True)
class MetricsDataFrames:
    """A table for each kind of value that metrics have; None if none has it."""

    double_value: pd.DataFrame | None = None
    confusion_matrix_at_thresholds: pd.DataFrame | None = None
    multi_class_confusion_matrix_at_thresholds: pd.DataFrame | None = None
    bytes_value: pd.DataFrame | None = None
    array_value: pd.DataFrame | None = None


@dataclass(frozen=True)
class PlotsDataFrames:
    """A table for each kind of plot; None if there is none of it."""

    calibration_histogram_buckets: pd.DataFrame | None = None
    confusion_matrix_at_thresholds: pd.DataFrame | None = None
    multi_class_confusion_matrix_at_thresholds: pd.DataFrame | None = None
    multi_label_confusion_matrix_at_thresholds: pd.DataFrame | None = None
    debug_message: pd.DataFrame | None = None


def metrics_as_dataframes(
    metrics: Iterable[MetricsForSlice], *, include_empty_columns: bool = False
) -> MetricsDataFrames:
    """The metrics of slices as tables, a row for each slice and metric.

    Columns are `slices.<feature>`, `metric_keys.<name, model_name, ...>` and
    `metric_values.<double_value, ...>`; `auto_pivot` makes of them a row for each slice.

    Args:
        metrics: As `tfma.load_metrics` reads them.
        include_empty_columns: Whether there is a column for parts of a key that no metric has.

    Example: `auto_pivot(metrics_as_dataframes(tfma.load_metrics(path)).double_value)`
    """
    items = ((record, item) for record in metrics for item in record.metric_keys_and_values)
    frames = _frames(items, "metric_keys", "metric_values", include_empty_columns)
    known = MetricsDataFrames.__dataclass_fields__
    return MetricsDataFrames(**{name: one for name, one in frames.items() if name in known})


def plots_as_dataframes(
    plots: Iterable[PlotsForSlice], *, include_empty_columns: bool = False
) -> PlotsDataFrames:
    """The plots of slices as tables, a row for each point; see `metrics_as_dataframes`."""
    items = ((record, item) for record in plots for item in record.plot_keys_and_values)
    frames = _frames(items, "plot_keys", "plot_data", include_empty_columns)
    known = PlotsDataFrames.__dataclass_fields__
    return PlotsDataFrames(**{name: one for name, one in frames.items() if name in known})


def load_metrics_as_dataframes(
    output_path: str, output_file_format: str = "tfrecord", *, include_empty_columns: bool = False
) -> MetricsDataFrames:
    """The metrics of an evaluation's directory as tables."""
    metrics = load_metrics(output_path, output_file_format)
    return metrics_as_dataframes(metrics, include_empty_columns=include_empty_columns)


def load_plots_as_dataframes(
    output_path: str, output_file_format: str = "tfrecord", *, include_empty_columns: bool = False
) -> PlotsDataFrames:
    """The plots of an evaluation's directory as tables."""
    plots = load_plots(output_path, output_file_format)
    return plots_as_dataframes(plots, include_empty_columns=include_empty_columns)


_Cells = dict[tuple[str, str], Any]


def _frames(
    items: Iterable[tuple[Any, Any]], keys_name: str, values_name: str, include_empty: bool
) -> dict[str, pd.DataFrame]:
    import pandas as pd

    rows: dict[str, list[_Cells]] = defaultdict(list)
    for record, item in items:
        slices = {(_SLICES, one.column): _slice_value(one) for one in _single_keys(record)}
        # All examples have no feature to slice by, and a column of their own.
        slices = slices or {(_SLICES, _OVERALL): ""}
        key: _Cells = {(keys_name, name): value for name, value in _leaves(item.key, include_empty)}
        for field, value in item.value.ListFields():
            for cells in _rows(field.name, value):
                values: _Cells = {(values_name, name): one for name, one in cells.items()}
                rows[field.name].append({**slices, **key, **values})
    return {
        kind: pd.DataFrame(cells, columns=_columns(cells, keys_name, values_name))
        for kind, cells in rows.items()
    }


def _columns(rows: list[_Cells], *groups: str) -> pd.MultiIndex:
    import pandas as pd

    found = dict.fromkeys(column for row in rows for column in row)
    ordered = [column for group in (_SLICES, *groups) for column in found if column[0] == group]
    return pd.MultiIndex.from_tuples(ordered)


def _single_keys(record: Any) -> Any:
    return record.slice_key.single_slice_keys


def _slice_value(single: Any) -> Any:
    return getattr(single, single.WhichOneof("kind") or "bytes_value")


def _rows(name: str, value: Any) -> Iterator[dict[str, Any]]:
    """One row of a number; of matrices and buckets, one for each."""
    if not isinstance(value, Message):
        yield {name: value}
    elif isinstance(value, _WRAPPERS):
        yield {name: getattr(value, "value", None)}
    else:
        repeated = [
            list(one) for field, one in value.ListFields() if field.message_type and _is_list(one)
        ]
        parts = repeated[0] if repeated else [value]
        for part in parts:
            yield dict(_leaves(part, include_empty=False))


def _is_list(value: Any) -> bool:
    return not isinstance(value, Message)


def _leaves(message: Message, include_empty: bool) -> Iterator[tuple[str, Any]]:
    """The values within a message by the names of their fields, the innermost ones."""
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.message_type is None:
            yield field.name, list(value) if isinstance(value, (list, tuple)) else value
        elif _is_list(value):
            yield field.name, list(value)
        elif not message.HasField(field.name):
            if include_empty:
                yield field.name, None
        elif isinstance(value, _WRAPPERS):
            yield field.name, getattr(value, "value", None)
        else:
            yield from _leaves(value, include_empty)


def auto_pivot(
    df: pd.DataFrame, stringify_slices: bool = True, collapse_column_names: bool = True
) -> pd.DataFrame:
    """A row for each slice, a column for each metric.

    Args:
        df: A table of `metrics_as_dataframes` or `plots_as_dataframes`.
        stringify_slices: Whether a slice is named in one column, as "hour:5; company:Blue".
        collapse_column_names: Whether parts of column names that all share are left out.
    """
    keys_name, values_name = _key_groups(dict.fromkeys(group for group, _ in df.columns))
    slices = [column for column in df.columns if column[0] == _SLICES]
    if stringify_slices:
        texts = [_slice_text(row, slices) for _, row in df.iterrows()]
        df = df.drop(columns=slices)
        slices = [(_SLICES, _SLICES)]
        df[slices[0]] = texts
    keys = {column: df[column].nunique(dropna=False) for column in df if column[0] == keys_name}
    # What differs most comes first: the name of the metric.
    told_apart = [one for one in sorted(sorted(keys), key=lambda one: -keys[one]) if keys[one] > 1]
    values = [column for column in df.columns if column[0] == values_name]
    pivoted = df.pivot(index=slices, columns=told_apart, values=values)
    if stringify_slices:
        pivoted.index = pivoted.index.get_level_values(0)
        pivoted.index.name = _SLICES
    if collapse_column_names and pivoted.columns.nlevels > 1:
        shared = [
            level
            for level in range(pivoted.columns.nlevels)
            if len(set(pivoted.columns.get_level_values(level))) == 1
        ]
        # One level must stay.
        pivoted.columns = pivoted.columns.droplevel(shared[: pivoted.columns.nlevels - 1])
    return pivoted


def _key_groups(groups: Iterable[str]) -> tuple[str, str]:
    found = list(groups)
    for keys, values in (("metric_keys", "metric_values"), ("plot_keys", "plot_data")):
        if keys in found and values in found:
            return keys, values
    raise ValueError(
        "Only a metrics or a plots DataFrame is supported. This DataFrame has the following "
        f"columns: {found}"
    )


def _slice_text(row: Any, slices: list[tuple[str, str]]) -> str:
    import pandas as pd

    return "; ".join(
        f"{name}:{value}"
        for (_, name), value in ((column, row[column]) for column in slices)
        if not pd.isna(value)
    )
