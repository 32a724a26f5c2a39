"""Settings of the pipeline: its name, its functions, and how long it trains."""

PIPELINE_NAME = "{{PIPELINE_NAME}}"

# Functions by the path that they are imported from.
PREPROCESSING_FN = "models.preprocessing.preprocessing_fn"
RUN_FN = "models.model.run_fn"

TRAIN_NUM_STEPS = 100
EVAL_NUM_STEPS = 5

# A model that is right less often is not pushed.
EVAL_ACCURACY_THRESHOLD = 0.6
