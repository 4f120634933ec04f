// The place, the jump that led there, and the calls around it, by the program's debug information.
#include "cli/linux_killed.h"
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

static void print_place(const struct program *program, uint64_t address) {
    struct program_inline calls[1];
    unsigned line = 0;
    const char *file = program_source(program, address, &line);
    const char *function = program_function_at(program, address)->name;
    const bool inlined = program_inlines(program, address, calls, 1) > 0;
    fprintf(stderr, "%s", inlined ? calls[0].function : function);
    if (inlined) fprintf(stderr, " (in %s)", function);
    if (file) fprintf(stderr, ", %s:%u", file, line);
}

static void print_calls(const struct program *program, const char *path, const struct last_calls *found) {
    if (found->count) fprintf(stderr, "tipoff: %s: called from: ", path);
    for (size_t i = 0; i < found->count; i++) {
        if (i) fputs("; ", stderr);
        print_place(program, found->calls[i]);
    }
    if (found->count) fputs(found->more ? "; ...\n" : "\n", stderr);
}

void linux_killed_print(const char *path, uint64_t note, int status, last_calls_machine *again, void *context) {
    // Outside of the program's file: by a jump there that ends so.
    const bool wild = !note && (status == 128 + SIGSEGV || status == 128 + SIGILL || status == 128 + SIGBUS);
    struct error no_matter;
    struct program *program = note || wild ? program_load_guest(path, &no_matter) : NULL;
    if (program && (wild || program_find(program, note) != PROGRAM_NONE)) {
        if (note) {
            fprintf(stderr, "tipoff: %s: there: ", path);
            print_place(program, note);
            fputc('\n', stderr);
        }
        const struct last_calls found = last_calls_find(again, context, path, program, note);
        if (found.from) {
            fprintf(stderr, "tipoff: %s: it went there from: ", path);
            print_place(program, found.from);
            fputc('\n', stderr);
        }
        print_calls(program, path, &found);
    }
    program_destroy(program);
}
