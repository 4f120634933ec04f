# SonicBOOM: its Verilog comes from Chipyard; the binds are for the width that boom.toml has.
boom_NEEDS := what Chipyard generates for DigitalTop with all that is below it (docs/guide/integration.md, section 6)
boom_VFLAGS := +define+PRINTF_COND=0 +define+STOP_COND=0
boom_GENERATED := build/boom/boom_bind.sv
build/boom/boom_bind.sv: attach/boom/boom.toml attach/boom/gen_bind.py
	@mkdir -p $(@D)
	@attach/boom/gen_bind.py $$(sed -n 's/^width = //p;/^rob_entries/q' $<) > $@
