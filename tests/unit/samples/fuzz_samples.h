// One input of the reader of sample files, as a fuzzer writes it: a byte, then what the file has. 0: the bytes of the
// file as they are. Else the version; then blocks, each type u32, length u32 (no more than is left) and bytes, which
// are put into a container whose sums are right. The first one is the header.
#ifndef TIPOFF_TESTS_FUZZ_SAMPLES_H
#define TIPOFF_TESTS_FUZZ_SAMPLES_H

#include "base/bytes.h"
#include "base/container.h"
#include "profile/result_merge.h"
#include "profile/result_statistics.h"
#include "samples/samples.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static inline void fuzz_samples_blocks(const uint8_t *p, size_t left, uint32_t version, const char *path) {
    struct container_writer *w = NULL;
    struct error err;
    while (left >= 8) {
        const uint32_t type = (uint32_t)bytes_get(&p, 4);
        size_t bytes = (size_t)bytes_get(&p, 4);
        left -= 8;
        if (bytes > left) bytes = left;
        char *text = w ? NULL : strndup((const char *)p, bytes);
        if (w)
            (void)container_write(w, type, p, bytes, &err);
        else
            w = container_create(path, "samples", version, text, &err);
        free(text);
        if (!w) return;
        p += bytes;
        left -= bytes;
    }
    if (w) (void)container_close(w, &err);
}

// Reads it, and does with its results what the commands do.
static inline void fuzz_samples(const uint8_t *data, size_t bytes) {
    char path[32];
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0 || !bytes) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (data[0])
        fuzz_samples_blocks(data + 1, bytes - 1, data[0] & 7, path);
    else if (write(fd, data + 1, bytes - 1) < 0)
        abort();
    struct error err = {""};
    struct samples *s = samples_open(path, &err);
    if (!s && (!err.text[0] || strchr(err.text, '\n'))) abort(); // refused in one line
    if (s && (samples_state(s) == SAMPLES_COMPLETE) != !samples_fault(s)[0]) abort();
    struct results *merged = results_create();
    cJSON *statistics = cJSON_CreateObject();
    if (s && !result_statistics_add(statistics, samples_results(s))) abort();
    for (int i = 0; s && i < 2; i++)
        if (!results_merge(merged, samples_results(s), &err)) break;
    cJSON_Delete(statistics);
    results_destroy(merged);
    samples_destroy(s);
    close(fd);
}

#endif
