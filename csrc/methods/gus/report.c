// The three forms of one report: resources, variants, instructions.
#include "methods/gus/report.h"
#include "base/grouped.h"
#include "base/paths.h"
#include "isa/disasm.h"
#include "methods/gus/report_harts.h"
#include "methods/gus/view_heat.h"
#include "report/csv.h"
#include "report/json_text.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 96 };
static const char *const types[GUS_TYPES] = {GUS_TYPE_NAMES};

struct row { // of an instruction
    const struct gus_place *place;
    uint64_t pc;
    uint32_t insn;
};
struct page {
    const struct gus_report *r;
    struct gus_sum sum;
    struct row *rows; // that were executed, the longest exposed first
    size_t count;
    struct disasm *disasm;
    uint64_t uses[GUS_RESOURCES], latency; // of all rows
    FILE *out;
};

static double cycles(uint64_t time) {
    return (double)time / (double)GUS_CYCLE;
}

static double part(uint64_t a, uint64_t b) {
    return b ? (double)a / (double)b : 0;
}

static unsigned uses_of(const struct gus_kind *k, unsigned resource) {
    unsigned n = 0;
    for (unsigned i = 0; i < k->use_count; i++)
        n += k->uses[i] == resource;
    return n;
}

static int by_exposed(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    if (x->place->exposed != y->place->exposed) return x->place->exposed < y->place->exposed ? 1 : -1;
    return (x->pc > y->pc) - (x->pc < y->pc);
}

static bool collect(struct page *p) {
    if (!gus_sum(p->r, &p->sum)) return false;
    const struct gus_place *places = p->sum.places;
    p->rows = calloc(p->sum.count + 1, sizeof *p->rows);
    if (!p->rows) return false;
    for (size_t i = 0; i < p->sum.count && places; i++) {
        if (!places[i].executions) continue;
        p->rows[p->count++] =
            (struct row){&places[i], gus_stream_pc(p->sum.stream, i), gus_stream_insn(p->sum.stream, i)};
        p->latency += places[i].latency;
        const struct gus_kind *k = &p->r->table->kinds[places[i].kind];
        for (unsigned u = 0; u < k->use_count; u++)
            p->uses[k->uses[u]] += places[i].executions;
    }
    qsort(p->rows, p->count, sizeof *p->rows, by_exposed);
    return true;
}

// ---- texts of an instruction ----
static void function_text(const struct page *p, const struct row *row, char text[TEXT]) {
    const struct program_function *f = p->r->names ? program_function_at(p->r->names, row->pc) : NULL;
    snprintf(text, TEXT, "-");
    if (!f) return;
    if (row->pc == f->start)
        snprintf(text, TEXT, "%.60s", f->name);
    else
        snprintf(text, TEXT, "%.60s+0x%" PRIx64, f->name, row->pc - f->start);
}

static void source_text(const struct page *p, const struct row *row, char text[TEXT]) {
    unsigned line = 0;
    const char *file = p->r->names ? program_source(p->r->names, row->pc, &line) : NULL;
    snprintf(text, TEXT, "-");
    if (file) snprintf(text, TEXT, "%.60s:%u", paths_name(file), line);
}

static void insn_text(const struct page *p, const struct row *row, char text[TEXT]) {
    if (row->insn == 0) {
        snprintf(text, TEXT, "(trap)");
        return;
    }
    disasm_text(p->disasm, row->pc, row->insn, text, TEXT);
    for (char *c = text; *c; c++)
        *c = *c == '\t' ? ' ' : *c;
}

// ---- text ----
static void text_resources(const struct page *p) {
    fprintf(p->out, "\nResources\n  %-14s %-6s %7s  %s\n", "name", "type", "amount", "busy");
    for (unsigned i = 0; i < p->r->table->resource_count; i++) {
        const struct gus_resource *s = &p->r->table->resources[i];
        double busy = gus_sum_occupancy(p->r, &p->sum, i);
        if (busy >= 0) fprintf(p->out, "  %-14s %-6s %7u  %5.1f %%\n", s->name, types[s->type], s->count, 100 * busy);
    }
}

