"""Metrics as a user would write them."""

from __future__ import annotations

import keras
import tf_keras
from keras import ops


@keras.saving.register_keras_serializable()
class CountAbove(keras.metrics.Metric):
    """The weight of predictions above a threshold, and of all, as two numbers."""

    def __init__(self, threshold=0.5, name="count_above", **kwargs):
        super().__init__(name=name, **kwargs)
        self.threshold = threshold
        self.above = self.add_variable((), initializer="zeros", name="above")
        self.all = self.add_variable((), initializer="zeros", name="all")

    def update_state(self, y_true, y_pred, sample_weight=None):
        weights = ops.reshape(sample_weight, (-1, 1))
        above = ops.cast(y_pred > self.threshold, "float32")
        self.above.assign_add(ops.sum(above * weights))
        self.all.assign_add(ops.sum(weights))

    def result(self):
        return {"above": self.above, "share": self.above / self.all}


class Precision(CountAbove):
    """Called as a metric of ours is."""

    def result(self):
        return self.above


class HighestPrediction(keras.metrics.Metric):
    """Not a sum."""

    def __init__(self, name="highest", **kwargs):
        super().__init__(name=name, **kwargs)
        self.highest = self.add_variable((), initializer="zeros", name="highest")

    def update_state(self, y_true, y_pred, sample_weight=None):
        self.highest.assign(ops.maximum(self.highest, ops.max(y_pred)))

    def reset_state(self):
        self.highest.assign(-1e9)

    def result(self):
        return self.highest


class Merged(tf_keras.metrics.Mean):
    """Merged in a way of its own."""

    def merge_state(self, metrics):
        raise NotImplementedError


class SquaredDistance(keras.metrics.MeanMetricWrapper):
    """The mean of a function, with a value for each class."""

    def __init__(self, name="squared_distance", dtype=None):
        super().__init__(lambda y_true, y_pred: (y_true - y_pred) ** 2, name=name, dtype=dtype)


class Failing(keras.metrics.MeanMetricWrapper):
    def __init__(self, name="failing", dtype=None):
        super().__init__(lambda y_true, y_pred: ops.sum(y_pred), name=name, dtype=dtype)


class Broken(keras.metrics.MeanMetricWrapper):
    def __init__(self, name="broken", dtype=None):
        super().__init__(self.fail, name=name, dtype=dtype)

    def fail(self, y_true, y_pred):
        raise RuntimeError("no such luck")


class NoMetric:
    pass
