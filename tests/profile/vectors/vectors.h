// Reads the golden vectors: hand-written bundles, and what hardware and profilers must make of them (README.md has the
// grammar). Plain C that is C++ too: the C tests and the RTL bench read the same files with it.
#ifndef TIPOFF_PROFILE_VECTORS_H
#define TIPOFF_PROFILE_VECTORS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VECTOR_LANES = 8, VECTOR_LINES = 64, VECTOR_ROWS = 128, VECTOR_NAMES = 64 };
#define VECTOR_END UINT64_MAX // the name `end`: time that nobody owns

struct vector_cycle {
    unsigned line, first, last; // in the file; numbers of the cycles that are like this
    // the bundle
    unsigned oldest, valid, commit, mispredict, flush, begins, dispatch, dispatch_rob;
    bool empty, exception, replay, interrupt, redirect, fetch;
    uint64_t fetch_pc, pc[VECTOR_LANES], exception_pc, dispatch_pc[VECTOR_LANES];
    unsigned psv[VECTOR_LANES], exception_psv;
    // what the hardware must show in these cycles
    unsigned state, lanes, oldest_lane; // 0 Computing .. 3 Drained
    uint64_t addr[VECTOR_LANES];
    unsigned addr_psv[VECTOR_LANES];
    bool by_exception, by_flush, by_mispredict;
    bool oir_valid, oir_exception, oir_flush, oir_mispredict;
    uint64_t oir_pc;
    unsigned oir_psv;
};

struct vector_row {
    char profiler[16];
    uint64_t pc, units;  // VECTOR_END: nobody
    unsigned state, psv; // 4: the profiler does not know states
};

struct vector {
    const char *path;
    unsigned line, width, units; // units in a cycle
    unsigned cycle_count, row_count, name_count;
    struct vector_cycle cycles[VECTOR_LINES];
    struct vector_row rows[VECTOR_ROWS];
    char names[VECTOR_NAMES][16];
};

#define VECTOR_FAULT(V, ...)                                                                                           \
    do {                                                                                                               \
        fprintf(stderr, "%s:%u: ", (V)->path, (V)->line);                                                              \
        fprintf(stderr, __VA_ARGS__);                                                                                  \
        fputc('\n', stderr);                                                                                           \
        exit(2);                                                                                                       \
    } while (0)

// Each name is an instruction of its own, four bytes apart.
static inline uint64_t vector_address(struct vector *v, const char *name) {
    unsigned i = 0;
    if (strcmp(name, "end") == 0) return VECTOR_END;
    while (i < v->name_count && strcmp(v->names[i], name) != 0)
        i++;
    if (i == VECTOR_NAMES || strlen(name) >= sizeof v->names[0])
        VECTOR_FAULT(v, "too many names, or too long: %s", name);
    if (i == v->name_count) strcpy(v->names[v->name_count++], name);
    return UINT64_C(0x80001000) + 4 * (uint64_t)i;
}

// "+ST_L1+ST_LLC", "" or "-"
static inline unsigned vector_psv(struct vector *v, const char *text) {
    static const char *const names[] = {"DR_L1", "DR_TLB", "DR_SQ",  "FL_MB", "FL_EX",
                                        "FL_MO", "ST_L1",  "ST_TLB", "ST_LLC"};
    unsigned psv = 0, count = sizeof names / sizeof *names;
    while (*text == '+') {
        size_t length = strcspn(++text, "+/");
        unsigned i = 0;
        while (i < count && !(strlen(names[i]) == length && strncmp(names[i], text, length) == 0))
            i++;
        if (i == count) VECTOR_FAULT(v, "no such event: %s", text);
        psv |= 1u << i;
        text += length;
    }
    return psv;
}

// NAME[+EVENT..][/flags], taken apart in place.
static inline uint64_t vector_instruction(struct vector *v, char *token, unsigned *psv, const char **flags) {
    static const char none[] = "";
    char *slash = strchr(token, '/');
    *flags = slash ? slash + 1 : none;
    if (slash) *slash = '\0';
    *psv = vector_psv(v, token + strcspn(token, "+"));
    token[strcspn(token, "+")] = '\0';
    return vector_address(v, token);
}

