# Models of the RTL, and its benches.
TARGETS += pgo

# ---- RTL models ----
# model: checks on (assertions live and fatal). SIM=fast: without, for speed only. PGO: train or use, see `make pgo`.
CORE_PACKAGES := $(filter %_pkg.sv,$(file < rtl/core.f))
RTL_PACKAGES = $(addprefix build/$(1)/gen/,$(PACKAGES)) $(CORE_PACKAGES) \
    $(filter-out $(CORE_PACKAGES),$(wildcard rtl/*/*_pkg.sv))
RTL_MODULES := $(filter-out %_pkg.sv,$(wildcard rtl/*/*.sv rtl/*.sv))
SIM_SRCS    := $(sort $(wildcard sim/*_pkg.sv)) $(filter-out %_pkg.sv,$(wildcard sim/*.sv))
VERILATOR   := verilator
# STRICT=0, for scratch edits: what Verilator's lint finds are warnings. Assertions stay. Where it found something, a file findings.log stays beside what
# was built, `tipoff run` reports it, and the next make without STRICT=0 builds it again.
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
VERILATED    = model-$(SIM)$(KIND)
# Another one writes waveforms: three fifths of all code to compile. `tipoff run --fst` loads it, and has it built where it is missing.
MODEL_fst    = model$(if $(filter fast,$(SIM)),-fast)-fst$(KIND).so
VERILATED_fst = model-$(SIM)-fst$(KIND)
FST          = $(findstring -fst,$(@F)$(notdir $(@D)))
VOPT        ?= -O3
VSLOW       ?= -O0
MODEL_SHIM  := harness/model_shim.cpp
SHIM_HEADERS := harness/model.h harness/model_clock.h harness/idle_skip.h harness/idle_run.h csrc/trace/dpi_ticks.h \
    harness/free_registers.tsv scripts/free_registers.py harness/model_waves.h harness/fst_file.h csrc/trace/dpi.h csrc/trace/cycle.h csrc/base/packed_bits.h \
    build/gen/records.h build/gen/signals.h
SHIM_FLAGS  := -std=gnu++17 -O2 -fPIC -march=$(MARCH) -fvisibility=hidden
SHIM_TRACE  := -DVM_TRACE=1 -DVM_TRACE_FST=1

KEEP_FINDINGS = grep '^%Warning-' $(@D)/verilate.log > $(@D)/findings.log || rm -f $(@D)/findings.log
.PHONY: FORCE
FORCE:
ifndef LENIENT
LENIENTLY := $(wildcard build/*/model-*/findings.log build/tests/unit/rtl/*/findings.log)
LENIENT_MODELS := $(patsubst %/findings.log,%/Vsim_top.mk,$(filter %-$(SIM)/findings.log %-$(SIM)-fst/findings.log,$(LENIENTLY)))
LENIENTLY      := $(patsubst build/tests/%/findings.log,build/tests/%/run,$(LENIENT_MODELS) $(filter build/tests/%,$(LENIENTLY)))
$(foreach built,$(LENIENTLY),$(eval $(built): FORCE))
endif

VERILATED_FROM = $(addprefix build/%/gen/,$(PACKAGES)) $(RTL_MODULES) $(SIM_SRCS) build/gen/signals.svh $(wildcard rtl/pkg/*.sv sim/*.vlt rtl/prim/*.svh)
define VERILATE
@echo "  VERILATE $*$(FST:-fst= with waveforms)"
@mkdir -p $(@D)
@$(VERILATOR) $(LENIENT) --cc -O3 $(VSPEED_$(SIM)) $(if $(FST),--trace-fst --trace-structs) --output-split 15000 --output-split-cfuncs 3000 \
    --prefix Vsim_top --top-module sim_top --Mdir $(@D) $(VFLAGS) $(call RTL_PACKAGES,$*) $(RTL_MODULES) $(SIM_SRCS) \
    $(if $(LENIENT),2> $(@D)/verilate.log; status=$$?; cat $(@D)/verilate.log >&2; $(KEEP_FINDINGS); exit $$status,&& rm -f $(@D)/findings.log)
@touch $@
endef
build/%/model-$(SIM)/Vsim_top.mk: $(VERILATED_FROM)
	$(VERILATE)
build/%/model-$(SIM)-fst/Vsim_top.mk: $(VERILATED_FROM)
	$(VERILATE)

# The same generated sources, for objects of another kind.
define VERILATED_COPY
@mkdir -p $(@D) && cp $(<D)/*.cpp $(<D)/*.h $(<D)/*.mk $(@D)/
endef
$(addsuffix /Vsim_top.mk,$(addprefix build/%/model-$(SIM),$(sort -train -use $(KIND)))): build/%/model-$(SIM)/Vsim_top.mk
	$(VERILATED_COPY)
ifneq ($(KIND),)
build/%/$(VERILATED_fst)/Vsim_top.mk: build/%/model-$(SIM)-fst/Vsim_top.mk
	$(VERILATED_COPY)
endif

# Verilator's run-time library, once for all models.
MODEL_RUNTIME := build/lib/verilated-model$(KIND).a
MODEL_RUNTIME_SRCS := $(addprefix $(VERILATOR_ROOT)/include/,verilated.cpp verilated_dpi.cpp verilated_threads.cpp verilated_fst_c.cpp)
$(MODEL_RUNTIME): $(wildcard $(MODEL_RUNTIME_SRCS))
	@mkdir -p $(@:%.a=%)
	@printf '%s\n' $(MODEL_RUNTIME_SRCS) | xargs -P $(JOBS) -n 1 sh -c \
	    'clang++ $(SHIM_FLAGS) -I$(VERILATOR_ROOT)/include -I$(VERILATOR_ROOT)/include/vltstd -c -o $(@:%.a=%)/$$(basename $$1 .cpp).o $$1' -
	@rm -f $@ && ar rcs $@ $(patsubst %.cpp,$(@:%.a=%)/%.o,$(notdir $(MODEL_RUNTIME_SRCS)))

# Several models are built side by side where make has jobs, else the objects of one.
OBJECT_JOBS = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))
MODEL_FROM = build/%/gen/model_digest.h build/%/gen/record_bits.h $(MODEL_SHIM) $(SHIM_HEADERS) sim/verilated.mk $(MODEL_RUNTIME)
define MODEL
@echo "  MODEL $@"
@$(MAKE) -s -C $(<D) -f $(CURDIR)/sim/verilated.mk CXX='clang++ -Wno-parentheses-equality' LINK=clang++ OPT_FAST='$(VOPT) $(VPGO_$(PGO)) -fPIC \
    -march=$(MARCH) -fvisibility=hidden' \
    OPT_SLOW='$(VSLOW) -fPIC -fvisibility=hidden' OPT_GLOBAL='-O2 -fPIC -march=$(MARCH) -fvisibility=hidden' Vsim_top__ALL.a $(OBJECT_JOBS) \
    > $(<D)/build.log 2>&1 || { cat $(<D)/build.log; exit 1; }
@$(PYTHON) scripts/free_registers.py harness/free_registers.tsv $(<D)/Vsim_top___024root.h > $(<D)/free_registers.inc
@clang++ $(SHIM_FLAGS) $(if $(FST),$(SHIM_TRACE)) -DMODEL_LINT_FINDINGS=$$(cat $(@D)/model-$(SIM)$(FST)/findings.log 2>/dev/null | wc -l) -Wall \
    -Wextra -Werror -isystem $(<D) -I. -Icsrc -Ibuild/gen -I$(@D)/gen -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd -c \
    -o $(<D)/model_shim.o $(MODEL_SHIM)
@clang++ -shared $(filter -fprofile-instr-generate,$(VPGO_$(PGO))) -o $@ $(<D)/model_shim.o $(<D)/Vsim_top__ALL.a $(MODEL_RUNTIME) -lz -lpthread -latomic
endef
build/%/$(MODEL_so): build/%/$(VERILATED)/Vsim_top.mk $(MODEL_FROM)
	$(MODEL)
build/%/$(MODEL_fst): build/%/$(VERILATED_fst)/Vsim_top.mk $(MODEL_FROM)
	$(MODEL)

# The rival profilers' units alone, which worker `rivals` clocks beside a model of the core: none of those depends on them.
RIVALS     := $(foreach config,small2 tea4 wide8 odd3 narrow1,build/$(config)/rivals.so)
RIVAL_SRCS := rtl/profile/rivals/rival_pkg.sv $(filter-out %_pkg.sv,$(wildcard rtl/profile/rivals/*.sv)) sim/rivals/rivals_top.sv
build/%/rivals.so: $(addprefix build/%/gen/,$(addsuffix _pkg.sv,config events event_sets records) model_digest.h) $(RIVAL_SRCS) \
    harness/rivals_shim.cpp csrc/workers/rival_units.h build/gen/records.h sim/verilated.mk $(MODEL_RUNTIME)
	@echo "  UNITS $@"
	@mkdir -p $(@D)/rivals
	@$(VERILATOR) --cc -O3 $(VSPEED_check) --prefix Vrivals_top --top-module rivals_top --Mdir $(@D)/rivals $(VFLAGS) \
	    $(addprefix $(@D)/gen/,$(addsuffix _pkg.sv,config events event_sets records)) $(RIVAL_SRCS)
	@$(MAKE) -s -C $(@D)/rivals -f Vrivals_top.mk CXX='clang++ -Wno-parentheses-equality' OPT_FAST='-O2 -fPIC -march=$(MARCH) -fvisibility=hidden' \
	    OPT_SLOW='-O0 -fPIC -fvisibility=hidden' Vrivals_top__ALL.a > $(@D)/rivals/build.log 2>&1 || { cat $(@D)/rivals/build.log; exit 1; }
	@clang++ $(filter-out -DVM_%,$(SHIM_FLAGS)) -Wall -Wextra -Werror -shared -isystem $(@D)/rivals -I. -Icsrc -Ibuild/gen -I$(@D)/gen -isystem \
	    $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd -o $@ harness/rivals_shim.cpp $(@D)/rivals/Vrivals_top__ALL.a \
	    $(MODEL_RUNTIME) -lz -lpthread -latomic

# The hub alone, which is clocked between the tiles of a run.
HUB_SRCS := $(addprefix rtl/prim/,$(addsuffix .sv,find_first first_in_ring mp_ram ring_ptr fifo round_robin)) \
    $(addprefix rtl/coherence/,$(addsuffix .sv,hub_requests hub_transactions hub)) sim/hub/hub_top.sv
build/%/hub.so: build/%/gen/.stamp $(wildcard rtl/pkg/*.sv) rtl/coherence/hub_pkg.sv $(HUB_SRCS) rtl/prim/assert.svh harness/hub_shim.cpp \
    harness/hub_model.h sim/verilated.mk $(MODEL_RUNTIME)
	@echo "  HUB $@"
	@mkdir -p $(@D)/hub
	@$(VERILATOR) --cc -O3 --unroll-count 512 $(VSPEED_check) --prefix Vhub_top --top-module hub_top --Mdir $(@D)/hub $(VFLAGS) $(call RTL_PACKAGES,$*) $(HUB_SRCS)
	@$(MAKE) -s -C $(@D)/hub -f Vhub_top.mk CXX='clang++ -Wno-parentheses-equality' OPT_FAST='-O2 -fPIC -march=$(MARCH) -fvisibility=hidden' \
	    OPT_SLOW='-O0 -fPIC -fvisibility=hidden' Vhub_top__ALL.a > $(@D)/hub/build.log 2>&1 || { cat $(@D)/hub/build.log; exit 1; }
	@clang++ $(filter-out -DVM_%,$(SHIM_FLAGS)) -Wall -Wextra -Werror -shared -isystem $(@D)/hub -I. -Icsrc -I$(@D)/gen \
	    -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd -o $@ harness/hub_shim.cpp $(@D)/hub/Vhub_top__ALL.a \
	    $(MODEL_RUNTIME) -lz -lpthread -latomic

# Two coherent tiles, their links and the hub as one model, with the harness beside it (tests/harts/test_soc.py): a minute to build.
build/%/soc-bench: $(addprefix build/%/gen/,$(PACKAGES) model_digest.h) $(RTL_MODULES) $(wildcard rtl/*/*_pkg.sv rtl/prim/*.svh sim/*.vlt) \
    $(wildcard tests/harts/soc/*) $(LIB_OBJS) sim/verilated.mk $(MODEL_RUNTIME)
	@echo "  SOC $@"
	@mkdir -p $(@D)/soc
	@$(VERILATOR) --cc -O3 $(VSPEED_check) --output-split 15000 --output-split-cfuncs 3000 --prefix Vsoc_tb --top-module soc_tb --Mdir $(@D)/soc $(VFLAGS) \
	    $(call RTL_PACKAGES,$*) $(RTL_MODULES) tests/harts/soc/soc_tb.sv
	@$(MAKE) -s -C $(@D)/soc -f $(CURDIR)/sim/verilated.mk TOP=Vsoc_tb CXX='clang++ -Wno-parentheses-equality' OPT_FAST='-O1 -fPIC -fvisibility=hidden' \
	    OPT_SLOW='-O0 -fPIC -fvisibility=hidden' OPT_GLOBAL='-O1 -fPIC -fvisibility=hidden' Vsoc_tb__ALL.a $(OBJECT_JOBS) > $(@D)/soc/build.log 2>&1 \
	    || { cat $(@D)/soc/build.log; exit 1; }
	@clang++ $(filter-out -DVM_%,$(SHIM_FLAGS)) -Wall -Wextra -Werror -D_GNU_SOURCE -rdynamic -isystem $(@D)/soc -I. -Icsrc -Ibuild/gen -I$(@D)/gen \
	    -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd -o $@ tests/harts/soc/soc_bench.cpp $(@D)/soc/Vsoc_tb__ALL.a \
	    $(LIB_OBJS) $(MODEL_RUNTIME) $(LDLIBS) -latomic

# A coherent core runs with it.
COHERENT := $(basename $(notdir $(shell grep -ls '^coherent = 1' tables/config/*.toml)))
$(COHERENT:%=build/%/$(MODEL_so)): build/%/$(MODEL_so): | build/%/hub.so
$(COHERENT:%=build/%/$(MODEL_fst)): build/%/$(MODEL_fst): | build/%/hub.so

# Models of cores that tests run most, and little of: quicker to build, and no slower with all checks on.
QUICK_CONFIGS := roi2 axi2 full2 gated2 rob16 ahead2 small2c small2r tip2 tip4 odd3 narrow1 wide5 wide6 wide7
$(QUICK_CONFIGS:%=build/%/$(MODEL_so)): VOPT := -O1
# No run is long that writes waveforms.
%/$(MODEL_fst): VOPT := -O1

MODELS := $(CONFIGS:%=build/%/$(MODEL_so))

# Coverage of lines, and of toggles of signals up to 16 bits wide (with all, 125 MB of C++), for `make coverage` alone. no-split: Verilator
# 5.006 loses counts where it takes an always block apart (a case in a loop: 42 times, 7 counted). Whole blocks look like loops to it.
COVERAGE := build/small2-coverage
$(COVERAGE)/model.so: build/small2/gen/.stamp $(RTL_MODULES) $(SIM_SRCS) $(wildcard rtl/pkg/*.sv sim/*.vlt rtl/prim/*.svh) \
    scripts/coverage/coverage_shim.cpp $(MODEL_SHIM) $(wildcard harness/*.h)
	@echo "  MODEL $@"
	@mkdir -p $(@D)
	@$(VERILATOR) --cc -O3 -fno-split -Wno-UNOPTFLAT $(VSPEED_check) --coverage-line --coverage-toggle --coverage-max-width 16 --output-split 15000 \
	    --output-split-cfuncs 3000 \
	    --prefix Vsim_top --top-module sim_top --Mdir $(@D)/verilated $(VFLAGS) $(call RTL_PACKAGES,small2) $(RTL_MODULES) $(SIM_SRCS)
	@$(MAKE) -s -C $(@D)/verilated -f $(CURDIR)/sim/verilated.mk CXX='clang++ -Wno-parentheses-equality' LINK=clang++ OPT_FAST='-O1 -fPIC' \
	    OPT_SLOW='-O0 -fPIC' OPT_GLOBAL='-O1 -fPIC' \
	    Vsim_top__ALL.a -j$(JOBS) > $(@D)/build.log 2>&1 || { cat $(@D)/build.log; exit 1; }
	@clang++ -std=gnu++17 -O1 -fPIC -shared -I$(@D)/verilated -I. -Icsrc -Ibuild/gen -Ibuild/small2/gen -I$(VERILATOR_ROOT)/include \
	    -I$(VERILATOR_ROOT)/include/vltstd -DVM_COVERAGE=1 \
	    -o $@ scripts/coverage/coverage_shim.cpp $(@D)/verilated/Vsim_top__ALL.a \
	    $(addprefix $(VERILATOR_ROOT)/include/,verilated.cpp verilated_dpi.cpp verilated_cov.cpp verilated_threads.cpp) -lpthread -latomic

# ---- RTL unit tests: one folder a module, a bench in plain C++ and the files it needs ----
# Verilator's run-time library, once for all of them (tests/profile/test_widths.py and scripts/mutate/mutate.py take it, too).
BENCH_RUNTIME := build/lib/verilated-bench.a
$(BENCH_RUNTIME): $(wildcard $(addprefix $(VERILATOR_ROOT)/include/,verilated.cpp verilated_threads.cpp))
	@mkdir -p $(@D)
	@for source in $(^F); do clang++ -O1 -std=gnu++17 -I$(VERILATOR_ROOT)/include -I$(VERILATOR_ROOT)/include/vltstd -c -o $(@D)/$${source%.cpp}-bench.o \
	    $(VERILATOR_ROOT)/include/$$source || exit 1; done
	@rm -f $@ && ar rcs $@ $(patsubst %.cpp,$(@D)/%-bench.o,$(^F))

# What all benches' C++ begins with, precompiled by the options that Verilator's makefile has for them: that of a bench of nothing.
BENCH_PCH := build/lib/bench/fast.pch
$(BENCH_PCH): sim/bench.mk $(wildcard $(VERILATOR_ROOT)/include/verilated.h)
	@mkdir -p $(@D)
	@printf 'module nothing (\n  input logic a_i\n);\nendmodule\n' > $(@D)/nothing.sv
	@$(VERILATOR) --cc --exe -O3 --assert -Wno-UNUSEDSIGNAL --prefix Vtop --Mdir $(@D) --top-module nothing -CFLAGS -std=gnu++17 $(@D)/nothing.sv nothing.cpp
	@$(MAKE) -s -C $(@D) -f $(CURDIR)/sim/bench.mk CXX=clang++ OPT_FAST=-O1 OPT_SLOW=-O0 VM_GLOBAL_FAST= slow.pch fast.pch

RTL_TESTS := $(patsubst tests/unit/rtl/%/sources.f,build/tests/unit/rtl/%/run,$(wildcard tests/unit/rtl/*/sources.f))
# A test is built with the configuration that its file `config` names, else small2; UNIT_CONFIG=... overrides. Where the
# file names several, the others go to build/tests/unit/rtl/TEST.CONFIG.
unit_config = $(or $(UNIT_CONFIG),$(firstword $(shell cat tests/unit/rtl/$(1)/config 2>/dev/null)),small2)
ifndef UNIT_SUFFIX
define RTL_TEST_ALSO
RTL_TESTS += build/tests/unit/rtl/$(1).$(2)/run
.PHONY: build/tests/unit/rtl/$(1).$(2)/run
build/tests/unit/rtl/$(1).$(2)/run: | $(BENCH_RUNTIME) $(BENCH_PCH)
	@$$(MAKE) UNIT_CONFIG=$(2) UNIT_SUFFIX=.$(2) $$@
