# Event programs: build/tests/events/NAME.elf, each provoking one event at a known place.
EVENT_TESTS := $(patsubst tests/profile/events/%.S,build/tests/events/%.elf,$(wildcard tests/profile/events/*.S tests/profile/events/harts/*.S))

build/tests/events/%.elf: tests/profile/events/%.S tests/profile/events/frame.inc tests/profile/events/paging.inc tests/fuzz/link.ld
	@mkdir -p $(@D)
	@echo "  RISCV $@"
	@riscv64-unknown-elf-gcc -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany -nostdlib -static -Wl,--no-warn-rwx-segments -T tests/fuzz/link.ld -o $@ $<
