// tipoff trace, of signals: a binary trace of a group as text, CSV or JSON.
#include "cli/trace_signals.h"
#include "base/output.h"
#include "cli/cli.h"
#include "trace/signal_trace.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_text(FILE *out, const struct signal_columns *c, const uint64_t *values) {
    for (unsigned i = 0; i < c->count; i++) {
        if (values[i]) fprintf(out, c->list[i].hex ? " %s=0x%" PRIx64 : " %s=%" PRIu64, c->list[i].name, values[i]);
    }
    fputc('\n', out);
}

static void print_json(FILE *out, const struct signal_columns *c, const uint64_t *values) {
    for (unsigned i = 0; i < c->count; i++)
        fprintf(out, c->list[i].hex ? ",\"%s\":\"0x%" PRIx64 "\"" : ",\"%s\":%" PRIu64, c->list[i].name, values[i]);
    fputs("}\n", out);
}

static int copy_lines(struct signal_file *f, bool json, const char *output, struct error *err) {
    struct output *document = output_open(output, err);
    if (!document) return STATUS_OUTPUT;
    FILE *out = output_file(document);
    uint64_t cycle, count;
    const uint64_t *values;
    struct error damage = {""};
    while (signal_file_next(f, &cycle, &count, &values, &damage) == 1 && !ferror(out)) {
        fprintf(out, json ? "{\"cycle\":%" PRIu64 ",\"count\":%" PRIu64 : "%10" PRIu64 " x%-5" PRIu64, cycle, count);
        (json ? print_json : print_text)(out, signal_file_columns(f), values);
    }
    cli_warn_damage(&damage);
    return output_close(document, true, err) < 0 ? STATUS_OUTPUT : EXIT_SUCCESS;
}

// Through the writer that runs use: one form of CSV.
static int copy_csv(struct signal_file *f, const char *output, struct error *err) {
    struct output *document = output_open(output, err);
    if (!document) return STATUS_OUTPUT;
    char path[OUTPUT_PATH];
    output_path(document, path);
    struct signal_writer *csv = signal_csv.create(path, signal_file_columns(f), err);
    uint64_t cycle, count;
    const uint64_t *values;
    struct error damage = {""}, ignored;
    int result = csv ? 0 : -EIO;
    while (csv && result == 0 && signal_file_next(f, &cycle, &count, &values, &damage) == 1)
        result = signal_csv.add(csv, cycle, count, values, err);
    const int closed = csv ? signal_csv.close(csv, result < 0 ? &ignored : err) : 0;
    const bool good = result == 0 && closed == 0;
    cli_warn_damage(&damage);
    if (!good) output_said(document, err);
    return output_close(document, good, err) < 0 ? STATUS_OUTPUT : EXIT_SUCCESS;
}

int trace_signals_copy(const char *path, const char *format, const char *output, struct error *err) {
    struct signal_file *f = signal_file_open(path, err);
    if (!f) return STATUS_BAD_INPUT;
    int status =
        strcmp(format, "csv") == 0 ? copy_csv(f, output, err) : copy_lines(f, strcmp(format, "json") == 0, output, err);
    signal_file_destroy(f);
    return status;
}
