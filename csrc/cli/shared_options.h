// Options that several commands have: name, letter, argument and words of each stand here, once. Rows of an argp
// table. KEY: what the parser gets; MORE: what a command adds to the words, a literal, or ""; GROUP: argp's.
// tests/cli/test_words.py compares what --help of all commands says.
#ifndef TIPOFF_CLI_SHARED_OPTIONS_H
#define TIPOFF_CLI_SHARED_OPTIONS_H

#include "cli/configurations.h"

#define OPTION_OUTPUT(MORE, GROUP)                                                                                     \
    { "output", 'o', "FILE", 0, "write to FILE instead of stdout" MORE, GROUP }
// NAMES: the first one is what it is without the option.
#define OPTION_FORMAT(KEY, NAMES, GROUP)                                                                               \
    { "format", KEY, "NAME", 0, "output format: " NAMES, GROUP }
#define OPTION_TOP(KEY, MORE, GROUP)                                                                                   \
    { "top", KEY, "N", 0, "rows of a table (default: 20; 0: all" MORE ")", GROUP }
#define OPTION_QUIET(MORE, GROUP)                                                                                      \
    { "quiet", 'q', NULL, 0, "do not print progress and summary" MORE, GROUP }
#define OPTION_JOBS(MORE, GROUP)                                                                                       \
    { "jobs", 'j', "N", 0, "processes at once (default: one for each CPU)" MORE, GROUP }
// DEFAULT: DEFAULT_CONFIGURATION, or what a command needs instead, and why.
#define OPTION_CONFIG(KEY, DEFAULT, GROUP)                                                                             \
    { "config", KEY, "NAME", 0, "core configuration, see `tipoff config` (default: " DEFAULT ")", GROUP }
// OF: which keys, a literal that begins with a colon, or "": all.
#define OPTION_SET(KEY, OF, GROUP)                                                                                     \
    { "set", KEY, "KEY=VALUE", 0, "override a key of the configuration" OF "; may be repeated", GROUP }
#define OPTION_SEED(KEY, OF, GROUP)                                                                                    \
    { "seed", KEY, "N", 0, "seed of " OF " (default: 1)", GROUP }
#define OPTION_INPUT(KEY, GROUP)                                                                                       \
    { "input", KEY, "FILE", 0, "console input of the program (default: none)", GROUP }
#define OPTION_MEMORY(KEY, GROUP)                                                                                      \
    {                                                                                                                  \
        "memory", KEY, "SIZE", 0,                                                                                      \
            "memory of the machine, a power of two from 16M to 2G (default: 256M, or the checkpoint's); memory that "  \
            "the "                                                                                                     \
            "program does not touch takes none of the host's",                                                         \
            GROUP                                                                                                      \
    }
#define OPTION_FILE_ROOT(KEY, GROUP)                                                                                   \
    {                                                                                                                  \
        "file-root", KEY, "FOLDER", 0,                                                                                 \
            "also let the program read files below FOLDER, by system calls of the host (default: below the current "   \
            "folder "                                                                                                  \
            "only); may be repeated",                                                                                  \
            GROUP                                                                                                      \
    }
#define OPTION_RESTORE(KEY, MORE, GROUP)                                                                               \
    { "restore", KEY, "FILE", 0, "start from this checkpoint (see `tipoff iss --checkpoint`)" MORE, GROUP }
#define OPTION_HART_ID(KEY, GROUP)                                                                                     \
    { "hart-id", KEY, "N", 0, "value of mhartid, 0 to 255 (default: 0, or the checkpoint's)", GROUP }
#define OPTION_MAX_STACK(KEY, MORE, GROUP)                                                                             \
    {                                                                                                                  \
        "max-stack", KEY, "N", 0,                                                                                      \
            "maximum number of frames in a call stack; deeper ones lose their middle (default: 127, as in perf; 0: "   \
            "no limit)" MORE,                                                                                          \
            GROUP                                                                                                      \
    }
// Where the ELF files are that a run names.
#define OPTION_PROGRAM(KEY, MORE, GROUP)                                                                               \
    { "program", KEY, "FILE", 0, "ELF file of the program, if it has moved since the run" MORE, GROUP }
#define OPTION_KERNEL(KEY, GROUP)                                                                                      \
    { "kernel", KEY, "FILE", 0, "ELF file of the kernel (vmlinux), likewise, for a run of `tipoff linux`", GROUP }
#define OPTION_FIRMWARE(KEY, GROUP)                                                                                    \
    { "firmware", KEY, "FILE", 0, "ELF file of the firmware, likewise", GROUP }
#define OPTION_DEBUG_DIR(KEY, GROUP)                                                                                   \
    {                                                                                                                  \
        "debug-dir", KEY, "FOLDER", 0,                                                                                 \
            "also search FOLDER for separate debug files (always searched: the ELF file's folder, its .debug, "        \
            "/usr/lib/debug)",                                                                                         \
            GROUP                                                                                                      \
    }
// Slices and regions of a run.
#define OPTION_INTERVAL(KEY, GROUP)                                                                                    \
    {                                                                                                                  \
        "interval", KEY, "N", 0,                                                                                       \
            "instructions of a slice, of all harts together (default: 1000000); a slice ends with a basic block, the " \
            "last "                                                                                                    \
            "one with the program",                                                                                    \
            GROUP                                                                                                      \
    }
// A checkpoint for each region that was found.
#define OPTION_CHECKPOINTS(KEY, GROUP)                                                                                 \
    {                                                                                                                  \
        "checkpoints", KEY, "NAME", 0,                                                                                 \
            "run the program once more, and write NAME.REGION.ckpt where each region begins; for tipoff run "          \
            "--restore",                                                                                               \
            GROUP                                                                                                      \
    }
#define OPTION_CHECKPOINTS_WARMUP(KEY, GROUP)                                                                          \
    {                                                                                                                  \
        "warmup", KEY, "N", 0,                                                                                         \
            "write the checkpoints N instructions and traps before their regions, or where the run begins (default: "  \
            "0)",                                                                                                      \
            GROUP                                                                                                      \
    }
#define OPTION_TABLE(KEY, GROUP)                                                                                       \
    { "table", KEY, "FILE", 0, "table of the core's resources (default: build/NAME/gen/gus.tsv)", GROUP }

#endif
