// A record has its length in front: it is put together in a buffer.
#include "report/perf_file.h"
#include <linux/perf_event.h>
#include <string.h>

void perf_put(struct perf_file *f, const void *bytes, size_t size) {
    if (f->out) fwrite(bytes, 1, size, f->out);
    f->at += size;
}

void perf_begin(struct perf_file *f) {
    f->used = sizeof(struct perf_event_header);
}

void perf_add(struct perf_file *f, const void *bytes, size_t size) {
    if (f->used + size > PERF_RECORD_MOST) return; // none is as long
    memcpy(f->record + f->used, bytes, size);
    f->used += size;
}

void perf_64(struct perf_file *f, uint64_t value) {
    perf_add(f, &value, sizeof value);
}
void perf_32(struct perf_file *f, uint32_t value) {
    perf_add(f, &value, sizeof value);
}

void perf_text(struct perf_file *f, const char *text, size_t most) {
    static const char zeros[8];
    const size_t length = strnlen(text, most - 1);
    perf_add(f, text, length);
    perf_add(f, zeros, 8 - length % 8);
}

void perf_end(struct perf_file *f, uint32_t type, uint16_t misc) {
    const struct perf_event_header header = {type, misc, (uint16_t)f->used};
    memcpy(f->record, &header, sizeof header);
    perf_put(f, f->record, f->used);
}
