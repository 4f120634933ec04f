# What measures, and writes pages of docs/.
TARGETS += results-age programs-measured advice paths verdicts cases counts-and-time test-resources instruction-tables bench evaluation pooling \
           kernels gus-evaluation mix-evaluation evaluation-linux widths cost overhead fresh \
           regions regions-harts

##- results-age: how far the inputs of each page of docs/results have moved since it was measured (tables/results_pages.tsv)
results-age: deps-results-age
	@$(PYTHON) scripts/results_age.py

##- programs-measured: the figures of docs/results/programs.md: a region of each on tea4 with every check, then the changes (half
##-   an hour)
programs-measured: deps-programs-measured linux-programs
	@$(MAKE) build/tea4/$(MODEL_so)
	@scripts/programs/measure.py
	@scripts/programs/measure.py --changes

##- advice: the figures of docs/results/advice.md: ten programs before and after what the report advises, on tea4 (two
##-   minutes)
advice: deps-advice build
	@$(MAKE) build/tea4/$(MODEL_so)
	@scripts/advice.py --write

##- paths: how often branch histories give the path to an instruction, from the hardware's samples on full2,
##-   written to docs/guide/profileme-software.md (ten minutes; what was run is not run again)
paths: deps-paths build
	@$(MAKE) build/full2/$(MODEL_so)
	@scripts/paths.py --write

##- verdicts: TEA's stacks, top-down and Gus against what changes of the core gain, on the small workloads and
##-   thirty kernels on small2 and tea4, written to docs/results/verdicts.md (an hour; goes on where it ended)
verdicts: deps-verdicts build kernels
	@scripts/gus/verdicts.py --jobs $(JOBS) --write

COUNTS_CONFIGS := narrow1 rob16 ahead2 tea4 wide8
##- cases: the case studies of docs/results/cases.md on tea4: what the report and its rivals say, the change, the gain
##-   (a quarter of an hour; what was run is not run again)
cases: deps-cases linux-programs
	@$(MAKE) build build/tea4/$(MODEL_so)
	@for side in before after; do [ -f build/linux/programs/mawk-$$side/tea4.json ] || { scripts/programs/measure.py --changes --only mawk; break; }; done
	@scripts/cases/cases.py --write

##- counts-and-time: counts of events against exposed time, what events explain, errors on other cores, written to
##-   docs/results/counts-and-time.md (an hour; goes on where it ended); QUICK=1: short programs, minutes
counts-and-time: deps-counts-and-time build
	@$(if $(QUICK),,$(MAKE) $(COUNTS_CONFIGS:%=build/%/$(MODEL_so)))
	@scripts/evaluation/counts_and_time.py --set $(if $(QUICK),quick,full)

##- test-resources: programs that one step of `tipoff sensitivity` alone makes faster on small2, each against all steps
##-   (an hour; builds some thirty models)
test-resources: deps-test-resources build build/small2/$(MODEL_so)
	@tests/sensitivity/test_resources.py

MEASURED_CONFIGS ?= small2 tea4 wide8
##- instruction-tables: latency, throughput and resources of every instruction, measured on MEASURED_CONFIGS (small2 tea4
##-   wide8): tables/measured, docs/results/instruction-tables.md (minutes)
instruction-tables: deps-instruction-tables build $(MEASURED_CONFIGS:%=build/%/$(MODEL_so))
	@for config in $(MEASURED_CONFIGS); do echo "  MEASURE $$config"; scripts/instruction_tables/measure.py --config $$config || exit 1; done
	@scripts/instruction_tables/document.py --measured

##- bench: measure speed and IPC, write docs/results/benchmarks.md
bench: deps-bench build
	@$(PYTHON) scripts/bench.py

##- evaluation: errors of all profilers on all workloads, against chance and what was published, written to
##-   docs/results/evaluation.md (hours; goes on where it ended); QUICK=1: short programs, minutes
evaluation: deps-evaluation build
	@scripts/evaluation/evaluate.py --set $(if $(QUICK),quick,full)

##- pooling: errors of samples pooled by block or with counts, jittered and by the golden ratio, written to
##-   docs/results/pooling.md (ten minutes)
pooling: deps-pooling build
	@scripts/evaluation/evaluate.py --set pooling

