# Workloads: build/workloads/NAME.SIZE.elf from tests/workloads/NAME/*.c and the runtime, for each of three sizes.
#
# Paths are relative and the folder they are relative to is written as '.', so that the programs are the same wherever
# they are built. Loops stay loops (-fno-tree-loop-distribute-patterns): the runtime's memcpy must not become a call of
# itself, and what a workload's source shows is what its profile shows. -fbuiltin: the compiler may inline strcpy of a literal and
# the like, as it does in hosted programs.
# With F and D. Each operation rounds once, as the source says: no contraction to multiply-adds.
FP_WORKLOADS := nbody dgemm fft mandelbrot lbm meanshift molecular
WORKLOADS := sort hash strsearch chase matmul compress interp queens crc bigcode syscalls stream dhry cmark graph memlat membw $(FP_WORKLOADS)
WORKLOAD_SIZES := small medium large

WORKLOAD_CC      := riscv64-unknown-elf-gcc
WORKLOAD_ISA     := -march=rv64imac_zicsr_zifencei -mabi=lp64
WORKLOAD_FP_ISA  := -march=rv64imafdc_zicsr_zifencei -mabi=lp64d -ffp-contract=off
WORKLOAD_CFLAGS  := -O2 -g -std=gnu17 -mcmodel=medany -ffreestanding -fbuiltin \
                    -fno-tree-loop-distribute-patterns -fno-stack-protector -ffile-prefix-map=$(CURDIR)=. -Wa,--debug-prefix-map=$(CURDIR)=. \
                    -Wall -Wextra -Werror -Wno-missing-field-initializers -Itests/workloads/runtime
WORKLOAD_LDFLAGS := -nostdlib -static -Wl,--build-id -Wl,--no-warn-rwx-segments -T tests/workloads/runtime/link.ld
WORKLOAD_RUNTIME := $(addprefix tests/workloads/runtime/,crt0.S tohost.S console.c string.c trap.c)
WORKLOAD_SIZE_small  := 0
WORKLOAD_SIZE_medium := 1
WORKLOAD_SIZE_large  := 2
WORKLOAD_SIZE_tiny   := 3