static void text_uses(const struct page *p, const struct row *row, FILE *out) {
    const struct gus_kind *k = &p->r->table->kinds[row->place->kind];
    for (unsigned i = 0; i < k->use_count; i++) {
        uint8_t u = k->uses[i];
        if (p->r->table->resources[u].type == GUS_RATE || p->r->table->resources[u].type == GUS_UNIT)
            fprintf(out, " %s %.1f %%", p->r->table->resources[u].name, 100 * part(row->place->executions, p->uses[u]));
    }
}

// A line of the table, as much of it as there are columns. Letters of more than one byte are counted as one.
static void cut(const struct page *p, const char *line) {
    size_t shown = 0, columns = p->r->columns ? p->r->columns : SIZE_MAX;
    const char *end = line;
    for (; *end && (shown < columns || ((unsigned char)*end & 0xc0) == 0x80); end++)
        shown += ((unsigned char)*end & 0xc0) != 0x80;
    fprintf(p->out, "%.*s\n", (int)(end - line), line);
}

static void text_row(const struct page *p, const struct row *row, FILE *out) {
    char function[TEXT], insn[TEXT], source[TEXT], executions[GROUPED_TEXT];
    function_text(p, row, function);
    insn_text(p, row, insn);
    source_text(p, row, source);
    fprintf(out, "  %4.1f %% %11s %8.1f %6.1f %%  0x%08" PRIx64 "  %-30s %-24s %-18s",
            100 * part(row->place->exposed, p->sum.time), grouped(executions, row->place->executions),
            cycles(row->place->latency) / (double)row->place->executions, 100 * part(row->place->latency, p->latency),
            row->pc, insn, function, source);
    text_uses(p, row, out);
}

static bool text_instructions(const struct page *p) {
    const size_t shown = p->r->limit && p->r->limit < p->count ? p->r->limit : p->count;
    fprintf(p->out, "\nInstructions (%zu of %zu), by the time between their end and the one before\n", shown, p->count);
    cut(p,
        "    time  executions  latency    share  address     instruction                    function                 "
        "source             its part of the uses of each resource");
    for (size_t i = 0; i < shown; i++) {
        char *line = NULL;
        size_t size = 0;
        FILE *memory = open_memstream(&line, &size);
        if (!memory) return false;
        text_row(p, &p->rows[i], memory);
        const bool good = fclose(memory) == 0;
        if (good) cut(p, line);
        free(line);
        if (!good) return false;
    }
    return true;
}

static bool write_text(const struct page *p) {
    const double all = p->sum.cycles;
    char time[GROUPED_TEXT], instructions[GROUPED_TEXT];
    fprintf(p->out, "Gus, a model of resources: %s on %s\n  %s cycles, %s instructions, IPC %.3f\n", p->r->program,
            p->r->config, grouped(time, (uint64_t)llround(all)), grouped(instructions, p->sum.instructions),
            all > 0 ? (double)p->sum.instructions / all : 0);
    gus_text_harts(p->r, p->out);
    text_resources(p);
    return (!p->r->variant_count || gus_heat_text(p->r, p->out)) && text_instructions(p);
}

// ---- JSON and CSV ----
static void json_variants(const struct page *p) {
    fputs("],\n\"variants\":[", p->out);
    for (size_t i = 0; i < p->r->variant_count; i++) {
        const struct gus_variant *v = &p->r->variants[i];
        fprintf(p->out, "%s\n{\"percent\":%u,\"cycles\":%.3f,\"gain\":%.6f,\"resources\":[", i ? "," : "", v->percent,
                cycles(v->time), gus_gain(p->r, v));
        for (unsigned k = 0; k < v->count; k++)
            fprintf(p->out, "%s\"%s\"", k ? "," : "", p->r->table->resources[v->resources[k]].name);
        fputs("]}", p->out);
    }
}

