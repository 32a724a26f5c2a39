"""StatsOptions: which statistics are computed, and how finely; TFDV's names and defaults."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainwright._checks import check_number, check_strings, mismatch
from trainwright.statistics.slicing_config import SlicingConfig, make_slicing_config

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import schema_pb2

_TYPE_NAME = "StatsOptions"

# Fields of TFDV's that would change the result and are not honoured, with what to do instead.
_REFUSED = {
    "generators": "statistics of your own belong in a component of your own",
    "slice_functions": "functions cannot be stored with an execution; use slicing_config",
    "experimental_slice_functions": (
        "functions cannot be stored with an execution; use slicing_config"
    ),
    "experimental_slice_sqls": "there is no SQL engine here; use slicing_config",
    "enable_semantic_domain_stats": "semantic domains are not looked for",
    "semantic_domain_stats_sample_rate": "semantic domains are not looked for",
    "per_feature_weight_override": "all features share weight_feature",
    "vocab_paths": "statistics of natural language are not computed",
    "add_default_generators": "the default statistics are all that there are",
    "experimental_result_partitions": "the result is one file",
    "experimental_num_feature_partitions": "features are not computed apart",
    "experimental_filter_read_paths": "use feature_allowlist",
    "per_feature_stats_config": "all features get the same statistics",
}

_AT_LEAST = {
    "num_top_values": 0,
    "num_rank_histogram_buckets": 0,
    "num_values_histogram_buckets": 2,
    "num_histogram_buckets": 1,
    "num_quantiles_histogram_buckets": 1,
    "desired_batch_size": 1,
}

# What TFDV calls differently inside.
_RENAMED = {
    "slice_functions": "experimental_slice_functions",
    "slice_sqls": "experimental_slice_sqls",
    "per_feature_weight_override_json": "per_feature_weight_override",
    "slicing_config_json": "slicing_config",
}


@dataclass(frozen=True, kw_only=True)
class StatsOptions:
    """Options of `StatisticsGen` and `generate_statistics`.

    Args:
        schema: Says which numbers are categories and which strings are images.
        label_feature: A categorical feature of `schema`. For the other categorical features, lift
            statistics say how much more often each label is seen beside each of their values.
        weight_feature: A feature with one number in each example: its weight. All statistics are
            then computed without and with weights.
        slicing_config: Which parts of the data get statistics of their own: a dict or a proto with
            `slicing_specs`, each of which has `feature_keys` (a slice for each value) and
            `feature_values` (a slice for this value).
        sample_rate: The fraction of the examples to look at, above 0 and up to 1. The same examples
            are chosen each time.
        feature_allowlist: The features to look at; by default all.
        feature_denylist: The features not to look at.
        num_top_values: How many of the most frequent values to list.
        frequency_threshold: How often a value must occur to be listed.
        weighted_frequency_threshold: The same, as a sum of weights.
        num_rank_histogram_buckets: How many values a rank histogram has.
        num_values_histogram_buckets: Buckets of the histogram of how many values examples have.
        num_histogram_buckets: Buckets of the same width in the standard histogram of numbers.
        num_quantiles_histogram_buckets: Buckets of the same weight in the quantiles histogram.
        epsilon: The error of quantiles, as a fraction of all values.
        use_sketch_based_topk_uniques: Whether frequent and different values are estimated from the
            start, and not only where there are too many of them.
        desired_batch_size: How many examples are decoded at once; by default as many as suit.
        infer_type_from_schema: Only for CSV in TFDV; examples carry their types.

    The other arguments are TFDV's and are refused with a reason.

    Example: `StatsOptions(weight_feature="weight", num_top_values=50)`
    """

    schema: schema_pb2.Schema | None = None
    label_feature: str | None = None
    weight_feature: str | None = None
    slicing_config: SlicingConfig | Mapping[str, Any] | None = None
    sample_rate: float | None = None
    feature_allowlist: Sequence[str] | None = None
    feature_denylist: Sequence[str] | None = None
    num_top_values: int = 20
    frequency_threshold: int = 1
    weighted_frequency_threshold: float = 1.0
    num_rank_histogram_buckets: int = 1000
    num_values_histogram_buckets: int = 10
    num_histogram_buckets: int = 10
    num_quantiles_histogram_buckets: int = 10
    epsilon: float = 0.01
    use_sketch_based_topk_uniques: bool = False
    desired_batch_size: int | None = None
    infer_type_from_schema: bool = False
    generators: Any = None
    slice_functions: Any = None
    experimental_slice_functions: Any = None
    experimental_slice_sqls: Any = None
    enable_semantic_domain_stats: Any = False
    semantic_domain_stats_sample_rate: Any = None
    per_feature_weight_override: Any = None
    vocab_paths: Any = None
    add_default_generators: Any = True
    experimental_result_partitions: Any = 1
    experimental_num_feature_partitions: Any = 1
    experimental_filter_read_paths: Any = False
    per_feature_stats_config: Any = None

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.name in _REFUSED and value not in (field.default, None):
                raise ValueError(
                    f"StatsOptions.{field.name} is {value!r}, which is not supported: "
                    f"{_REFUSED[field.name]}."
                )
        if self.label_feature is not None and not isinstance(self.label_feature, str):
            raise TypeError(mismatch("label_feature", self.label_feature, "a feature's name"))
        kind = getattr(getattr(self.schema, "DESCRIPTOR", None), "name", "")
        if self.schema is not None and kind != "Schema":
            raise TypeError(
                f"schema is of type {type(self.schema).__name__}, should be a Schema proto."
            )
        self._check_lists()
        self._check_numbers()
        if self.slicing_config is not None:
            object.__setattr__(self, "slicing_config", make_slicing_config(self.slicing_config))

    def _check_lists(self) -> None:
        for name in ("feature_allowlist", "feature_denylist"):
            value = getattr(self, name)
            if value is None:
                continue
            object.__setattr__(self, name, check_strings(name, value, "names of features"))

    def _check_numbers(self) -> None:
        for name in (*_AT_LEAST, "sample_rate", "epsilon"):
            value = getattr(self, name)
            if value is not None:
                check_number(name, value, least=_AT_LEAST.get(name))
        if self.sample_rate is not None and not 0 < self.sample_rate <= 1:
            raise ValueError(mismatch("sample_rate", self.sample_rate, "above 0 and up to 1"))
        if not 0 < self.epsilon < 1:
            raise ValueError(mismatch("epsilon", self.epsilon, "a fraction between 0 and 1"))

    def to_json(self) -> str:
        """All that is not the default, with sorted keys: equal options give equal text."""
        from google.protobuf import json_format

        described: dict[str, Any] = {"TYPE_NAME": _TYPE_NAME}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.name == "schema" and value is not None:
                described["schema_json"] = json_format.MessageToJson(value, sort_keys=True)
            elif value != field.default:
                described[field.name] = value
        return json.dumps(described, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> StatsOptions:
        """The inverse of `to_json`; also reads what `tfdv.StatsOptions.to_json` writes.

        Raises:
            ValueError: if the string is neither, or sets what is not supported.
        """
        names = {field.name for field in dataclasses.fields(cls)}
        return cls(**_read_tfdv_options(text, names))

    @classmethod
    def from_any(cls, options: Any) -> StatsOptions:
        """These options from ours or from a `tfdv.StatsOptions`, which need not be installed."""
        if isinstance(options, cls):
            return options
        if not callable(getattr(options, "to_json", None)):
            raise TypeError(
                f"stats_options is {options!r}: expected a StatsOptions, ours or TFDV's."
            )
        for name in ("generators", "experimental_slice_functions", "per_feature_stats_config"):
            # TFDV refuses to write these; ask for them first, to say why in our words.
            value = getattr(options, f"_{name}", getattr(options, name, None))
            if value:
                cls(**{name: value})
        return cls.from_json(options.to_json())


def _read_tfdv_options(text: str, names: Collection[str]) -> dict[str, Any]:
    """The options in a JSON string, by name; TFDV writes its attributes, underscores included.

    Args:
        text: What `to_json` wrote.
        names: The names that are known.
    """
    try:
        described = json.loads(text)
    except ValueError as error:
        raise ValueError(f"The options are not JSON: {error}. They are {text[:200]!r}.") from error
    if not isinstance(described, dict) or described.pop("TYPE_NAME", None) != "StatsOptions":
        raise ValueError(f"Expected the JSON of StatsOptions, got {text[:200]!r}.")
    options: dict[str, Any] = {}
    for key, value in described.items():
        name = key.removeprefix("_")
        name = _RENAMED.get(name, name)
        if name == "schema_json":
            options["schema"] = _parse_schema(value)
        elif name == "slicing_config" and isinstance(value, str):
            options[name] = json.loads(value)
        elif name in names:
            options[name] = value
        elif value:
            raise ValueError(f"StatsOptions.{name} is {value!r}, which is not known here.")
    return options


def _parse_schema(text: str) -> Any:
    from google.protobuf import json_format
    from tensorflow_metadata.proto.v0 import schema_pb2

    return json_format.Parse(text, schema_pb2.Schema())
