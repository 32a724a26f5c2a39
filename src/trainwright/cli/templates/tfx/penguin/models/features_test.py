import unittest

from models import features


class FeaturesTest(unittest.TestCase):
    def test_the_label_is_not_a_feature(self):
        self.assertNotIn(features.LABEL_KEY, features.MEASUREMENT_KEYS)

    def test_transformed_names_are_names_of_their_own(self):
        keys = (*features.MEASUREMENT_KEYS, features.LABEL_KEY)
        names = {features.transformed_name(key) for key in keys}
        self.assertEqual(len(names), len(keys))
        self.assertTrue(names.isdisjoint(keys))


if __name__ == "__main__":
    unittest.main()
