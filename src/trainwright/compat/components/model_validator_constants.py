"""TFX's words for what its ModelValidator was given and gave, for code that imports them."""

EXAMPLES_KEY = "examples"
MODEL_KEY = "model"
BLESSING_KEY = "blessing"

ARTIFACT_PROPERTY_BLESSED_KEY = "blessed"
ARTIFACT_PROPERTY_CURRENT_MODEL_URI_KEY = "current_model"
ARTIFACT_PROPERTY_CURRENT_MODEL_ID_KEY = "current_model_id"
ARTIFACT_PROPERTY_BLESSED_MODEL_URI_KEY = "blessed_model"
ARTIFACT_PROPERTY_BLESSED_MODEL_ID_KEY = "blessed_model_id"

CURRENT_MODEL_EVAL_RESULT_PATH = "eval_results/current_model"
BLESSED_MODEL_EVAL_RESULT_PATH = "eval_results/blessed_model"

BLESSED_VALUE, NOT_BLESSED_VALUE = 1, 0
BLESSED_FILE_NAME = "BLESSED"
NOT_BLESSED_FILE_NAME = "NOT_BLESSED"
