# `make demo`, `make tour` and `make test` need only Python >= 3.11 and make; everything else is installed into .venv.
PYTHON ?= python3
BIN := .venv/bin
UV := $(shell command -v uv 2>/dev/null)
ifeq ($(UV),)
PIP = $(BIN)/python -m pip --disable-pip-version-check --no-input install --quiet
# One small package first: without a network pip would ask for each of the others, for a minute.
INSTALL = $(PIP) --retries 0 --no-cache-dir --dry-run --no-deps click && $(PIP) --retries 1 --no-compile
else
INSTALL = uv pip install --quiet --python $(BIN)/python
endif
NO_ANSWER := from versions: none|resol|connect|network|unreachable|timed.?out|dns
# Installs packages, as in $(call install,PACKAGES), and keeps what the installer says for those who need it.
define install
@echo "Installing Mensura's packages into .venv; this takes about a minute ..."
@{ $(INSTALL) $(1); } > .venv/install.log 2>&1 || { \
  if grep -qiE "$(NO_ANSWER)" .venv/install.log; \
  then echo "The packages could not be installed: the Python package registry did not answer. Check this machine's network, then run make again." >&2; \
  else tail -n 3 .venv/install.log >&2; echo "The packages could not be installed; .venv/install.log says more." >&2; fi; exit 1; }
endef
COMMA := ,
# Installs with uv what development needs, as in $(call locked,PYTHON,PACKAGES), in the versions of dev.lock where they
# can be had.
locked = uv pip install --quiet --python $(1) --constraint dev.lock $(2) || \
  { echo "The versions of dev.lock cannot be installed here; taking the newest that fit." >&2; \
  uv pip install --quiet --python $(1) $(2); }
EXTRAS := all,cluster
SYSTEMS := ".[systems]"
# Their own tests must run nearly all of their lines.
COUNTED := dialogue scores stats
# Tests wait for processes, browsers and disks a quarter of their time: three at a time keep two cores busy.
PYTEST := $(BIN)/pytest --workers 3
# Tests start hundreds of processes, and each would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.PHONY: demo tour bare test suite counted proofs checks quick lint english types docs browser sandbox words learner newer lock inspect bench coverage clean

# One question, its answer and a short report: needs only what a plain installation brings.
demo: .venv/demo
	@$(BIN)/python -m mensura.cli.sessions.demo

# A picture and two sentences from each system, on one page.
tour: .venv/tour
	@$(BIN)/mensura tour

# The commands of the README on a machine that has nothing: no WordNet, Chromium, apt, uv or compiler.
bare: sandbox
	$(PYTHON) tools/bare.py

# Checks run beside the tests, so that no core waits for the last of them.
test: .venv/dev browser sandbox words learner
	$(MAKE) --jobs=3 suite types docs lint english counted

suite:
	$(PYTEST) -m "not counted and not proof"

counted:
	$(BIN)/pytest -m counted $(COUNTED:%=tests/%) $(COUNTED:%=src/mensura/%) \
	  $(COUNTED:%=--cov=src/mensura/%) --cov-report= --cov-fail-under=97

# Long simulations, campaigns of kills, the many cells of which `make test` takes the one most likely to break, and
# properties with ten times the examples.
proofs: .venv/dev browser sandbox words learner
	$(PYTEST) -m "proof or hypothesis" --hypothesis-profile=thorough -o faulthandler_timeout=7200

checks: types docs lint english

QUICK := -m "not slow and not proof and not browser and not cluster and not postgres"

quick: .venv/dev lint english types
	$(PYTEST) $(QUICK)
	@$(MAKE) --no-print-directory newer

# The fast tests on Python 3.13, where there is one.
NEWER = $(shell for python in python3.13 $$HOME/.pyenv/versions/3.13.*/bin/python; do \
  "$$python" -c "" 2>/dev/null && echo "$$python" && break; done)
newer:
	@[ -n "$(NEWER)" ] || echo "Python 3.13 is not installed: the fast tests ran on $$($(BIN)/python --version) only."
	@[ -z "$(NEWER)" ] || { $(MAKE) --no-print-directory PYTHON="$(NEWER)" .venv-3.13/dev && $(PYTEST:$(BIN)/%=.venv-3.13/bin/%) $(QUICK); }

lint:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/oxlint --quiet --deny-warnings src tests
	$(BIN)/deptry .

# Phrases to avoid in what people read; those of before are listed in tools/english-baseline.txt, to be repaired.
english:
	$(BIN)/python tools/english.py

types:
	$(BIN)/mypy

# The site, with the API reference and search, in docs/_build; a warning is an error.
docs: .venv/dev
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going docs docs/_build

# Browser tests drive Debian's Chromium, without windows where it can be had; without any they skip and say why.
browser:
	@command -v chromium-headless-shell >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium-headless-shell >/dev/null; } \
	  || command -v chromium >/dev/null || echo "Chromium is not installed: browser tests will be skipped."

