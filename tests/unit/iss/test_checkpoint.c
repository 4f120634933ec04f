// Checkpoints: every field of the state comes back, a machine goes on as if nothing had been, and what is no whole
// checkpoint of this tipoff is refused in one line.
#include "base/bytes.h"
#include "base/container.h"
#include "base/memory_size.h"
#include "iss/checkpoint.h"
#include "iss/iss_internal.h"
#include "tables_digest.h"
#include "tests/unit/iss/hart.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static char path[] = "/tmp/test_checkpoint_XXXXXX";

static int make_file(void **state) {
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}
static int remove_file(void **state) {
    (void)state;
    return unlink(path);
}

static void save(const struct iss *iss) {
    struct error err = {""};
    struct checkpoint_origin origin = {
        .program = "some/program.elf",
        .build_id = "a1b2",
        .images = {1, {{"kernel", 2, false, 0x80123, 0x10000, 0, "/some/vmlinux", "0f", "0123456789abcdef"}}}};
    if (checkpoint_write(iss, &origin, path, &err) != 0) fail_msg("%s", err.text);
}

static void no_files(struct iss *s) {
    s->htif.out = s->htif.in = NULL;
    s->htif.host = NULL;
    for (unsigned i = 0; i < 2; i++)
        s->peripherals.uart[i].out = s->peripherals.uart[i].in = NULL;
}

// The largest number that each integer may hold; a short text.
static void fill(const struct state_member *m, uint8_t *bytes) {
    for (size_t i = 0; i < m->bytes; i += m->element) {
        uint64_t most = m->range.most & ~m->range.zeros;
        switch (m->range.kind) {
        case STATE_NUMBER: bytes_put(bytes + i, most, (int)m->element); break;
        case STATE_STRING: bytes[i] = i + 1 < m->bytes ? 'a' : 0; break;
        case STATE_STRUCT:
            for (size_t k = 0; k < m->range.of->count; k++)
                fill(&m->range.of->members[k], bytes + i + m->range.of->members[k].offset);
            break;
        default: break;
        }
    }
}

// What its members must be to each other.
static void make_possible(struct iss *s) {
    struct hart *h = iss_only(s);
    h->x[0] = 0;
    for (unsigned i = 0; i < ISS_TLB_ENTRIES; i++)
        h->tlb[i].tag = (UINT64_C(1) << 63) + i;
    memset(h->csr, 0, sizeof h->csr);
    h->csr[CSR_MHARTID] = h->id;
    h->csr[CSR_SATP] = UINT64_C(8) << 60 | 1;
    h->csr[CSR_PMPADDR7] = 0x12345;
    h->csr[CSR_SSCRATCH] = UINT64_MAX;
    s->tohost = 0x1000;
    s->htif.tohost = DRAM_BASE + s->tohost;
}

static void fill_all(const struct state_member *members, size_t count, void *whole) {
    for (size_t i = 0; i < count; i++)
        fill(&members[i], (uint8_t *)whole + members[i].offset);
}

static void assert_all(const struct state_member *members, size_t count, const void *want, const void *got) {
    for (size_t i = 0; i < count; i++) {
        size_t at = members[i].offset;
        if (memcmp((const uint8_t *)want + at, (const uint8_t *)got + at, members[i].bytes) != 0)
            fail_msg("%s is not as it was", members[i].name);
    }
}

