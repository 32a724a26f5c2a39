"""Functions that slice record batches, as `StatsOptions.experimental_slice_functions` has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from trainwright.statistics.slicing_config import SlicingConfig, SlicingSpec

if TYPE_CHECKING:
    import pyarrow as pa

SliceFunction = Callable[..., Iterable[tuple[str, Any]]]


class FeatureValueSlicer:
    """Slices by the values of features; see `get_feature_value_slicer`.

    It says which features and values they are (`slicing_specs`), so that it can be stored with the
    options, which other functions cannot.
    """

    def __init__(self, features: Mapping[str, Iterable[str | bytes | int] | None]) -> None:
        self._values = {name: _check_values(name, given) for name, given in features.items()}

    @property
    def slicing_specs(self) -> list[SlicingSpec]:
        """What a `SlicingConfig` says of it: a spec for each combination of the given values."""
        keys = [name for name, values in self._values.items() if values is None]
        given = {name: values for name, values in self._values.items() if values is not None}
        return [
            {"feature_keys": keys, "feature_values": dict(zip(given, combination, strict=True))}
            for combination in product(*given.values())
        ]

    def __call__(self, record_batch: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
        from trainwright.statistics.slices import slice_batch

        config: SlicingConfig = {"slicing_specs": self.slicing_specs}
        yield from slice_batch(record_batch, config)


def get_feature_value_slicer(
    features: Mapping[str, Iterable[str | bytes | int] | None],
) -> FeatureValueSlicer:
    """A function that slices by all combinations of the values of some features.

    Args:
        features: The values to slice by, for each feature; None for all of them.

    Example:
        ```py
        by_company = get_feature_value_slicer({"company": None, "hour": [8, 9]})
        options = StatsOptions(experimental_slice_functions=[by_company])
        ```
    """
    return FeatureValueSlicer(features)


def default_slicer(record_batch: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
    """All examples as one slice."""
    from trainwright.statistics.slices import ALL_EXAMPLES

    yield ALL_EXAMPLES, record_batch


def generate_slices(
    record_batch: pa.RecordBatch, slice_functions: Iterable[SliceFunction], **kwargs: Any
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """The slices that the functions make of a batch, one function after the other."""
    for function in slice_functions:
        try:
            yield from function(record_batch, **kwargs)
        except Exception as error:
            raise ValueError(
                f"One of the slice_functions {getattr(function, '__name__', function)} raised an "
                f"exception: {error!r}."
            ) from error


def _check_values(
    feature: str, values: Iterable[str | bytes | int] | None
) -> tuple[str, ...] | None:
    if values is None:
        return None
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(
            f"Feature values must be specified in an iterable; got {values!r} for {feature!r}."
        )
    found = []
    for value in values:
        if not isinstance(value, (str, bytes, int)):
            raise TypeError(
                "Only string and int values are supported as the slice value; got "
                f"{value!r} for {feature!r}."
            )
        found.append(value.decode() if isinstance(value, bytes) else str(value))
    return tuple(dict.fromkeys(found))
