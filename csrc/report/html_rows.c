// The profile of the HTML report row by row: where the time went, by which frames it was reached, and when it was.
#include "base/array.h"
#include "report/contexts.h"
#include "report/html_document.h"
#include "report/time_slices.h"
#include "report/words.h"
#include <stdlib.h>
#include <string.h>

enum {
    BINS = 600,       // of the timeline, at most: one a pixel or two
    IN_BIN = 10,      // samples, at least: fewer would show their noise
    ENTRIES = 300000, // rows of all bins together, at most: some 10 bytes each
    TEXT = REPORT_WHOLE
};

// ---- frames: process, mode, callers; what reaches a function ----
// A frame is a node of a tree: its name, what it is, and the frame above it. A row has the innermost one that is not
// its own function.
enum frame_kind { FRAME_PROCESS, FRAME_MODE, FRAME_FUNCTION };
static const char *const frame_kinds[] = {"process", "mode", "function"};

struct frame {
    uint32_t name, parent, function; // function: HTML_NONE: it is none
    enum frame_kind kind;
};
struct frames {
    struct frame *list;
    size_t count, capacity;
    uint32_t *of_call; // of each frame of the call tree
};

static uint32_t frame_add(struct frames *f, struct frame frame) {
    if (!array_reserve(&f->list, &f->capacity, f->count, sizeof *f->list)) return HTML_NONE;
    f->list[f->count] = frame;
    return (uint32_t)f->count++;
}

// Of a process or a mode: found or made. There are few. HTML_NONE: no memory.
static uint32_t frame_number(struct frames *f, struct frame frame) {
    for (size_t i = 0; i < f->count && f->list[i].kind != FRAME_FUNCTION; i++) {
        const struct frame *known = &f->list[i];
        if (known->kind == frame.kind && known->name == frame.name && known->parent == frame.parent) return (uint32_t)i;
    }
    return frame_add(f, frame);
}

static uint32_t frame_of_context(struct frames *f, const struct run *d, struct string_table *strings,
                                 struct place place) {
    char text[TEXT];
    if (place.pc == PROFILE_PC_END) return HTML_NONE;
    report_process(d, place.context, text, sizeof text);
    if (d->harts > 1) words_append(text, sizeof text, " {hart %u}", place_hart(place.context));
    const struct frame process = {string_table_number(strings, text), HTML_NONE, HTML_NONE, FRAME_PROCESS};
    const uint32_t frame = frame_number(f, process);
    const char *mode = report_mode_name(d, place.context);
    if (!*mode || frame == HTML_NONE) return frame;
    return frame_number(f, (struct frame){string_table_number(strings, mode), frame, HTML_NONE, FRAME_MODE});
}

// All of the call tree, below the processes and modes of their outermost functions. False: no memory.
static bool add_calls(struct frames *f, const struct html_functions *functions, const struct run *d,
                      const struct call_tree *calls, struct string_table *strings) {
    char text[TEXT];
    f->of_call = malloc((calls->frame_count + 1) * sizeof *f->of_call);
    if (!f->of_call) return false;
    for (size_t i = 0; i < calls->frame_count; i++) { // first those, so that they stand before all functions
        const struct call_frame *call = &calls->frames[i];
        if (call->parent == CALL_TREE_NONE)
            f->of_call[i] = frame_of_context(f, d, strings, calls->functions[call->function].place);
    }
    for (size_t i = 0; i < calls->frame_count; i++) {
        const struct call_frame *call = &calls->frames[i];
        const struct place place = calls->functions[call->function].place;
        const uint32_t parent = f->of_call[call->parent == CALL_TREE_NONE ? i : call->parent];
        report_label_of_hart(d, BY_FUNCTION, place, text, sizeof text);
        f->of_call[i] = frame_add(f, (struct frame){string_table_number(strings, text), parent,
                                                    html_functions_find(functions, d, place).function, FRAME_FUNCTION});
        if (f->of_call[i] == HTML_NONE) return false;
    }
    return true;
}

// The frame that a row's function was reached by; HTML_NONE: none.
static uint32_t frame_of_row(struct frames *f, const struct run *d, const struct call_tree *calls, size_t row,
                             struct string_table *strings) {
    if (!calls) return frame_of_context(f, d, strings, row_place(&d->rows[row]));
    return f->list[f->of_call[calls->row_frames[row]]].parent;
}

static void write_frames(const struct frames *f, FILE *out) {
    JSON_COLUMN(out, "\"frames\":{\"name\"", i, f->count, number_or_none(f->list[i].name));
    JSON_EACH(out, ",\"kind\"", i, f->count, "\"%s\"", frame_kinds[f->list[i].kind]);
    JSON_COLUMN(out, ",\"function\"", i, f->count, number_or_none(f->list[i].function));
    JSON_COLUMN(out, ",\"parent\"", i, f->count, number_or_none(f->list[i].parent));
    fputs("},", out);
}

// ---- the rows ----
static bool write_rows(const struct html_functions *f, const struct run *d, const struct call_tree *calls,
                       struct string_table *strings, FILE *out) {
    struct frames frames = {0};
    const size_t count = d->row_count;
    struct html_slot *slots = malloc((count + 1) * sizeof *slots);
    uint32_t *frame = malloc((count + 1) * sizeof *frame);
    const bool good = slots && frame && (!calls || add_calls(&frames, f, d, calls, strings));
    for (size_t i = 0; good && i < count; i++) {
        slots[i] = html_functions_find(f, d, row_place(&d->rows[i]));
        frame[i] = frame_of_row(&frames, d, calls, i, strings) + 1; // 0: none, else the number of the frame and 1
    }
    if (good) {
        write_frames(&frames, out);
        JSON_COLUMN(out, "\n\"rows\":{\"function\"", i, count, slots[i].function);
        JSON_COLUMN(out, ",\"instruction\"", i, count, slots[i].instruction);
        JSON_COLUMN(out, ",\"state\"", i, count, d->rows[i].state);
        JSON_COLUMN(out, ",\"psv\"", i, count, d->rows[i].psv);
        JSON_COLUMN(out, ",\"frame\"", i, count, frame[i]);
        JSON_WEIGHTS(out, ",\"weight\"", i, count, d->rows[i].weight);
        fputs("},\n", out);
    }
    free(frames.list);
    free(frames.of_call);
    free(slots);
    free(frame);
    return good;
}

