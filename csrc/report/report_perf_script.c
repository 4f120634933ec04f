// The text of `perf script` (perf-script(1)), which stackcollapse-perf.pl and others read: an event for each
// instruction that a sample gives time to, weighed by its period in cycles.
#include "base/paths.h"
#include "report/contexts.h"
#include "report/export.h"
#include "report/formats.h"
#include <errno.h>
#include <string.h>

struct script {
    const struct export *export;
    FILE *out;
    bool addresses;
    uint64_t before; // time of all samples up to now, in 1/U cycle
};

// Columns end at blanks, and an object at a bracket.
static void write_word(const char *text, FILE *out) {
    for (; *text; text++)
        fputc((unsigned char)*text <= ' ' || *text == '(' || *text == ')' ? '_' : *text, out);
}

static void write_site(const struct export *e, const struct export_site *site, FILE *out) {
    const unsigned long long pc = site->place.pc == PROFILE_PC_END ? 0 : site->place.pc;
    for (size_t i = 0; i + 1 < site->count; i++) {
        fprintf(out, "\t%16llx ", pc);
        export_line(e->functions[e->lines[site->first + i].function].name, out);
        fputs(" (inlined)\n", out);
    }
    fprintf(out, "\t%16llx ", pc);
    export_line(e->functions[export_outer(e, site)].name, out);
    fprintf(out, "+0x%llx (", (unsigned long long)(site->place.pc - site->function.pc));
    write_word(site->image == EXPORT_NO_IMAGE ? "[unknown]" : images_name(e->data->images, site->image), out);
    fputs(")\n", out);
}

// Seconds with nine digits: the whole part and the rest, both exact.
static void write_time(uint64_t cycle, uint32_t clock_mhz, FILE *out) {
    const uint64_t second = UINT64_C(1000000) * (clock_mhz ? clock_mhz : 1000);
    fprintf(out, "%llu.%09llu", (unsigned long long)(cycle / second),
            (unsigned long long)((double)(cycle % second) * 1e9 / (double)second));
}

static void write_event(struct script *s, const struct sample_record *record, size_t row, uint64_t period) {
    const struct export *e = s->export;
    const struct run *d = e->data;
    const uint64_t context = d->rows[row].context;
    char process[512];
    report_process(d, context, process, sizeof process);
    write_word(paths_name(process), s->out);
    const unsigned long long space = place_space(context);
    fprintf(s->out, " %llu/%llu [%03u] ", space, space, record->hart);
    write_time(record->cycle, d->header->clock_mhz, s->out);
    fprintf(s->out, ": %llu cycles:", (unsigned long long)period);
    if (s->addresses) // of time in Stalled after Drained: 0, as perf writes it where there is none
        fprintf(s->out, " %16llx", d->rows[row].state == record->sample.state ? (unsigned long long)record->data : 0);
    fputc('\n', s->out);
    for (size_t f = e->tree.row_frames[row]; f != CALL_TREE_NONE; f = e->tree.frames[f].parent)
        write_site(e, &e->sites[e->frame_sites[f]], s->out);
    fputc('\n', s->out);
}

// Whole cycles, so that all events together have all time.
static bool take(void *context, const struct export_sample *sample) {
    struct script *s = context;
    const uint64_t units = s->export->data->header->units;
    for (size_t i = 0; i < sample->count; i++) {
        const uint64_t after = s->before + sample->shares[i].weight;
        const uint64_t period = (after + units / 2) / units - (s->before + units / 2) / units;
        if (period) write_event(s, sample->record, sample->shares[i].row, period);
        s->before = after;
    }
    return true;
}

static int write_perf_script(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct export e;
    if (!export_create(&e, d, o->max_stack, err)) return -EINVAL;
    struct script s = {.export = &e, .out = out, .addresses = o->data_addresses};
    const bool good = export_has_times(d, "--format perf-script", err) && export_samples(&e, take, &s, err);
    export_destroy(&e);
    return good ? 0 : -EINVAL;
}

const struct report_format format_perf_script = {
    .name = "perf-script", .write = write_perf_script, .stacks = true, .data_addresses = true};
