// Options of `tipoff linux`. By hand: what it does not know is an option of `tipoff run`, which argp would refuse.
#include "cli/linux_options.h"
#include "base/memory_size.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/configurations.h"
#include "cli/run_harts.h"
#include "guest/guest.h"
#include "machine/harts.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// For --help alone.
enum { OPT_FIRST = 256 };
static const struct argp_option options[] = {
    {"iss", OPT_FIRST + 0, NULL, 0, "run on the instruction-set simulator: fast, nothing is measured", 0},
    {"max-insns", OPT_FIRST + 1, "N", 0,
     "end after N instructions (and traps) of program and kernel, with status 124; with --iss", 0},
    {"harts", OPT_FIRST + 2, "N", 0,
     "harts of the machine, 1 to 8, with --iss to 16 (default: 1); more than one need `make linux-smp`, and a --config "
     "whose caches are coherent",
     0},
    {"file", OPT_FIRST + 3, "HOST[:GUEST]", 0, "copy a file into the guest, as /NAME or as GUEST; may be repeated", 0},
    {"env", OPT_FIRST + 4, "NAME=VALUE", 0, "set an environment variable of the program; may be repeated", 0},
    {"memory", OPT_FIRST + 5, "SIZE", 0, "memory of the machine, a power of two from 256M to 2G (default: 256M)", 0},
    {"checkpoint", OPT_FIRST + 6, "FILE", 0,
     "write a checkpoint at the program's first instruction, and exit; with --config NAME: for that core, whose hart "
     "may differ (PMP entries, A and D bits) from " DEFAULT_CONFIGURATION "'s",
     0},
    {"perf", OPT_FIRST + 7, NULL, 0,
     "perf record of the program in the guest, on the core, and perf's report; takes other options: tipoff linux "
     "--perf --help",
     0},
    {0},
};
const char *linux_asks_for_help(char **argv) {
    for (; *argv && strcmp(*argv, "--") != 0; argv++)
        if (!strcmp(*argv, "--help") || !strcmp(*argv, "-h") || !strcmp(*argv, "-?") || !strcmp(*argv, "--usage"))
            return *argv;
    return NULL;
}

void linux_print_help(const char *asked) {
    static const char text[] =
        "Run a RISC-V Linux program under Linux, on a core with every check, or on the ISS alone.\v"
        "Standard input, unless it is a terminal, is copied into the guest before the start; the program's output goes "
        "to standard output and error. A dynamically linked program needs its loader and libraries (--file). All other "
        "options are those of `tipoff run`, which starts at the program's first instruction.\n\n"
        "Exit status: the program's; 128 and the signal's number when one killed it (stderr says where); 127 what "
        "starts it is not in the guest; 126 it cannot be executed; 5 when the kernel panicked; 124 when --max-insns or "
        "--max-cycles ran out; others as `tipoff run`.";
    const struct argp argp = {.options = options, .args_doc = "[OPTION OF RUN...] -- PROGRAM [ARG...]", .doc = text};
    static char name[] = "linux";
    char *argv[] = {name, (char *)asked, NULL};
    parse_command(&argp, "linux", 2, argv, NULL);
}

static bool usage(const char *what, const char *text) {
    fprintf(stderr, "tipoff linux: %s%s\nTry `tipoff linux --help' for more information.\n", what, text);
    return false;
}

static bool good_variable(const char *text) {
    if (strchr(text, '=') && text[0] != '=') return true;
    return usage("--env needs NAME=VALUE, with a name: ", text);
}

static bool good_memory(const char *text, uint64_t *bytes) {
    char least[MEMORY_SIZE_TEXT];
    struct error why;
    if (!memory_size_parse(text, bytes, &why)) return usage("--memory ", why.text);
    if (*bytes >= GUEST_LEAST_MEMORY) return true;
    fprintf(stderr, "tipoff linux: --memory %s: too little for Linux: at least %s\n", text,
            memory_size_text(GUEST_LEAST_MEMORY, least));
    return false;
}

// HOST[:GUEST]: what a guest could only refuse once it has booted is refused here.
static bool good_file(const char *text) {
    const char *colon = strchr(text, ':');
    const char *guest = colon ? colon + 1 : text, *end = guest + strlen(guest);
    if (colon == text || !*text) return usage("--file names no file of this machine: ", text);
    if (colon && !*guest) return usage("--file names no file of the guest after the colon: ", text);
    if (end[-1] == '/') return usage("--file needs the name of a file, not of a folder: ", text);
    for (const char *part = guest; part < end; part += strcspn(part, "/") + 1) {
        size_t length = strcspn(part, "/");
        if ((length == 1 && part[0] == '.') || (length == 2 && part[0] == '.' && part[1] == '.')) {
            if (colon) return usage("--file needs a path of the guest without . and ..: ", text);
        }
    }
    return true;
}

