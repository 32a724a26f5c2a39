"""Features and model of the taxi pipeline, as module files were written for TFX 0.21.

One file has both functions that the pipeline calls: `preprocessing_fn` for Transform, and
`trainer_fn` for the Trainer, which returns an Estimator and says how to train, to export and to
evaluate it.
"""

from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import tensorflow as tf
import tensorflow_model_analysis as tfma
import tensorflow_transform as tft
from tensorflow_transform.tf_metadata import schema_utils

_DENSE_FLOAT_FEATURE_KEYS = ['trip_miles', 'fare', 'trip_seconds']
_VOCAB_FEATURE_KEYS = ['payment_type', 'company']
_BUCKET_FEATURE_KEYS = [
    'pickup_latitude', 'pickup_longitude', 'dropoff_latitude', 'dropoff_longitude'
]
_CATEGORICAL_FEATURE_KEYS = ['trip_start_hour', 'trip_start_day', 'trip_start_month']
_MAX_CATEGORICAL_FEATURE_VALUES = [24, 31, 13]

_VOCAB_SIZE = 1000
_OOV_SIZE = 10
_FEATURE_BUCKET_COUNT = 10

_LABEL_KEY = 'tips'
_FARE_KEY = 'fare'


def _transformed_name(key):
  return key + '_xf'


def _transformed_names(keys):
  return [_transformed_name(key) for key in keys]


def _get_raw_feature_spec(schema):
  return schema_utils.schema_as_feature_spec(schema).feature_spec


def _gzip_reader_fn(filenames):
  return tf.data.TFRecordDataset(filenames, compression_type='GZIP')


def _fill_in_missing(x):
  """One value for each trip: '' or 0 where there is none."""
  if not isinstance(x, tf.sparse.SparseTensor):
    return tf.squeeze(x, axis=1)
  default_value = '' if x.dtype == tf.string else 0
  return tf.squeeze(
      tf.sparse.to_dense(
          tf.SparseTensor(x.indices, x.values, [x.dense_shape[0], 1]), default_value),
      axis=1)


def preprocessing_fn(inputs):
  """From the columns of a trip to what the model is fed."""
  outputs = {}
  for key in _DENSE_FLOAT_FEATURE_KEYS:
    outputs[_transformed_name(key)] = tft.scale_to_z_score(_fill_in_missing(inputs[key]))
  for key in _VOCAB_FEATURE_KEYS:
    outputs[_transformed_name(key)] = tft.compute_and_apply_vocabulary(
        _fill_in_missing(inputs[key]), top_k=_VOCAB_SIZE, num_oov_buckets=_OOV_SIZE)
  for key in _BUCKET_FEATURE_KEYS:
    outputs[_transformed_name(key)] = tft.bucketize(
        _fill_in_missing(inputs[key]), _FEATURE_BUCKET_COUNT)
  for key in _CATEGORICAL_FEATURE_KEYS:
    outputs[_transformed_name(key)] = _fill_in_missing(inputs[key])
  # Was it a good tip, of more than a fifth of the fare?
  fare = _fill_in_missing(inputs[_FARE_KEY])
  tips = _fill_in_missing(inputs[_LABEL_KEY])
  outputs[_transformed_name(_LABEL_KEY)] = tf.where(
      tf.math.is_nan(fare), tf.zeros_like(tips, dtype=tf.int64),
      tf.cast(tf.greater(tips, tf.multiply(fare, tf.constant(0.2))), tf.int64))
  return outputs


def _build_estimator(config, hidden_units, warm_start_from=None):
  """A wide and deep classifier: it remembers what it has seen, and generalizes."""
  real_valued_columns = [
      tf.feature_column.numeric_column(key, shape=())
      for key in _transformed_names(_DENSE_FLOAT_FEATURE_KEYS)
  ]
  categorical_columns = [
      tf.feature_column.categorical_column_with_identity(
          key, num_buckets=_VOCAB_SIZE + _OOV_SIZE, default_value=0)
      for key in _transformed_names(_VOCAB_FEATURE_KEYS)
  ]
  categorical_columns += [
      tf.feature_column.categorical_column_with_identity(
          key, num_buckets=_FEATURE_BUCKET_COUNT, default_value=0)
      for key in _transformed_names(_BUCKET_FEATURE_KEYS)
  ]
  categorical_columns += [
      tf.feature_column.categorical_column_with_identity(
          key, num_buckets=num_buckets, default_value=0)
      for key, num_buckets in zip(
          _transformed_names(_CATEGORICAL_FEATURE_KEYS), _MAX_CATEGORICAL_FEATURE_VALUES)
  ]
  return tf.estimator.DNNLinearCombinedClassifier(
      config=config,
      linear_feature_columns=categorical_columns,
      dnn_feature_columns=real_valued_columns,
      dnn_hidden_units=hidden_units,
      warm_start_from=warm_start_from)


