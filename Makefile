PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# Written last, so that an install that broke off is done again.
BASE_READY := $(VENV)/.base-installed
DEV_READY := $(VENV)/.dev-installed
# TFMA, to compare with, takes older versions of some packages than the other checks do.
TFMA_VENV := .venv-tfma
TFMA_READY := $(TFMA_VENV)/.installed
OLDER_FOR_TFMA := ^(ipython|pandas)==
# ml-metadata, to compare with, needs a protobuf older than 5 and a Python that has its wheel.
MLMD_PYTHON ?= python3.10
MLMD_VENV := .venv-mlmd
MLMD_READY := $(MLMD_VENV)/.installed

# A run of the tests starts thousands of processes: none of them compiles the sources anew, not even
# where Python is told to write no bytecode.
COMPILE := $(BIN)/python -m compileall -q src

# File by file, in the order of tests/conftest.py.
IN_PARALLEL := -n 4 --dist loadfile --no-loadscope-reorder

# Percent of the lines; a change that goes below it needs tests.
COVERAGE_FLOOR := 93

# The site is made from the files alone: it needs none of what the project itself needs.
DOCS_VENV := .venv-docs
DOCS_READY := $(DOCS_VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help demo quick test coverage lint docs bench soak test-reference test-tfx smoke-pythons constraints clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(BASE_READY) ## install and train the penguin example
	$(BIN)/trainwright run examples/penguin/pipeline.py

quick: $(DEV_READY) ## run the tests that need neither a process of their own nor TensorFlow
	@$(COMPILE)
	$(BIN)/python -m pytest --quick -q -r fE -n 2 --dist loadfile

test: $(DEV_READY) ## run the tests
	@$(COMPILE)
	$(BIN)/python -m pytest $(IN_PARALLEL) --max-worker-restart 0 --durations 15

coverage: $(DEV_READY) ## run the tests and measure which lines they reach, in all processes
	@$(COMPILE)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(IN_PARALLEL) --max-worker-restart 0 -q
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered --fail-under $(COVERAGE_FLOOR) | tail -40

lint: $(DEV_READY) ## check style, types, layers and generated code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python scripts/generate_protos.py --check
	$(BIN)/python scripts/generate_names.py --check

docs: $(DOCS_READY) ## build the documentation site into build/site; warnings are errors
	NO_MKDOCS_2_WARNING=1 $(DOCS_VENV)/bin/mkdocs build --strict --quiet
	@echo "build/site/index.html"

bench test-reference: export TRAINWRIGHT_TFMA_PYTHON := $(CURDIR)/$(TFMA_VENV)/bin/python
test-reference: export TRAINWRIGHT_MLMD_PYTHON := $(CURDIR)/$(MLMD_VENV)/bin/python

bench: $(DEV_READY) $(TFMA_READY) ## run the benchmarks
	$(BIN)/python benchmarks/run.py

soak: $(DEV_READY) ## kill runs at hundreds of points; takes many minutes
	$(BIN)/python -m pytest -m soak -n 2 --dist loadgroup

test-reference: $(DEV_READY) $(TFMA_READY) $(MLMD_READY) ## compare with TFMA, tensorflow-transform, tfx-bsl, ml-metadata
	$(BIN)/python -m pytest -m reference

test-tfx: $(DEV_READY) ## run TFX's own unit tests, from its wheels, against this project
	$(BIN)/python scripts/run_tfx_tests.py

smoke-pythons: $(DEV_READY) ## try the wheel on each Python from 3.10 to 3.13 that is here
	$(BIN)/python scripts/smoke_wheel.py

constraints: ## resolve constraints.txt anew; needs all four Pythons
	$(PYTHON) scripts/update_constraints.py

clean: ## remove the environments, the caches and what was built
	rm -rf $(VENV) $(DOCS_VENV) $(TFMA_VENV) $(MLMD_VENV) build dist src/*.egg-info examples/penguin/output
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage*

$(BASE_READY): pyproject.toml constraints.txt
	@echo "Installing into $(VENV); the first time takes a few minutes."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python $(INSTALL) --editable .
	@touch $@

$(DEV_READY): $(BASE_READY) Makefile
	@echo "Installing what the checks need into $(VENV)."
	@$(BIN)/python $(INSTALL) --editable '.[dev,transform,tuner,optuna,serve,estimator,export,beam,ray,storage]'
	@touch $@

$(DOCS_READY): Makefile constraints.txt
	@$(PYTHON) -m venv $(DOCS_VENV)
	@$(DOCS_VENV)/bin/python $(INSTALL) mkdocs-material 'mkdocstrings[python]' ruff
	@touch $@

$(TFMA_READY): pyproject.toml constraints.txt
	@echo "Installing TFMA into $(TFMA_VENV); it takes a few minutes."
	@$(PYTHON) -m venv $(TFMA_VENV)
	@grep -vE '$(OLDER_FOR_TFMA)' constraints.txt > $(TFMA_VENV)/constraints.txt
	@$(TFMA_VENV)/bin/python -m pip install --quiet --disable-pip-version-check \
		--constraint $(TFMA_VENV)/constraints.txt --editable . 'tensorflow-model-analysis==0.52.0'
	@touch $@

$(MLMD_READY): Makefile
	@if $(MLMD_PYTHON) -c '' 2>/dev/null; then \
		$(MLMD_PYTHON) -m venv $(MLMD_VENV) && $(MLMD_VENV)/bin/python -m pip install --quiet \
		--disable-pip-version-check 'ml-metadata==1.17.1' 'protobuf<5' && touch $@; \
	else echo "No $(MLMD_PYTHON) here: nothing is compared with ml-metadata."; fi
