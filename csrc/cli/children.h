// Processes side by side: commands of this program that measure something each.
#ifndef TIPOFF_CLI_CHILDREN_H
#define TIPOFF_CLI_CHILDREN_H

#include "base/error.h"
#include <stdbool.h>
#include <sys/types.h>

struct child {
    char **argv; // "tipoff", "run", ..., NULL: of child_word
    size_t words, capacity;
    bool no_memory; // a word is missing
    double work;    // how long it takes, in any unit that is the same for all: for the time left
    // Out:
    int status;     // exit status; 128 and the number of a signal that ended it; -1: it did not run
    char said[256]; // its last line on stderr, without "tipoff: "
};

struct children {
    struct child *list;
    size_t count;
    unsigned jobs;    // at once, 1 or more
    const char *what; // "regions"
    size_t before;    // of them that had ended earlier, for the line on a terminal
    bool quiet;
    // Called as each ends, where not NULL. False: start no other one.
    bool (*ended)(void *context, size_t which);
    void *context;
};

// A further word of the command line; children_free frees them.
__attribute__((format(printf, 2, 3))) void child_word(struct child *c, const char *format, ...);
void children_free(struct child *list, size_t count); // the list, too; NULL is fine

// Runs all; stdin is empty, stdout dropped. A signal that asks to end is handed on, and nothing is started after it:
// its number; 0: none came. -1 with err: a process could not be started.
int children_run(struct children *c, struct error *err);

#endif
