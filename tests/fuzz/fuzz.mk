# Random programs: build/tests/fuzz/seed-N.elf with everything, qemu-N.elf with what QEMU does alike; fp-N.elf and
# qemu-fp-N.elf with floating point; float-N.elf of nearly nothing else (float_fuzz.py); vm-N.elf and qemu-vm-N.elf
# with virtual memory (vm_fuzz.py), fpvm-N.elf with both; pmu-N.elf and pmuvm-N.elf with counters and their interrupt,
# ctr-N.elf and ctrvm-N.elf with control transfer records besides, for cores that have them, trigger-N.elf likewise with triggers on addresses.
# qemu-devices-N.elf: accesses to
# devices (device_fuzz.py). harts-N.elf: several harts in a few lines (harts_fuzz.py).
FUZZ_MARCH := -march=rv64imac_zicsr_zifencei -mabi=lp64
# Other places and lengths: run_long.py's.
FUZZ_DIR   ?= build/tests/fuzz
FUZZ_LENGTH ?=
FUZZ_DEPS  := tests/fuzz/fuzz.py tests/fuzz/handlers.py tests/fuzz/system_items.py tests/fuzz/link.ld tables/instructions.tsv tables/csrs.tsv

$(FUZZ_DIR)/seed-%.S: $(FUZZ_DEPS)
	@mkdir -p $(@D)
	@$(PYTHON) tests/fuzz/fuzz.py --seed $* $(FUZZ_LENGTH:%=--length %) > $@

$(FUZZ_DIR)/qemu-%.S: $(FUZZ_DEPS)
	@mkdir -p $(@D)
	@$(PYTHON) tests/fuzz/fuzz.py --qemu --seed $* $(FUZZ_LENGTH:%=--length %) > $@

$(FUZZ_DIR)/qemu-devices-%.S: tests/fuzz/device_fuzz.py
	@mkdir -p $(@D)
	@$(PYTHON) $< --seed $* $(FUZZ_LENGTH:%=--length %) > $@

$(FUZZ_DIR)/float-%.S: tests/fuzz/float_fuzz.py
	@mkdir -p $(@D)
	@$(PYTHON) $< --seed $* $(FUZZ_LENGTH:%=--length %) > $@

$(FUZZ_DIR)/harts-%.S: tests/fuzz/harts_fuzz.py
	@mkdir -p $(@D)
	@$(PYTHON) $< --seed $* $(FUZZ_LENGTH:%=--length %) > $@

$(FUZZ_DIR)/float-%.elf: FUZZ_MARCH := -march=rv64imafdc_zicsr_zifencei -mabi=lp64
$(FUZZ_DIR)/fp-%.S: $(FUZZ_DEPS)
	@mkdir -p $(@D)
	@$(PYTHON) tests/fuzz/fuzz.py --fp --seed $* $(FUZZ_LENGTH:%=--length %) > $@

$(FUZZ_DIR)/pmu-%.S: $(FUZZ_DEPS)
	@mkdir -p $(@D)
	@$(PYTHON) tests/fuzz/fuzz.py --pmu --seed $* $(FUZZ_LENGTH:%=--length %) > $@

$(FUZZ_DIR)/ctr-%.S: $(FUZZ_DEPS)
	@mkdir -p $(@D)
	@$(PYTHON) tests/fuzz/fuzz.py --pmu --ctr --seed $* $(FUZZ_LENGTH:%=--length %) > $@

$(FUZZ_DIR)/trigger-%.S: $(FUZZ_DEPS)
	@mkdir -p $(@D)
	@$(PYTHON) tests/fuzz/fuzz.py --pmu --triggers --seed $* $(FUZZ_LENGTH:%=--length %) > $@

$(FUZZ_DIR)/qemu-fp-%.S: $(FUZZ_DEPS)
	@mkdir -p $(@D)
	@$(PYTHON) tests/fuzz/fuzz.py --fp --qemu --seed $* $(FUZZ_LENGTH:%=--length %) > $@

VM_DEPS := $(FUZZ_DEPS) tests/fuzz/vm_fuzz.py tests/fuzz/vm_handlers.py tests/fuzz/vm_tables.py tests/fuzz/vm_link.ld
$(FUZZ_DIR)/vm-%.S: $(VM_DEPS)
	@mkdir -p $(@D)
	@$(PYTHON) tests/fuzz/fuzz.py --vm --seed $* $(FUZZ_LENGTH:%=--length %) > $@

$(FUZZ_DIR)/fpvm-%.S: $(VM_DEPS)
	@mkdir -p $(@D)
	@$(PYTHON) tests/fuzz/fuzz.py --fp --vm --seed $* $(FUZZ_LENGTH:%=--length %) > $@

$(FUZZ_DIR)/pmuvm-%.S: $(VM_DEPS)
	@mkdir -p $(@D)
	@$(PYTHON) tests/fuzz/fuzz.py --pmu --vm --seed $* $(FUZZ_LENGTH:%=--length %) > $@

$(FUZZ_DIR)/ctrvm-%.S: $(VM_DEPS)
	@mkdir -p $(@D)
	@$(PYTHON) tests/fuzz/fuzz.py --pmu --ctr --vm --seed $* $(FUZZ_LENGTH:%=--length %) > $@

$(FUZZ_DIR)/qemu-vm-%.S: $(VM_DEPS)
	@mkdir -p $(@D)
	@$(PYTHON) tests/fuzz/fuzz.py --vm --qemu --seed $* $(FUZZ_LENGTH:%=--length %) > $@

$(FUZZ_DIR)/vm-%.elf $(FUZZ_DIR)/fpvm-%.elf $(FUZZ_DIR)/pmuvm-%.elf $(FUZZ_DIR)/ctrvm-%.elf $(FUZZ_DIR)/qemu-vm-%.elf: FUZZ_LINK := tests/fuzz/vm_link.ld
FUZZ_LINK := tests/fuzz/link.ld
$(FUZZ_DIR)/%.elf: $(FUZZ_DIR)/%.S
	@riscv64-unknown-elf-gcc $(FUZZ_MARCH) -nostdlib -static -Wl,--no-warn-rwx-segments -T $(FUZZ_LINK) -o $@ $<
