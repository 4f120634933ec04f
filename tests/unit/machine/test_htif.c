// HTIF on a memory of words that the test holds: what each store means, what the host reads and writes, and when.
#include "machine/htif.h"
#include "memory_map.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void call_of_four(struct machine *m, uint64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    const uint64_t words[] = {number, a, b, c, d};
    memcpy(at(m, MAGIC), words, sizeof words);
    store(m, TOHOST, 8, MAGIC);
    serve(m);
}

static void call(struct machine *m, uint64_t number, uint64_t a, uint64_t b, uint64_t c) {
    call_of_four(m, number, a, b, c, 0xbad);
}

static int64_t answer(struct machine *m) {
    assert_int_equal(*at(m, FROMHOST), 1);
    *at(m, FROMHOST) = 0;
    return (int64_t)*at(m, MAGIC);
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

static int64_t open_file(struct machine *m, const char *path, uint64_t flags) {
    memcpy(m->memory + (TEXT - DRAM_BASE), path, strlen(path) + 1);
    call_of_four(m, 56, (uint64_t)-100, TEXT, strlen(path) + 1, flags);
    return answer(m);
}

// A file of the host, at places that are not aligned; nothing before and after them changes.
static void test_files(void **state) {
    (void)state;
    struct machine m;
    char path[] = "/tmp/test_htif_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, "0123456789", 10) == 10);
    close(fd);
    begin(&m, NULL);
    struct htif_host host = {.roots = {.folders = {"/nowhere", "/tmp"}, .count = 2}};
    m.htif.host = &host;
    const int64_t file = open_file(&m, path, 0);
    assert_int_equal(file, 3);
    memset(m.memory + (TEXT - DRAM_BASE), '.', 16);
    call(&m, 63, (uint64_t)file, TEXT + 1, 7);
    assert_int_equal(answer(&m), 7);
    assert_memory_equal(m.memory + (TEXT - DRAM_BASE), ".0123456........", 16);
    call(&m, 63, (uint64_t)file, TEXT + 9, 100); // what is left
    assert_int_equal(answer(&m), 3);
    assert_memory_equal(m.memory + (TEXT - DRAM_BASE), ".0123456.789....", 16);
    call(&m, 63, (uint64_t)file, TEXT, 100); // the end
    assert_int_equal(answer(&m), 0);
    call(&m, 62, (uint64_t)file, (uint64_t)-4, 2);
    assert_int_equal(answer(&m), 6);
    struct htif copy = m.htif; // a checkpoint
    m.htif = copy;
    call(&m, 63, (uint64_t)file, TEXT, 2);
    assert_int_equal(answer(&m), 2);
    assert_memory_equal(m.memory + (TEXT - DRAM_BASE), "67", 2);
    call(&m, 62, (uint64_t)file, (uint64_t)-9, 1);
    assert_int_equal(answer(&m), -22); // EINVAL: before the start
    call(&m, 63, (uint64_t)file, DRAM_BASE - 4, 8);
    assert_int_equal(answer(&m), -14); // EFAULT
    call(&m, 57, (uint64_t)file, 0, 0);
    assert_int_equal(answer(&m), 0);
    call(&m, 63, (uint64_t)file, TEXT, 1);
    assert_int_equal(answer(&m), -9); // EBADF
    assert_int_equal(open_file(&m, path, 1), -30);
    assert_int_equal(open_file(&m, path, 0x40), -30); // EROFS: to create it, too
    assert_int_equal(open_file(&m, "/tmp", 0), -21);  // EISDIR
    assert_int_equal(open_file(&m, "/tmp/nowhere/at all", 0), -2);
    for (int i = 0; i < HOST_FILES; i++)
        assert_int_equal(open_file(&m, path, 0), HOST_FIRST_FILE + i);
    assert_int_equal(open_file(&m, path, 0), -24); // EMFILE
    call_of_four(&m, 56, (uint64_t)-100, TEXT, 3, 0);
    assert_int_equal(answer(&m), -22); // a path without its end
    call_of_four(&m, 56, (uint64_t)-100, TEXT, HOST_PATH + 1, 0);
    assert_int_equal(answer(&m), -36); // ENAMETOOLONG
    end(&m, "");
    unlink(path);
}

// Files below the folder that the process is in, and below the roots, wherever links lead to.
static void test_roots(void **state) {
    (void)state;
    struct machine m;
    char top[] = "/tmp/test_htif_XXXXXX", name[128], before[4096];
    static const char *const folders[] = {"in", "in/below", "out", "outer"}, *const files[] = {"in/a", "in/below/b",
                                                                                               "out/c", "outer/d"};
    static const char *const links[][2] = {{"../out/c", "in/leads-out"}, {"below/b", "in/leads-in"}, {"..", "in/up"}};
    enum { ABSENT = -2, DENIED = -13 };
    assert_non_null(mkdtemp(top));
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(top), 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(mkdir(folders[i], 0700), 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(close(open(files[i], O_CREAT | O_WRONLY, 0600)), 0);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(symlink(links[i][0], links[i][1]), 0);
    assert_int_equal(chdir("in"), 0);
    const struct {
        const char *path;
        int alone, with_out, everywhere; // no roots; --file-root ../out; --file-root /
    } tries[] = {
        {"a", 3, 3, 3},
        {"./below/../a", 3, 3, 3},
        {"leads-in", 3, 3, 3},
        {"absent", ABSENT, ABSENT, ABSENT},
        {"absent/too", ABSENT, ABSENT, ABSENT},
        {"leads-out", DENIED, 3, 3},
        {"../out/c", DENIED, 3, 3},
        {"up/out/c", DENIED, 3, 3},
        {"../out/absent", DENIED, ABSENT, ABSENT},
        {"../outer/d", DENIED, DENIED, 3}, // "out" is no folder above it
        {"../absent", DENIED, DENIED, ABSENT},
        {"/etc/passwd", DENIED, DENIED, 3},
        {"/proc/self/environ", DENIED, DENIED, 3},
        {"/no-such-folder/x", DENIED, DENIED, ABSENT},
        {"", DENIED, DENIED, ABSENT},
    };
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        struct htif_host host[3] = {{.roots = {.warned = true}},
                                    {.roots = {.folders = {"../out"}, .count = 1, .warned = true}},
                                    {.roots = {.folders = {"/"}, .count = 1, .warned = true}}};
        const int want[3] = {tries[i].alone, tries[i].with_out, tries[i].everywhere};
        for (int k = 0; k < 4; k++) {
            begin(&m, NULL);
            m.htif.host = k < 3 ? &host[k] : NULL;
            const int64_t got = open_file(&m, tries[i].path, 0);
            if (got != want[k < 3 ? k : 0] && *tries[i].path) fail_msg("%s, %d: %d", tries[i].path, k, (int)got);
            if (got < 0) assert_true(got == ABSENT || got == DENIED);
            end(&m, "");
        }
    }
    // Reading asks again: what is open may be a checkpoint's.
    begin(&m, NULL);
    m.htif.files.list[0].open = true;
    snprintf(m.htif.files.list[0].path, HOST_PATH, "%s", "../out/c");
    call(&m, 63, 3, TEXT, 1);
    assert_int_equal(answer(&m), DENIED);
    call(&m, 62, 3, 0, 2);
    assert_int_equal(answer(&m), DENIED);
    end(&m, "");
    assert_int_equal(chdir(before), 0);
    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s/%s", top, links[i][1]);
        unlink(name);
    }
    for (size_t i = 4; i-- > 0;) {
        snprintf(name, sizeof name, "%s/%s", top, files[i]);
        unlink(name);
    }
    for (size_t i = 4; i-- > 0;) {
        snprintf(name, sizeof name, "%s/%s", top, folders[i]);
        assert_int_equal(rmdir(name), 0);
    }
    assert_int_equal(rmdir(top), 0);
}