const char *linux_option_value(const char *name, char **argv, int *i, int end) {
    size_t length = strlen(name);
    if (!argv[*i] || strncmp(argv[*i], name, length) != 0) return NULL;
    if (argv[*i][length] == '=') return argv[*i] + length + 1;
    if (argv[*i][length] != '\0' || *i + 1 >= end) return NULL;
    return argv[++*i];
}

// From 1 to `most`.
static bool number(const char *text, uint64_t most, uint64_t *value) {
    char *rest;
    errno = 0;
    *value = strtoull(text, &rest, 0);
    return !errno && rest != text && !*rest && *text != '-' && *value && *value <= most;
}

// What is none of its own is an option of run, or a mistake, which is reported before anything is booted.
static bool check_run_words(const struct linux_options *o) {
    static char restore[] = "--restore=-", harts[] = "--harts=1"; // what a run gets beside them
    char **argv = calloc((size_t)o->run_count + 4, sizeof *argv);
    if (!argv) return usage("out of memory", "");
    memcpy(argv + 1, o->run, (size_t)o->run_count * sizeof *argv);
    argv[0] = restore;
    argv[o->run_count + 1] = restore;
    argv[o->run_count + 2] = harts;
    run_check_words("linux", o->run_count + 3, argv);
    free(argv);
    return true;
}

bool linux_options_perf(int *argc, char **argv) {
    int i = 1;
    while (i < *argc && strcmp(argv[i], "--perf") != 0 && strcmp(argv[i], "--") != 0)
        i++;
    if (i == *argc || strcmp(argv[i], "--perf") != 0) return false;
    memmove(argv + i, argv + i + 1, (size_t)(*argc - i) * sizeof *argv); // with the NULL at its end
    --*argc;
    return true;
}

bool linux_options_parse(int argc, char **argv, struct linux_options *o) {
    int end = 1;
    for (; end < argc && strcmp(argv[end], "--") != 0; end++)
        o->iss = o->iss || strcmp(argv[end], "--iss") == 0;
    for (int i = 1; i < end; i++) {
        const char *value;
        if (strcmp(argv[i], "--iss") == 0) {
            continue;
        } else if (o->iss &&
                   (value = linux_option_value("--max-insns", argv, &i, end))) { // a core's is an option of run
            if (!number(value, UINT64_MAX, &o->most)) return usage("--max-insns needs a number, at least 1: ", value);
        } else if ((value = linux_option_value("--harts", argv, &i, end))) {
            if (!number(value, MACHINE_MOST_HARTS, &o->harts)) return usage("--harts needs a number, 1 to 16: ", value);
        } else if ((value = linux_option_value("--file", argv, &i, end))) {
            if (o->file_count == LINUX_FILES) return usage("too many --file: ", value);
            if (!good_file(value)) return false;
            o->files[o->file_count++] = value;
        } else if ((value = linux_option_value("--env", argv, &i, end))) {
            if (o->env_count == LINUX_FILES) return usage("too many --env: ", value);
            if (!good_variable(value)) return false;
            o->env[o->env_count++] = value;
        } else if ((value = linux_option_value("--memory", argv, &i, end))) {
            if (!good_memory(value, &o->memory)) return false;
        } else if ((value = linux_option_value("--checkpoint", argv, &i, end))) {
            o->checkpoint = value;
        } else {
            o->run[o->run_count++] = argv[i];
        }
    }
    if (!check_run_words(o)) return false;
    if (o->most && o->checkpoint)
        return usage("--checkpoint and --max-insns: leave one out: a checkpoint ends before the program runs", "");
    if (!o->iss && o->harts > RUN_HARTS_MOST)
        return usage("--harts: cores have 8 at most: add --iss, or leave it out", "");
    o->program = argv + end + 1;
    if (end + 1 >= argc) return usage("name a program after --: tipoff linux [OPTION...] -- PROGRAM [ARG...]", "");
    for (int i = 0; (o->iss || o->checkpoint) && i < o->run_count; i++) {
        const char *option = o->run[i];
        if (o->iss || !linux_option_value("--config", o->run, &i, o->run_count))
            return usage("an option of `tipoff run`, which does not run here: ", option);
    }
    return true;
}
