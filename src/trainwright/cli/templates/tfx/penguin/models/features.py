"""Features that the model sees of a penguin, by the names of the columns."""

MEASUREMENT_KEYS = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
LABEL_KEY = "species"
NUM_SPECIES = 3


def transformed_name(key: str) -> str:
    """The name of what Transform makes of a column."""
    return f"{key}_xf"
