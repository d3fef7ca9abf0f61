# Needs make, git and Python 3.11 or newer; everything else is put into .venv.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Games that are packages of their own, installed as a stranger's would be.
GAMES := tests/three_actions docs/examples/fifth_edition
FIRST_FIGHT := encounters/worlds_without_number/first_fight.yaml

.DEFAULT_GOAL := help
.PHONY: help .venv play test check package pages bundle docs pictures windows bench counts keys kit faults mutants clean

help: ## list the commands
	@awk -F ':.*## ' '/^[.a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.venv: $(STAMP) ## make the virtual environment, from nothing

# Byte code is made here, so that the first start of the program is as fast as the later ones.
$(STAMP): pyproject.toml $(addsuffix /pyproject.toml,$(GAMES))
	@for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
		if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then echo "Python 3.11 or newer is needed; name it with: make PYTHON=/path/to/python" >&2; exit 1; fi; \
	if [ ! -x $(BIN)/python ]; then echo "making $(VENV) with $$($$found --version)"; $$found -m venv $(VENV); fi
	@echo "installing the program and its tools into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]' $(addprefix --editable ,$(GAMES))
	@# A file that does not compile stops nothing here: some packages carry files for other versions of Python.
	@$(BIN)/python -m compileall -q -j 2 $(VENV)/lib > /dev/null || true
	@$(BIN)/python -m compileall -q tracker rulesets $(GAMES) || true
	@touch $@

play: $(STAMP) ## open the first fight
	@$(BIN)/tracker play $(FIRST_FIGHT)

test: $(STAMP) ## run the tests on every core (all but measurements and long fault runs)
	@# Textual takes its theme from this variable when pytest loads the snapshot plug-in, before the tests could unset it.
	@# With byte code kept, neither the workers nor the programs that tests start compile everything anew.
	env -u TEXTUAL_THEME -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -q -n auto --dist worksteal

check: $(STAMP) ## lint, format, types on every system, layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	@# A cache of its own for each system: what is unchanged is not looked at again.
	$(BIN)/mypy --platform linux
	@# Nothing else runs the benchmarks; they measure on Linux.
	$(BIN)/mypy --platform linux --package tests.bench
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32
	$(BIN)/lint-imports
	$(MAKE) --no-print-directory package

package: pages ## build what is published, and check it
	@rm -rf dist
	$(BIN)/python -m build --outdir dist > build.log 2>&1 || { cat build.log; exit 1; }
	@rm -f build.log
	$(BIN)/twine check --strict dist/*

pages: $(STAMP) ## make the completions and the manual page, from the command line
	$(BIN)/python -m docs.release.pages

kit: $(STAMP) ## write the reference of the kit anew, from its docstrings
	@$(BIN)/python -m docs.release.kit

keys: $(STAMP) ## write the README's table of keys anew
	@$(BIN)/python -m docs.release.keys

docs: $(STAMP) ## make the documents as a site: build/site/start.html
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'sphinx>=9,<10' 'myst-parser>=5,<6' furo
	$(BIN)/python -m tests.ui.book --docs
	$(BIN)/sphinx-build -q -W --keep-going -c docs/release/site docs build/site

pictures: $(STAMP) ## make a picture of every screen, and those of the documents: build/pictures/index.html
	$(BIN)/python -m tests.ui.book
	$(BIN)/python -m tests.ui.book --docs

bundle: $(STAMP) ## make build/bundle/tracker, a folder for people without Python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pyinstaller>=6'
	$(BIN)/pyinstaller --noconfirm --log-level WARN --distpath build/bundle --workpath build/bundle/work docs/release/tracker.spec

windows: $(STAMP) ## run the tests by a Windows Python under wine; only some with: make windows TESTS=tests/session
	$(BIN)/python -m tests.windows.run $(TESTS)

bench: $(STAMP) ## measure: every script tests/bench/bench_*.py
	@set -e; for script in $(basename $(notdir $(wildcard tests/bench/bench_*.py))); do \
		echo "== $$script"; $(BIN)/python -m tests.bench.$$script; \
	done

counts: $(STAMP) ## count files, lines, and the names that authors and dialogs meet
	@$(BIN)/python -m tests.bench.counts

FIGURES := build/faults.jsonl

faults: $(STAMP) ## run the long fault harness (counts: see docs/reliability.md); its table is build/faults.md
	@rm -f $(FIGURES)
	@# Whatever fails, the rest is run and the table is printed. Every golden fight is played under each Python that is
	@# installed with the program's packages in a folder .venv-3.12, .venv-3.13 beside .venv.
	@failed=0; export TRACKER_FIGURES=$(FIGURES); \
	$(BIN)/python -m pytest -q -p tests.faults.long_runs.figures -m long || failed=1; \
	HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-faults} $(BIN)/python -m pytest -q -p tests.faults.long_runs.figures || failed=1; \
	for other in $(wildcard .venv-3.*/bin/python); do \
		echo "== $$other"; $$other -m pytest -q -p tests.faults.long_runs.figures tests/golden || failed=1; \
	done; \
	$(BIN)/python -m tests.faults.long_runs.figures $(FIGURES); exit $$failed

mutants: $(STAMP) ## try 300 small faults: as many as before have to fail a test
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'coverage>=7,<8'
	@# A map of another tree would not know its tests.
	$(BIN)/python -m tests.mutants.run --map

clean: ## remove everything that was made
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
