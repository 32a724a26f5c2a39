"""A module file as it is written for TFX's Evaluator: a model in JSON, asked by a Beam transform.

TRAINWRIGHT_TEST_EXTRACTORS=own makes the list of extractors by hand, shuffles examples on the way
and adds a feature to slice by.
"""

from __future__ import annotations

import copy
import json
import os

import apache_beam as beam
import numpy as np

import tensorflow_model_analysis as tfma


class Scorer:
    def __init__(self, path):
        with open(os.path.join(path, "model.json")) as file:
            self.factor = json.load(file)["factor"]

    def predict(self, x):
        return np.clip(self.factor * x, 0.0, 1.0)


class PredictFn(tfma.utils.DoFnWithModels):
    """Asks all models; with several, predictions are by the name of the model."""

    def __init__(self, models):
        super().__init__({model.model_name: model.model_loader for model in models})

    def process(self, extracts):
        changed = copy.copy(extracts)
        x = np.asarray(extracts["features"]["x"]).reshape(-1)
        found = {name: model.predict(x) for name, model in self._loaded_models.items()}
        changed["predictions"] = found if len(found) > 1 else found[""]
        yield changed


class Shuffled(beam.PTransform):
    """Examples by themselves, in another order, and in batches again."""

    def expand(self, extracts):
        return extracts | "Apart" >> beam.FlatMap(take_apart) | beam.Reshuffle()


def take_apart(extracts):
    return reversed(tfma.utils.util.split_extracts(extracts, keep_batch_dim=True))


def add_bucket(extracts):
    changed = copy.copy(extracts)
    size = np.asarray(extracts["features"]["size"]).reshape(-1)
    changed["features"] = {**extracts["features"], "is_big": (size > 1.0).astype(np.int64)}
    return changed


def custom_eval_shared_model(eval_saved_model_path, model_name, eval_config, **kwargs):
    return tfma.default_eval_shared_model(
        eval_saved_model_path=eval_saved_model_path,
        model_name=model_name,
        eval_config=eval_config,
        custom_model_loader=tfma.ModelLoader(construct_fn=lambda: Scorer(eval_saved_model_path)),
        add_metrics_callbacks=kwargs.get("add_metrics_callbacks"),
    )


def custom_extractors(eval_shared_model, eval_config, tensor_adapter_config):
    models = tfma.utils.verify_and_update_eval_shared_models(eval_shared_model)
    predict = tfma.extractors.Extractor("AskScorer", beam.ParDo(PredictFn(models)))
    if os.environ.get("TRAINWRIGHT_TEST_EXTRACTORS") != "own":
        return tfma.default_extractors(
            eval_shared_model=eval_shared_model,
            eval_config=eval_config,
            tensor_adapter_config=tensor_adapter_config,
            custom_predict_extractor=predict,
        )
    return [
        tfma.extractors.FeaturesExtractor(eval_config),
        tfma.extractors.Extractor("AddBucket", beam.Map(add_bucket)),
        tfma.extractors.LabelsExtractor(eval_config),
        tfma.extractors.ExampleWeightsExtractor(eval_config),
        predict,
        tfma.extractors.Extractor("Shuffle", Shuffled()),
        tfma.extractors.UnbatchExtractor(),
        tfma.extractors.SliceKeyExtractor(eval_config=eval_config),
    ]
