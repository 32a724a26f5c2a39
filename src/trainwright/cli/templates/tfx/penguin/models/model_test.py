import unittest

import tensorflow as tf
from models import features, model


class ModelTest(unittest.TestCase):
    def test_scores_each_species(self):
        built = model.build_model()
        two_penguins = {
            features.transformed_name(key): tf.zeros([2, 1]) for key in features.MEASUREMENT_KEYS
        }
        self.assertEqual(built(two_penguins).shape, (2, features.NUM_SPECIES))

    def test_learns_from_a_batch(self):
        tf.keras.utils.set_random_seed(1)
        built = model.build_model()
        batch = {
            features.transformed_name(key): tf.constant([[-1.0], [1.0]])
            for key in features.MEASUREMENT_KEYS
        }
        labels = tf.constant([0, 1])
        before = built.evaluate(batch, labels, verbose=0)[0]
        built.fit(batch, labels, epochs=5, verbose=0)
        self.assertLess(built.evaluate(batch, labels, verbose=0)[0], before)


if __name__ == "__main__":
    unittest.main()
