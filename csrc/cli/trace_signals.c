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
    int next;
    while ((next = signal_file_next(f, &cycle, &count, &values, err)) == 1 && !ferror(out)) {
        fprintf(out, json ? "{\"cycle\":%" PRIu64 ",\"count\":%" PRIu64 : "%10" PRIu64 " x%-5" PRIu64, cycle, count);
        (json ? print_json : print_text)(out, signal_file_columns(f), values);
    }
    int closed = output_close(document, true, next < 0 ? NULL : err); // of a damaged file, what could be read
    return next < 0 ? STATUS_BAD_INPUT : closed < 0 ? STATUS_OUTPUT : EXIT_SUCCESS;
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
    int next = 0, result = csv ? 0 : -EIO;
    while (csv && (next = signal_file_next(f, &cycle, &count, &values, err)) == 1 && result == 0)
        result = signal_csv.add(csv, cycle, count, values, err);
    struct error ignored;
    const int closed = csv ? signal_csv.close(csv, next < 0 || result < 0 ? &ignored : err) : 0;
    const bool good = result == 0 && closed == 0; // of a damaged file, what could be read
    if (!good && next >= 0) output_said(document, err);
    const int named = output_close(document, good, next < 0 ? &ignored : err);
    return next < 0 ? STATUS_BAD_INPUT : !good || named < 0 ? STATUS_OUTPUT : EXIT_SUCCESS;
}

int trace_signals_copy(const char *path, const char *format, const char *output, struct error *err) {
    struct signal_file *f = signal_file_open(path, err);
    if (!f) return STATUS_BAD_INPUT;
    int status =
        strcmp(format, "csv") == 0 ? copy_csv(f, output, err) : copy_lines(f, strcmp(format, "json") == 0, output, err);
    signal_file_destroy(f);
    return status;
}