# Programs and files run in a sandbox of bubblewrap; without it tests of the sandbox skip and say why.
sandbox:
	@command -v bwrap >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq bubblewrap >/dev/null; } \
	  || echo "Bubblewrap is not installed: tests of the sandbox will be skipped."

# Verbal analogies are made from Debian's WordNet or npm's; without either their tests skip and say why.
words:
	@[ -e /usr/share/wordnet/data.noun ] || [ -n "$$MENSURA_WORDNET" ] || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends wordnet-base \
	  >/dev/null; } || echo "WordNet is not installed: tests of verbal analogies will be skipped."

# The learners' small test wants PyTorch for the CPU, a tenth of what the build for GPUs weighs; without it the test skips.
learner: .venv/dev
	@$(BIN)/python -c "import torch" 2>/dev/null || { $(BIN)/python -m pip --version >/dev/null 2>&1 \
	  || $(BIN)/python -m ensurepip >/dev/null 2>&1 || uv pip install --quiet --python $(BIN)/python pip; \
	  $(BIN)/python -m pip install --quiet "torch==2.13.0+cpu" 2>/dev/null; } \
	  || { [ -n "$(UV)" ] && uv pip install --quiet --python $(BIN)/python --torch-backend cpu "torch>=2.6" 2>/dev/null; } \
	  || echo "PyTorch is not installed: tests of learners will be skipped."

# Inspect AI wants an older python-dateutil than our tools bring, so its tests have a venv of their own, and are not part
# of `make test`, where they skip: installing it takes minutes.
inspect: .venv-inspect/ready
	.venv-inspect/bin/pytest -m "not counted" tests/catalog/inspect tests/running/elsewhere tests/store/archive/test_inspect_log.py
	.venv-inspect/bin/pytest tests/docs/test_docs.py -k coming-from-inspect

bench: .venv/dev
	$(BIN)/python -m benchmarks

# How often every interval covers the truth, by simulation; writes the tables in docs/scores.md and docs/adaptivity.md.
coverage: .venv/dev
	$(BIN)/python -m benchmarks.coverage

.venv/bin/python:
	@command -v $(PYTHON) >/dev/null || { echo "Mensura needs Python 3.11 or newer, and there is no $(PYTHON) here. Install Python, or name yours: make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || { \
	  echo "Mensura needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>&1). Name a newer one: make PYTHON=python3.12" >&2; exit 1; }
ifeq ($(UV),)
	@$(PYTHON) -m venv .venv || { echo "$(PYTHON) cannot make a virtual environment. On Debian: apt-get install python3-venv" >&2; exit 1; }
else
	uv venv --quiet --python $(PYTHON) .venv
endif

.venv/demo: .venv/bin/python pyproject.toml
	$(call install,--editable .)
	@touch $@

# What the package registry alone brings for all systems.
.venv/tour: .venv/bin/python pyproject.toml
	$(call install,--editable $(SYSTEMS))
	@touch $@ .venv/demo

.venv/dev: .venv/bin/python pyproject.toml dev.lock
ifeq ($(UV),)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable ".[$(EXTRAS)]" --group dev
else
	$(call locked,$(BIN)/python,--editable ".[$(EXTRAS)]" --group dev)
endif
	@touch $@ .venv/demo .venv/tour

.venv-3.13/dev: pyproject.toml dev.lock
ifeq ($(UV),)
	$(PYTHON) -m venv .venv-3.13
	.venv-3.13/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	.venv-3.13/bin/python -m pip install --quiet --editable ".[all]" --group dev
else
	uv venv --quiet --allow-existing --python $(PYTHON) .venv-3.13
	$(call locked,.venv-3.13/bin/python,--editable ".[all]" --group dev)
endif
	@touch $@

# The versions that development uses, for every platform and Python: `make lock` takes the newest that fit together.
lock:
	uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-annotate --no-emit-index-url \
	  --custom-compile-command "make lock" $(patsubst %,--extra %,$(subst $(COMMA), ,$(EXTRAS))) --group dev \
	  pyproject.toml --output-file dev.lock

.venv-inspect/ready: pyproject.toml
ifeq ($(UV),)
	$(PYTHON) -m venv .venv-inspect
	.venv-inspect/bin/python -m pip install --quiet --editable ".[inspect,llm]" pytest hypothesis
else
	uv venv --quiet --allow-existing --python $(PYTHON) .venv-inspect
	uv pip install --quiet --python .venv-inspect/bin/python --editable ".[inspect,llm]" pytest hypothesis
endif
	@touch $@

# pyDCOP, whose last release wants an older NumPy, stands beside ours in `python -m benchmarks constraints`.
.venv-pydcop/ready:
ifeq ($(UV),)
	$(PYTHON) -m venv .venv-pydcop
	.venv-pydcop/bin/python -m pip install --quiet pydcop "numpy<2" setuptools
else
	uv venv --quiet --allow-existing --python $(PYTHON) .venv-pydcop
	uv pip install --quiet --python .venv-pydcop/bin/python pydcop "numpy<2" setuptools
endif
	@touch $@

clean:
	rm -rf .venv .venv-3.13 .venv-inspect .venv-pydcop report.html tour.html
