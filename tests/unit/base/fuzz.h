// What fuzz tests share: random numbers, a container's blocks in memory to be written again with others in their place,
// and inputs in a process of their own, so that one that ends it can be named. Included behind cmocka.h.
//
// A fuzz test is called as TEST [SEED [FIRST [COUNT]]]: inputs are made one by one out of SEED and their number, so
// that one of them can run alone.
#ifndef TIPOFF_TESTS_FUZZ_H
#define TIPOFF_TESTS_FUZZ_H

#include "base/container.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct fuzz {
    const char *self; // argv[0]
    uint64_t seed, first, count;
    uint64_t random; // state
};

static inline struct fuzz fuzz_arguments(int argc, char **argv, uint64_t count) {
    struct fuzz f = {argv[0], 1, 0, count, 0};
    if (argc > 1) f.seed = strtoull(argv[1], NULL, 0);
    if (argc > 2) f.first = strtoull(argv[2], NULL, 0);
    if (argc > 3) f.count = strtoull(argv[3], NULL, 0);
    return f;
}

static inline uint64_t fuzz_next(struct fuzz *f) { // splitmix64
    uint64_t z = f->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

// Runs `input` for each number, in a child whose random numbers begin with it, and then `end` there.
static inline void fuzz_run(struct fuzz *f, void (*input)(uint64_t number), void (*end)(void)) {
    volatile uint64_t *at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(at, MAP_FAILED);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (uint64_t i = f->first; i < f->first + f->count; i++) {
            *at = i;
            f->random = f->seed * 1000003 + i;
            input(i);
        }
        end();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status != 0)
        fail_msg("seed %llu, input %llu: status 0x%x: alone: %s %llu %llu 1", (unsigned long long)f->seed,
                 (unsigned long long)*at, (unsigned)status, f->self, (unsigned long long)f->seed,
                 (unsigned long long)*at);
    munmap((void *)at, sizeof *at);
}

// ---- blocks ----
enum { FUZZ_BLOCKS = 128 };
struct fuzz_block {
    uint32_t type;
    size_t bytes;
    uint8_t *data; // and a zero behind
};
struct fuzz_blocks {
    struct fuzz_block list[FUZZ_BLOCKS];
    size_t count;
};

static inline void fuzz_add(struct fuzz_blocks *b, uint32_t type, const uint8_t *data, size_t bytes) {
    assert_true(b->count < FUZZ_BLOCKS);
    struct fuzz_block *block = &b->list[b->count++];
    *block = (struct fuzz_block){type, bytes, malloc(bytes + 1)};
    memcpy(block->data, data, bytes);
    block->data[bytes] = 0;
}

static inline void fuzz_take(struct fuzz_blocks *b, const char *path, const char *kind, uint32_t version) {
    struct error err = {""};
    struct container_reader *r = container_open(path, kind, version, version, &err);
    const uint8_t *data;
    size_t bytes;
    uint32_t type;
    assert_non_null(r);
    b->count = 0;
    while (container_next(r, &type, &data, &bytes, &err) == CONTAINER_BLOCK)
        fuzz_add(b, type, data, bytes);
    container_destroy(r);
}

// Sums and lengths are right. The first block is the header.
static inline void fuzz_put(const struct fuzz_blocks *b, const char *path, const char *kind, uint32_t version) {
    struct error err = {""};
    struct container_writer *w = container_create(path, kind, version, (const char *)b->list[0].data, &err);
    assert_non_null(w);
    for (size_t i = 1; i < b->count; i++)
        assert_int_equal(container_write(w, b->list[i].type, b->list[i].data, b->list[i].bytes, &err), 0);
    assert_int_equal(container_close(w, &err), 0);
}

static inline void fuzz_drop(struct fuzz_blocks *b) {
    for (size_t i = 0; i < b->count; i++)
        free(b->list[i].data);
    b->count = 0;
}

#endif
