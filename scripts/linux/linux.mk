# ---- Linux: firmware, kernel and init in one program (docs/guide/linux.md) ----
TARGETS += linux linux-smp linux-perf linux-programs linux-record
LINUX_ELF := build/linux/linux.elf
$(LINUX_ELF): $(filter-out %/perf.sh %/perf_start.c %/progress.sh %/smp.config %.py %.mk,$(wildcard scripts/linux/*.* scripts/linux/tip/*)) \
    build/gen/memory_map.h build/gen/csrs.h
	@JOBS=$(JOBS) scripts/linux/build.sh $(@D)
LINUX_SMP_ELF := build/linux/smp/linux.elf
$(LINUX_SMP_ELF): scripts/linux/smp.config $(LINUX_ELF)
	@JOBS=$(JOBS) scripts/linux/build.sh build/linux smp

## linux: fetches and builds firmware, kernel and init for `tipoff linux`: build/linux/linux.elf (5 minutes
##   and 140 MB the first time)
linux: deps-linux
	@$(MAKE) $(BIN) $(LINUX_ELF)

## linux-smp: the same with a kernel of several harts, for `tipoff linux --harts N`: build/linux/smp/linux.elf
##   (4 minutes more the first time)
linux-smp: deps-linux-smp linux
	@$(MAKE) $(LINUX_SMP_ELF)

## linux-perf: perf of the kernel's source package, static for the guest: build/linux/perf (10 MB, 5 minutes the
##   first time): docs/guide/perf.md
linux-perf: deps-linux-perf linux
	@JOBS=$(JOBS) scripts/linux/perf.sh build/linux

## linux-programs: programs of Debian's source packages, pinned, static for RISC-V (20 MB, 20 minutes the first time):
##   docs/results/programs.md
linux-programs: deps-linux-programs linux
	@scripts/programs/build.py

##- linux-record: another hour of Debian's programs on small2, tea4 and wide8 in lockstep, from where the last one
##-   ended, at idle priority: tests/linux/lockstep.tsv
linux-record: deps-linux-record linux-programs
	@$(MAKE) build/small2/$(MODEL_so) build/tea4/$(MODEL_so) build/wide8/$(MODEL_so)
	@chrt -i 0 scripts/programs/record.py
