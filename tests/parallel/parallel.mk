# Parallel kernels: build/parallel/NAME.SIZE.elf for any number of harts, bare; NAME.SIZE.passive.elf: harts that wait sleep.
# build/parallel/host/NAME.SIZE: the same by OpenMP, on this machine.
PARALLEL_SIZES       := tiny small medium large
PARALLEL_SIZE_tiny   := 0
PARALLEL_SIZE_small  := 1
PARALLEL_SIZE_medium := 2
PARALLEL_SIZE_large  := 3
PARALLEL_CFLAGS      := -O2 -g -std=gnu17 -Wall -Wextra -Werror -fno-math-errno
PARALLEL_KERNELS     := $(filter-out parallel,$(patsubst tests/parallel/%.c,%,$(wildcard tests/parallel/*.c)))
PARALLEL_RUNTIME     := $(wildcard runtime/*)

# $(1) name, $(2) size
define PARALLEL_RULE
build/parallel/$(1).$(2).elf build/parallel/$(1).$(2).passive.elf: tests/parallel/$(1).c tests/parallel/parallel.c tests/parallel/parallel.h \
    tests/parallel/parallel.mk $$(PARALLEL_RUNTIME) | build/bin/tipoff-cc
	@mkdir -p $$(@D)
	@echo "  RISCV $$@"
	@build/bin/tipoff-cc $$(PARALLEL_CFLAGS) -ffile-prefix-map=$$(CURDIR)=. -DSIZE=$$(PARALLEL_SIZE_$(2)) $$(if $$(findstring .passive,$$@),-DPASSIVE) -o $$@ \
	    tests/parallel/$(1).c tests/parallel/parallel.c -lm

build/parallel/host/$(1).$(2): tests/parallel/$(1).c tests/parallel/parallel.c tests/parallel/parallel.h tests/parallel/parallel.mk
	@mkdir -p $$(@D)
	@echo "  CC    $$@"
	@$$(CC) $$(PARALLEL_CFLAGS) -ffp-contract=off -fopenmp -DSIZE=$$(PARALLEL_SIZE_$(2)) -o $$@ tests/parallel/$(1).c tests/parallel/parallel.c -lm
endef
$(foreach name,$(PARALLEL_KERNELS),$(foreach size,$(PARALLEL_SIZES),$(eval $(call PARALLEL_RULE,$(name),$(size)))))
