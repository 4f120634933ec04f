// The options of `tipoff run`: names, values, what --help says of them.
#include "cli/run_options_table.h"
#include "cli/command_line.h"
#include "cli/run_options.h"
#include "cli/shared_options.h"

const struct argp_option run_option_table[] = {
    OPTION_CONFIG(OPT_CONFIG, DEFAULT_CONFIGURATION ", or --model's", 1),
    {"model", OPT_MODEL, "FILE", 0, "model to load instead of the configuration's", 1},
    OPTION_SET(OPT_SET, ": of l2, llc, dram or clock", 1),
    {"max-cycles", OPT_MAX_CYCLES, "N", 0, "end after N cycles, with status 124", 1},
    {"max-insns", OPT_MAX_INSNS, "N", 0,
     "end after N instructions, with status 124; with --harts when one hart has had N", 1},
    OPTION_INPUT(OPT_INPUT, 1),
    OPTION_FILE_ROOT(OPT_FILE_ROOT, 1),
    OPTION_HART_ID(OPT_HART_ID, 1),
    {"harts", OPT_HARTS, "N|NAME,...", 0,
     "harts of the machine, 1 to 8 (default: 1, or the checkpoint's), that share memory and devices; or one of each "
     "named "
     "configuration, hart 0's first. Each has files of its own: FILE.json becomes FILE.hart0.json and so on",
     1},
    OPTION_MEMORY(OPT_MEMORY, 1),
    OPTION_RESTORE(OPT_RESTORE, "; PROGRAM is optional then; in lockstep from the first instruction", 1),
    {"from-reset", OPT_FROM_RESET, NULL, 0,
     "with --restore: also sample, profile and count the code that restores the machine's state", 1},
    {"sample-from", OPT_SAMPLE_FROM, "C|PLACE[:N]", 0,
     "start to measure at this cycle, or at the first (N-th) commit of the instruction at PLACE (0xADDRESS, SYMBOL or "
     "SYMBOL+BYTES): samples, profiles, counts, cycles and instructions start there; with --harts an execution on any "
     "of them counts, and all start together, up to 8 cycles later",
     1},
    {"sample-to", OPT_SAMPLE_TO, "C|PLACE[:N]", 0,
     "stop before this cycle, or before the next commit at PLACE (with N: the N-th commit of the run), and exit with "
     "status 124. The cycle itself is not measured: adjacent regions share no cycle",
     1},
    {"warmup", OPT_WARMUP, "N", 0,
     "run N instructions first, of all harts together, fully checked but not measured, to warm up caches, TLBs and "
     "predictors",
     1},
    {"warm", OPT_WARM, "all|memory", 0,
     "with --restore: first fill the caches by the last accesses that the checkpoint has recorded (`tipoff iss "
     "--accesses`): all of them, or L2 and LLC alone",
     1},
    {"period", OPT_PERIOD, "N|program|none", 0,
     "sample every N cycles on average (see --jitter), or whenever the program's own sampling counter overflows, or "
     "never (default: with --samples, and where nothing but the program is named, 97, to PROGRAM.tips in the current "
     "folder then, PROGRAM.tips of before becomes PROGRAM.tips.old; else none)",
     2},
    {"jitter", OPT_JITTER, "BITS|none", OPTION_ARG_OPTIONAL,
     "vary each period by a random number below 2^BITS cycles, so that it cannot keep step with a loop (default: the "
     "greatest power of two in the period that leaves 16 cycles between samples); none: every period is N cycles",
     2},
    {"jitter-kind", OPT_JITTER_KIND, "KIND", 0,
     "random (default); golden: no random numbers: trigger K comes after K periods plus the fractional part of K "
     "times the golden "
     "ratio, times 2^BITS cycles (default: the greatest power of two in the period), so that triggers spread evenly "
     "through every loop; fractional: the period and the golden ratio of a cycle (takes no BITS)",
     2},
    OPTION_SEED(OPT_SEED, "the jitter, of the intervals of --profileme, and of memories that reset does not clear", 2),
    {"count", OPT_COUNT, "EVENT[:MODES],...", 0,
     "count these events with the core's hardware counters, in all modes or only in those given by the letters m, s, "
     "u; `--count help` lists the events. topdown: ten events, and what all dispatch slots were used for, "
     "levels 1 and 2",
     2},
    {"profileme", OPT_PROFILEME, "INTERVAL[,KEY=VALUE,...]", 0,
     "also sample instructions with ProfileMe: one in INTERVAL fetched instructions, followed from fetch until it "
     "retires or is squashed. jitter=BITS: randomize the BITS low bits of each interval; pairs=WINDOW: also sample a "
     "second one, 1 to WINDOW (a power of two) instructions later; count=opportunities: INTERVAL counts fetch slots. "
     "See `tipoff profileme`",
     2},
    {"samples", OPT_SAMPLES, "FILE", 0, "write samples and profiles (.tips) to FILE", 3},
    {"stats", OPT_STATS, "FILE", 0, "write statistics (JSON) to FILE", 3},
    {"profile", OPT_PROFILE, "FILE", 0, "write the Oracle's profile (CSV) to FILE", 3},
    {"dump-memory", OPT_DUMP_MEMORY, "SYMBOL[:BYTES]=FILE", 0,
     "write this part of memory at the end of the program, with the dirty lines of the data cache; may be repeated", 3},
    {"trace", OPT_TRACE, "FILE", 0, "write the commit bundle of every cycle to FILE", 3},
    {"trace-format", OPT_TRACE_FORMAT, "bin|csv", 0, "format of the trace (default: bin)", 3},
    {"kanata", OPT_KANATA, "FILE", 0, "write the pipeline view (Kanata log) for Konata to FILE", 3},
    {"trace-from", OPT_TRACE_FROM, "C|PLACE[:N]|sample:N", 0,
     "first cycle of trace and pipeline view: a number, the first (N-th) commit of the instruction at PLACE "
     "(0xADDRESS, "
     "SYMBOL or SYMBOL+BYTES), or the cycle after a sample (default: 0)",
     3},
    {"trace-to", OPT_TRACE_TO, "C|PLACE[:N]|sample:N", 0,
     "last cycle of trace and pipeline view: a number, the next commit at PLACE (with N: the N-th of the run), or the "
     "cycle of a sample (default: the end of the run)",
     3},
    {"around", OPT_AROUND, "POSITION[,CYCLES]", 0,
     "write trace, pipeline view and waveforms from CYCLES (default: 200) before POSITION to CYCLES after it, and exit "
     "with status 124; POSITION is C, PLACE[:N], sample:N or PLACE@sample:N, the N-th sample that names "
     "the instruction at PLACE. An extra run without checks finds its cycle first",
     3},
    {"failure-checkpoint", OPT_FAILURE_CHECKPOINT, "FILE", 0,
     "when a check fails, write a checkpoint from some thousand instructions before the failure (default: to a new "
     "file in $TMPDIR or /tmp, after the first million instructions; --worker replay-checkpoint:on=no: none)",
     4},
    {"worker", OPT_WORKER, "NAME[:KEY=VALUE,...]", 0,
     "also run this check, tracer or counter, or set its keys; may be repeated; `tipoff workers` lists them", 4},
    {"no-cosim", OPT_NO_COSIM, NULL, 0, "do not run in lockstep with the ISS, nor run the checks that need it", 4},
    {"no-oracle", OPT_NO_ORACLE, NULL, 0, "do not cross-check with the Oracle, nor run the rival profilers", 4},
    {"skip", OPT_SKIP, "check", OPTION_ARG_OPTIONAL,
     "do not simulate the cycles in which the core is idle, but for the last of them: all files stay the same, and "
     "waits "
     "for a timer take a fraction of the time. check: simulate them, too, and fail where skipping them would have made "
     "a "
     "difference",
     4},
    {"no-call-graph", OPT_NO_CALL_GRAPH, NULL, 0,
     "do not record call stacks: no callers in samples and profiles (short for --worker call-stacks:on=no)", 4},
    {"snippets", OPT_SNIPPETS, "N", 0,
     "record the N hottest instructions' passage through the pipeline in the sample file, for the HTML report (short "
     "for "
     "--worker snippets:hottest=N)",
     4},
    {"threads", OPT_THREADS, "auto|N", 0,
     "2: run checks and tracers in a second thread; 1: in the model's thread. With --harts: run them side by side in N "
     "threads, 1 to their number; one more is that of checks and tracers. Files and messages are the same (default: "
     "auto: as "
     "many as the process may use CPUs)",
     4},
    {"fst", OPT_FST, "FILE", 0,
     "write waveforms (FST) to FILE; the model with waveforms, model-fst.so, is built when it is first needed", 5},
    {"fst-from", OPT_FST_FROM, "C|PLACE[:N]|sample:N", 0,
     "first cycle of the waveforms, as for --trace-from; for a commit, the cycle after it (default: 0)", 5},
    {"fst-to", OPT_FST_TO, "C|PLACE[:N]|sample:N", 0,
     "last cycle of the waveforms, as for --trace-to (default: the end of the run)", 5},
    OPTION_QUIET(", nor the report", 6),
    {0},
};
