import unittest

import tensorflow as tf
from models import preprocessing


class PreprocessingTest(unittest.TestCase):
    def test_missing_values_are_zero_or_empty(self):
        numbers = tf.SparseTensor([[0, 0], [2, 0]], [1.5, 2.5], [3, 1])
        words = tf.SparseTensor([[1, 0]], ["Cash"], [2, 1])
        self.assertEqual(preprocessing.fill_in_missing(numbers).numpy().tolist(), [1.5, 0.0, 2.5])
        self.assertEqual(preprocessing.fill_in_missing(words).numpy().tolist(), [b"", b"Cash"])
        self.assertEqual(preprocessing.fill_in_missing(tf.constant([[1], [2]])).shape, (2,))

    def test_a_good_tip_is_more_than_a_fifth_of_the_fare(self):
        tips, fare = tf.constant([0.0, 2.0, 3.0]), tf.constant([10.0, 10.0, 10.0])
        self.assertEqual(preprocessing.is_good_tip(tips, fare).numpy().tolist(), [0.0, 0.0, 1.0])


if __name__ == "__main__":
    unittest.main()
