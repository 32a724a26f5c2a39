"""Features for the model, made by tf.Transform from the columns of a penguin."""

import tensorflow_transform as tft
from models import features


def preprocessing_fn(inputs):
    """Scales the measurements and numbers the species.

    Args:
        inputs: The columns by name: a tensor, or a sparse one where values may be missing.

    Returns:
        What the model is trained with, by name.
    """
    outputs = {
        features.transformed_name(key): tft.scale_to_z_score(inputs[key])
        for key in features.MEASUREMENT_KEYS
    }
    outputs[features.transformed_name(features.LABEL_KEY)] = tft.compute_and_apply_vocabulary(
        inputs[features.LABEL_KEY]
    )
    return outputs