// Each field is filled with other values than it has after reset and must be so again in another machine.
static void test_every_field(void **state) {
    (void)state;
    struct error err = {""};
    struct iss *a = iss_create(&err), *b = iss_create(&err);
#define ROW(type, name, dimension, range) STATE_ROW(struct iss, type, name, range),
#define HART_ROW(type, name, dimension, range) STATE_ROW(struct hart, type, name, range),
    static const struct state_member of_machine[] = {MACHINE_STATE(ROW)}, of_hart[] = {HART_STATE(HART_ROW)};
    fill_all(of_machine, sizeof of_machine / sizeof *of_machine, a);
    fill_all(of_hart, sizeof of_hart / sizeof *of_hart, iss_only(a));
    make_possible(a);
    no_files(a);
    save(a);
    if (checkpoint_read(b, NULL, path, &err) != 0) fail_msg("%s", err.text);
    no_files(b);
    assert_true(iss_only(a)->x[X_SINK] != 0 && iss_only(b)->x[X_SINK] == 0); // what was written to x0 is no state
    iss_only(a)->x[X_SINK] = 0;
    assert_all(of_machine, sizeof of_machine / sizeof *of_machine, a, b);
    assert_all(of_hart, sizeof of_hart / sizeof *of_hart, iss_only(a), iss_only(b));
    iss_destroy(a);
    iss_destroy(b);
}

static void test_memory(void **state) {
    (void)state;
    struct error err = {""};
    struct iss *a = iss_create(&err), *b = iss_create(&err);
    static const uint64_t places[] = {0,       8,       PAGE_BYTES - 8, 5 * PAGE_BYTES + 16, (1 << 20) - 8,
                                      1 << 20, 3 << 20, DRAM_BYTES - 8};
    uint64_t one = 1, value;
    for (uint64_t at = 0; at < 3 << 20; at += PAGE_BYTES) // a run that is longer than a block
        assert_true(iss_write(a, DRAM_BASE + at, &at, 8));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        assert_true(iss_write(a, DRAM_BASE + places[i], &places[i], 8) && iss_write(b, DRAM_BASE + places[i], &one, 8));
    assert_true(iss_write(b, DRAM_BASE + 0x8000000, &one, 8)); // zero in the checkpoint
    save(a);
    assert_int_equal(checkpoint_read(b, NULL, path, &err), 0);
    assert_memory_equal(a->dram, b->dram, DRAM_BYTES);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        assert_true(iss_read(b, DRAM_BASE + places[i], &value, 8) && value == places[i]);
    iss_destroy(a);
    iss_destroy(b);
}

// The size is the checkpoint's, whatever the machine had that takes it.
static void test_memory_size(void **state) {
    (void)state;
    struct error err = {""};
    static const uint64_t sizes[] = {MEMORY_LEAST, DRAM_BYTES, 2 * DRAM_BYTES};
    for (size_t i = 0; i < 9; i++) {
        const uint64_t from = sizes[i / 3], to = sizes[i % 3];
        struct iss *a = iss_create(&err), *b = iss_create(&err);
        assert_int_equal(iss_set_memory(a, from, &err), 0);
        assert_int_equal(iss_set_memory(b, to, &err), 0);
        uint64_t value = 0, one = 1;
        assert_true(iss_write(a, DRAM_BASE + from - 8, &from, 8) && iss_write(b, DRAM_BASE + to - 16, &one, 8));
        save(a);
        if (checkpoint_read(b, NULL, path, &err) != 0) fail_msg("%s", err.text);
        assert_int_equal(iss_memory_bytes(b), from);
        assert_true(iss_read(b, DRAM_BASE + from - 8, &value, 8) && value == from);
        assert_false(iss_read(b, DRAM_BASE + from, &value, 8));
        assert_true(iss_read(b, DRAM_BASE + from - 16, &value, 8) && value == 0);
        assert_true(checkpoint_has(b, from, path, &err) && checkpoint_has(b, 0, path, &err));
        assert_false(checkpoint_has(b, MEMORY_MOST, path, &err));
        assert_non_null(strstr(err.text, path));
        iss_destroy(a);
        iss_destroy(b);
    }
}

