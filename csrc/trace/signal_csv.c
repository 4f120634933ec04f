// Values of signals as text: a header line, then one line a cycle.
#include "base/output.h"
#include "trace/signal_trace.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct signal_writer {
    FILE *file;
    char *path;
    struct signal_columns columns;
};

static int fail(const struct signal_writer *w, struct error *err) {
    int code = errno ? errno : EIO;
    error_set(err, "%s: cannot write: %s: free some space and run again", w->path, strerror(code));
    return -code;
}

static int csv_close(struct signal_writer *w, struct error *err) {
    int result = w->file && fclose(w->file) != 0 ? fail(w, err) : 0;
    free(w->path);
    free(w);
    return result;
}

static struct signal_writer *csv_create(const char *path, const struct signal_columns *columns, struct error *err) {
    struct signal_writer *w = calloc(1, sizeof *w);
    if (!w || !(w->path = strdup(path))) {
        error_nomem(err, path);
        free(w);
        return NULL;
    }
    w->columns = *columns;
    w->file = output_stream(path, err);
    if (!w->file) {
        csv_close(w, NULL);
        return NULL;
    }
    fputs("cycle", w->file);
    for (unsigned i = 0; i < columns->count; i++)
        fprintf(w->file, ",%s", columns->list[i].name);
    fputc('\n', w->file);
    return w;
}

static int csv_add(struct signal_writer *w, uint64_t cycle, uint64_t count, const uint64_t *values, struct error *err) {
    char line[SIGNAL_SLOTS * 20 + 1] = "";
    size_t n = 0;
    for (unsigned i = 0; i < w->columns.count; i++)
        n += (size_t)snprintf(line + n, sizeof line - n, w->columns.list[i].hex ? ",0x%llx" : ",%llu",
                              (unsigned long long)values[i]);
    for (uint64_t k = 0; k < count; k++) {
        if (fprintf(w->file, "%llu%s\n", (unsigned long long)(cycle + k), line) < 0) return fail(w, err);
    }
    return 0;
}

const struct signal_format signal_csv = {"csv", csv_create, csv_add, csv_close};
