# Debian's OpenSBI with a payload of ours: build/tests/firmware/opensbi.elf.
OPENSBI        := /usr/lib/riscv64-linux-gnu/opensbi/generic/fw_jump.bin
FIRMWARE_TESTS := build/tests/firmware/opensbi.elf

build/tests/firmware/opensbi.elf: tests/firmware/payload.S tests/firmware/link.ld
	@mkdir -p $(@D)
	@echo "  RISCV $@"
	@riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -nostdlib -static -Wl,--no-warn-rwx-segments -DFIRMWARE='"$(OPENSBI)"' -T \
	    tests/firmware/link.ld -o $@ $<
