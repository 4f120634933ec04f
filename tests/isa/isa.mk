# ISA tests: self-checking programs from gen_isa.py, and the comparison of the ISS with QEMU.
ISA_GEN    := tests/isa/gen_isa.py
# No Python, no names: before deps-TARGET has installed it.
ISA_NAMES  := $(if $(PYTHON),$(shell $(PYTHON) $(ISA_GEN) --list))
ISA_ELFS   := $(ISA_NAMES:%=build/tests/isa/%.elf)
ISA_MARCH  := -march=rv64imac_zicsr_zifencei -mabi=lp64
ISA_TESTS  := $(ISA_ELFS) build/tests/isa/qemu_compare

# All by one process: starting it takes longer than writing a program. One that is like that already stays as it is, and so does its ELF.
# + as for gen.py: make -n and -q have to know what changed.
build/tests/isa/.made: $(wildcard tests/isa/*.py) tables/instructions.tsv
	+@$(PYTHON) $(ISA_GEN) --all $(@D) && touch $@
build/tests/isa/%.S: build/tests/isa/.made
	+@[ -f $@ ] || $(PYTHON) $(ISA_GEN) $* > $@

build/tests/isa/%.elf: build/tests/isa/%.S tests/fuzz/link.ld
	@echo "  RISCV $@"
	@riscv64-unknown-elf-gcc $(ISA_MARCH) -nostdlib -static -Wl,--no-warn-rwx-segments -T tests/fuzz/link.ld -o $@ $<

build/tests/isa/qemu_compare: tests/isa/qemu_compare.c build/lib/libiss.a build/lib/libmachine.a build/lib/libisa.a build/lib/libbase.a
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

# The ISS alone, in instructions that valgrind knows: what test_host_instructions.py counts. Such objects are a make's of their own.
COUNTED := build/tests/isa/host_instructions-x86-64-v3
COUNTED_SRCS := $(filter-out csrc/iss/checkpoint%,$(filter csrc/iss/% csrc/machine/% csrc/isa/% csrc/base/%,$(C_LIBRARY)))
ifeq ($(MARCH),x86-64-v3)
$(COUNTED): tests/isa/host_instructions.c $(COUNTED_SRCS:%.c=$(O)/%.o)
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(CC) $(CFLAGS) -Wl,--strip-debug -o $@ $^ $(LDLIBS)
else
$(COUNTED): tests/isa/host_instructions.c $(COUNTED_SRCS) $(wildcard csrc/*/*.h) | build/gen/.stamp
	+@$(MAKE) MARCH=x86-64-v3 $@
	@touch $@
endif
