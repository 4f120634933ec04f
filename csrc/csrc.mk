# The C side: the command, its libraries, unit tests; the tile as a SystemC module.
TARGETS += systemc systemc-speed fuzz

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
# llvm-14, say: the LLVM whose -dev package scripts/deps.sh installs; its library is loaded when something is disassembled (csrc/isa/disasm.c).
LLVM    := $(shell sed -n 's/^\(llvm-[0-9]*\)-dev\t.*/\1/p' scripts/deps.tsv)
# No run of the sanitizers' code is long: not optimised, it is compiled in a quarter of the time. What its tests spend their time in is (SAN_OFTEN), but for
# the files of all instructions' bodies; the first takes 1.6 seconds in place of 4.9.
OPTIMISED := $(if $(SAN),-O0 -g1,-O2 -g)
CFLAGS   = -std=gnu17 $(OPTIMISED) -march=$(MARCH) -ffp-contract=off -fno-unroll-loops -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes \
    -Wmissing-prototypes -D_GNU_SOURCE \
           -I. -Icsrc -Ibuild/gen -I/usr/lib/$(LLVM)/include $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all)
LDLIBS  := -lelf -ldw -liberty -lzstd -lz -lsqlite3 -lcjson -lfdt -lm -ldl -lpthread
LDFLAGS := -rdynamic $(if $(SAN),-fsanitize=address$(comma)undefined -fuse-ld=lld)
BIN     := build/bin/tipoff$(if $(SAN),-san)$(MARCH_KIND)

