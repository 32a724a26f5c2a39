"""Loads Keras with TensorFlow, in the process that nodes are forks of; see `BaseExecutor.PRELOAD`.

`tf.keras` is loaded at its first use, which would otherwise fall to every node.
"""

import tensorflow as tf

tf.keras.Model  # noqa: B018
