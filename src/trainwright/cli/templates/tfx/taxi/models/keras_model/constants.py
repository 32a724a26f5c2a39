"""The size of the network, and how it learns."""

EMBEDDING_SIZE = 4
HIDDEN_UNITS = (32, 16)
LEARNING_RATE = 2e-3

TRAIN_BATCH_SIZE = 40
EVAL_BATCH_SIZE = 40