def _example_serving_receiver_fn(tf_transform_output, schema):
  """What a served model takes: serialized trips, without the tip."""
  raw_feature_spec = _get_raw_feature_spec(schema)
  raw_feature_spec.pop(_LABEL_KEY)
  raw_input_fn = tf.estimator.export.build_parsing_serving_input_receiver_fn(
      raw_feature_spec, default_batch_size=None)
  serving_input_receiver = raw_input_fn()
  transformed_features = tf_transform_output.transform_raw_features(
      serving_input_receiver.features)
  return tf.estimator.export.ServingInputReceiver(
      transformed_features, serving_input_receiver.receiver_tensors)


def _eval_input_receiver_fn(tf_transform_output, schema):
  """What is evaluated: serialized trips, with what they were made of and the label."""
  raw_feature_spec = _get_raw_feature_spec(schema)
  serialized_tf_example = tf.compat.v1.placeholder(
      dtype=tf.string, shape=[None], name='input_example_tensor')
  features = tf.io.parse_example(serialized_tf_example, raw_feature_spec)
  transformed_features = tf_transform_output.transform_raw_features(features)
  receiver_tensors = {'examples': serialized_tf_example}
  features.update(transformed_features)
  return tfma.export.EvalInputReceiver(
      features=features,
      receiver_tensors=receiver_tensors,
      labels=transformed_features[_transformed_name(_LABEL_KEY)])


def _input_fn(filenames, tf_transform_output, batch_size=40):
  """Batches of transformed trips, again and again."""
  transformed_feature_spec = tf_transform_output.transformed_feature_spec().copy()
  dataset = tf.data.experimental.make_batched_features_dataset(
      filenames, batch_size, transformed_feature_spec, reader=_gzip_reader_fn)
  transformed_features = tf.compat.v1.data.make_one_shot_iterator(dataset).get_next()
  return transformed_features, transformed_features.pop(_transformed_name(_LABEL_KEY))


def trainer_fn(trainer_fn_args, schema):
  """Builds the estimator and says how to train, to export and to evaluate it.

  Args:
    trainer_fn_args: files, steps and directories, by name.
    schema: the schema of the raw trips.

  Returns:
    A dict of the estimator, its TrainSpec and EvalSpec, and the function that says what its model
    for evaluation is fed.
  """
  first_dnn_layer_size = 100
  num_dnn_layers = 4
  dnn_decay_factor = 0.7

  tf_transform_output = tft.TFTransformOutput(trainer_fn_args.transform_output)

  train_spec = tf.estimator.TrainSpec(
      lambda: _input_fn(trainer_fn_args.train_files, tf_transform_output),
      max_steps=trainer_fn_args.train_steps)

  exporter = tf.estimator.FinalExporter(
      'chicago-taxi', lambda: _example_serving_receiver_fn(tf_transform_output, schema))
  eval_spec = tf.estimator.EvalSpec(
      lambda: _input_fn(trainer_fn_args.eval_files, tf_transform_output),
      steps=trainer_fn_args.eval_steps,
      exporters=[exporter],
      name='chicago-taxi-eval')

  run_config = tf.estimator.RunConfig(
      save_checkpoints_steps=999, keep_checkpoint_max=1, tf_random_seed=1)
  run_config = run_config.replace(model_dir=trainer_fn_args.serving_model_dir)

  estimator = _build_estimator(
      config=run_config,
      hidden_units=[
          max(2, int(first_dnn_layer_size * dnn_decay_factor**i)) for i in range(num_dnn_layers)
      ],
      warm_start_from=trainer_fn_args.base_models[0] if trainer_fn_args.base_models else None)

  return {
      'estimator': estimator,
      'train_spec': train_spec,
      'eval_spec': eval_spec,
      'eval_input_receiver_fn': lambda: _eval_input_receiver_fn(tf_transform_output, schema)
  }
