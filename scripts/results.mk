# What measures, and writes pages of docs/.
.PHONY: results-age
results-age: ## how far the inputs of each page of docs/results have moved since it was measured (tables/results_pages.tsv)
	@$(PYTHON) scripts/results_age.py


programs-measured: linux-programs ## the figures of docs/results/programs.md: a region of each on tea4 with every check, then the changes (half an hour)
	@$(MAKE) build/tea4/$(MODEL_so)
	@scripts/programs/measure.py
	@scripts/programs/measure.py --changes

advice: build ## the figures of docs/results/advice.md: ten programs before and after what the report advises, on tea4 (two minutes)
	@$(MAKE) build/tea4/$(MODEL_so)
	@scripts/advice.py --write

paths: build ## how often branch histories tell the path to an instruction, from the hardware's samples on full2, written to docs/guide/profileme-software.md (ten minutes; what was run is not run again)
	@$(MAKE) build/full2/$(MODEL_so)
	@scripts/paths.py --write

verdicts: build kernels ## TEA's stacks, top-down and Gus against what changes of the core gain, on the small workloads and thirty kernels on small2 and tea4, written to docs/results/verdicts.md (an hour; goes on where it ended)
	@scripts/gus/verdicts.py --jobs $(JOBS) --write

SENSITIVITY_CONFIGS := narrow1 rob16 ahead2 tea4 wide8
cases: linux-programs ## the case studies of docs/results/cases.md on tea4: what the report and its rivals say, the change, the gain (a quarter of an hour; what was run is not run again)
	@$(MAKE) build build/tea4/$(MODEL_so)
	@for side in before after; do [ -f build/linux/programs/mawk-$$side/tea4.json ] || { scripts/programs/measure.py --changes --only mawk; break; }; done
	@scripts/cases/cases.py --write

sensitivity: build ## counts of events against exposed time, what events explain, errors on other cores, written to docs/results/sensitivity.md (an hour; goes on where it ended); QUICK=1: short programs, minutes
	@$(if $(QUICK),,$(MAKE) $(SENSITIVITY_CONFIGS:%=build/%/$(MODEL_so)))
	@scripts/evaluation/sensitivity.py --set $(if $(QUICK),quick,full)

.PHONY: test-resources
test-resources: build build/small2/$(MODEL_so) ## programs that one step of `tipoff sensitivity` alone makes faster on small2, each against all steps (an hour; builds some thirty models)
	@tests/sensitivity/test_resources.py

MEASURED_CONFIGS ?= small2 tea4 wide8
.PHONY: instruction-tables
instruction-tables: build $(MEASURED_CONFIGS:%=build/%/$(MODEL_so)) ## latency, throughput and resources of every instruction, measured on MEASURED_CONFIGS (small2 tea4 wide8): tables/measured, docs/results/instruction-tables.md (minutes)
	@for config in $(MEASURED_CONFIGS); do echo "  MEASURE $$config"; scripts/instruction_tables/measure.py --config $$config || exit 1; done
	@scripts/instruction_tables/document.py --measured

bench: build ## measure speed and IPC, write docs/results/benchmarks.md
	@$(PYTHON) scripts/bench.py

evaluation: build ## errors of all profilers on all workloads, against chance and what was published, written to docs/results/evaluation.md (hours; goes on where it ended); QUICK=1: short programs, minutes
	@scripts/evaluation/evaluate.py --set $(if $(QUICK),quick,full)

pooling: build ## errors of samples pooled by block or with counts, jittered and by the golden ratio, written to docs/results/pooling.md (ten minutes)
	@scripts/evaluation/evaluate.py --set pooling

kernels: deps ## thirty computations, also transformed by hand, compiled with several flags: 500 micro-benchmarks in build/kernels (tests/kernels/kernels.tsv)
	@$(PYTHON) tests/kernels/kernels.py --rules build/kernels/rules.mk
	@$(MAKE) -j$(JOBS) -f tests/kernels/kernels.mk

GUS_CONFIGS := small2 tea4 wide8
gus-evaluation: build kernels ## cycles of Gus and of llvm-mca against the core's on all kernels, written to docs/results/gus-evaluation.md (half an hour; goes on where it ended); QUICK=1: a dozen of them, printed
	@$(if $(QUICK),,$(MAKE) $(GUS_CONFIGS:%=build/%/$(MODEL_so)))
	@scripts/gus/evaluate.py --jobs $(JOBS) $(if $(QUICK),--sample --config small2 tea4,--config $(GUS_CONFIGS) --write)

mix-evaluation: build kernels ## the rule of hybrid basic block profiling learned on the kernels, and errors of mixes on the workloads, written to tables/hbbp.tsv and docs/guide/mix.md (half an hour; goes on where it ended)
	@scripts/hbbp/train.py --write
	@$(MAKE) $(BIN)
	@scripts/hbbp/evaluate.py --config $(CONFIGS) --write

evaluation-linux: build ## the same of regions of the programs of `make linux-programs`, written to docs/results/evaluation-linux.md (minutes)
	@scripts/evaluation/evaluate.py --set linux

widths: build ## cycles of the workloads on small2, tea4 and wide8, written to docs/results/widths.md: which program is slower on the wider core
	@$(MAKE) build/wide8/$(MODEL_so)
	@scripts/widths.py --configs small2,tea4,wide8 --document

COST_CONFIG ?= small2
cost: build ## what each check costs, in instructions a cycle, counted by valgrind (ten minutes)
	@$(MAKE) MARCH=x86-64-v3 build/bin/tipoff-x86-64-v3 build/$(COST_CONFIG)/model-x86-64-v3.so
	@scripts/cost.py --config $(COST_CONFIG)

overhead: deps ## what the profiling units cost in real cells, written to docs/results/overhead.md: flip-flops, area, longest paths (half an hour the first time; goes on where it ended); FULL=1: whole cores, tea4, and power by a waveform (make build first), too
	@$(MAKE) gen
	@scripts/overhead/overhead.py
	@scripts/overhead/overhead.py --fpga
	@scripts/overhead/overhead.py --cores $(if $(FULL),--full)
	@$(if $(FULL),scripts/overhead/overhead.py --power)
