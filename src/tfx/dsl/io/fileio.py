"""`trainwright.dsl.io.fileio` under TFX's path."""

from trainwright.dsl.io.fileio import NotFoundError as NotFoundError
from trainwright.dsl.io.fileio import PathType as PathType
from trainwright.dsl.io.fileio import copy as copy
from trainwright.dsl.io.fileio import exists as exists
from trainwright.dsl.io.fileio import glob as glob
from trainwright.dsl.io.fileio import isdir as isdir
from trainwright.dsl.io.fileio import listdir as listdir
from trainwright.dsl.io.fileio import makedirs as makedirs
from trainwright.dsl.io.fileio import mkdir as mkdir
from trainwright.dsl.io.fileio import open as open
from trainwright.dsl.io.fileio import remove as remove
from trainwright.dsl.io.fileio import rename as rename
from trainwright.dsl.io.fileio import rmtree as rmtree
from trainwright.dsl.io.fileio import stat as stat
from trainwright.dsl.io.fileio import walk as walk
