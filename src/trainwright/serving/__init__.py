"""A small model server with TensorFlow Serving's REST API, around SavedModels.

Importing the package imports neither TensorFlow nor the web framework.
"""
