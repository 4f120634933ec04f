// tipoff: finds the command and hands over.
#include "cli/cli.h"
#include "version.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text;
} commands[] = {
    {"run", cmd_run, "simulate a program on a core, check every cycle, sample, report"},
    {"report", cmd_report, "show where the time of a run went, and why"},
    {"samples", cmd_samples, "list every sample of a run"},
    {"results", cmd_results, "list what a run can leave besides samples, what files have of it, and its rows"},
    {"compare", cmd_compare, "compare each profiler with the Oracle"},
    {"diff", cmd_diff, "show what differs between two runs beyond chance"},
    {"profileme", cmd_profileme, "show from ProfileMe's records how often, how long and why, by instruction"},
    {"trace", cmd_trace, "read a binary trace"},
    {"import", cmd_import, "read another core's pipeline trace: the time of each instruction, and its profilers"},
    {"iss", cmd_iss, "run a program on the golden instruction-set simulator alone"},
    {"gus", cmd_gus, "estimate cycles by a model of resources, and which of them limit a program"},
    {"mix", cmd_mix, "count executions by kind of instruction, exactly or from samples and branch records"},
    {"bbv", cmd_bbv, "show what a program executes, slice by slice, as vectors of basic blocks"},
    {"regions", cmd_regions, "find the slices of a long program that stand for all of it"},
    {"litmus", cmd_litmus, "run litmus tests, and show which states the memory model of RISC-V allows"},
    {"sensitivity", cmd_sensitivity, "run a program on cores that differ in one step, and show what each gains"},
    {"linux", cmd_linux, "run a Linux program under Linux, on a core or on the ISS"},
    {"sweep", cmd_sweep, "run programs x configurations x periods x keys, and make one table of them"},
    {"config", cmd_config, "list the core configurations and their keys"},
    {"workloads", cmd_workloads, "list the programs in build/workloads"},
    {"workers", cmd_workers, "list the checks, profilers and tracers of a run, and their keys"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

// What perf and pprof call it, and what it is here.
static const struct {
    const char *name, *here;
} elsewhere[] = {
    {"record", "tipoff run --period N --samples FILE PROGRAM"},
    {"stat", "tipoff run --count EVENTS PROGRAM"},
    {"annotate", "tipoff report --annotate=FUNCTION FILE"},
    {"script", "tipoff samples FILE; in perf's form: tipoff report --format perf-script FILE"},
    {"list", "tipoff run --count help; source lines of a function: tipoff report --annotate=FUNCTION FILE"},
    {"top", "tipoff report FILE"},
    {"mem", "tipoff report --by data FILE"},
    {"c2c", "tipoff report --by data FILE"},
    {"evlist", "tipoff samples FILE"},
    {"buildid-list", "tipoff samples FILE"},
    {"kvm", "tipoff linux -- PROGRAM"},
    {"flamegraph", "tipoff report --format flamegraph FILE"},
    {"peek", "tipoff report --callers=FUNCTION FILE, or --callees"},
    {"tree", "tipoff report --children FILE"},
    {"traces", "tipoff report --format folded FILE"},
    {"raw", "tipoff samples FILE"},
    {"proto", "tipoff report --format pprof FILE"},
    {"callgrind", "tipoff report --format callgrind FILE"},
    {"web", "tipoff report --format html FILE"},
};

static void usage(FILE *out) {
    fputs("Usage: tipoff COMMAND [OPTION...]\n"
          "Which instruction takes the time on an out-of-order core, and why.\n\n",
          out);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-12s %s\n", commands[i].name, commands[i].text);
    fputs("\n`tipoff COMMAND --help`, or `tipoff help COMMAND`, lists the options of a command.\n", out);
}

// Edits from a to b: insertions, deletions, replacements (Levenshtein).
static size_t distance(const char *a, const char *b) {
    enum { LONGEST = 31 };
    size_t row[LONGEST + 1], n = strlen(b);
    if (n > LONGEST || strlen(a) > LONGEST) return LONGEST;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t replace = diagonal + (a[i - 1] != b[j - 1]);
            size_t least = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            diagonal = row[j];
            row[j] = least < replace ? least : replace;
        }
    }
    return row[n];
}

// Near is a third of its letters: `tip` is not near `run`, nor `record` near `report`.
static int unknown(const char *name) {
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        if (strcmp(name, elsewhere[i].name) != 0) continue;
        fprintf(stderr, "tipoff: %s: no such command: here it is: %s\n", name, elsewhere[i].here);
        return STATUS_BAD_INPUT;
    }
    const struct command *nearest = &commands[0];
    for (size_t i = 1; i < COMMANDS; i++) {
        if (distance(name, commands[i].name) < distance(name, nearest->name)) nearest = &commands[i];
    }
    fprintf(stderr, "tipoff: %s: no such command:", name);
    if (3 * distance(name, nearest->name) <= strlen(name) + 1) fprintf(stderr, " did you mean '%s'?", nearest->name);
    fputs(" `tipoff --help` lists them\n", stderr);
    return STATUS_BAD_INPUT;
}

int main(int argc, char **argv) {
    cli_start();
    if (argc < 2) {
        usage(stderr);
        return STATUS_BAD_INPUT;
    }
    bool help = !strcmp(argv[1], "help");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || (help && argc == 2)) {
        usage(stdout);
        return EXIT_SUCCESS;
    }
    if (help && argc > 3) {
        fprintf(stderr, "tipoff: help: unexpected argument '%s'\n", argv[3]);
        return STATUS_BAD_INPUT;
    }
    if (!strcmp(argv[1], "--version")) {
        puts("tipoff " TIPOFF_VERSION);
        return EXIT_SUCCESS;
    }
    const char *name = argv[help ? 2 : 1];
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(name, commands[i].name) != 0) continue;
        char *asks[] = {(char *)name, "--help", NULL};
        return help ? commands[i].run(2, asks) : commands[i].run(argc - 1, argv + 1);
    }
    return unknown(name);
}