endef
$(foreach file,$(wildcard tests/unit/rtl/*/config),$(foreach also,$(wordlist 2,9,$(shell cat $(file))), \
    $(eval $(call RTL_TEST_ALSO,$(notdir $(patsubst %/config,%,$(file))),$(also)))))
endif

BENCH_CONFIGS   := $(sort small2 $(shell cat tests/unit/rtl/*/config) $(UNIT_CONFIG))
BENCH_GENERATED := $(foreach config,$(BENCH_CONFIGS),$(addprefix build/$(config)/gen/,$(PACKAGES) config.h record_bits.h))
# A bench depends on the files of its own folder, and on what all share: the second expansion is for that.
.SECONDEXPANSION:
build/tests/unit/rtl/%$(UNIT_SUFFIX)/run: tests/unit/rtl/%/sources.f \
    $(BENCH_GENERATED) $(RTL_MODULES) $(RIVAL_SRCS) $(wildcard rtl/*/*_pkg.sv) $$(wildcard tests/unit/rtl/$$*/*) $(wildcard tests/unit/rtl/*.h) \
    $(wildcard sim/axi_*.sv) sim/bench.mk $(BENCH_RUNTIME) $(BENCH_PCH)
	@echo "  RTLTEST $*"
	@mkdir -p $(@D)
	@sed 's,%GEN%,build/$(call unit_config,$*)/gen,' $< > $(@D)/sources.f
	@$(VERILATOR) $(LENIENT) --cc --exe -O3 --assert $(VFLAGS) -Wno-UNUSEDSIGNAL --prefix Vtop --Mdir $(@D)/obj \
	    --top-module $$(basename $$(ls tests/unit/rtl/$*/*_tb.sv 2>/dev/null || echo $*) .sv) -CFLAGS \
	    "-I$(CURDIR)/tests/unit/rtl -I$(CURDIR)/csrc -I$(CURDIR)/build/gen -I$(CURDIR)/build/$(call unit_config,$*)/gen -std=gnu++17" \
	    $(call RTL_PACKAGES,$(call unit_config,$*)) -f $(@D)/sources.f $(wildcard tests/unit/rtl/$*/*_tb.sv) \
	    $(abspath $(wildcard tests/unit/rtl/$*/*.cpp)) -o $(abspath $@) > $(@D)/verilate.log 2>&1 || { cat $(@D)/verilate.log; exit 1; }
	@$(if $(LENIENT),cat $(@D)/verilate.log >&2; $(KEEP_FINDINGS),rm -f $(@D)/findings.log)
	@$(MAKE) -s -C $(@D)/obj -f $(CURDIR)/sim/bench.mk CXX=clang++ LINK=clang++ OPT_FAST=-O1 OPT_SLOW=-O0 VM_GLOBAL_FAST= \
	    PCH=$(abspath $(dir $(BENCH_PCH))) LOADLIBES=$(abspath $(BENCH_RUNTIME)) > $(@D)/build.log 2>&1 || { cat $(@D)/build.log; exit 1; }

# Trains on what the models are for: everything on. The trained model takes the place of model.so until the RTL changes.
PGO_PROGRAMS := interp compress matmul graph
## pgo: models of CONFIGS by profile-guided optimisation: slower to build, faster to run
pgo: deps-pgo build
	@for config in $(CONFIGS); do \
	    $(MAKE) PGO=train build/$$config/model-train.so || exit 1; \
	    mkdir -p build/pgo/bin build/pgo/$$config && cp $(BIN) build/pgo/bin/ && ln -sfn ../../$$config/gen build/pgo/$$config/gen || exit 1; \
	    cp build/$$config/model-train.so build/pgo/$$config/model.so || exit 1; \
	    for program in $(PGO_PROGRAMS); do echo "  TRAIN $$config $$program"; LLVM_PROFILE_FILE=build/pgo/$$config/$$program.raw \
	        build/pgo/bin/tipoff run --config $$config --period 997 --quiet build/workloads/$$program.small.elf > /dev/null || exit 1; done; \
	    llvm-profdata-14 merge -o build/$$config/pgo.prof build/pgo/$$config/*.raw || exit 1; \
	    $(MAKE) PGO=use build/$$config/model-use.so && mv build/$$config/model-use.so build/$$config/model.so || exit 1; done
