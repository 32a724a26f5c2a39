import unittest

import features
import tensorflow as tf
import trainer


class TrainerTest(unittest.TestCase):
    def test_gives_a_chance_for_each_trip_whatever_its_categories(self):
        built = trainer.build_model(hidden_units=[2])
        trips = {
            features.transformed_name(key): tf.zeros([3])
            for key in features.DENSE_FLOAT_FEATURE_KEYS
        }
        for name in features.category_sizes():
            trips[name] = tf.constant([-1, 0, 1_000_000], tf.int64)
        chances = built(trips).numpy()
        self.assertEqual(chances.shape, (3, 1))
        self.assertTrue(((chances > 0) & (chances < 1)).all())


if __name__ == "__main__":
    unittest.main()
