"""Settings of the pipeline: its name, its functions, and how long it trains."""

PIPELINE_NAME = "{{PIPELINE_NAME}}"

# Functions by the path that they are imported from.
PREPROCESSING_FN = "models.preprocessing.preprocessing_fn"
RUN_FN = "models.keras_model.model.run_fn"

TRAIN_NUM_STEPS = 300
EVAL_NUM_STEPS = 15

# A model that is right less often is not pushed.
EVAL_ACCURACY_THRESHOLD = 0.6
