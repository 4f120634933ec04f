// The file format of speedscope (https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources): call stacks
// in the order of time, weighed in cycles; a profile without samples in the order of addresses. First all time, then
// that of each state.
#include "base/array.h"
#include "report/export.h"
#include "report/formats.h"
#include "report/json_text.h"
#include "report/words.h"
#include <errno.h>
#include <stdlib.h>

struct stretch { // of time with one call stack
    uint32_t stack;
    uint8_t hart, state;
    uint64_t weight; // in 1/U cycle
};
struct runs {
    const struct export *export;
    struct stretch *list;
    size_t count, capacity;
    struct {
        size_t last;                       // its last stretch, and one; 0: it has none
        uint64_t weights[STATE_COUNT + 1]; // by state
    } harts[SAMPLES_HARTS];
};

static bool add_run(struct runs *r, size_t row, unsigned hart, uint64_t weight) {
    if (r->export->data->harts == 1) hart = 0;
    const size_t last = r->harts[hart].last;
    const uint8_t state = r->export->data->rows[row].state;
    r->harts[hart].weights[state] += weight;
    const uint32_t stack = r->export->frame_stacks[r->export->tree.row_frames[row]];
    if (last && r->list[last - 1].stack == stack && r->list[last - 1].state == state) {
        r->list[last - 1].weight += weight;
        return true;
    }
    if (!array_reserve(&r->list, &r->capacity, r->count, sizeof *r->list)) return false;
    r->list[r->count++] = (struct stretch){stack, (uint8_t)hart, state, weight};
    r->harts[hart].last = r->count;
    return true;
}

static bool take(void *context, const struct export_sample *sample) {
    bool good = true;
    for (size_t i = 0; good && i < sample->count; i++)
        good = add_run(context, sample->shares[i].row, sample->record->hart, sample->shares[i].weight);
    return good;
}

static bool find_runs(struct runs *r, struct error *err) {
    const struct run *d = r->export->data;
    if (d->by_samples) return export_samples(r->export, take, r, err);
    for (size_t i = 0; i < d->row_count; i++) {
        if (!add_run(r, i, place_hart(d->rows[i].context), d->rows[i].weight))
            return report_out_of_memory(d->path, err) == 0;
    }
    return true;
}

static void write_frames(const struct export *e, FILE *out) {
    fputs("\"shared\":{\"frames\":[", out);
    for (size_t i = 0; i < e->function_count; i++) {
        fputs(i ? ",\n{\"name\":" : "\n{\"name\":", out);
        json_text_string(out, e->functions[i].name);
        if (e->functions[i].file[0]) {
            fputs(",\"file\":", out);
            json_text_string(out, e->functions[i].file);
        }
        fputc('}', out);
    }
    fputs("]},\n", out);
}

// way: an array that holds any stack.
static void write_stack(const struct export *e, uint32_t stack, uint32_t *way, FILE *out) {
    size_t length = 0;
    for (; stack != EXPORT_NO_STACK; stack = (uint32_t)e->stacks.keys[stack][STACK_PARENT])
        way[length++] = (uint32_t)e->stacks.keys[stack][STACK_FUNCTION];
    fputc('[', out);
    while (length-- > 0)
        fprintf(out, length ? "%u," : "%u", way[length]);
    fputc(']', out);
}

// In cycles; sixteen digits after the point; those beyond U's are noise below any sum's.
static void write_weight(uint64_t weight, uint64_t units, FILE *out) {
    if (weight % units) {
        fprintf(out, "%.17g", (double)weight / (double)units);
    } else {
        fprintf(out, "%llu", (unsigned long long)(weight / units));
    }
}

enum { ANY = STATE_COUNT + 1 };
static bool is_of(const struct stretch *s, unsigned hart, unsigned state) {
    return s->hart == hart && (state == ANY || s->state == state);
}

// Stretches of one stack that follow one another are one. way: of their stacks; NULL: their weights.
static void write_stretches(const struct runs *r, unsigned hart, unsigned state, uint32_t *way, FILE *out) {
    const struct stretch *before = NULL;
    uint64_t weight = 0;
    bool first = true;
    for (size_t i = 0; i <= r->count; i++) {
        const struct stretch *s = i < r->count ? &r->list[i] : NULL;
        if (s && !is_of(s, hart, state)) continue;
        if (before && (!s || s->stack != before->stack)) {
            if (!first) fputc(',', out);
            first = false;
            if (way) {
                write_stack(r->export, before->stack, way, out);
            } else {
                write_weight(weight, r->export->data->header->units, out);
            }
            weight = 0;
        }
        if (s) weight += s->weight;
        before = s;
    }
}

static uint64_t weight_of(const struct runs *r, unsigned hart, unsigned state) {
    uint64_t sum = 0;
    for (unsigned s = 0; s <= STATE_COUNT; s++)
        sum += state == ANY || state == s ? r->harts[hart].weights[s] : 0;
    return sum;
}

// The stretches of a hart, which are all where there is one, and of a state.
static void write_profile(const struct runs *r, unsigned hart, unsigned state, uint32_t *way, FILE *out) {
    const struct export *e = r->export;
    const struct run *d = e->data;
    fputs("{\"type\":\"sampled\",\"unit\":\"none\",\"startValue\":0,\"endValue\":", out);
    write_weight(weight_of(r, hart, state), d->header->units, out);
    fputs(",\"name\":", out);
    char name[512];
    snprintf(name, sizeof name, "%s on %s: cycles, %s", export_title(d), d->header->config, d->profiler);
    if (d->harts > 1) words_append(name, sizeof name, ", hart %u", hart);
    if (state != ANY) words_append(name, sizeof name, ", %s", report_state_name(state));
    json_text_string(out, name);
    fputs(",\n\"samples\":[", out);
    write_stretches(r, hart, state, way, out);
    fputs("],\n\"weights\":[", out);
    write_stretches(r, hart, state, NULL, out);
    fputs("]}", out);
}

static void write_document(const struct runs *r, uint32_t *way, FILE *out) {
    const struct export *e = r->export;
    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\"exporter\":\"tipoff\",\"name\":",
          out);
    json_text_string(out, export_title(e->data));
    fputs(",\"activeProfileIndex\":0,\n", out);
    write_frames(e, out);
    fputs("\"profiles\":[", out);
    const char *between = "";
    for (unsigned hart = 0; hart < SAMPLES_HARTS; hart++) {
        if (!r->harts[hart].last && (hart || e->data->harts > 1)) continue;
        fputs(between, out);
        write_profile(r, hart, ANY, way, out);
        between = ",\n";
    }
    for (unsigned hart = 0; hart < SAMPLES_HARTS; hart++) {
        for (unsigned state = 0; state <= STATE_COUNT; state++) {
            if (!r->harts[hart].weights[state]) continue;
            fputs(between, out);
            write_profile(r, hart, state, way, out);
        }
    }
    fputs("]}\n", out);
}

static int write_speedscope(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct export e;
    struct runs runs = {.export = &e};
    int result = -EINVAL;
    if (!export_create(&e, d, o->max_stack, err)) return -EINVAL;
    uint32_t *way = malloc((e.stacks.count + 1) * sizeof *way);
    if (!way) {
        result = report_out_of_memory(d->path, err);
    } else if (find_runs(&runs, err)) {
        write_document(&runs, way, out);
        result = 0;
    }
    free(way);
    free(runs.list);
    export_destroy(&e);
    return result;
}

const struct report_format format_speedscope = {.name = "speedscope", .write = write_speedscope, .stacks = true};
