"""Advice for anomalies: their meaning in plain words, and what to do.

TFDV's own words stay in the protos, because other tools read them.
"""

from __future__ import annotations

from collections.abc import Iterable

from trainwright.schemas.reasons import Anomaly

_FEWER_PRESENT = (
    "The value is missing more often than the schema allows. Fill it in where the data comes from, "
    "or lower presence in the schema."
)
_NUMBER_OF_VALUES = (
    "Some examples have fewer or more values than the schema allows. Correct them, or widen "
    "value_count in the schema."
)
_RANGE = (
    "Some numbers are outside of the range that the schema allows. Correct them, or widen "
    "the feature's domain in the schema."
)
_MOVED = (
    "The values are distributed otherwise than in the data they are compared with. Find out what "
    "has changed; if that is as it should be, raise the threshold in the schema."
)

_ADVICE = {
    Anomaly.INVALID_FEATURE_SHAPE: (
        "The schema promises the same number of values in every example (shape), and some examples "
        "have none or another number. Fill in what is missing where the data comes from; or, if "
        "the data is right, replace shape { … } of this feature in the schema by value_count { "
        "min: 1 } and lower its presence. The feature is then read as a sparse tensor."
    ),
    Anomaly.SCHEMA_MISSING_COLUMN: (
        "The schema requires the feature and the data does not have it at all. Bring it back, or "
        "make it optional: remove its presence in the schema."
    ),
    Anomaly.SCHEMA_NEW_COLUMN: (
        "The data has a feature that the schema does not know here. Add it to the schema, or leave "
        "it out of the data."
    ),
    Anomaly.UNEXPECTED_DATA_TYPE: (
        "The values are of another type than the schema says. In CSV a single string such as NA "
        "turns a column of numbers into strings: leave such cells empty. If the data is right, "
        "change type in the schema."
    ),
    Anomaly.FEATURE_TYPE_NOT_PRESENT: (
        "No example has a value. Fill it in where the data comes from, or remove presence in the "
        "schema."
    ),
    Anomaly.FEATURE_TYPE_LOW_FRACTION_PRESENT: _FEWER_PRESENT,
    Anomaly.FEATURE_TYPE_LOW_NUMBER_PRESENT: _FEWER_PRESENT,
    Anomaly.FEATURE_TYPE_LOW_NUMBER_VALUES: _NUMBER_OF_VALUES,
    Anomaly.FEATURE_TYPE_HIGH_NUMBER_VALUES: _NUMBER_OF_VALUES,
    Anomaly.ENUM_TYPE_UNEXPECTED_STRING_VALUES: (
        "Some values are not in the list that the schema has for the feature. Correct them, add "
        "them to the list, or allow a few: distribution_constraints { min_domain_mass: 0.99 }."
    ),
    Anomaly.INT_TYPE_SMALL_INT: _RANGE,
    Anomaly.INT_TYPE_BIG_INT: _RANGE,
    Anomaly.FLOAT_TYPE_SMALL_FLOAT: _RANGE,
    Anomaly.FLOAT_TYPE_BIG_FLOAT: _RANGE,
    Anomaly.COMPARATOR_L_INFTY_HIGH: _MOVED,
    Anomaly.COMPARATOR_JENSEN_SHANNON_DIVERGENCE_HIGH: _MOVED,
    Anomaly.COMPARATOR_NORMALIZED_ABSOLUTE_DIFFERENCE_HIGH: _MOVED,
}


def advice_for(types: Iterable[int]) -> list[str]:
    """What to know about anomalies of these types, in their order, each thing once.

    Example: `advice_for(reason.type for reason in anomaly.reason)`
    """
    return list(dict.fromkeys(_ADVICE[kind] for kind in types if kind in _ADVICE))
