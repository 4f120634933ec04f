// Edges of a traced part: from texts of the command line, and moved by what commits.
#include "trace/window.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

int trace_edge_parse(struct trace_edge *edge, const char *text, const struct image *image, struct error *err) {
    if (!text) return 0;
    if (isdigit((unsigned char)text[0])) {
        char *end;
        errno = 0;
        *edge = (struct trace_edge){false, strtoull(text, &end, 0)};
        if (errno == 0 && *end == '\0') return 0;
        error_set(err, "'%s': not a cycle: write a number of at most 64 bits", text);
        return -EINVAL;
    }
    // Two defaults: no address is both.
    *edge = (struct trace_edge){true, image_symbol(image, text, 0)};
    if (edge->value != 0 || image_symbol(image, text, 1) == 0) return 0;
    error_set(err, "%s: no symbol '%s': name one that nm lists, or a cycle", image_path(image), text);
    return -EINVAL;
}

int trace_window_parse(struct trace_window *w, const char *from, const char *to, const struct image *image,
                       struct error *err) {
    *w = (struct trace_window){.to.value = UINT64_MAX};
    int result = trace_edge_parse(&w->from, from, image, err);
    if (result == 0) result = trace_edge_parse(&w->to, to, image, err);
    if (result < 0 || w->from.by_address || w->to.by_address || w->from.value <= w->to.value) return result;
    error_set(err, "--trace-from %s lies behind --trace-to %s: exchange them", from, to);
    return -EINVAL;
}

void trace_window_commit(struct trace_window *w, uint64_t cycle, uint64_t pc) {
    if (w->from.by_address) {
        if (pc == w->from.value) w->from = (struct trace_edge){false, cycle};
    } else if (w->to.by_address && cycle >= w->from.value && pc == w->to.value) {
        w->to = (struct trace_edge){false, cycle};
    }
}

bool trace_window_holds(const struct trace_window *w, uint64_t cycle) {
    return trace_window_clip(w, &cycle, 1) == 1;
}

uint64_t trace_window_clip(const struct trace_window *w, uint64_t *cycle, uint64_t count) {
    uint64_t last = *cycle + count - 1;
    if (w->from.by_address || count == 0) return 0;
    if (*cycle < w->from.value) *cycle = w->from.value;
    if (!w->to.by_address && last > w->to.value) last = w->to.value;
    return *cycle <= last ? last - *cycle + 1 : 0;
}
