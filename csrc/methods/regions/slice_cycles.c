// Cycles by slices of a full run: slice_cycles.h.
#include "methods/regions/slice_cycles.h"
#include "base/array.h"
#include "base/text_file.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_MOST = 1 << 30 };
static const char remedy[] = "name the table that `tipoff run --worker slices` writes";

void slice_cycles_free(struct slice_cycles *s) {
    free(s->list);
    *s = (struct slice_cycles){.list = NULL};
}

struct columns {
    unsigned begin, cycles;
};

// Changes the line.
static bool find_columns(char *line, struct columns *c) {
    unsigned found = 0, column = 0;
    for (char *rest = line, *word; (word = strsep(&rest, ",")); column++) {
        if (strcmp(word, "begin") == 0) {
            c->begin = column;
            found |= 1;
        } else if (strcmp(word, "cycles") == 0) {
            c->cycles = column;
            found |= 2;
        }
    }
    return found == 3;
}

static bool whole(const char *text, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *value < UINT64_C(1) << 53;
}

static bool take_row(struct slice_cycles *s, char *line, const struct columns *c, bool *memory) {
    uint64_t begin = UINT64_MAX, cycles = UINT64_MAX;
    unsigned column = 0;
    for (char *rest = line, *word; (word = strsep(&rest, ",")); column++) {
        if (column == c->begin && !whole(word, &begin)) return false;
        if (column == c->cycles && !whole(word, &cycles)) return false;
    }
    const uint64_t last = s->count ? s->list[s->count - 1].begin : 0;
    if (begin == UINT64_MAX || cycles == UINT64_MAX || (s->count ? begin < last : begin != 0)) return false;
    *memory = array_reserve(&s->list, &s->capacity, s->count, sizeof *s->list);
    if (!*memory) return false;
    s->list[s->count++] = (struct slice_begin){begin, s->cycles};
    s->cycles += (double)cycles;
    return true;
}

int slice_cycles_read(struct slice_cycles *s, const char *path, uint64_t steps, struct error *err) {
    struct text_file file;
    struct columns c;
    bool memory = true;
    *s = (struct slice_cycles){.end = steps};
    if (!text_file_open(&file, path, TABLE_MOST, remedy, err)) return -EINVAL;
    char *line = text_file_line(&file);
    bool good = line && find_columns(line, &c);
    while (good && (line = text_file_line(&file)))
        good = take_row(s, line, &c, &memory);
    good = good && s->count && s->list[s->count - 1].begin < steps;
    if (!memory)
        error_nomem(err, path);
    else if (!good)
        error_set(err, "%s:%u: no table of the run's slices, with begin (from 0 on) and cycles: %s", path, file.line,
                  remedy);
    text_file_close(&file);
    return good ? 0 : memory ? -EINVAL : -ENOMEM;
}

static double before(const struct slice_cycles *s, uint64_t place) {
    size_t low = 0, high = s->count; // the last one that begins at `place` or before it
    if (place >= s->end) return s->cycles;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (s->list[middle].begin <= place)
            low = middle;
        else
            high = middle;
    }
    const struct slice_begin *const at = &s->list[low];
    const uint64_t next = low + 1 < s->count ? at[1].begin : s->end;
    const double length = (low + 1 < s->count ? at[1].before : s->cycles) - at->before;
    return next > at->begin ? at->before + length * (double)(place - at->begin) / (double)(next - at->begin)
                            : at->before;
}

double slice_cycles_between(const struct slice_cycles *s, uint64_t from, uint64_t to) {
    return before(s, to) - before(s, from);
}
