# Workloads: build/workloads/NAME.SIZE.elf from tests/workloads/NAME/*.c and the runtime, for each of three sizes.
#
# Paths are relative and the folder they are relative to is written as '.', so that the programs are the same wherever
# they are built. Loops stay loops (-fno-tree-loop-distribute-patterns): the runtime's memcpy must not become a call of
# itself, and what a workload's source shows is what its profile shows. -fbuiltin: the compiler may inline strcpy of a literal and
# the like, as it does in hosted programs.
# With F and D. Each operation rounds once, as the source says: no contraction to multiply-adds.
FP_WORKLOADS := nbody dgemm fft mandelbrot lbm meanshift molecular
WORKLOADS := sort hash strsearch chase matmul compress interp queens crc bigcode syscalls stream dhry graph memlat membw $(FP_WORKLOADS)
WORKLOAD_SIZES := small medium large

WORKLOAD_CC      := riscv64-unknown-elf-gcc
WORKLOAD_ISA     := -march=rv64imac_zicsr_zifencei -mabi=lp64
WORKLOAD_FP_ISA  := -march=rv64imafdc_zicsr_zifencei -mabi=lp64d -ffp-contract=off
WORKLOAD_CFLAGS  := -O2 -g -std=gnu17 -mcmodel=medany -ffreestanding -fbuiltin \
                    -fno-tree-loop-distribute-patterns -fno-stack-protector -ffile-prefix-map=$(CURDIR)=. -Wa,--debug-prefix-map=$(CURDIR)=. \
                    -Wall -Wextra -Werror -Wno-missing-field-initializers -Itests/workloads/runtime
WORKLOAD_LDFLAGS := -nostdlib -static -Wl,--build-id -Wl,--no-warn-rwx-segments -T tests/workloads/runtime/link.ld
WORKLOAD_RUNTIME := $(addprefix tests/workloads/runtime/,crt0.S console.c string.c trap.c)
WORKLOAD_SIZE_small  := 0
WORKLOAD_SIZE_medium := 1
WORKLOAD_SIZE_large  := 2

# $(1) name, $(2) size
define WORKLOAD_RULE
build/workloads/$(1).$(2).elf: $$(wildcard tests/workloads/$(1)/*.[chS]) $$(WORKLOAD_RUNTIME) \
    $$(wildcard tests/workloads/runtime/*.h) tests/workloads/runtime/link.ld tests/workloads/workloads.mk
	@mkdir -p $$(@D)
	@echo "  RISCV $$@"
	@$$(WORKLOAD_CC) $$(if $$(filter $(1),$$(FP_WORKLOADS)),$$(WORKLOAD_FP_ISA),$$(WORKLOAD_ISA)) $$(WORKLOAD_CFLAGS) -DSIZE=$$(WORKLOAD_SIZE_$(2)) -DWORKLOAD='"$(1).$(2)"' $$(WORKLOAD_LDFLAGS) \
	    -o $$@ $$(filter %.S %.c,$$^) -lgcc
endef
$(foreach name,$(WORKLOADS),$(foreach size,$(WORKLOAD_SIZES),$(eval $(call WORKLOAD_RULE,$(name),$(size)))))
