// HTIF on a memory of words that the test holds: what each store means, what the host reads and writes, and when.
#include "base/htif.h"
#include "memory_map.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TOHOST (DRAM_BASE + 64)
#define FROMHOST (DRAM_BASE + 128)
#define MAGIC (DRAM_BASE + 256)
#define TEXT (DRAM_BASE + 512 + 3) // not aligned
#define CONSOLE (UINT64_C(1) << 56)
#define PUT (CONSOLE | UINT64_C(1) << 48)

struct machine {
    struct htif htif;
    uint8_t memory[1024];
    char *text;
    size_t size;
    FILE *out;
};

static void begin(struct machine *m, FILE *in) {
    memset(m, 0, sizeof *m);
    m->out = open_memstream(&m->text, &m->size);
    htif_reset(&m->htif, TOHOST, FROMHOST, m->out, in);
}

static void end(struct machine *m, const char *printed) {
    fclose(m->out);
    assert_string_equal(m->text, printed);
    free(m->text);
}

static uint64_t *at(struct machine *m, uint64_t address) {
    return (uint64_t *)(void *)(m->memory + (address - DRAM_BASE));
}

// Lets the host do what it can; returns how many words it looked at.
static unsigned serve(struct machine *m) {
    uint64_t address;
    unsigned looks = 0;
    for (; looks < 100 && htif_wants(&m->htif, &address); looks++) {
        uint64_t word = *at(m, address);
        if (htif_access(&m->htif, &word)) *at(m, address) = word;
    }
    return looks;
}

static void store(struct machine *m, uint64_t address, unsigned bytes, uint64_t value) {
    memcpy(m->memory + (address - DRAM_BASE), &value, bytes);
    htif_store(&m->htif, address, bytes, value, 0);
}

static void test_exit(void **state) {
    (void)state;
    struct machine m;
    begin(&m, NULL);
    store(&m, TOHOST + 8, 8, 7); // not tohost
    store(&m, TOHOST - 8, 8, 7);
    assert_false(m.htif.exited);
    store(&m, TOHOST, 8, 0); // nothing is asked
    assert_false(m.htif.exited || m.htif.refused);
    store(&m, TOHOST, 8, 0x0000fffffffffffd);
    assert_true(m.htif.exited);
    assert_int_equal(m.htif.code, 0x7ffffffffffe);
    assert_int_equal(htif_status(m.htif.code), 255);
    assert_int_equal(htif_status(256), 255);
    assert_int_equal(htif_status(255), 255);
    assert_int_equal(htif_status(3), 3);
    end(&m, "");
}

// Any cut of the word into stores, in any order, is one command.
static void test_widths(void **state) {
    (void)state;
    const uint64_t command = PUT | 'a'; // bit 0 is set: taken by itself, its low half would end the program
    for (unsigned bytes = 1; bytes <= 8; bytes *= 2) {
        for (unsigned rotate = 0; rotate < 8; rotate += bytes) {
            struct machine m;
            begin(&m, NULL);
            for (unsigned i = 0; i < 8; i += bytes) {
                unsigned offset = (i + rotate) % 8;
                assert_int_equal(serve(&m), 0);
                uint64_t above = bytes < 8 ? UINT64_C(0xee) << 56 : 0; // of a register that is wider than the store
                store(&m, TOHOST + offset, bytes, command >> 8 * offset | above);
            }
            assert_true(serve(&m) > 0);
            assert_false(m.htif.exited || m.htif.refused);
            assert_int_equal(*at(&m, TOHOST), 0);
            end(&m, "a");
        }
    }
}

static void test_patience(void **state) {
    (void)state;
    struct machine m;
    begin(&m, NULL);
    htif_store(&m.htif, TOHOST, 4, 7, 1000);
    assert_true(htif_waits(&m.htif));
    htif_tick(&m.htif, 1000 + HTIF_PATIENCE - 1);
    assert_false(m.htif.exited);
    htif_tick(&m.htif, 1000 + HTIF_PATIENCE);
    assert_true(m.htif.exited);
    assert_int_equal(m.htif.code, 3);
    end(&m, "");
    begin(&m, NULL); // riscv-arch-test: the same again
    htif_store(&m.htif, TOHOST, 4, 7, 1000);
    htif_store(&m.htif, TOHOST, 4, 7, 1001);
    assert_true(m.htif.exited);
    end(&m, "");
}

