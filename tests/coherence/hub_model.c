// hub_model: walks through all that a toy of the coherence protocol can do, with a rule left out or with all of them.
//
//   hub_model [--without RULE] [--harts N] [--lines N] [--open N] [--buffer N] [--late-done] [--most N] [--trace]
//   OPERATION...
//
// Operations: loads stores evictions amos reservations prefetches fetches. Prints "PROPERTY STATES DEPTH", PROPERTY "-"
// where nothing breaks. Status 0: nothing breaks; 1: something does; 2: a wrong argument.
#include "protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const rule_names[RULE_COUNT] = {
#define RULE_NAME(id, name) name,
    RULES(RULE_NAME)};
static const char *const operation_names[] = {"loads",        "stores",     "evictions", "amos",
                                              "reservations", "prefetches", "fetches"};

static int find(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(names[i], name)) return (int)i;
    return -1;
}

static bool number(const char *text, uint64_t low, uint64_t high, uint64_t *out) {
    char *end;
    *out = text ? strtoull(text, &end, 10) : 0;
    return text && *text && !*end && *out >= low && *out <= high;
}

static int wrong(const char *argument) {
    fprintf(stderr, "hub_model: '%s' is no argument or has no value in its range: see the head of hub_model.c\n",
            argument);
    return 2;
}

int main(int argc, char **argv) {
    struct options o = {.harts = 3, .lines = 1, .buffer = 2, .open = 2};
    uint64_t most = 1 << 22, value = 0;
    bool trace = false;
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        int operation = find(operation_names, sizeof operation_names / sizeof *operation_names, a), rule = -1;
        if (operation >= 0) {
            o.operations |= 1U << operation;
        } else if (!strcmp(a, "--late-done")) {
            o.late_done = true;
        } else if (!strcmp(a, "--trace")) {
            trace = true;
        } else if (!strcmp(a, "--without") && argv[i + 1] && (rule = find(rule_names, RULE_COUNT, argv[i + 1])) >= 0) {
            o.without |= 1U << rule;
            i++;
        } else if (!strcmp(a, "--harts") && number(argv[i + 1], 1, HARTS, &value)) {
            o.harts = (unsigned)value;
            i++;
        } else if (!strcmp(a, "--lines") && number(argv[i + 1], 1, LINES, &value)) {
            o.lines = (unsigned)value;
            i++;
        } else if (!strcmp(a, "--open") && number(argv[i + 1], 1, LINES, &value)) {
            o.open = (unsigned)value;
            i++;
        } else if (!strcmp(a, "--buffer") && number(argv[i + 1], 1, LINES, &value)) {
            o.buffer = (unsigned)value;
            i++;
        } else if (!strcmp(a, "--most") && number(argv[i + 1], 1, UINT32_MAX / 2, &most)) {
            i++;
        } else {
            return wrong(a);
        }
    }
    struct found found = search(&o, most, trace);
    printf("%s %llu %u\n", found.broken ? found.broken : "-", (unsigned long long)found.states, found.depth);
    return found.broken ? 1 : 0;
}