static void test_origin(void **state) {
    (void)state;
    struct error err = {""};
    struct iss *a = hart_create(), *b = iss_create(&err);
    for (unsigned i = 0; i < 7; i++)
        execute(a, NOP);
    save(a);
    struct checkpoint_origin origin;
    assert_int_equal(checkpoint_read(b, &origin, path, &err), 0);
    assert_string_equal(origin.program, "some/program.elf");
    assert_string_equal(origin.build_id, "a1b2");
    assert_int_equal(origin.steps, 7);
    assert_int_equal(origin.images.count, 1);
    assert_string_equal(origin.images.list[0].name, "kernel");
    assert_int_equal(origin.images.list[0].modes, 2);
    assert_int_equal(origin.images.list[0].space, 0x80123);
    assert_int_equal(origin.images.list[0].bias, 0x10000);
    assert_string_equal(origin.images.list[0].path, "/some/vmlinux");
    assert_string_equal(origin.images.list[0].build_id, "0f");
    assert_string_equal(origin.images.list[0].digest, "0123456789abcdef");
    assert_true(checkpoint_fits(b, true, 8, false, path, &err));
    assert_false(checkpoint_fits(b, false, 8, false, path, &err));
    assert_false(checkpoint_fits(b, true, 16, false, path, &err));
    assert_false(checkpoint_fits(b, true, 8, true, path, &err));
    assert_non_null(strstr(err.text, path));
    iss_destroy(a);
    iss_destroy(b);
}

// Console input goes on behind what was taken, also the byte that waits in the UART.
static void test_input(void **state) {
    (void)state;
    struct error err = {""};
    struct iss *a = hart_create(), *b = iss_create(&err);
    char text[] = "abcd";
    FILE *in[2] = {fmemopen(text, 4, "r"), fmemopen(text, 4, "r")};
    iss_set_console(a, NULL, in[0]);
    iss_devices_reset(a); // takes the a
    hart_set_x(iss_only(a), A0, UART_BASE);
    assert_int_equal(execute(a, LOAD(BYTE_U, A1, A0, 0)).rd_value, 'a'); // and then the b
    save(a);
    iss_set_console(b, NULL, in[1]);
    assert_int_equal(checkpoint_read(b, NULL, path, &err), 0);
    for (const char *want = "bcd"; *want; want++)
        assert_int_equal(execute(b, LOAD(BYTE_U, A1, A0, 0)).rd_value, *want);
    assert_int_equal(execute(b, LOAD(BYTE_U, A1, A0, 5)).rd_value & 1, 0); // nothing more
    fclose(in[0]);
    fclose(in[1]);
    iss_destroy(a);
    iss_destroy(b);
}

// ---- what is refused ----
static void refused(const char *text) {
    struct error err = {""};
    struct iss *iss = iss_create(&err);
    assert_int_equal(checkpoint_read(iss, NULL, path, &err), -EINVAL);
    if (!strstr(err.text, path) || !strstr(err.text, text) || strchr(err.text, '\n'))
        fail_msg("not '%s', but '%s'", text, err.text);
    iss_destroy(iss);
}

static void put_file(const uint8_t *data, size_t bytes) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static void test_damage(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    for (unsigned i = 0; i < 20; i++)
        execute(iss, ADDI(A0, A0, 3));
    save(iss);
    iss_destroy(iss);
    enum { MOST = 1 << 16 };
    uint8_t *data = malloc(MOST);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t bytes = fread(data, 1, MOST, file);
    fclose(file);
    assert_true(bytes > 1000 && bytes < MOST);
    for (size_t length = 0; length < bytes; length += length < 100 ? 7 : 97) {
        put_file(data, length);
        refused("");
    }
    for (size_t at = 0; at < bytes; at += at < 300 ? 1 : 61) {
        if (at >= 20 && at < 24) continue; // reserved: nobody reads it
        data[at] ^= 0x10;
        put_file(data, bytes);
        refused("");
        data[at] ^= 0x10;
    }
    free(data);
}

struct block {
    uint32_t type;
    char name[32]; // and then `bytes` zeros
    size_t bytes;
};

