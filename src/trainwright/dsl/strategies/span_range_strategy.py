"""SpanRangeStrategy: artifacts whose spans lie in a range."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright.dsl.resolver_strategy import Artifacts, ResolverStrategy
from trainwright.proto import proto_json, range_config_pb2
from trainwright.types.artifact import Artifact

RangeLike = range_config_pb2.RangeConfig | Mapping[str, Any] | str

SPAN = "span"


class SpanRangeStrategy(ResolverStrategy):
    """Chooses all artifacts with a span in the range, the newest span first.

    A rolling range ends with the newest span that there is and goes back `num_spans` numbers, so
    that a span which is missing is not made up for by an older one. A span that was made several
    times is there as often.

    Args:
        range_config: `RangeConfig`, a dict or JSON: `{"rolling_range": {"num_spans": 3}}` or
            `{"static_range": {"start_span_number": 1, "end_span_number": 3}}`.
    """

    def __init__(
        self, range_config: range_config_pb2.RangeConfig | Mapping[str, Any] | str
    ) -> None:
        self._config = _parse(range_config)
        if self._config.WhichOneof("range") is None:
            raise ValueError(
                "The range_config has neither static_range nor rolling_range; expected for example "
                "{'rolling_range': {'num_spans': 3}}."
            )
        rolling = self._config.rolling_range
        if self._config.HasField("rolling_range") and rolling.num_spans <= 0:
            raise ValueError(
                f"num_spans should be positive number. The rolling_range has {rolling.num_spans}."
            )

    def resolve_artifacts(self, store: Any, input_dict: Artifacts) -> Artifacts | None:
        chosen = {key: self._in_range(found) for key, found in input_dict.items()}
        return chosen if all(chosen.values()) else None

    def _in_range(self, artifacts: list[Artifact]) -> list[Artifact]:
        first, last = self._bounds(max(map(_span_of, artifacts), default=0))
        return sorted(
            (artifact for artifact in artifacts if first <= _span_of(artifact) <= last),
            key=lambda artifact: (_span_of(artifact), artifact.id or 0),
            reverse=True,
        )

    def _bounds(self, newest: int) -> tuple[int, int]:
        if self._config.HasField("static_range"):
            static = self._config.static_range
            return static.start_span_number, static.end_span_number
        rolling = self._config.rolling_range
        return max(rolling.start_span_number, newest - rolling.num_spans + 1), newest


def _parse(given: RangeLike) -> range_config_pb2.RangeConfig:
    if isinstance(given, range_config_pb2.RangeConfig):
        return given
    if isinstance(given, str):
        return proto_json.json_to_proto(given, range_config_pb2.RangeConfig())
    if isinstance(given, Mapping):
        return proto_json.dict_to_proto(given, range_config_pb2.RangeConfig())
    raise TypeError(f"range_config must be a RangeConfig, a dict or JSON, got {given!r}.")


def _span_of(artifact: Artifact) -> int:
    """The span, which old stores have as a string; it may be a declared property as well."""
    for properties in (artifact.custom_properties, artifact.properties):
        if properties.get(SPAN) not in (None, ""):
            return int(properties[SPAN])
    raise RuntimeError(
        f"Span does not exist for {artifact._brief()}. To choose among the outputs of one node, "
        "name it: Channel(type=Examples, producer_component_id='CsvExampleGen')."
    )
