"""The size of the network, and how it learns."""

HIDDEN_UNITS = (8, 8)
LEARNING_RATE = 1e-2

TRAIN_BATCH_SIZE = 20
EVAL_BATCH_SIZE = 10