static inline unsigned vector_state(struct vector *v, const char *token) {
    static const char *const names[] = {"Computing", "Stalled", "Flushed", "Drained", "-"};
    for (unsigned i = 0; i < 5; i++)
        if (token && strcmp(token, names[i]) == 0) return i;
    VECTOR_FAULT(v, "no such state: %s", token ? token : "(none)");
}

static inline void vector_left(struct vector *v, struct vector_cycle *c, char *token, unsigned *lane, unsigned *slot) {
    const char *flags;
    unsigned psv;
    if (strcmp(token, "empty") == 0) {
        c->empty = true;
    } else if (strcmp(token, "redirect") == 0) {
        c->redirect = true;
    } else if (strncmp(token, "fetch=", 6) == 0) {
        c->fetch = true;
        c->fetch_pc = vector_address(v, token + 6);
    } else if (token[0] == '@') {
        *lane = c->oldest = (unsigned)strtoul(token + 1, NULL, 10);
    } else if (strncmp(token, "rob=", 4) == 0) {
        c->dispatch_rob = (unsigned)strtoul(token + 4, NULL, 0);
    } else if (token[0] == '>' || token[0] == '?') {
        if (token[0] == '>') c->dispatch |= 1u << *slot;
        c->dispatch_pc[(*slot)++] = vector_address(v, token + 1);
    } else if (strncmp(token, "exception", 9) == 0 || strncmp(token, "replay", 6) == 0 ||
               strncmp(token, "interrupt", 9) == 0) {
        c->exception = true;
        c->replay = token[0] == 'r';
        c->interrupt = token[0] == 'i';
        c->exception_pc = c->pc[c->oldest];
        c->exception_psv = c->psv[c->oldest] | vector_psv(v, token + strcspn(token, "+"));
        c->psv[c->oldest] = c->exception_psv;
    } else {
        unsigned bit = 1u << *lane;
        c->valid |= bit;
        c->pc[*lane] = vector_instruction(v, token, &psv, &flags);
        c->psv[*lane] = psv;
        if (!strchr(flags, 'u')) c->begins |= bit;
        if (strchr(flags, 'c')) c->commit |= bit;
        if (strchr(flags, 'm')) c->mispredict |= bit;
        if (strchr(flags, 'f')) c->flush |= bit;
        *lane = *lane + 1 == v->width ? 0 : *lane + 1;
    }
}

static inline void vector_right(struct vector *v, struct vector_cycle *c, char *token) {
    const char *flags;
    if (strcmp(token, "exception") == 0) {
        c->by_exception = true;
    } else if (strcmp(token, "flush") == 0) {
        c->by_flush = true;
    } else if (strcmp(token, "mispredict") == 0) {
        c->by_mispredict = true;
    } else if (token[0] >= '0' && token[0] <= '7' && token[1] == ':') {
        unsigned lane = (unsigned)(token[0] - '0');
        if (!c->lanes && c->state < 2) c->oldest_lane = lane;
        c->lanes |= 1u << lane;
        c->addr[lane] = vector_instruction(v, token + 2, &c->addr_psv[lane], &flags);
    } else if (strncmp(token, "oir=", 4) == 0) {
        c->oir_valid = true;
        c->oir_pc = vector_instruction(v, token + 4, &c->oir_psv, &flags);
        c->oir_mispredict = strchr(flags, 'm') != NULL;
        c->oir_flush = strchr(flags, 'f') != NULL;
        c->oir_exception = strchr(flags, 'e') != NULL;
    } else {
        VECTOR_FAULT(v, "not understood: %s", token);
    }
}

