// Edges of a traced part: from texts of the command line, and moved by what commits and by triggers.
#include "trace/window.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE "sample:"

static bool number(const char *text, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 0);
    return isdigit((unsigned char)text[0]) && errno == 0 && *end == '\0';
}

static int parse_sample(struct trace_edge *edge, const char *text, struct error *err) {
    *edge = (struct trace_edge){TRACE_EDGE_SAMPLE, 0};
    if (number(text + strlen(SAMPLE), &edge->value) && edge->value > 0) return 0;
    error_set(err, "'%s': not a sample: write " SAMPLE "N, the first is " SAMPLE "1", text);
    return -EINVAL;
}

int trace_edge_parse(struct trace_edge *edge, const char *text, const struct image *image, struct error *err) {
    if (!text) return 0;
    if (isdigit((unsigned char)text[0])) {
        bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
        edge->kind = hex ? TRACE_EDGE_ADDRESS : TRACE_EDGE_CYCLE;
        if (number(text, &edge->value)) return 0;
        error_set(err, "'%s': not a cycle, nor an address: write a number of at most 64 bits", text);
        return -EINVAL;
    }
    if (strncmp(text, SAMPLE, strlen(SAMPLE)) == 0) return parse_sample(edge, text, err);
    // Two defaults: no address is both.
    *edge = (struct trace_edge){TRACE_EDGE_ADDRESS, image_symbol(image, text, 0)};
    if (edge->value != 0 || image_symbol(image, text, 1) == 0) return 0;
    error_set(err, "%s: no symbol '%s': name one that nm lists, an address (0x...), a cycle or " SAMPLE "N",
              image_path(image), text);
    return -EINVAL;
}

int trace_window_parse(struct trace_window *w, const char *from, const char *to, const struct image *image,
                       struct error *err) {
    *w = (struct trace_window){.to.value = UINT64_MAX};
    int result = trace_edge_parse(&w->from, from, image, err);
    if (result == 0) result = trace_edge_parse(&w->to, to, image, err);
    bool comparable = w->from.kind == w->to.kind && w->from.kind != TRACE_EDGE_ADDRESS;
    if (result < 0 || !comparable || w->from.value <= w->to.value) return result;
    error_set(err, "--trace-from %s lies behind --trace-to %s: exchange them", from, to);
    return -EINVAL;
}

static void meet(struct trace_edge *edge, uint64_t cycle) {
    *edge = (struct trace_edge){TRACE_EDGE_CYCLE, cycle};
}

static bool begun(const struct trace_window *w, uint64_t cycle) {
    return w->from.kind == TRACE_EDGE_CYCLE && cycle >= w->from.value;
}

void trace_window_commit(struct trace_window *w, uint64_t cycle, uint64_t pc) {
    if (w->from.kind == TRACE_EDGE_ADDRESS) {
        if (pc == w->from.value) meet(&w->from, cycle);
    } else if (w->to.kind == TRACE_EDGE_ADDRESS && begun(w, cycle) && pc == w->to.value) {
        meet(&w->to, cycle);
    }
}

void trace_window_bundle(struct trace_window *w, uint64_t cycle, const struct commit_bundle *b) {
    if (w->from.kind != TRACE_EDGE_ADDRESS && w->to.kind != TRACE_EDGE_ADDRESS) return;
    unsigned older = b->commit & ((1u << b->oldest) - 1); // lanes below the oldest are younger than those above it
    for (unsigned lanes = b->commit & ~((1u << b->oldest) - 1); lanes; lanes &= lanes - 1)
        trace_window_commit(w, cycle, b->pc[__builtin_ctz(lanes)]);
    for (unsigned lanes = older; lanes; lanes &= lanes - 1)
        trace_window_commit(w, cycle, b->pc[__builtin_ctz(lanes)]);
}

void trace_window_sample(struct trace_window *w, uint64_t cycle) {
    w->samples++;
    if (w->from.kind == TRACE_EDGE_SAMPLE && w->samples == w->from.value) meet(&w->from, cycle + 1);
    if (w->to.kind == TRACE_EDGE_SAMPLE && w->samples == w->to.value) meet(&w->to, cycle);
}

bool trace_window_holds(const struct trace_window *w, uint64_t cycle) {
    return trace_window_clip(w, &cycle, 1) == 1;
}

uint64_t trace_window_clip(const struct trace_window *w, uint64_t *cycle, uint64_t count) {
    uint64_t last = *cycle + count - 1;
    if (w->from.kind != TRACE_EDGE_CYCLE || count == 0) return 0;
    if (*cycle < w->from.value) *cycle = w->from.value;
    if (w->to.kind == TRACE_EDGE_CYCLE && last > w->to.value) last = w->to.value;
    return *cycle <= last ? last - *cycle + 1 : 0;
}
