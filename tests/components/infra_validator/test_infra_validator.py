"""InfraValidator in pipelines: real servers, real examples, and a Pusher that believes the blessing."""

import json
import os
import re
import stat
import sys
import textwrap
import time
from http.client import HTTPConnection
from pathlib import Path

import psutil
import pytest
from served_models import RunningServer, save_model

from trainwright import Importer, LocalDagRunner, Pipeline
from trainwright.components import CsvExampleGen, InfraValidator, Pusher
from trainwright.types.standard_artifacts import Model