static void test_arguments(void **state) {
    (void)state;
    struct machine m;
    char *argv[] = {"p.elf", "", "two words", NULL};
    const uint64_t to = DRAM_BASE + 608;
    begin(&m, NULL);
    struct htif_host host = {.argv = argv};
    m.htif.host = &host;
    call(&m, 2011, to, 256, 0);
    assert_int_equal(answer(&m), 0);
    assert_int_equal(*at(&m, to), 3);
    for (unsigned i = 0; i < 3; i++)
        assert_string_equal((char *)at(&m, *at(&m, to + 8 + 8 * i)), argv[i]);
    assert_int_equal(*at(&m, to + 32), 0); // the end of argv
    assert_int_equal(*at(&m, to + 40), 0); // and of the environment
    call(&m, 2011, to, 40, 0);
    assert_int_equal(answer(&m), -12); // ENOMEM
    end(&m, "");
}

static void test_typed(void **state) { // a read of the console: a line at most
    (void)state;
    char typed[] = "ab\ncd";
    FILE *in = fmemopen(typed, 5, "r");
    struct machine m;
    begin(&m, in);
    call(&m, 63, 0, TEXT, 100);
    assert_int_equal(answer(&m), 3);
    assert_memory_equal(m.memory + (TEXT - DRAM_BASE), "ab\n", 3);
    call(&m, 63, 0, TEXT, 1);
    assert_int_equal(answer(&m), 1);
    call(&m, 63, 0, TEXT, 9);
    assert_int_equal(answer(&m), 1);
    call(&m, 63, 0, TEXT, 9);
    assert_int_equal(answer(&m), 0);
    assert_int_equal(m.htif.received, 5);
    end(&m, "");
    fclose(in);
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
    call(&m, 58, 0, 0, 0);
    assert_true(m.htif.refused);
    htif_refusal(&m.htif, "p.elf", &err);
    assert_non_null(strstr(err.text, "system call 58"));
    end(&m, "");
    begin(&m, NULL);
    m.htif.fromhost = 0;
    store(&m, TOHOST, 8, MAGIC);
    assert_true(m.htif.refused);
    htif_refusal(&m.htif, "p.elf", &err);
    assert_non_null(strstr(err.text, "fromhost"));
    end(&m, "");
}