// ---- when ----
// A sample's cycles end where those of the next begin: each bin gets those that lie in it.
struct timeline {
    const struct run *d;
    struct time_slices slices;
    struct profile_table *bins[BINS];
    struct profile_table *samples; // of each row, in 1/U sample: a sample of several lanes counts in parts
};

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

// The sample, to its rows: as booking does it, of one cycle.
static bool count_sample(struct timeline *t, const struct sample_record *record) {
    struct sample_record cycle = *record;
    cycle.cycles = 1;
    cycle.stalled_cycles = record->cycles == record->stalled_cycles;
    return booking_add_sample(t->samples, &cycle, t->d->header->units);
}

static bool add_part(void *context, size_t bin, const struct sample_record *part) {
    struct timeline *t = context;
    if (!t->bins[bin]) t->bins[bin] = profile_table_create();
    return t->bins[bin] && booking_add_sample(t->bins[bin], part, t->d->header->units);
}

static bool take(void *context, const struct samples_header *header, const struct sample_record *record) {
    struct timeline *t = context;
    (void)header;
    return (!record->cycles || count_sample(t, record)) && time_slices_add(&t->slices, record, add_part, t);
}

// The number of a bin's row. It is found: the samples are those that the rows were booked from.
static size_t row_number(const struct run *d, const struct profile_row *row) {
    const struct profile_row *const all = d->rows;
    const struct profile_row *found =
        all && row ? bsearch(row, all, d->row_count, sizeof *all, profile_row_compare) : NULL;
    return found ? (size_t)(found - d->rows) : 0;
}

// How many of them are shown. What is left out (filter.h) is last.
static size_t shown(const struct profile_row *rows, size_t count) {
    size_t left = 0;
    while (rows && left < count && rows[left].pc != FILTER_CUT)
        left++;
    return left;
}

static void write_bins(const struct timeline *t, FILE *out) {
    fprintf(out, "\"timeline\":{\"cycles\":%llu,\"bins\":[", (unsigned long long)t->slices.cycles);
    for (size_t b = 0; b < t->slices.count; b++) {
        size_t count = 0;
        const struct profile_row *rows = t->bins[b] ? profile_table_rows(t->bins[b], &count) : NULL;
        fputs(b ? ",[[" : "[[", out);
        count = shown(rows, count);
        for (size_t i = 0; i < count; i++)
            fprintf(out, i ? ",%zu" : "%zu", row_number(t->d, &rows[i]));
        fputs("],[", out);
        for (size_t i = 0; i < count; i++)
            fprintf(out, i ? ",%llu" : "%llu", (unsigned long long)rows[i].weight);
        fputs("]]", out);
    }
    fputs("]},\n", out);
}

// A column of the rows.
static bool write_samples(const struct timeline *t, FILE *out) {
    const struct run *d = t->d;
    uint64_t *column = calloc(d->row_count + 1, sizeof *column);
    size_t count;
    const struct profile_row *rows = profile_table_rows(t->samples, &count);
    count = shown(rows, count);
    for (size_t i = 0; column && i < count; i++)
        column[row_number(d, &rows[i])] = rows[i].weight;
    const bool good = column;
    JSON_WEIGHTS(out, "\"row_samples\"", i, good ? d->row_count : 0, column[i]);
    fputs(",\n", out);
    free(column);
    return good;
}

static size_t entries(const struct timeline *t) {
    size_t sum = 0, count = 0;
    for (size_t b = 0; b < t->slices.count; b++) {
        if (t->bins[b]) profile_table_rows(t->bins[b], &count);
        sum += t->bins[b] ? count : 0;
    }
    return sum;
}

// The samples, into `count` bins.
static bool fill(struct timeline *t, size_t count) {
    const uint64_t end = run_whole(t->d) / t->d->header->units; // the cycles of all samples
    t->slices = (struct time_slices){.cycles = (end + count - 1) / count, .count = count};
    t->samples = profile_table_create();
    return t->samples && sample_store_each(t->d->store, t->d->header, take, t);
}

static void empty(struct timeline *t) {
    for (size_t b = 0; b < t->slices.count; b++) {
        profile_table_destroy(t->bins[b]);
        t->bins[b] = NULL;
    }
    profile_table_destroy(t->samples);
    t->samples = NULL;
}

static bool write_timeline(const struct run *d, FILE *out) {
    struct timeline t = {.d = d};
    size_t count = (size_t)least(BINS, (d->sample_count + IN_BIN - 1) / IN_BIN);
    if (!d->by_samples || !d->total || !count) {
        fputs("\"timeline\":null,\"row_samples\":null,\n", out);
        return true;
    }
    bool good = fill(&t, count);
    while (good && count > 1 && entries(&t) > ENTRIES) {
        empty(&t);
        count /= 2;
        good = fill(&t, count);
    }
    if (good) write_bins(&t, out);
    good = good && write_samples(&t, out);
    empty(&t);
    return good;
}

bool html_rows_write(const struct html_functions *f, const struct run *d, const struct call_tree *calls,
                     struct string_table *strings, FILE *out) {
    return write_rows(f, d, calls, strings, out) && write_timeline(d, out);
}
