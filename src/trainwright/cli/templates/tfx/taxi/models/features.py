"""Features that the model sees of a taxi trip, by the names of the columns."""

# Numbers, which are scaled.
DENSE_FLOAT_FEATURE_KEYS = ("trip_miles", "fare", "trip_seconds")

# Numbers of which only the bucket counts that they lie in.
BUCKET_FEATURE_KEYS = (
    "pickup_latitude",
    "pickup_longitude",
    "dropoff_latitude",
    "dropoff_longitude",
)
BUCKET_COUNT = 10

# Whole numbers that stand for something; one more than the greatest of each.
CATEGORICAL_FEATURE_SIZES = {
    "trip_start_hour": 24,
    "trip_start_day": 8,
    "trip_start_month": 13,
    "pickup_community_area": 78,
    "dropoff_community_area": 78,
}

# Words, which are numbered; those beyond the most frequent share a few numbers.
VOCAB_FEATURE_KEYS = ("payment_type", "company")
VOCAB_SIZE = 1000
OOV_SIZE = 10

LABEL_KEY = "tips"
FARE_KEY = "fare"


def transformed_name(key: str) -> str:
    """The name of what Transform makes of a column."""
    return f"{key}_xf"


def category_sizes() -> dict[str, int]:
    """How many values each feature has that is not a plain number, by its transformed name."""
    sizes = {
        **dict.fromkeys(VOCAB_FEATURE_KEYS, VOCAB_SIZE + OOV_SIZE),
        **dict.fromkeys(BUCKET_FEATURE_KEYS, BUCKET_COUNT),
        **CATEGORICAL_FEATURE_SIZES,
    }
    return {transformed_name(key): size for key, size in sizes.items()}
