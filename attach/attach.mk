# Models of foreign cores: build/NAME/model.so from attach/NAME, whose top is NAME_top, and the kit of attach/attach.f.
ATTACHED := inorder
ATTACH_PACKAGES = $(addprefix build/$(1)/gen/,$(PACKAGES)) rtl/pkg/core_pkg.sv
ATTACH_KIT      := $(shell cat attach/attach.f rtl/profile.f | grep '\.sv$$')

define ATTACHED_CORE
build/$(1)/gen/.stamp: $$(TABLES) attach/$(1)/$(1).toml
	+@$$(PYTHON) scripts/gen.py config attach/$(1)/$(1).toml $$(@D) && touch $$@
$$(eval $$(call GENERATED,$(1)))

build/$(1)/verilated-$$(SIM)/Vsim_top.mk: $$(call ATTACH_PACKAGES,$(1)) $$(ATTACH_KIT) $$(wildcard attach/$(1)/*.sv attach/*.vlt sim/*.vlt rtl/prim/*.svh)
	@echo "  VERILATE $(1)"
	@mkdir -p $$(@D)
	@$$(VERILATOR) --cc -O3 $$(VSPEED_$$(SIM)) --trace-fst --trace-structs --prefix Vsim_top --top-module $(1)_top --Mdir $$(@D) $$(VFLAGS) attach/attach.vlt \
	    $$(call ATTACH_PACKAGES,$(1)) -f rtl/profile.f -f attach/attach.f attach/$(1)/$(1)_pkg.sv $$(filter-out %_pkg.sv,$$(wildcard attach/$(1)/*.sv))
	@touch $$@

build/$(1)/$$(MODEL_so): SHIM_FLAGS += -DMODEL_TOP='"$(1)_top"'
build/$(1)/$$(MODEL_so): VOPT := -O1
endef
$(foreach core,$(ATTACHED),$(eval $(call ATTACHED_CORE,$(core))))

# Workloads for cores without compressed instructions, atomics and floating point: build/workloads/rv64im/NAME.SIZE.elf.
build/workloads/rv64im/%.elf: $(WORKLOAD_RUNTIME) $(wildcard tests/workloads/*/*.[chS] tests/workloads/runtime/*.h) tests/workloads/runtime/link.ld attach/attach.mk
	@mkdir -p $(@D)
	@echo "  RISCV $@"
	@$(WORKLOAD_CC) -march=rv64im_zicsr_zifencei -mabi=lp64 $(WORKLOAD_CFLAGS) -DSIZE=$(WORKLOAD_SIZE_$(patsubst .%,%,$(suffix $*))) -DWORKLOAD='"$*"' $(WORKLOAD_LDFLAGS) \
	    -o $@ $(wildcard tests/workloads/$(basename $*)/*.[cS]) $(WORKLOAD_RUNTIME) -lgcc