static void put_blocks(const char *header, const struct block *blocks, size_t count) {
    struct error err = {""};
    struct container_writer *w = container_create(path, "machine", CHECKPOINT_VERSION, header, &err);
    assert_non_null(w);
    for (size_t i = 0; i < count; i++) {
        uint8_t data[4096] = {0};
        memcpy(data, blocks[i].name, sizeof blocks[i].name);
        assert_int_equal(container_write(w, blocks[i].type, data, blocks[i].bytes, &err), 0);
    }
    assert_int_equal(container_close(w, &err), 0);
}

static void test_foreign(void **state) {
    (void)state;
    static const char good[] = "{\"tables\":\"" TABLES_DIGEST "\"}";
    put_blocks("{\"tables\":\"0123\"}", NULL, 0);
    refused("other tables");
    put_blocks("no JSON", NULL, 0);
    refused("other tables");
    put_blocks(good, NULL, 0);
    refused("lacks a part");
    put_blocks(good, &(struct block){16, "no_such_field", 40}, 1);
    refused("does not have");
    put_blocks(good, &(struct block){16, "pc", 39}, 1); // one byte short
    refused("does not have");
    put_blocks(good, (struct block[]){{16, "pc", 40}, {16, "pc", 40}}, 2);
    refused("does not have");
    put_blocks(good, &(struct block){16, "pc", 3}, 1);
    refused("does not have");
    put_blocks(good, &(struct block){17, "\0\0\0\x10", 9}, 1); // at 256 MiB
    refused("outside DRAM");
    put_blocks(good, &(struct block){17, "\xff\xff\xff\x0f", 10}, 1); // a byte beyond
    refused("outside DRAM");
    put_blocks(good, &(struct block){17, "", 7}, 1);
    refused("outside DRAM");
    put_blocks(good, &(struct block){99, "", 8}, 1);
    refused("unknown type");
    static const char *const sizes[] = {"0",          "-268435456", "1",        "8388608", "300000000", "268435456.5",
                                        "4294967296", "1e300",      "\"512M\"", "null",    "[]"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char header[128];
        snprintf(header, sizeof header, "{\"tables\":\"" TABLES_DIGEST "\",\"memory\":%s}", sizes[i]);
        put_blocks(header, NULL, 0);
        refused("its size of memory");
    }
    put_blocks("{\"tables\":\"" TABLES_DIGEST "\",\"memory\":536870912}", &(struct block){17, "\0\0\0\x20", 9}, 1);
    refused("outside DRAM");
    struct error err = {""};
    struct container_writer *w = container_create(path, "machine", CHECKPOINT_VERSION + 1, good, &err);
    assert_int_equal(container_close(w, &err), 0);
    refused("version 3");
    w = container_create(path, "samples", 2, good, &err);
    assert_int_equal(container_close(w, &err), 0);
    refused("of kind 'samples'");
}

static void test_marker(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    const uint32_t marker7 = i_type(0x2013, 0, 0, 7), slti = i_type(0x2013, A0, 0, 7);
    execute(iss, marker7); // nobody looks for it
    assert_int_equal(iss_take_marker(iss), 0);
    iss_watch_markers(iss, true);
    const uint32_t words[] = {NOP, slti, i_type(0x2013, 0, A0, 7), i_type(0x2013, 0, 0, 0), marker7, NOP};
    for (unsigned i = 0; i < 6; i++)
        put_word(iss, CODE + 4 * i, words[i]);
    hart_set_pc(iss_only(iss), CODE);
    assert_int_equal(iss_run(iss, 100), 5);
    assert_int_equal(hart_pc(iss_only(iss)), CODE + 20);
    assert_int_equal(iss_take_marker(iss), 7);
    assert_int_equal(iss_take_marker(iss), 0);
    iss_watch_markers(iss, false);
    hart_set_pc(iss_only(iss), CODE);
    assert_int_equal(iss_run(iss, 6), 6);
    iss_destroy(iss);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_field), cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_memory_size), cmocka_unit_test(test_origin),
                                       cmocka_unit_test(test_input),       cmocka_unit_test(test_damage),
                                       cmocka_unit_test(test_foreign),     cmocka_unit_test(test_marker)};
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