static bool write_json(const struct page *p) {
    char text[TEXT];
    fputs("{\"program\":", p->out);
    json_text_string(p->out, p->r->program);
    fputs(",\"config\":", p->out);
    json_text_string(p->out, p->r->config);
    fprintf(p->out, ",\"cycles\":%.3f,\"instructions\":%" PRIu64 ",\n", p->sum.cycles, p->sum.instructions);
    gus_json_harts(p->r, p->out);
    fputs("\"resources\":[", p->out);
    for (unsigned i = 0; i < p->r->table->resource_count; i++) {
        const struct gus_resource *s = &p->r->table->resources[i];
        double busy = gus_sum_occupancy(p->r, &p->sum, i);
        fprintf(p->out, "%s\n{\"name\":\"%s\",\"type\":\"%s\",\"amount\":%u,\"busy\":", i ? "," : "", s->name,
                types[s->type], s->count);
        fprintf(p->out, busy < 0 ? "null}" : "%.6f}", busy);
    }
    json_variants(p);
    fputs("],\n\"rows\":[", p->out);
    for (size_t i = 0; i < p->count; i++) {
        const struct row *row = &p->rows[i];
        const struct gus_kind *k = &p->r->table->kinds[row->place->kind];
        fprintf(p->out, "%s\n{\"address\":\"0x%" PRIx64 "\",\"instruction\":", i ? "," : "", row->pc);
        insn_text(p, row, text);
        json_text_string(p->out, text);
        fputs(",\"function\":", p->out);
        function_text(p, row, text);
        json_text_string(p->out, text);
        fputs(",\"source\":", p->out);
        source_text(p, row, text);
        json_text_string(p->out, text);
        fprintf(p->out,
                ",\"executions\":%" PRIu64 ",\"misses\":%" PRIu64 ",\"walks\":%" PRIu64 ",\"mispredicted\":%" PRIu64
                ",\"cycles\":%.3f,\"latency\":%.3f,\"uses\":{",
                row->place->executions, row->place->misses, row->place->walks, row->place->mispredicted,
                cycles(row->place->exposed), cycles(row->place->latency));
        for (unsigned u = 0; u < k->use_count; u++)
            fprintf(p->out, "%s\"%s\":%.6f", u ? "," : "", p->r->table->resources[k->uses[u]].name,
                    part(row->place->executions, p->uses[k->uses[u]]));
        fputs("}}", p->out);
    }
    fputs("]}\n", p->out);
    return true;
}

static bool write_csv(const struct page *p) {
    char text[TEXT];
    fputs("address,instruction,function,source,executions,misses,walks,mispredicted,cycles,latency", p->out);
    for (unsigned u = 0; u < p->r->table->resource_count; u++)
        fprintf(p->out, ",uses_%s", p->r->table->resources[u].name); // one of them is called latency, too
    fputc('\n', p->out);
    for (size_t i = 0; i < p->count; i++) {
        const struct row *row = &p->rows[i];
        fprintf(p->out, "0x%" PRIx64 ",", row->pc);
        insn_text(p, row, text);
        csv_text(p->out, text);
        function_text(p, row, text);
        fputc(',', p->out);
        csv_text(p->out, text);
        source_text(p, row, text);
        fputc(',', p->out);
        csv_text(p->out, text);
        fprintf(p->out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.3f,%.3f", row->place->executions,
                row->place->misses, row->place->walks, row->place->mispredicted, cycles(row->place->exposed),
                cycles(row->place->latency));
        for (unsigned u = 0; u < p->r->table->resource_count; u++)
            fprintf(p->out, ",%.6f",
                    uses_of(&p->r->table->kinds[row->place->kind], u) ? part(row->place->executions, p->uses[u]) : 0);
        fputc('\n', p->out);
    }
    return true;
}

static bool write_svg(const struct page *p) {
    return gus_heat_draw(p->r, p->out);
}

bool gus_report_write(const struct gus_report *r, enum gus_format format, FILE *out, struct error *err) {
    static bool (*const write[GUS_FORMATS])(const struct page *p) = {write_text, write_json, write_csv, write_svg};
    struct page p = {.r = r, .out = out, .disasm = disasm_create(err)};
    bool good = p.disasm && collect(&p) && write[format](&p);
    if (!good && p.disasm) error_nomem(err, "gus");
    free(p.rows);
    gus_sum_free(&p.sum);
    disasm_destroy(p.disasm);
    return good;
}
