// Trace as text: a header line, then one line a cycle. PCs in hex with 0x, the rest decimal.
#include "base/output.h"
#include "trace/tracer.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tracer {
    FILE *file;
    char *path;
    unsigned width;
};

static int fail(struct tracer *t, struct error *err) {
    int code = errno ? errno : EIO;
    error_set(err, "%s: cannot write: %s: free some space and run again", t->path, strerror(code));
    return -code;
}

static int csv_close(struct tracer *t, struct error *err) {
    int result = 0;
    if (t->file && fclose(t->file) != 0) result = fail(t, err);
    free(t->path);
    free(t);
    return result;
}

static struct tracer *csv_create(const char *path, unsigned width, const char *program, struct error *err) {
    (void)program;
    struct tracer *t = calloc(1, sizeof *t);
    if (!t || !(t->path = strdup(path))) {
        error_nomem(err, path);
        free(t);
        return NULL;
    }
    t->width = width;
    t->file = output_stream(path, err);
    if (!t->file) {
        csv_close(t, NULL);
        return NULL;
    }
    fputs("cycle,rob_empty,oldest,exception,exception_pc", t->file);
    for (unsigned i = 0; i < width; i++) {
        fprintf(t->file, ",valid%u,commit%u,pc%u,mispredict%u,flush%u,psv%u", i, i, i, i, i, i);
    }
    for (unsigned i = 0; i < width; i++)
        fprintf(t->file, ",dispatch_valid%u,dispatch_pc%u", i, i);
    fputc('\n', t->file);
    return t;
}

static unsigned bit(uint8_t mask, unsigned lane) {
    return mask >> lane & 1u;
}

static int csv_cycle(struct tracer *t, uint64_t cycle, uint64_t count, const struct commit_bundle *b,
                     struct error *err) {
    char line[2048];
    int n = snprintf(line, sizeof line, ",%u,%u,%u,0x%llx", b->rob_empty, b->oldest, b->exception,
                     (unsigned long long)b->exception_pc);
    for (unsigned i = 0; i < t->width; i++) {
        n += snprintf(line + n, sizeof line - (size_t)n, ",%u,%u,0x%llx,%u,%u,%u", bit(b->valid, i), bit(b->commit, i),
                      (unsigned long long)b->pc[i], bit(b->mispredict, i), bit(b->flush, i), b->psv[i]);
    }
    for (unsigned i = 0; i < t->width; i++) {
        n += snprintf(line + n, sizeof line - (size_t)n, ",%u,0x%llx", bit(b->dispatch_valid, i),
                      (unsigned long long)b->dispatch_pc[i]);
    }
    for (uint64_t k = 0; k < count; k++) {
        if (fprintf(t->file, "%llu%s\n", (unsigned long long)(cycle + k), line) < 0) return fail(t, err);
    }
    return 0;
}

const struct tracer_format tracer_csv = {"csv", csv_create, csv_cycle, csv_close};
