// The lines of data that samples wait for, and who waits: time in Stalled by what its instruction accesses; in Stalled
// and Drained that is spent waiting for the store queue by what that writes (samples.h, enum samples_data).
#include "base/array.h"
#include "report/export.h"
#include "report/sheet.h"
#include "report/units.h"
#include "report/words.h"
#include <errno.h>
#include <stdlib.h>

enum { LINE = 64 }; // bytes

struct wait {
    uint64_t line, data; // address of the line, and in it
    uint8_t hart, of;
    struct place place; // of the instruction that waits
    uint64_t cycles;
};
struct waits {
    struct wait *list;
    size_t count, capacity;
    uint64_t others[SAMPLES_HARTS]; // cycles of each hart that wait for none
};

static bool take(void *context, const struct samples_header *header, const struct sample_record *r) {
    struct waits *w = context;
    (void)header;
    const bool drained = r->sample.state == STATE_DRAINED; // the rest is the instruction's own
    const uint64_t rest = drained ? r->stalled_cycles : 0;
    const bool waits = r->data_of && r->sample.valid;
    w->others[r->hart] += waits ? rest : r->cycles;
    if (!waits) return true;
    if (!array_reserve(&w->list, &w->capacity, w->count, sizeof *w->list)) return false;
    const struct place place = {r->sample.addr[__builtin_ctz(r->sample.valid)],
                                place_context(r->sample.priv, r->sample.space)};
    w->list[w->count++] = (struct wait){.line = r->data / LINE * LINE,
                                        .data = r->data,
                                        .hart = r->hart,
                                        .of = r->data_of,
                                        .place = place,
                                        .cycles = r->cycles - rest};
    return true;
}

static int by_who(const struct wait *a, const struct wait *b) {
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    if (a->hart != b->hart) return a->hart < b->hart ? -1 : 1;
    return a->of < b->of ? -1 : a->of > b->of;
}

static int by_place(const void *x, const void *y) {
    const struct wait *a = x, *b = y;
    const int order = by_who(a, b);
    return order ? order : place_order(a->place, b->place);
}

static int by_data(const void *x, const void *y) {
    const struct wait *a = x, *b = y;
    return a->data < b->data ? -1 : a->data > b->data;
}

static int longest(const void *x, const void *y) {
    const struct wait *a = x, *b = y;
    if (a->cycles != b->cycles) return a->cycles > b->cycles ? -1 : 1;
    return by_who(a, b);
}

// The address with most time, of those of one line, hart and kind.
static uint64_t most_waited(struct wait *list, size_t count) {
    uint64_t most = 0, data = list->data;
    qsort(list, count, sizeof *list, by_data);
    for (size_t i = 0, end; i < count; i = end) {
        uint64_t here = 0;
        for (end = i; end < count && list[end].data == list[i].data; end++)
            here += list[end].cycles;
        if (here <= most) continue;
        most = here;
        data = list[i].data;
    }
    return data;
}

// One of each line, hart and kind, at the instruction that waits longest, and the data that is waited for longest.
static void add_up(struct waits *w) {
    size_t kept = 0;
    if (w->count) qsort(w->list, w->count, sizeof *w->list, by_place);
    for (size_t i = 0, end; i < w->count; i = end) {
        struct wait all = w->list[i];
        uint64_t here = 0, most = 0;
        all.cycles = 0;
        for (end = i; end < w->count && by_who(&w->list[i], &w->list[end]) == 0; end++) {
            if (end == i || !place_equal(w->list[end].place, w->list[end - 1].place)) here = 0;
            here += w->list[end].cycles;
            all.cycles += w->list[end].cycles;
            if (here <= most) continue;
            most = here;
            all.place = w->list[end].place;
        }
        all.data = most_waited(&w->list[i], end - i);
        w->list[kept++] = all;
    }
    w->count = kept;
    if (kept) qsort(w->list, kept, sizeof *w->list, longest);
}

static void add_time(const struct run *d, struct sheet *s, uint64_t cycles) {
    sheet_add(s, value_share(cycles * d->header->units, d->total));
    sheet_add(s, value_count(cycles));
}

// So that all rows are all time.
static void add_others(const struct run *d, struct sheet *s, const struct waits *w) {
    for (unsigned hart = 0; hart < SAMPLES_HARTS; hart++) {
        if (!w->others[hart]) continue;
        add_time(d, s, w->others[hart]);
        sheet_add(s, value_none());
        sheet_text(s, "");
        if (d->harts > 1) sheet_add(s, value_count(hart));
        sheet_text(s, "none");
        sheet_text(s, "");
    }
}

static int fill(const struct run *d, const struct report_options *o, struct sheet *s, struct error *err) {
    struct waits w = {0};
    char name[REPORT_WHOLE];
    (void)o;
    if (!export_has_times(d, "--by data", err)) return -EINVAL;
    sheet_column(s, "share", "share", SHEET_RIGHT);
    sheet_column(s, "cycles", "cycles", SHEET_RIGHT);
    sheet_column(s, "line", "line", SHEET_RIGHT);
    sheet_column(s, "data", "most of it for", SHEET_LEFT);
    if (d->harts > 1) sheet_column(s, "hart", "hart", SHEET_RIGHT);
    sheet_column(s, "data_of", "by its", SHEET_LEFT);
    sheet_column(s, "at", "most of it at", SHEET_LEFT);
    const bool good = sample_store_each(d->store, d->header, take, &w);
    if (good) add_up(&w);
    for (size_t i = 0; good && i < w.count; i++) {
        const struct wait *one = &w.list[i];
        add_time(d, s, one->cycles);
        sheet_add(s, value_address(one->line));
        sheet_text(s, report_data(d, one->data, name, sizeof name) ? name : "");
        if (d->harts > 1) sheet_add(s, value_count(one->hart));
        sheet_text(s, samples_data_name(one->of));
        report_name(d, BY_INSTRUCTION, one->place, name, sizeof name);
        sheet_text(s, name);
    }
    if (good) add_others(d, s, &w);
    free(w.list);
    return good ? 0 : report_out_of_memory(d->path, err);
}

const struct unit_kind unit_data = {.name = "data",
                                    .text = "a line of data that samples wait for, and the hart that waits",
                                    .heading = "Lines of data that the time waits for (%zu of %zu)",
                                    .fill = fill};
