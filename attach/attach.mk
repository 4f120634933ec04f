# Models of foreign cores: build/NAME/model.so from a folder attach/NAME, whose top is NAME_top, and the kit of attach/attach.f.
#
#   ATTACH=FOLDER...   folders elsewhere; the last part of the path is NAME
#   FOREIGN=FILE...    Verilog of the core itself: .v, .sv, and lists of files (.f, .vc), whose paths are seen from where the list lies. A list
#                      NAME.f in the folder is one, too
# A folder has NAME.toml, the adapter and the top (*.sv, *.v), and may have packages (*_pkg.sv: NAME_pkg.sv first, then by name) and NAME.mk, which
# may set NAME_VFLAGS, more options of Verilator; NAME_GENERATED, sources with a rule of its own; NAME_NEEDS, what FOREIGN has to be.
ATTACHED := inorder boom
ATTACH   ?=
FOREIGN  ?=
ATTACH_PACKAGES = $(addprefix build/$(1)/gen/,$(PACKAGES)) rtl/pkg/core_pkg.sv rtl/pkg/line_pkg.sv rtl/coherence/hub_pkg.sv
ATTACH_KIT      := $(shell cat attach/attach.f rtl/profile.f | grep '\.sv$$')
# Of core $(1) in folder $(2): its packages, then what else it is written in, then what it is itself.
ATTACH_OWN      = $(wildcard $(2)/$(1)_pkg.sv) $(filter-out %/$(1)_pkg.sv,$(sort $(wildcard $(2)/*_pkg.sv))) $($(1)_GENERATED) \
    $(sort $(filter-out %_pkg.sv,$(wildcard $(2)/*.sv $(2)/*.v)))
ATTACH_FOREIGN  = $(strip $(wildcard $(2)/$(1).f) $(FOREIGN))
ATTACH_LISTS    = %.f %.vc
# What is not ours is not held to -Wall, and is large: C++ in parts, and waveforms of the uppermost levels.
ATTACH_LARGE    = -Wno-fatal -Wno-TIMESCALEMOD --output-split 15000 --output-split-cfuncs 3000 $(if $(FST),--trace-depth 3)

define ATTACHED_CORE
-include $(wildcard $(2)/$(1).mk)
build/$(1)/gen/.stamp: $$(TABLES) $(2)/$(1).toml
	+@$$(PYTHON) scripts/gen.py config $(2)/$(1).toml $$(@D) && touch $$@
$$(eval $$(call GENERATED,$(1)))

build/$(1)/model-$$(SIM)/Vsim_top.mk build/$(1)/model-$$(SIM)-fst/Vsim_top.mk: $$(call ATTACH_PACKAGES,$(1)) $$(ATTACH_KIT) \
    $$(call ATTACH_OWN,$(1),$(2)) $$(call ATTACH_FOREIGN,$(1),$(2)) $$(wildcard $(2)/$(1).mk attach/*.vlt sim/*.vlt rtl/prim/*.svh)
	@echo "  VERILATE $(1)$$(FST:-fst= with waveforms)"
	@mkdir -p $$(@D)
	$$(if $$($(1)_NEEDS),$$(if $$(call ATTACH_FOREIGN,$(1),$(2)),,@echo "attach.mk: $(1) needs Verilog of the core, which is not here: \
	    make $$@ FOREIGN=FILE, $$($(1)_NEEDS)" >&2; exit 1))
	@$$(VERILATOR) --cc -O3 $$(VSPEED_$$(SIM)) $$(if $$(FST),--trace-fst --trace-structs) --prefix Vsim_top --top-module $(1)_top --Mdir $$(@D) \
	    $$(VFLAGS) attach/attach.vlt $$(if $$(call ATTACH_FOREIGN,$(1),$(2)),$$(ATTACH_LARGE)) $$($(1)_VFLAGS) \
	    $$(call ATTACH_PACKAGES,$(1)) -f rtl/profile.f -f attach/attach.f $$(filter-out $$(ATTACH_LISTS),$$(call ATTACH_FOREIGN,$(1),$(2))) \
	    $$(addprefix -F ,$$(filter $$(ATTACH_LISTS),$$(call ATTACH_FOREIGN,$(1),$(2)))) $$(call ATTACH_OWN,$(1),$(2)) \
	    2> $$(@D)/verilate.log || { $$(call ATTACH_SAID,$(1),$(2)) || tail -20 $$(@D)/verilate.log >&2; exit 1; }
	@! $$(call ATTACH_SAID,$(1),$(2)) || { echo "attach.mk: $(1): lint of what is ours is fatal; all findings: $$(@D)/verilate.log" >&2; exit 1; }
	@touch $$@

# The name that the folder had, for a version.
build/$(1)/verilated-$$(SIM)/Vsim_top.mk: build/$(1)/model-$$(SIM)/Vsim_top.mk
	@mkdir -p $$(@D) && ln -sf ../$$(notdir $$(<D))/$$(<F) $$@

build/$(1)/$$(MODEL_so) build/$(1)/$$(MODEL_fst): SHIM_FLAGS += -DMODEL_TOP='"$(1)_top"'
build/$(1)/$$(MODEL_so) build/$(1)/$$(MODEL_fst): VOPT := -O1
endef
# Errors, and findings in what is ours: the kit, and files of the folder itself (not below it). Status 0 where there is any.
ATTACH_SAID = grep -A3 -E '^%(Error|Warning-[A-Z0-9]+: ($(2)/[^/:]+|attach/[^/:]+|(rtl|sim|build/$(1))/[^:]+):)' $(@D)/verilate.log >&2
$(foreach folder,$(addprefix attach/,$(ATTACHED)) $(patsubst %/,%,$(ATTACH)),$(eval $(call ATTACHED_CORE,$(notdir $(folder)),$(folder))))

# Workloads for cores without compressed instructions, atomics and floating point: build/workloads/rv64im/NAME.SIZE.elf.
build/workloads/rv64im/%.elf: $(WORKLOAD_RUNTIME) $(wildcard tests/workloads/*/*.[chS] tests/workloads/runtime/*.h) tests/workloads/runtime/link.ld \
    attach/attach.mk
	@mkdir -p $(@D)
	@echo "  RISCV $@"
	@$(WORKLOAD_CC) -march=rv64im_zicsr_zifencei -mabi=lp64 $(WORKLOAD_CFLAGS) -DSIZE=$(WORKLOAD_SIZE_$(patsubst .%,%,$(suffix $*))) -DWORKLOAD='"$*"' \
	    $(WORKLOAD_LDFLAGS) \
	    -o $@ $(wildcard tests/workloads/$(basename $*)/*.[cS]) $(WORKLOAD_RUNTIME) -lgcc

# The in-order core with its golden model, and with an adapter that makes mistakes: for tests/attach/test_attach.py.
CHECKED := build/inorder/checked
CHECKED_SRCS := tests/attach/inorder_adapter.sv tests/attach/inorder_golden.sv tests/attach/inorder_binds.sv
$(CHECKED)/model.so: tests/attach/environment.c $(call ATTACH_PACKAGES,inorder) build/inorder/gen/model_digest.h build/inorder/gen/record_bits.h \
    $(ATTACH_KIT) $(CHECKED_SRCS) $(wildcard attach/inorder/*.sv attach/*.vlt sim/*.vlt) $(MODEL_SHIM) $(SHIM_HEADERS) $(MODEL_RUNTIME)
	@echo "  MODEL $@"
	@mkdir -p $(@D)
	@sed 's/module inorder_adapter/module inorder_adapter_right/' attach/inorder/inorder_adapter.sv > $(@D)/inorder_adapter_right.sv
	@$(VERILATOR) --cc -O3 $(VSPEED_check) --prefix Vsim_top --top-module inorder_top --Mdir $(@D)/verilated $(VFLAGS) -Wno-DECLFILENAME \
	    -Wno-UNUSEDSIGNAL attach/attach.vlt \
	    $(call ATTACH_PACKAGES,inorder) -f rtl/profile.f -f attach/attach.f attach/inorder/inorder_pkg.sv \
	    $(filter-out %_pkg.sv %_adapter.sv,$(wildcard attach/inorder/*.sv)) $(@D)/inorder_adapter_right.sv $(CHECKED_SRCS)
	@$(MAKE) -s -C $(@D)/verilated -f Vsim_top.mk CXX='clang++ -Wno-parentheses-equality' OPT_FAST='-O1 -fPIC -fvisibility=hidden' \
	    OPT_SLOW='-O0 -fPIC -fvisibility=hidden' Vsim_top__ALL.a > $(@D)/build.log 2>&1 || { cat $(@D)/build.log; exit 1; }
	@$(CC) $(CFLAGS) -fPIC -c -o $(@D)/environment.o $<
	@clang++ $(SHIM_FLAGS) -DMODEL_TOP='"inorder_top"' -Wall -Wextra -Werror -shared -isystem $(@D)/verilated -I. -Icsrc -Ibuild/gen -Ibuild/inorder/gen \
	    -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd -o $@ $(MODEL_SHIM) $(@D)/environment.o \
	    $(@D)/verilated/Vsim_top__ALL.a $(MODEL_RUNTIME) -lz -lpthread -latomic

# Programs with known answers: attach/answers/answers.py runs them.
ANSWERS := $(patsubst attach/answers/%.S,build/answers/%.elf,$(filter-out %/finish.S,$(wildcard attach/answers/*.S)))
build/answers/.all: $(ANSWERS)
	@touch $@
build/answers/%.elf: attach/answers/%.S attach/answers/finish.S tests/workloads/runtime/tohost.S tests/workloads/runtime/link.ld
	@mkdir -p $(@D)
	@$(WORKLOAD_CC) -march=rv64im_zicsr_zifencei -mabi=lp64 $(WORKLOAD_LDFLAGS) -o $@ $(filter %.S,$^)

# What tests/attach runs.
build/tests/attach/faults.elf: tests/attach/faults.S attach/answers/finish.S tests/workloads/runtime/tohost.S tests/workloads/runtime/link.ld
	@mkdir -p $(@D)
	@$(WORKLOAD_CC) -march=rv64im_zicsr_zifencei -mabi=lp64 $(WORKLOAD_LDFLAGS) -o $@ $(filter %.S,$^)
TESTED := build/inorder/$(MODEL_so) $(CHECKED)/model.so build/answers/.all build/tests/attach/faults.elf \
    $(patsubst %,build/workloads/rv64im/%.small.elf,sort interp queens crc chase)
TARGETS += tested-attach
tested-attach: $(TESTED)