## kernels: thirty computations, also transformed by hand, compiled with several flags: 500 micro-benchmarks in
##   build/kernels (a minute)
kernels: deps-kernels
	@$(PYTHON) tests/kernels/kernels.py --rules build/kernels/rules.mk
	@$(MAKE) -j$(JOBS) -f tests/kernels/kernels.mk $(KERNEL_GOAL)

GUS_CONFIGS := small2 tea4 wide8
##- gus-evaluation: cycles of Gus and of llvm-mca against the core's on all kernels, written to docs/results/gus-evaluation.md
##-   (half an hour; goes on where it ended); QUICK=1: a dozen of them, printed
gus-evaluation: deps-gus-evaluation build kernels
	@$(if $(QUICK),,$(MAKE) $(GUS_CONFIGS:%=build/%/$(MODEL_so)))
	@scripts/gus/evaluate.py --jobs $(JOBS) $(if $(QUICK),--sample --config small2 tea4,--config $(GUS_CONFIGS) --write)

##- mix-evaluation: the rule of hybrid basic block profiling learned on the kernels, and errors of mixes on the
##-   workloads, written to tables/hbbp.tsv and docs/guide/mix.md (half an hour; goes on where it ended)
mix-evaluation: deps-mix-evaluation build kernels
	@scripts/hbbp/train.py --write
	@$(MAKE) $(BIN)
	@scripts/hbbp/evaluate.py --config $(CONFIGS) --write

##- evaluation-linux: the same of regions of the programs of `make linux-programs`, written to docs/results/evaluation-linux.md
##-   (minutes)
evaluation-linux: deps-evaluation-linux build
	@scripts/evaluation/evaluate.py --set linux

##- widths: cycles of the workloads on small2, tea4 and wide8, written to docs/results/widths.md: which program is
##-   slower on the wider core
widths: deps-widths build
	@$(MAKE) build/wide8/$(MODEL_so)
	@scripts/widths.py --configs small2,tea4,wide8 --document

COST_CONFIG ?= small2
##- cost: what each check costs, in instructions a cycle, counted by valgrind (ten minutes)
cost: deps-cost build
	@$(MAKE) MARCH=x86-64-v3 build/bin/tipoff-x86-64-v3 build/$(COST_CONFIG)/model-x86-64-v3.so
	@scripts/cost.py --config $(COST_CONFIG)

##- overhead: what the profiling units cost in real cells, written to docs/results/overhead.md: flip-flops, area, longest
##-   paths (half an hour the first time; goes on where it ended); FULL=1: whole cores, tea4, and power by
##-   a waveform (make build first), too
overhead: deps-overhead
	@$(MAKE) gen
	@scripts/overhead/overhead.py
	@scripts/overhead/overhead.py --fpga
	@scripts/overhead/overhead.py --cores $(if $(FULL),--full)
	@$(if $(FULL),scripts/overhead/overhead.py --power)

##- fresh: what `make run` costs on a Debian 12 of nothing but its base system, git and make: docs/results/fresh.md (as
##-   root; half an hour)
fresh: deps-fresh
	@scripts/fresh.sh --page docs/results/fresh.md

##- regions-harts: what regions project of parallel kernels of 8 harts on the fast model, written to
##-   docs/results/regions-harts.md (an hour; goes on where it ended)
regions-harts: deps-regions-harts build
	@$(MAKE) -j$(JOBS) build/tea4c/gen/.stamp $(foreach k,$(PARALLEL_KERNELS),build/parallel/$(k).medium.elf build/parallel/$(k).medium.passive.elf)
	@scripts/regions/harts.py --jobs $(JOBS) --write

REGIONS_CONFIG ?= small2
##- regions: what regions project of full runs of the large workloads on REGIONS_CONFIG (small2), written to
##-   docs/results/regions-rtl.md (two hours; goes on where it ended, program by program)
regions: deps-regions build $(WORKLOADS:%=build/workloads/%.large.elf)
	@$(MAKE) build/$(REGIONS_CONFIG)/$(MODEL_so)
	@scripts/regions/reference.py --config $(REGIONS_CONFIG) $(WORKLOADS:%=%.large)
	@scripts/regions/document.py --config $(REGIONS_CONFIG) --write
