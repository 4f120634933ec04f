// The columns of a group of signals.
#include "trace/signal_trace.h"
#include <stdio.h>
#include <string.h>

static const struct signal_info signals[] = {SIGNAL_ROWS};
static const char *const groups[] = {SIGNAL_GROUP_NAMES};

static void add(struct signal_columns *columns, const struct signal_info *signal, unsigned width) {
    for (unsigned lane = 0; lane < (signal->lanes ? width : 1); lane++) {
        struct signal_column *column = &columns->list[columns->count++];
        snprintf(column->name, sizeof column->name, signal->lanes ? "%s%u" : "%s", signal->name, lane);
        column->hex = signal->hex;
        column->slot = signal->slot + lane;
    }
}

bool signal_columns_choose(struct signal_columns *columns, const char *group, unsigned width, unsigned *bit) {
    for (*bit = 0; *bit < SIGNAL_GROUPS && strcmp(groups[*bit], group) != 0; ++*bit)
        ;
    *columns = (struct signal_columns){.count = 0};
    snprintf(columns->group, sizeof columns->group, "%s", group);
    for (unsigned i = 0; i < SIGNAL_COUNT; i++) {
        if (signals[i].group == *bit) add(columns, &signals[i], width);
    }
    return *bit < SIGNAL_GROUPS;
}