# What SAN=1 builds is built by its name, too.
ifndef SAN
build/bin/tipoff-san build/kept/tipoff-san $(patsubst tests/unit/%.c,build/tests/unit-san/%,$(wildcard tests/unit/*/test_*.c)): FORCE
	@$(MAKE) --no-print-directory SAN=1 $@
endif

C_SRCS    := $(wildcard csrc/*/*.c csrc/methods/*/*.c harness/*.c)
C_LIBRARY := $(filter-out csrc/cli/main.c,$(C_SRCS))
C_OBJS    := $(C_SRCS:%.c=$(O)/%.o)
LIB_OBJS  := $(C_LIBRARY:%.c=$(O)/%.o)

SAN_OFTEN := $(filter-out csrc/iss/execute%,$(wildcard csrc/iss/*.c csrc/methods/gus/*.c))
ifdef SAN
$(SAN_OFTEN:%.c=$(O)/%.o): OPTIMISED := -O1 -g1
endif

# Each body of the interpreter's loop ends in a jump of its own, or two: the host predicts them by where they stand.
$(O)/csrc/iss/execute.o: CFLAGS += -mllvm -enable-tail-merge=false

$(O)/%.o: %.c | build/gen/.stamp
	@mkdir -p $(@D)
	@echo "  CC $<"
	@$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(C_OBJS:.o=.d)

$(BIN): $(C_OBJS)
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# ---- SystemC: `tipoff run` with the tile as a module (docs/guide/systemc.md) ----
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

# Of the command's objects each has what it calls; those that load a model, which calls what it does not name, have them
# all. Two hold ours to LLVM themselves.
UNIT_ARCHIVE := build/lib/units$(if $(SAN),-san).a
UNIT_LINK     = $(UNIT_ARCHIVE)
$(UNIT_DIR)/harness/%: UNIT_LINK = -Wl,--whole-archive $(UNIT_ARCHIVE) -Wl,--no-whole-archive
$(UNIT_ARCHIVE): $(LIB_OBJS)
	@mkdir -p $(@D)
	@rm -f $@ && ar rcsT $@ $^

$(UNIT_DIR)/%: tests/unit/%.c $(UNIT_ARCHIVE)
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(CC) $(CFLAGS) -DTIPOFF_ROOT='"$(CURDIR)"' -MMD -MP -MF $@.d $(LDFLAGS) -fuse-ld=lld -Wl,--as-needed -o $@ $< $(UNIT_LINK) -lcmocka $(LDLIBS) \
	    -L/usr/lib/$(LLVM)/lib -l$(LLVM:llvm-%=LLVM-%)

-include $(UNIT_BINS:=.d)

# They run programs on models.
$(UNIT_DIR)/harness/test_branch_records: | build/full2/model.so build/tests/isa/ctr.elf build/tests/fuzz/ctrvm-9.elf
$(UNIT_DIR)/harness/test_cores: | build/small2/model.so build/workloads/sort.small.elf build/workloads/dgemm.small.elf
$(UNIT_DIR)/harness/test_incoherent: | build/small2/model.so
$(UNIT_DIR)/harness/test_links: | build/small2c/hub.so
$(UNIT_DIR)/harness/test_warm: | build/small2/model.so build/narrow1/model.so
$(UNIT_DIR)/harness/test_waves: | build/small2/model-fst.so

# What two threads share, under the thread sanitizer; the rest as in the command.
TSAN_SRCS  := csrc/workers/aside.c csrc/workers/feed.c csrc/workers/harts.c csrc/workers/batch.c csrc/workers/workers.c csrc/workers/workers_run.c \
    harness/team.c
TSAN_TESTS := build/tests/unit-tsan/workers/test_feed build/tests/unit-tsan/workers/test_harts build/tests/unit-tsan/harness/test_team
TSAN_OBJS  := $(TSAN_SRCS:%.c=build/obj-tsan/%.o)
$(TSAN_OBJS): build/obj-tsan/%.o: %.c | build/gen/.stamp
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -fsanitize=thread -MMD -MP -c -o $@ $<
-include $(TSAN_OBJS:.o=.d)
$(TSAN_TESTS): build/tests/unit-tsan/%: tests/unit/%.c $(TSAN_OBJS) $(LIB_OBJS)
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(CC) $(CFLAGS) -fsanitize=thread -rdynamic -fuse-ld=lld -o $@ $< $(TSAN_OBJS) $(filter-out $(TSAN_SRCS:%.c=$(O)/%.o),$(LIB_OBJS)) -lcmocka $(LDLIBS)

## systemc: the tile as a SystemC module with TLM-2.0 sockets, and `tipoff run` around it:
##   build/bin/tipoff-systemc (docs/guide/systemc.md; minutes)
systemc: deps-systemc
	@$(MAKE) -j$(JOBS) build/bin/tipoff-systemc build/workloads/interp.small.elf
	@$(MAKE) build/small2/$(MODEL_so)

##- systemc-speed: its speed beside the C harness's, written to docs/guide/systemc.md (three minutes of an idle machine)
systemc-speed: deps-systemc-speed systemc
	@$(MAKE) $(BIN) build/workloads/interp.medium.elf
	@scripts/systemc_speed.py

# ---- the reader of sample files under libFuzzer ----
FUZZ      := build/tests/libfuzzer
FUZZ_SRCS := tests/unit/samples/fuzz_samples.c $(wildcard csrc/base/*.c csrc/isa/*.c csrc/profile/*.c csrc/samples/*.c)
$(FUZZ)/fuzz_samples: $(FUZZ_SRCS) $(wildcard tests/unit/samples/fuzz_samples.h csrc/base/*.h csrc/isa/*.h csrc/profile/*.h csrc/samples/*.h) \
    | build/gen/.stamp
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(CC) $(CFLAGS) -O1 -fsanitize=fuzzer -fsanitize=address,undefined -fno-sanitize-recover=all -o $@ $(FUZZ_SRCS) $(LDLIBS)

# Of an hour's and more it keeps what it has learned: build/tests/libfuzzer/corpus.
FUZZ_SECONDS ?= 600
##- fuzz: sample files that no run writes, found by libFuzzer, for FUZZ_SECONDS (600); an input that ends the reader
##-   goes to tests/unit/samples/found, where a unit test reads it from then on
fuzz: deps-fuzz
	@$(MAKE) $(FUZZ)/fuzz_samples
	@mkdir -p $(FUZZ)/corpus && $(PYTHON) tests/unit/samples/fuzz_seeds.py $(FUZZ)/corpus tests/unit/samples/version*.tips
	@$(FUZZ)/fuzz_samples -max_total_time=$(FUZZ_SECONDS) -max_len=16384 -timeout=60 -rss_limit_mb=2000 -print_final_stats=1 \
	    -artifact_prefix=tests/unit/samples/found/ $(FUZZ)/corpus tests/unit/samples/found
