# Kernels: build/kernels/KERNEL-VARIANT.FLAGS.elf, a program for each row of kernels.tsv and each of its flags.
# A makefile of its own, `make kernels` runs it: some hundred rules that no other target needs to read.
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DELETE_ON_ERROR:
SHELL := /bin/bash

all:
include tests/workloads/workloads.mk
include build/kernels/rules.mk

KERNEL_SUPPORT := $(patsubst tests/workloads/runtime/%,build/kernels/runtime/%.o,$(WORKLOAD_RUNTIME)) build/kernels/runtime/run.S.o
KERNEL_CFLAGS  := $(filter-out -O2,$(WORKLOAD_CFLAGS)) -fno-math-errno -Itests/kernels -DSIZE=0 -DWORKLOAD='"kernel"'

build/kernels/runtime/%.o: tests/workloads/runtime/%
	@mkdir -p $(@D)
	@$(WORKLOAD_CC) $(WORKLOAD_FP_ISA) -O2 $(KERNEL_CFLAGS) -c -o $@ $<

build/kernels/runtime/run.S.o: tests/kernels/run.S
	@mkdir -p $(@D)
	@$(WORKLOAD_CC) $(WORKLOAD_FP_ISA) $(KERNEL_CFLAGS) -c -o $@ $<

build/kernels/expected.h: tests/kernels/reference.py tests/kernels/kernels.py tests/kernels/kernels.tsv
	@$(or $(PYTHON),python3) tests/kernels/reference.py $@ && touch $@

# $(1) sizes, $(2) options, $(3) main's object.
define KERNEL_BUILD
@echo "  RISCV $@"
@$(WORKLOAD_CC) $(WORKLOAD_FP_ISA) $(KERNEL_CFLAGS) $(1) $(2) -c -o $@.o $<
@$(WORKLOAD_CC) $(WORKLOAD_FP_ISA) $(WORKLOAD_LDFLAGS) -o $@ $@.o $(3) $(KERNEL_SUPPORT) -lgcc
@rm $@.o
endef

# main is compiled alike for all of the same sizes.
define KERNEL_MAIN
@mkdir -p $(@D)
@$(WORKLOAD_CC) $(WORKLOAD_FP_ISA) -O2 $(KERNEL_CFLAGS) $(1) -include build/kernels/expected.h -c -o $@ tests/kernels/main.c
endef

$(KERNELS): $(KERNEL_SUPPORT)
$(KERNELS) $(KERNEL_MAINS): tests/kernels/kernel.h tests/kernels/main.c build/kernels/expected.h build/kernels/rules.mk tests/kernels/kernels.mk

.PHONY: all each
all: $(KERNELS)
# One of each row, with one of its flags.
each: $(KERNELS_EACH)
