// Last accesses to each line of memory: a table by line for each hart and kind, and the list of all in order of time.
#include "iss/last_accesses.h"
#include "iss/accesses.h"
#include "memory_map.h"
#include <stdlib.h>
#include <string.h>

// By line of DRAM: when, from 1 on; 0: never. LAST_READ: reads and writes.
struct times {
    uint64_t *last[LAST_KINDS];
};
enum { PAGE = 4096 };
struct access_record {
    uint64_t lines, now;
    unsigned harts;
    struct times of[];
};

struct access_record *access_record_create(uint64_t memory, unsigned harts, struct error *err) {
    struct access_record *a = calloc(1, sizeof *a + harts * sizeof *a->of);
    bool good = a != NULL;
    if (good) a->lines = memory / LAST_LINE;
    if (good) a->harts = harts;
    for (unsigned i = 0; good && i < harts * LAST_KINDS; i++) {
        uint64_t **const last = &a->of[i / LAST_KINDS].last[i % LAST_KINDS];
        good = (*last = calloc(a->lines, sizeof **last)) != NULL;
    }
    if (good) return a;
    error_nomem(err, "record of accesses");
    access_record_destroy(a);
    return NULL;
}

void access_record_destroy(struct access_record *a) {
    for (unsigned i = 0; a && i < a->harts * LAST_KINDS; i++)
        free(a->of[i / LAST_KINDS].last[i % LAST_KINDS]);
    free(a);
}

static void note_line(struct access_record *a, unsigned hart, enum last_access_kind kind, uint64_t line) {
    if (line >= a->lines) return;
    uint64_t **const last = a->of[hart].last;
    last[kind][line] = ++a->now;
    if (kind == LAST_WRITE) last[LAST_READ][line] = a->now;
}

void access_record_note(struct access_record *a, unsigned hart, enum last_access_kind kind, uint64_t address,
                        unsigned bytes) {
    if (address < DRAM_BASE) return;
    const uint64_t first = (address - DRAM_BASE) / LAST_LINE, end = (address + bytes - 1 - DRAM_BASE) / LAST_LINE;
    note_line(a, hart, kind, first);
    if (end != first) note_line(a, hart, kind, end);
}

// ---- of a machine that runs ----
static void note_data(void *context, unsigned hart, const iss_data_access *accesses, size_t count) {
    for (size_t i = 0; i < count; i++)
        access_record_note(context, hart, iss_access_stores(accesses[i]) ? LAST_WRITE : LAST_READ,
                           iss_access_address(accesses[i]), iss_access_bytes(accesses[i]));
}

bool access_record_watch(struct access_record *a, struct iss *iss, struct error *err) {
    return iss_watch_accesses(iss, note_data, a, err);
}

struct hart *access_record_step(struct access_record *a, struct iss *iss, struct iss_retire *out) {
    struct iss_retire own, *const retire = out ? out : &own;
    struct hart *const next = iss_next(iss);
    uint64_t pc = 0;
    const bool fetches = next && hart_fetch_address(next, hart_pc(next), &pc);
    if (fetches) access_record_note(a, hart_number(next), LAST_FETCH, pc, 2); // before its data
    struct hart *const hart = iss_step(iss, retire);
    if (fetches && (retire->insn & 3) == 3 && (pc + 2) % LAST_LINE == 0 && (pc + 2) % PAGE)
        access_record_note(a, hart_number(hart), LAST_FETCH, pc + 2, 2);
    return hart;
}

uint64_t access_record_run(struct access_record *a, struct iss *iss, uint64_t max, uint64_t left) {
    if (left > ACCESS_RECORD_NEAR)
        return iss_run(iss, max < left - ACCESS_RECORD_NEAR ? max : left - ACCESS_RECORD_NEAR);
    uint64_t done = 0;
    while (done < max && !iss_exited(iss, NULL) && !iss_refused(iss, "", NULL) && !iss_asks_for_reset(iss) &&
           access_record_step(a, iss, NULL))
        done++;
    return done;
}

// ---- in order ----
struct timed {
    uint64_t time;
    struct last_access access;
};

static int by_time(const void *x, const void *y) {
    const uint64_t a = ((const struct timed *)x)->time, b = ((const struct timed *)y)->time;
    return (a > b) - (a < b);
}

// Of one table, to `out`, unless that is NULL. A line's last access that is a write stands among the writes alone.
static size_t collect(const struct access_record *a, unsigned hart, unsigned kind, struct timed *out) {
    uint64_t *const *last = a->of[hart].last;
    size_t count = 0;
    for (uint64_t i = 0; i < a->lines; i++) {
        const uint64_t time = last[kind][i];
        if (!time || (kind == LAST_READ && time == last[LAST_WRITE][i])) continue;
        if (out) out[count] = (struct timed){time, {DRAM_BASE / LAST_LINE + i, (uint8_t)hart, (uint8_t)kind}};
        count++;
    }
    return count;
}

static size_t collect_all(const struct access_record *a, struct timed *out) {
    size_t count = 0;
    for (unsigned i = 0; i < a->harts * LAST_KINDS; i++)
        count += collect(a, i / LAST_KINDS, i % LAST_KINDS, out ? out + count : NULL);
    return count;
}

bool access_record_list(const struct access_record *a, struct last_accesses *out, struct error *err) {
    const size_t count = collect_all(a, NULL), kept = count < LAST_ACCESSES_MOST ? count : LAST_ACCESSES_MOST;
    struct timed *const all = malloc((count + 1) * sizeof *all);
    *out = (struct last_accesses){malloc((kept + 1) * sizeof *out->list), kept};
    const bool good = all && out->list;
    if (good) {
        collect_all(a, all);
        qsort(all, count, sizeof *all, by_time);
        for (size_t i = 0; i < kept; i++)
            out->list[i] = all[count - kept + i].access;
    } else {
        error_nomem(err, "record of accesses");
        last_accesses_free(out);
    }
    free(all);
    return good;
}

void last_accesses_free(struct last_accesses *list) {
    free(list->list);
    *list = (struct last_accesses){NULL, 0};
}