static void call(struct machine *m, uint64_t number, uint64_t a, uint64_t b, uint64_t c) {
    const uint64_t words[] = {number, a, b, c};
    memcpy(at(m, MAGIC), words, sizeof words);
    store(m, TOHOST, 8, MAGIC);
    serve(m);
}

static void test_calls(void **state) {
    (void)state;
    struct machine m;
    begin(&m, NULL);
    memcpy(m.memory + (TEXT - DRAM_BASE), "written in words", 16);
    for (unsigned length = 0; length <= 16; length++) {
        call(&m, 64, 1, TEXT, length);
        assert_int_equal(*at(&m, MAGIC), length);
        assert_int_equal(*at(&m, TOHOST), 0);
        assert_int_equal(*at(&m, FROMHOST), 1);
        *at(&m, FROMHOST) = 0;
        fputc('\n', m.out);
    }
    fflush(m.out);
    assert_non_null(strstr(m.text, "\nwritten in words\n"));
    assert_non_null(strstr(m.text, "\nwrit\nwritt\nwritte\n"));
    call(&m, 64, 0, TEXT, 1);
    assert_int_equal(*at(&m, MAGIC), (uint64_t)-9); // EBADF
    *at(&m, FROMHOST) = 0;
    call(&m, 64, 1, DRAM_BASE + DRAM_BYTES - 1, 2);
    assert_int_equal(*at(&m, MAGIC), (uint64_t)-14); // EFAULT
    assert_false(m.htif.refused || m.htif.exited);
    *at(&m, FROMHOST) = 0;
    call(&m, 93, 42, 0, 0);
    assert_true(m.htif.exited);
    assert_int_equal(m.htif.code, 42);
    fclose(m.out);
    free(m.text);
}

// An answer waits until the one before has been read; commands meanwhile wait their turn.
static void test_answers(void **state) {
    (void)state;
    char typed[] = "xy";
    FILE *in = fmemopen(typed, 2, "r");
    struct machine m;
    begin(&m, in);
    store(&m, TOHOST, 8, CONSOLE);
    serve(&m);
    assert_int_equal(*at(&m, FROMHOST), CONSOLE | 0x100 | 'x');
    store(&m, TOHOST, 8, CONSOLE);
    assert_int_equal(serve(&m), 100); // it looks again and again
    assert_int_equal(*at(&m, FROMHOST), CONSOLE | 0x100 | 'x');
    assert_int_equal(*at(&m, TOHOST), 0);
    store(&m, TOHOST, 8, PUT | '!');
    *at(&m, FROMHOST) = 0;
    serve(&m);
    assert_int_equal(*at(&m, FROMHOST), CONSOLE | 0x100 | 'y');
    *at(&m, FROMHOST) = 0;
    store(&m, TOHOST, 8, CONSOLE); // nothing is left to read: no answer
    serve(&m);
    assert_int_equal(*at(&m, FROMHOST), 0);
    assert_int_equal(*at(&m, TOHOST), 0);
    end(&m, "!");
    fclose(in);
}

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        uint64_t command;
        const char *text;
    } cases[] = {{UINT64_C(2) << 56, "device 2, command 0 is not served"},
                 {CONSOLE | UINT64_C(2) << 48, "device 1, command 2 is not served"},
                 {UINT64_C(1) << 48, "device 0, command 1 is not served"},
                 {0x80000104, "no system call at an 8-byte boundary"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine m;
        struct error err;
        begin(&m, NULL);
        store(&m, TOHOST, 8, cases[i].command);
        assert_true(m.htif.refused && !m.htif.exited);
        htif_refusal(&m.htif, "p.elf", &err);
        assert_non_null(strstr(err.text, cases[i].text));
        assert_non_null(strstr(err.text, "p.elf: "));
        end(&m, "");
    }
    struct machine m;
    struct error err;
    begin(&m, NULL);
    call(&m, 57, 0, 0, 0);
    assert_true(m.htif.refused);
    htif_refusal(&m.htif, "p.elf", &err);
    assert_non_null(strstr(err.text, "system call 57"));
    end(&m, "");
    begin(&m, NULL);
    m.htif.fromhost = 0;
    store(&m, TOHOST, 8, MAGIC);
    assert_true(m.htif.refused);
    htif_refusal(&m.htif, "p.elf", &err);
    assert_non_null(strstr(err.text, "fromhost"));
    end(&m, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exit),  cmocka_unit_test(test_widths),  cmocka_unit_test(test_patience),
        cmocka_unit_test(test_calls), cmocka_unit_test(test_answers), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