# $(1) name, $(2) size
define WORKLOAD_RULE
build/workloads/$(1).$(2).elf: $$(wildcard tests/workloads/$(1)/*.[chS]) $$(WORKLOAD_RUNTIME) \
    $$(wildcard tests/workloads/runtime/*.h) tests/workloads/runtime/link.ld tests/workloads/workloads.mk
	@mkdir -p $$(@D)
	@echo "  RISCV $$@"
	@$$(WORKLOAD_CC) $$(if $$(filter $(1),$$(FP_WORKLOADS)),$$(WORKLOAD_FP_ISA),$$(WORKLOAD_ISA)) $$(WORKLOAD_CFLAGS) -DSIZE=$$(WORKLOAD_SIZE_$(2)) \
	    -DWORKLOAD='"$(1).$(2)"' $$(WORKLOAD_LDFLAGS) \
	    -o $$@ $$(filter %.S %.c,$$^) -lgcc
endef
$(foreach name,$(WORKLOADS),$(foreach size,$(WORKLOAD_SIZES),$(eval $(call WORKLOAD_RULE,$(name),$(size)))))
# For tests of what commands say, which need no more: a tenth of the cycles of small.
$(eval $(call WORKLOAD_RULE,interp,tiny))

# The same programs, sampled by software on the core: build/workloads/sampled/NAME.SIZE.elf (docs/guide/sampling.md).
SAMPLED_FLAGS   := -DSAMPLED -Ibuild/gen
SAMPLED_RUNTIME := $(addprefix tests/workloads/runtime/,sampling.c sampling_machine.S)

# $(1) name, $(2) size
define SAMPLED_RULE
build/workloads/sampled/$(1).$(2).elf: $$(wildcard tests/workloads/$(1)/*.[chS]) $$(WORKLOAD_RUNTIME) $$(SAMPLED_RUNTIME) \
    $$(wildcard tests/workloads/runtime/*.h) tests/workloads/runtime/link.ld tests/workloads/workloads.mk | build/gen/.stamp
	@mkdir -p $$(@D)
	@echo "  RISCV $$@"
	@$$(WORKLOAD_CC) $$(if $$(filter $(1),$$(FP_WORKLOADS)),$$(WORKLOAD_FP_ISA),$$(WORKLOAD_ISA)) $$(WORKLOAD_CFLAGS) $$(SAMPLED_FLAGS) \
	    -DSIZE=$$(WORKLOAD_SIZE_$(2)) -DWORKLOAD='"$(1).$(2)"' $$(WORKLOAD_LDFLAGS) \
	    -o $$@ $$(filter %.S %.c,$$^) -lgcc
endef
$(foreach name,$(WORKLOADS),$(foreach size,$(WORKLOAD_SIZES),$(eval $(call SAMPLED_RULE,$(name),$(size)))))

# The same programs, sampled by an interrupt that stores mepc: build/workloads/interrupted/NAME.SIZE.elf (docs/method/rivals.md).
build/workloads/interrupted/%.elf: tests/workloads/runtime/interrupted_machine.S $(WORKLOAD_RUNTIME) $(wildcard tests/workloads/*/*.[chS]) \
    tests/workloads/runtime/link.ld tests/workloads/workloads.mk | build/gen/.stamp
	@mkdir -p $(@D)
	@echo "  RISCV $@"
	@$(WORKLOAD_CC) $(if $(filter $(basename $*),$(FP_WORKLOADS)),$(WORKLOAD_FP_ISA),$(WORKLOAD_ISA)) $(WORKLOAD_CFLAGS) $(SAMPLED_FLAGS) \
	    -DSIZE=$(WORKLOAD_SIZE_$(patsubst .%,%,$(suffix $*))) -DWORKLOAD='"$*"' $(WORKLOAD_LDFLAGS) \
	    -o $@ $(wildcard tests/workloads/$(basename $*)/*.[cS]) $(WORKLOAD_RUNTIME) $< -lgcc

# The same programs, with both collections of hybrid basic block profiling by a handler (docs/guide/mix.md).
build/workloads/collected/%.elf: tests/workloads/runtime/collected_machine.S $(WORKLOAD_RUNTIME) $(wildcard tests/workloads/*/*.[chS]) \
    tests/workloads/runtime/link.ld tests/workloads/workloads.mk | build/gen/.stamp
	@mkdir -p $(@D)
	@echo "  RISCV $@"
	@$(WORKLOAD_CC) $(if $(filter $(basename $*),$(FP_WORKLOADS)),$(WORKLOAD_FP_ISA),$(WORKLOAD_ISA)) $(WORKLOAD_CFLAGS) $(SAMPLED_FLAGS) \
	    -DSIZE=$(WORKLOAD_SIZE_$(patsubst .%,%,$(suffix $*))) -DWORKLOAD='"$*"' $(WORKLOAD_LDFLAGS) \
	    -o $@ $(wildcard tests/workloads/$(basename $*)/*.[cS]) $(WORKLOAD_RUNTIME) $< -lgcc

# Under the supervisor: the user program is linked for itself, its symbols made local (both sides have a memcpy), and put
# into one ELF with the kernel. User programs may use floating point, in registers; the kernel does not.
VM_WORKLOADS := vm_paging vm_sort vm_chase vm_code vm_procs
WORKLOADS    += $(VM_WORKLOADS)

VM_CFLAGS      := -DCONSOLE_PUTC_ELSEWHERE -Itests/workloads/supervisor
VM_USER_CFLAGS := -march=rv64imafdc_zicsr_zifencei -mabi=lp64 $(WORKLOAD_CFLAGS) $(VM_CFLAGS)
VM_LDFLAGS     := $(patsubst %runtime/link.ld,%supervisor/link.ld,$(WORKLOAD_LDFLAGS))
VM_RUNTIME     := $(addprefix tests/workloads/runtime/,console.c string.c)
VM_KERNEL      := $(addprefix tests/workloads/supervisor/,boot.S kernel.c paging.c) tests/workloads/runtime/tohost.S $(VM_RUNTIME)
VM_USER        := tests/workloads/supervisor/user.c $(VM_RUNTIME)
VM_HEADERS     := tests/workloads/runtime/runtime.h $(addprefix tests/workloads/supervisor/,supervisor.h kernel.h link.ld) tests/workloads/workloads.mk

# $(1) name, $(2) size
define VM_WORKLOAD_RULE
build/workloads/user/$(1).$(2).user.o: $$(wildcard tests/workloads/$(1)/*.[chS]) $$(VM_USER) $$(VM_HEADERS) tests/workloads/sort/sort.c
	@mkdir -p $$(@D)
	@$$(WORKLOAD_CC) $$(VM_USER_CFLAGS) -DSIZE=$$(WORKLOAD_SIZE_$(2)) -DWORKLOAD='"$(1).$(2)"' -nostdlib -r \
	    -o $$@.all $$(VM_USER) tests/workloads/$(1)/$(1).c
	@riscv64-unknown-elf-objcopy --keep-global-symbol=user_program $$@.all $$@ && rm $$@.all

build/workloads/$(1).$(2).elf: build/workloads/user/$(1).$(2).user.o $$(VM_KERNEL) $$(VM_HEADERS)
	@mkdir -p $$(@D)
	@echo "  RISCV $$@"
	@$$(WORKLOAD_CC) $$(WORKLOAD_ISA) $$(WORKLOAD_CFLAGS) $$(VM_CFLAGS) -DSIZE=$$(WORKLOAD_SIZE_$(2)) -DWORKLOAD='"$(1).$(2)"' $$(VM_LDFLAGS) \
	    -o $$@ $$(VM_KERNEL) $$< -lgcc
endef
$(foreach name,$(VM_WORKLOADS),$(foreach size,$(WORKLOAD_SIZES),$(eval $(call VM_WORKLOAD_RULE,$(name),$(size)))))

# Sampled by the kernel: the same user program.
VM_SAMPLED_KERNEL := $(VM_KERNEL) tests/workloads/runtime/sampling.c tests/workloads/supervisor/sampling_supervisor.S

# $(1) name, $(2) size
define VM_SAMPLED_RULE
build/workloads/sampled/$(1).$(2).elf: build/workloads/user/$(1).$(2).user.o $$(VM_SAMPLED_KERNEL) $$(VM_HEADERS) tests/workloads/runtime/sampling.h | \
    build/gen/.stamp
	@mkdir -p $$(@D)
	@echo "  RISCV $$@"
	@$$(WORKLOAD_CC) $$(WORKLOAD_ISA) $$(WORKLOAD_CFLAGS) $$(VM_CFLAGS) $$(SAMPLED_FLAGS) -DSAMPLING_SUPERVISOR -DSIZE=$$(WORKLOAD_SIZE_$(2)) \
	    -DWORKLOAD='"$(1).$(2)"' $$(VM_LDFLAGS) \
	    -o $$@ $$(VM_SAMPLED_KERNEL) $$< -lgcc
endef
$(foreach name,$(VM_WORKLOADS),$(foreach size,$(WORKLOAD_SIZES),$(eval $(call VM_SAMPLED_RULE,$(name),$(size)))))

# Those that tests run.
SAMPLED_TESTS := $(patsubst %,build/workloads/sampled/%.elf,interp.small interp.medium chase.small vm_paging.small vm_sort.small vm_sort.medium) \
                 build/workloads/interrupted/interp.small.elf build/workloads/interrupted/chase.small.elf

# Two processes; one does three times the other's work (tests/profile/test_spaces.py).
build/tests/spaces.user.o: tests/profile/spaces.c $(VM_USER) $(VM_HEADERS)
	@mkdir -p $(@D)
	@$(WORKLOAD_CC) $(VM_USER_CFLAGS) -DSIZE=0 -DWORKLOAD='"spaces"' -nostdlib -r -o $@.all $(VM_USER) $<
	@riscv64-unknown-elf-objcopy --keep-global-symbol=user_program $@.all $@ && rm $@.all

build/tests/spaces.elf: build/tests/spaces.user.o $(VM_KERNEL) $(VM_HEADERS)
	@echo "  RISCV $@"
	@$(WORKLOAD_CC) $(WORKLOAD_ISA) $(WORKLOAD_CFLAGS) $(VM_CFLAGS) -DSIZE=0 -DWORKLOAD='"spaces"' $(VM_LDFLAGS) -o $@ $(VM_KERNEL) $< -lgcc