// ---- stores beside a model by the words of htif.h: cells that are empty or hold a byte ----
struct cells {
    int byte[8]; // -1: empty
    uint64_t due;
};

static bool is_empty(const struct cells *c) {
    for (int i = 0; i < 8; i++)
        if (c->byte[i] >= 0) return false;
    return true;
}

// What the cells hold is a command; empty ones are zeroes.
static uint64_t take_cells(struct cells *c) {
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--) {
        word = word * 256 + (uint64_t)(c->byte[i] < 0 ? 0 : c->byte[i]);
        c->byte[i] = -1;
    }
    return word;
}

// The host has got this command, 0: none. False: the run is over by it.
static bool goes_on(struct machine *m, uint64_t command, unsigned *printed) {
    const unsigned device = command >> 56, number = command >> 48 & 0xff;
    const uint64_t payload = command & UINT64_C(0xffffffffffff);
    if (command == 0) {
        assert_false(m->htif.exited || m->htif.refused || m->htif.step != HTIF_IDLE);
        return true;
    }
    if (device == 1 && number < 2) {
        *printed += number;
        serve(m);
        assert_int_equal(m->htif.step, HTIF_IDLE);
        return true;
    }
    if (device == 0 && number == 0 && payload % 2 == 1) {
        assert_true(m->htif.exited && m->htif.code == payload / 2);
    } else if (device == 0 && number == 0 && payload % 8 == 0) {
        assert_true(m->htif.step == HTIF_ARGUMENTS && m->htif.place == payload);
    } else {
        assert_true(m->htif.refused && !m->htif.exited);
    }
    return false;
}

static uint64_t cells_store(struct cells *c, unsigned offset, unsigned bytes, uint64_t data, uint64_t now) {
    uint64_t command = 0;
    for (unsigned i = 0; i < bytes; i++) // a byte for a second time: what is there is all
        if (c->byte[offset + i] >= 0) command = take_cells(c);
    for (unsigned i = 0; i < bytes; i++)
        c->byte[offset + i] = data >> 8 * i & 0xff;
    c->due = now + HTIF_PATIENCE;
    for (int i = 0; i < 8; i++)
        if (c->byte[i] < 0) return command;
    return command ? command : take_cells(c); // never both: a store that meets a full half leaves the other empty
}

static uint64_t some_data(void) {
    uint64_t data = (uint64_t)rand() << 33 ^ (uint64_t)rand() << 11 ^ (uint64_t)rand();
    if (rand() % 2) data &= UINT64_C(0x0101000000000041); // a console's, mostly
    return data | (rand() % 2 ? PUT : 0);
}

static void test_random_stores(void **state) {
    (void)state;
    unsigned commands = 0, ends = 0, prints = 0;
    srand(3);
    while (ends < 10000) {
        struct machine m;
        struct cells c = {.byte = {-1, -1, -1, -1, -1, -1, -1, -1}};
        unsigned printed = 0;
        begin(&m, NULL);
        bool goes = true;
        for (uint64_t now = 5; goes; now += (uint64_t)(rand() % 64 ? rand() % 40 : 1100)) {
            if (rand() % 16 == 0 && !is_empty(&c) && c.due > now) now = c.due - (uint64_t)(rand() % 2);
            // A full word in the place of a part of one is two commands; the second waits for memory: not
            // here.
            const unsigned bytes = 1u << rand() % (is_empty(&c) ? 4 : 3), offset = (unsigned)rand() % 8 / bytes * bytes;
            const uint64_t data = some_data() >> 8 * offset;
            uint64_t command = 0;
            htif_tick(&m.htif, now);
            if (!is_empty(&c) && now >= c.due) {
                command = take_cells(&c);
            } else {
                htif_store(&m.htif, TOHOST + offset, bytes, data, now);
                command = cells_store(&c, offset, bytes, data, now);
            }
            assert_int_equal(htif_waits(&m.htif), !is_empty(&c));
            goes = goes_on(&m, command, &printed);
            commands += command != 0;
        }
        ends++;
        fclose(m.out);
        assert_int_equal(m.size, printed);
        prints += printed;
        free(m.text);
    }
    assert_true(commands > 12000 && prints > 2000); // of each kind enough
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exit),  cmocka_unit_test(test_widths),        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_calls), cmocka_unit_test(test_answers),       cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_files), cmocka_unit_test(test_roots),         cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_typed), cmocka_unit_test(test_random_stores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
