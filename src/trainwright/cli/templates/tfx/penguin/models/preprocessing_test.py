import unittest

import tensorflow as tf
from models import features, preprocessing


class PreprocessingTest(unittest.TestCase):
    def test_makes_scaled_measurements_and_a_numbered_label(self):
        with tf.Graph().as_default():  # as tf.Transform calls it
            inputs = {
                key: tf.compat.v1.placeholder(tf.float32, [None, 1])
                for key in features.MEASUREMENT_KEYS
            }
            inputs[features.LABEL_KEY] = tf.compat.v1.placeholder(tf.string, [None, 1])
            outputs = preprocessing.preprocessing_fn(inputs)
        expected = {features.transformed_name(key): tf.float32 for key in features.MEASUREMENT_KEYS}
        expected[features.transformed_name(features.LABEL_KEY)] = tf.int64
        self.assertEqual({name: output.dtype for name, output in outputs.items()}, expected)


if __name__ == "__main__":
    unittest.main()
