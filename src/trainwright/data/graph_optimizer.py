"""A part of TensorFlow's graph optimizer that computes wrong values, and how it is kept out.

The arithmetic optimizer of TensorFlow 2.21 turns the maximum or minimum of a monotonic function,
such as `tf.reduce_max(-x)`, into that function of `tf.reduce_min(x)`, and forgets which output of
its operation x was: it takes the first. So the feature `e` is silently taken for the feature `d`
wherever `tf.io.parse_example`, an iterator of tf.data, `tf.split` or the like gives both in the
same `tf.function`. `tft.min` is made of that very expression, and models and preprocessing
functions may be.
"""

from __future__ import annotations


def disable_arithmetic_optimizer() -> None:
    """Switches it off for all functions of this process, those of loaded models too.

    It belongs before every place where user code is run as a graph. `tf.data` does not optimize
    the functions it maps, and needs no help. User code may switch it on again with
    `tf.config.optimizer.set_experimental_options`.
    """
    import tensorflow as tf

    # Parsing in a function of its own is slower and helps only where x comes from parsing;
    # switching constant folding off stops only `0 - x`, which it makes into `-x`. The figures are
    # in benchmarks/RESULTS.md, 2026-11-17.
    tf.config.optimizer.set_experimental_options({"arithmetic_optimization": False})
