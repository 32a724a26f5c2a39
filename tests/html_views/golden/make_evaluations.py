"""Makes the evaluations beside this file with TFMA 0.52: two models, and three classes.

python make_evaluations.py    # in an environment with TFMA, which Trainwright does not need
"""

import os
import shutil
import tempfile
from pathlib import Path

import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from tensorflow_model_analysis.proto import config_pb2

import tensorflow_model_analysis as tfma

HERE = Path(__file__).resolve().parent
EXAMPLES = "examples.tfrecord"

TWO_MODELS = """
model_specs { name: "candidate" label_key: "label" signature_name: "serving_default" }
model_specs {
  name: "baseline" label_key: "label" signature_name: "serving_default" is_baseline: true
}
slicing_specs {}
slicing_specs { feature_keys: "island" }
slicing_specs { feature_keys: "sex" }
slicing_specs { feature_keys: ["island", "sex"] }
metrics_specs {
  metrics { class_name: "ExampleCount" }
  metrics {
    class_name: "BinaryAccuracy"
    threshold {
      value_threshold { lower_bound { value: 0.6 } }
      change_threshold { direction: HIGHER_IS_BETTER absolute { value: 0.0 } }
    }
    per_slice_thresholds {
      slicing_specs { feature_keys: "island" }
      threshold { value_threshold { lower_bound { value: 0.77 } } }
    }
    per_slice_thresholds {
      slicing_specs { feature_keys: "year" }
      threshold { value_threshold { lower_bound { value: 0.77 } } }
    }
  }
  metrics {
    class_name: "AUC"
    threshold {
      value_threshold { lower_bound { value: 0.5 } upper_bound { value: 0.8 } }
    }
  }
  metrics {
    class_name: "BinaryCrossentropy"
    threshold {
      change_threshold { direction: LOWER_IS_BETTER relative { value: -0.3 } }
    }
  }
  metrics { class_name: "MeanLabel" }
  metrics { class_name: "CalibrationPlot" config: '"num_buckets": 10' }
  metrics { class_name: "ConfusionMatrixPlot" config: '"num_thresholds": 20' }
}
"""

THREE_CLASSES = """
model_specs { label_key: "species" signature_name: "serving_default" }
slicing_specs {}
slicing_specs { feature_keys: "island" }
metrics_specs {
  metrics { class_name: "ExampleCount" }
  metrics {
    class_name: "SparseCategoricalAccuracy"
    threshold { value_threshold { lower_bound { value: 0.6 } } }
  }
  metrics { class_name: "MultiClassConfusionMatrixPlot" }
}
metrics_specs {
  binarize { class_ids: { values: [0, 1, 2] } }
  aggregate {
    macro_average: true
    class_weights { key: 0 value: 1 }
    class_weights { key: 1 value: 1 }
    class_weights { key: 2 value: 1 }
  }
  metrics { class_name: "AUC" config: '"num_thresholds": 100' }
}
metrics_specs {
  binarize { class_ids: { values: [1] } }
  metrics { class_name: "CalibrationPlot" config: '"num_buckets": 10' }
  metrics { class_name: "ConfusionMatrixPlot" config: '"num_thresholds": 20' }
}
metrics_specs {
  binarize { top_k_list: { values: [2] } }
  metrics { class_name: "Recall" }
}
options { compute_confidence_intervals { value: true } }
"""


class TwoClasses(tf.Module):
    def __init__(self, slope, shift):
        self.slope, self.shift = tf.Variable(slope), tf.Variable(shift)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def serve(self, examples):
        features = tf.io.parse_example(examples, {"x": tf.io.FixedLenFeature([1], tf.float32)})
        return {"probability": tf.sigmoid(self.slope * features["x"] + self.shift)}


class ThreeClasses(TwoClasses):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def serve(self, examples):
        features = tf.io.parse_example(examples, {"x": tf.io.FixedLenFeature([1], tf.float32)})
        x = features["x"] + self.shift
        logits = [-self.slope * (x + 0.5), 0 * x, self.slope * (x - 0.6)]
        return {"probabilities": tf.nn.softmax(tf.concat(logits, 1))}


def write_examples(count=1500):
    random = np.random.default_rng(7)
    x = random.normal(size=count)
    island, sex = random.integers(0, 3, count), random.integers(0, 2, count)
    label = random.random(count) < 1 / (1 + np.exp(-(1.8 * x + 0.6 * (island - 1) - 0.4 * sex)))
    species = np.digitize(x + 0.6 * random.normal(size=count), [-0.5, 0.6])
    names = [b"Biscoe", b"Dream", b"Torgersen"]
    with tf.io.TFRecordWriter(EXAMPLES) as writer:
        for row in range(count):
            feature = {
                "x": tf.train.Feature(float_list=tf.train.FloatList(value=[x[row]])),
                "island": tf.train.Feature(
                    bytes_list=tf.train.BytesList(value=[names[island[row]]])
                ),
            }
            for name, values in {"sex": sex, "label": label, "species": species}.items():
                number = tf.train.Int64List(value=[int(values[row])])
                feature[name] = tf.train.Feature(int64_list=number)
            features = tf.train.Features(feature=feature)
            writer.write(tf.train.Example(features=features).SerializeToString())


def evaluate(name, config, models):
    config = text_format.Parse(config, config_pb2.EvalConfig())
    shared = []
    for model_name, model in models.items():
        path = f"models/{name}/{model_name or 'model'}"
        tf.saved_model.save(model, path, signatures={"serving_default": model.serve})
        shared.append(
            tfma.default_eval_shared_model(path, model_name=model_name, eval_config=config)
        )
    shutil.rmtree(HERE / name, ignore_errors=True)
    tfma.run_model_analysis(
        eval_shared_model=shared if len(shared) > 1 else shared[0],
        eval_config=config,
        data_location=EXAMPLES,
        output_path=str(HERE / name),
    )


if __name__ == "__main__":
    os.chdir(tempfile.mkdtemp())
    write_examples()
    candidate, baseline = TwoClasses(1.6, 0.15), TwoClasses(0.6, 0.9)
    evaluate("two_models", TWO_MODELS, {"candidate": candidate, "baseline": baseline})
    evaluate("three_classes", THREE_CLASSES, {"": ThreeClasses(3.0, 0.0)})
