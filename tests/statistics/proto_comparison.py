"""Statistics beside statistics, field by field."""

from __future__ import annotations

import math

# Means, deviations and what is made of quantiles are sums of floating point numbers: TFDV adds them
# in the order in which Beam hands out batches, and so does not reproduce their last digits itself.
RELATIVE = 1e-9
# With some versions of NumPy TFDV computes edges of buckets, and sums of weights, in the single
# precision of the values.
RELATIVE_IN_SINGLE_PRECISION = 1e-5
ABSOLUTE = 1e-7


def differences(ours, theirs, path="") -> list[str]:
    """Where two messages differ: all that is not a float exactly, floats up to rounding."""
    found = []
    for field in theirs.DESCRIPTOR.fields:
        where = f"{path}.{field.name}"
        our_value, their_value = getattr(ours, field.name), getattr(theirs, field.name)
        if field.is_repeated:
            if len(our_value) != len(their_value):
                found.append(f"{where}: {len(our_value)} beside {len(their_value)} of theirs")
                continue
            for index, pair in enumerate(zip(our_value, their_value, strict=True)):
                found += _compare(field, *pair, f"{where}[{index}]")
        else:
            if field.has_presence and ours.HasField(field.name) != theirs.HasField(field.name):
                found.append(f"{where} is set in one of them only")
                continue
            found += _compare(field, our_value, their_value, where)
    return found


def _compare(field, ours, theirs, where) -> list[str]:
    if field.message_type:
        return differences(ours, theirs, where)
    if field.cpp_type in (field.CPPTYPE_DOUBLE, field.CPPTYPE_FLOAT):
        both_nan = math.isnan(ours) and math.isnan(theirs)
        is_single = "histogram" in where or "weighted" in where
        relative = RELATIVE_IN_SINGLE_PRECISION if is_single else RELATIVE
        is_same = both_nan or math.isclose(ours, theirs, rel_tol=relative, abs_tol=ABSOLUTE)
    else:
        is_same = ours == theirs
    return [] if is_same else [f"{where}: {ours!r} beside {theirs!r} of theirs"]


def by_path(statistics):
    """The statistics with datasets by name, features and cross features by path in order."""
    ordered = type(statistics)()
    for dataset in sorted(statistics.datasets, key=lambda dataset: dataset.name):
        copy = ordered.datasets.add()
        copy.CopyFrom(dataset)
        del copy.features[:]
        copy.features.extend(sorted(dataset.features, key=lambda f: list(f.path.step)))
        del copy.cross_features[:]
        copy.cross_features.extend(
            sorted(dataset.cross_features, key=lambda c: list(c.path_x.step))
        )
    return ordered
