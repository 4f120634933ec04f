# tipoff: build, run, test. `make help` lists the targets.
#
# Everything built goes to build/. Nothing is rebuilt for a runtime choice: a model depends on the RTL and
# on its configuration only.

CONFIGS    ?= small2 tea4
RUN_CONFIG ?= tea4
RUN_PROGRAM ?= interp.medium
RUN_PERIOD ?= 97
JOBS       ?= $(shell nproc)
MAKEFLAGS  += --no-builtin-rules --no-print-directory
.SECONDARY:
.DELETE_ON_ERROR:
SHELL := /bin/bash

ROOMS := $(addsuffix .mk,csrc/csrc html/html rtl/rtl scripts/linux/linux scripts/package/package tests/tests scripts/results)

## help: this list
help:
	@echo "tipoff: which instruction takes the time on an out-of-order core, and why"
	@echo
	@awk -f scripts/targets.awk -v first='run build test install html linux' Makefile $(ROOMS)
	@echo
	@echo "  variables: RUN_CONFIG=$(RUN_CONFIG) RUN_PROGRAM=$(RUN_PROGRAM) RUN_PERIOD=$(RUN_PERIOD) CONFIGS='$(CONFIGS)' JOBS=$(JOBS)"
	@echo "  STRICT=0: lint findings in models and benches are warnings, for scratch edits"

## deps: installs what every target needs (0.9 GB to load, 4.5 on disk); a target installs what it alone needs by itself, as does scripts/deps.sh TARGET
deps: deps-all
deps-%:
	@scripts/deps.sh $*

# ---- tables -> generated sources ----
TABLES := $(wildcard tables/*.tsv tables/measured/*.tsv) scripts/gen.py $(wildcard scripts/generate/*.py) python/tipoff/version.py
# Behind a shim (pyenv's) each start of Python takes longer than what it is started for: the real one first in PATH, for all below.
ifndef PYTHON
PYTHON := $(shell python3 -c 'import sys; print(sys.executable)' 2> /dev/null)
ifneq ($(PYTHON),$(shell command -v python3))
export PATH := $(dir $(PYTHON)):$(PATH)
endif
endif
export PYTHON

##- gen: packages and headers from tables/
gen: deps-gen build/gen/.stamp $(CONFIGS:%=build/%/gen/.stamp)

# gen.py rewrites a file only if its content changes. What is made from one depends on that file, not on the stamp: a key
# that only the C side reads makes no new model. + runs these lines under make -n and -q, too, which have to know what changed.
build/gen/.stamp: $(TABLES)
	+@$(PYTHON) scripts/gen.py common $(@D) && touch $@

build/%/gen/.stamp: $(TABLES) tables/config/%.toml
	+@$(PYTHON) scripts/gen.py config $* $(@D) && touch $@

PACKAGES := $(addsuffix _pkg.sv,config events csrs memory_map instructions records instruction_sample)
build/gen/%.h build/gen/%.svh: build/gen/.stamp
	+@:
define GENERATED
build/$(1)/gen/%.sv: build/$(1)/gen/.stamp
	+@:
build/$(1)/gen/%.h: build/$(1)/gen/.stamp
	+@:
endef
$(foreach config,$(basename $(notdir $(wildcard tables/config/*.toml))),$(eval $(call GENERATED,$(config))))

TARGETS := help deps gen build run ip fmt layout clean
include csrc/csrc.mk html/html.mk rtl/rtl.mk

# ---- workloads, ISA tests ----
include tests/workloads/workloads.mk
include attach/attach.mk
-include tests/isa/isa.mk tests/fuzz/fuzz.mk tests/profile/events/events.mk tests/profile/counting/counting.mk
-include tests/firmware/firmware.mk tests/coherence/coherence.mk tests/parallel/parallel.mk
DEFAULT_WORKLOADS := $(foreach name,$(WORKLOADS),$(foreach size,small medium large,build/workloads/$(name).$(size).elf))

include scripts/linux/linux.mk

# ---- what people type ----
## build: the command, the models of CONFIGS and the workloads (minutes the first time)
build: deps-build
	@$(MAKE) -j$(JOBS) $(BIN) build/bin/tipoff-cc $(DEFAULT_WORKLOADS)
	@$(HTML_PAGE_TOO)
	@$(MAKE) -j$(JOBS) $(MODELS)

## run: installs what running needs, builds what is missing, samples RUN_PROGRAM on RUN_CONFIG every
##   RUN_PERIOD cycles on average, prints the report (205 MB to load and 1.1 GB on disk, and some 15 minutes, the first time)
run: deps-run
	@$(MAKE) -j$(JOBS) $(BIN) build/workloads/$(RUN_PROGRAM).elf
	@$(HTML_PAGE_TOO)
	@$(MAKE) build/$(RUN_CONFIG)/$(MODEL_so)
	@mkdir -p build/run
	$(BIN) run --config $(RUN_CONFIG) --period $(RUN_PERIOD) --snippets 20 --samples build/run/$(RUN_PROGRAM).tips --stats build/run/$(RUN_PROGRAM).json \
	    build/workloads/$(RUN_PROGRAM).elf
	@if [ -f $(HTML_PAGE) ]; then $(BIN) report --format html --output build/run/$(RUN_PROGRAM).html build/run/$(RUN_PROGRAM).tips && echo \
	    && echo "  as a page: build/run/$(RUN_PROGRAM).html"; fi

# IP: options of scripts/ip/release.py, --prefix, --lanes, --rob, --counters, --tea.
IP ?=
## ip: a release folder of the profiling units that needs nothing else of this tree:
##   build/ip/tipoff_profile (a minute); IP='--lanes 2 --tea 0': others
ip: deps-ip
	@$(MAKE) gen
	@scripts/ip/release.py $(IP) build/ip/tipoff_profile

##- fmt: formats C and Python, and wraps the prose of pages
fmt: deps-fmt
	@black --quiet .
	@scripts/wrap.py
	@clang-format -i $(C_SRCS) $(wildcard csrc/*/*.h csrc/methods/*/*.h harness/*.h) $(UNIT_SRCS)

include scripts/package/package.mk
include tests/tests.mk scripts/results.mk

##- layout: every file and its job, by folder
layout: deps-layout
	@scripts/layout.py

## clean: removes build/
clean:
	@rm -rf build

# A target of one word that there is not: those that may have been meant. Files under build/ have rules, of which make itself speaks.
.PHONY: $(TARGETS)
UNKNOWN := $(strip $(foreach goal,$(MAKECMDGOALS),$(if $(or $(findstring /,$(goal)),$(filter deps-% $(TARGETS),$(goal))),,$(goal))))
ifneq ($(UNKNOWN),)
NEAR := $(shell awk -f scripts/targets.awk -v near='$(subst ','\'',$(firstword $(UNKNOWN)))' Makefile $(ROOMS))
$(error $(firstword $(UNKNOWN)): there is no such target$(if $(NEAR),$(comma) did you mean $(NEAR)?): `make help` lists them)
endif
