"""Python imports this by itself when it starts: here, to start zygotes as warm_zygotes.py says."""

import os
import sys

if "TRAINWRIGHT_TESTS_WARM_ZYGOTES" in os.environ:
    from importlib.machinery import PathFinder

    class _Finder:
        """Finds the module that starts zygotes, and has it adapted when it was loaded."""

        module = "trainwright.orchestration.launching.worker_pool"

        @classmethod
        def find_spec(cls, name, path=None, target=None):
            if name != cls.module:
                return None
            sys.meta_path.remove(cls)
            spec = PathFinder.find_spec(name, path, target)
            load = spec.loader.exec_module

            def load_and_adapt(module):
                load(module)
                from warm_zygotes import adapt

                adapt(module)

            spec.loader.exec_module = load_and_adapt
            return spec

    sys.meta_path.insert(0, _Finder)