static inline void vector_cycle(struct vector *v, char **rest) {
    struct vector_cycle *c = &v->cycles[v->cycle_count], *before = c - 1;
    char *token = strtok_r(NULL, " \t\n", rest);
    unsigned lane = 0, slot = 0, next = 1;
    bool right = false;
    if (!v->width || v->cycle_count == VECTOR_LINES || !token) VECTOR_FAULT(v, "no width yet, or too many lines");
    memset(c, 0, sizeof *c);
    c->line = v->line;
    c->first = c->last = (unsigned)strtoul(token, &token, 10);
    if (*token == '-') c->last = (unsigned)strtoul(token + 1, &token, 10);
    if (v->cycle_count) { // what is not said stays as it was
        next = before->last + 1;
        c->oir_valid = before->oir_valid, c->oir_pc = before->oir_pc, c->oir_psv = before->oir_psv;
        c->oir_exception = before->oir_exception, c->oir_flush = before->oir_flush;
        c->oir_mispredict = before->oir_mispredict;
        c->dispatch_rob = before->dispatch_rob + (unsigned)__builtin_popcount(before->dispatch);
    }
    if (*token || c->first != next || c->last < c->first) VECTOR_FAULT(v, "cycle %u comes next", next);
    while ((token = strtok_r(NULL, " \t\n", rest))) {
        if (strcmp(token, "->") == 0) {
            right = true;
            c->state = vector_state(v, strtok_r(NULL, " \t\n", rest));
        } else if (right) {
            vector_right(v, c, token);
        } else {
            vector_left(v, c, token, &lane, &slot);
        }
    }
    if (!right) VECTOR_FAULT(v, "what must the hardware show? ('-> State ...')");
    v->cycle_count++;
}

// "40.5" or "1/3" cycles, in units
static inline uint64_t vector_weight(struct vector *v, const char *text) {
    char *end;
    double cycles = strtod(text, &end);
    if (*end == '/') cycles /= strtod(end + 1, &end);
    double units = cycles * v->units + 0.5;
    if (*end || units - 0.5 - (double)(uint64_t)units > 1e-6 || (double)(uint64_t)units - (units - 0.5) > 1e-6)
        VECTOR_FAULT(v, "not a whole number of 1/%u cycles: %s", v->units, text);
    return (uint64_t)units;
}

// NAME STATE PSV CYCLES
static inline void vector_row(struct vector *v, const char *profiler, char **rest) {
    struct vector_row *row = &v->rows[v->row_count++];
    char *name = strtok_r(NULL, " \t\n", rest), *state = strtok_r(NULL, " \t\n", rest);
    char *psv = strtok_r(NULL, " \t\n", rest), *weight = strtok_r(NULL, " \t\n", rest);
    if (!v->width || v->row_count > VECTOR_ROWS || strlen(profiler) >= sizeof row->profiler || !weight ||
        strtok_r(NULL, " \t\n", rest))
        VECTOR_FAULT(v, "a row is: PROFILER NAME STATE PSV CYCLES");
    strcpy(row->profiler, profiler);
    row->pc = vector_address(v, name);
    row->state = vector_state(v, state);
    row->psv = vector_psv(v, psv);
    row->units = vector_weight(v, weight);
}

static inline void vector_read(struct vector *v, const char *path) {
    // U = lcm(1..width), written out
    static const unsigned units[VECTOR_LANES + 1] = {0, 1, 2, 6, 12, 60, 60, 420, 840};
    char line[512], *rest, *token;
    FILE *file = fopen(path, "r");
    memset(v, 0, sizeof *v);
    v->path = path;
    if (!file) VECTOR_FAULT(v, "cannot be opened");
    while (fgets(line, sizeof line, file)) {
        v->line++;
        line[strcspn(line, "#")] = '\0';
        if (!(token = strtok_r(line, " \t\n", &rest))) continue;
        if (strcmp(token, "width") == 0) {
            token = strtok_r(NULL, " \t\n", &rest);
            v->width = token ? (unsigned)strtoul(token, NULL, 10) : 0;
            if (v->width < 1 || v->width > VECTOR_LANES) VECTOR_FAULT(v, "width: 1 to 8");
            v->units = units[v->width];
        } else if (strcmp(token, "cycle") == 0) {
            vector_cycle(v, &rest);
        } else {
            vector_row(v, token, &rest);
        }
    }
    fclose(file);
    if (!v->cycle_count || !v->row_count) VECTOR_FAULT(v, "no cycles, or nothing to expect");
}

#endif
