import unittest

from models import features


class FeaturesTest(unittest.TestCase):
    def test_the_label_is_not_a_feature(self):
        names = {*features.category_sizes(), *features.DENSE_FLOAT_FEATURE_KEYS}
        self.assertNotIn(features.LABEL_KEY, names)
        self.assertNotIn(features.transformed_name(features.LABEL_KEY), names)

    def test_each_category_has_a_size(self):
        sizes = features.category_sizes()
        self.assertEqual(sizes["trip_start_hour_xf"], 24)
        self.assertEqual(sizes["company_xf"], features.VOCAB_SIZE + features.OOV_SIZE)
        self.assertGreater(min(sizes.values()), 1)


if __name__ == "__main__":
    unittest.main()
