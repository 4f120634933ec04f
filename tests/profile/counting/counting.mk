# Counting programs: build/tests/counting/NAME.elf, in which software counts events whose number it knows.
COUNTING_TESTS := $(patsubst tests/profile/counting/%.S,build/tests/counting/%.elf,$(wildcard tests/profile/counting/*.S))

build/tests/counting/%.elf: tests/profile/counting/%.S tests/profile/counting/frame.inc tests/profile/events/paging.inc tests/fuzz/link.ld
	@mkdir -p $(@D)
	@echo "  RISCV $@"
	@riscv64-unknown-elf-gcc -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany -nostdlib -static -Wl,--no-warn-rwx-segments -T tests/fuzz/link.ld -o $@ $<
