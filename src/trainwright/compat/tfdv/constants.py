"""Values that TFDV writes into statistics."""

# The name of the dataset with all examples, where there are slices, too.
DEFAULT_SLICE_KEY = "All Examples"

# The name that TFDV gives to examples that a slicing query fails for.
INVALID_SLICE_KEY = "Invalid Slice"

# Frequent values that are not text, and those that are too long, are listed as these.
NON_UTF8_PLACEHOLDER = "__BYTES_VALUE__"
LARGE_BYTES_PLACEHOLDER = "__LARGE_BYTES__"

DEFAULT_DESIRED_INPUT_BATCH_SIZE = 1000
