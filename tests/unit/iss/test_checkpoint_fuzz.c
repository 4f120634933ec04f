// Checkpoints whose sums are right and whose fields are not: each is refused in one line, or is a machine that runs, on
// the simulator and as what a core begins with. Says something under the sanitizers (unit-san) above all.
#include "base/bytes.h"
#include "iss/checkpoint.h"
#include "iss/iss_internal.h"
#include "iss/resume.h"
#include "tests/unit/iss/hart.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/unit/base/fuzz.h" // wants cmocka.h, as does the next one
#include "tests/unit/base/program_image.h"

enum { BLOCK_FIELD = 16, NAME_BYTES = 32, STEPS = 3000, RESUME_EVERY = 40 };
#define CALL (DRAM_BASE + 0x3000)
#define TOHOST (DRAM_BASE + 0x4000)
#define FROMHOST (DRAM_BASE + 0x4008)

static struct fuzz fuzz;
static char good[] = "/tmp/test_checkpoint_fuzz_XXXXXX", bad[sizeof good + 4];

static void take(struct fuzz_blocks *b) {
    fuzz_take(b, good, "machine", CHECKPOINT_VERSION);
}

static void put(const struct fuzz_blocks *b) {
    fuzz_put(b, bad, "machine", CHECKPOINT_VERSION);
}

static struct fuzz_block *field(struct fuzz_blocks *b, const char *name) {
    for (size_t i = 0; i < b->count; i++) {
        if (b->list[i].type == BLOCK_FIELD && strcmp((char *)b->list[i].data, name) == 0) return &b->list[i];
    }
    fail_msg("no field %s", name);
    return NULL;
}

// ---- the machine that is saved ----
// A loop that stores, loads, calls the host to read and to print, and takes a trap.

enum { LOOP = 9 };
static void make_loop(uint32_t loop[LOOP]) {
    const uint32_t words[LOOP] = {STORE(DOUBLE, A0, A1, 0),
                                  LOAD(DOUBLE, A2, A1, 8),
                                  ECALL,
                                  AMOADD_D(A3, A1, A0),
                                  CSRRW(A4, CSR_MSCRATCH, A0),
                                  STORE(DOUBLE, A3, A4, 0),
                                  LOAD(BYTE, A2, A1, 1),
                                  NOP,
                                  0xfe1ff06f}; // jal x0, -32
    memcpy(loop, words, sizeof words);
}

static struct iss *machine(uint64_t kind) {
    struct iss *s = hart_create();
    uint32_t loop[LOOP];
    make_loop(loop);
    for (size_t i = 0; i < LOOP; i++) {
        put_word(s, CODE + 48 + 4 * i, loop[i]);
        put_word(s, HANDLER + 4 * i, i ? MRET : NOP);
    }
    hart_set_pc(iss_only(s), CODE + 48);
    hart_set_x(iss_only(s), A0, CALL);
    hart_set_x(iss_only(s), A1, TOHOST);
    s->tohost = TOHOST - DRAM_BASE;
    htif_reset(&s->htif, TOHOST, FROMHOST, NULL, NULL);
    const uint64_t words[5] = {kind & 1 ? 63 : 56, 3, DATA + 3, 40, 0};
    memcpy(s->htif.arguments, words, sizeof words);
    assert_true(iss_write(s, CALL, words, sizeof words) && iss_write(s, DATA + 3, "/etc/hostname", 14));
    s->htif.command = CALL;
    s->htif.step = (enum htif_step)(kind % (HTIF_ANSWER + 1));
    s->host_acts = true;
    s->htif.place = s->htif.step == HTIF_ARGUMENTS ? CALL + 16 : DATA + 3 + 7;
    s->htif.block.count = s->htif.step == HTIF_PATH ? 7 : 40;
    s->htif.files.list[0].open = true;
    snprintf(s->htif.files.list[0].path, HOST_PATH, "%s", fuzz.self);
    return s;
}

static void save(uint64_t kind) {
    struct error err = {""};
    struct checkpoint_origin origin = {.program = "program.elf", .build_id = "a1b2"};
    struct iss *s = machine(kind);
    if (checkpoint_write(s, &origin, good, &err) != 0) fail_msg("%s", err.text);
    iss_destroy(s);
}

// ---- what becomes of it ----
static unsigned accepted, refused;

static void host_of_a_core(const struct iss *s) {
    struct resume_devices devices;
    uint64_t address;
    resume_devices(s, &devices);
    for (unsigned i = 0; i < STEPS && htif_wants(&devices.htif, &address); i++) {
        uint64_t word = i % 3 ? 0 : fuzz_next(&fuzz);
        htif_access(&devices.htif, &word);
    }
    for (unsigned i = 0; i < 8; i++) {
        (void)peripherals_load(&devices.peripherals, UART_BASE + i, 1);
        peripherals_store(&devices.peripherals, UART_BASE + i, 1);
        (void)peripherals_load(&devices.peripherals, PLIC_BASE + 0x200000 + 4 * i, 4);
    }
}

// A machine that was accepted: on as it is, and as a core would be brought to it.
static void use(struct iss *s, bool resume) {
    struct error err = {""};
    host_of_a_core(s);
    (void)resume_advance(s, 100);
    uint32_t loop[LOOP];
    make_loop(loop);
    struct image *image = resume ? program_image(loop, sizeof loop) : NULL;
    if (image) (void)resume_image(s, image, &err);
    image_destroy(image);
    for (unsigned i = 0; i < 40; i++) {
        struct iss_retire did;
        hart_step(iss_only(s), &did);
    }
    (void)iss_run(s, STEPS);
    if (iss_refused(s, "program.elf", &err)) assert_null(strchr(err.text, '\n'));
}

static bool read_bad(bool resume) {
    struct error err = {""};
    struct checkpoint_origin origin;
    struct iss *s = iss_create(&err);
    iss_set_file_roots(s, &(struct host_roots){.warned = true});
    bool good_one = checkpoint_read(s, &origin, bad, &err) == 0;
    if (good_one) {
        accepted++;
        use(s, resume);
    } else {
        refused++;
        if (!strstr(err.text, bad) || strchr(err.text, '\n')) fail_msg("not one line with its file: %s", err.text);
    }
    iss_destroy(s);
    return good_one;
}

// A number at its edges, or any.
static uint64_t number(void) {
    static const uint64_t edges[] = {0, 1, 2, 3, 7, 8, 255, 256, 1023, 1024, 1025, 4096, DRAM_BYTES, UINT64_C(1) << 44};
    uint64_t choice = fuzz_next(&fuzz) % 20;
    if (choice < 14) return edges[choice];
    if (choice == 14) return UINT64_MAX;
    if (choice == 15) return UINT64_C(1) << 63;
    if (choice == 16) return DRAM_BASE + fuzz_next(&fuzz) % DRAM_BYTES;
    return choice == 17 ? DRAM_BASE - 4 : fuzz_next(&fuzz);
}

static void damage(struct fuzz_block *b) {
    size_t bytes = b->bytes - NAME_BYTES, width = (size_t)1 << fuzz_next(&fuzz) % 4;
    if (width > bytes) width = bytes;
    size_t at = fuzz_next(&fuzz) % (bytes / width) * width;
    bytes_put(b->data + NAME_BYTES + at, number(), (int)width);
}

static void run_input(uint64_t i) {
    static uint64_t kind = UINT64_MAX;
    struct fuzz_blocks b = {.count = 0};
    if (i / 100 != kind) { // another moment of the machine
        kind = i / 100;
        save(kind);
    }
    take(&b);
    size_t fields = 0;
    while (fields + 1 < b.count && b.list[fields + 1].type == BLOCK_FIELD)
        fields++;
    if (fields == 0) abort(); // a checkpoint without one would be a fault of its own
    for (uint64_t n = 1 + fuzz_next(&fuzz) % 3; n > 0; n--)
        damage(fuzz_next(&fuzz) % 2 ? field(&b, "htif") : &b.list[1 + fuzz_next(&fuzz) % fields]);
    put(&b);
    fuzz_drop(&b);
    (void)read_bad(i % RESUME_EVERY == 0);
}

// Both sides are met, or this shows nothing.
static void both_met(void) {
    if (fuzz.count >= 100) assert_true(accepted > fuzz.count / 20 && refused > fuzz.count / 20);
}

static void test_damaged_fields(void **state) {
    (void)state;
    fuzz_run(&fuzz, run_input, both_met);
}

// ---- made by hand ----
struct forged {
    const char *field, *says; // says: of the refusal
    size_t at;
    unsigned bytes;
    uint64_t value;
};
#define HTIF(member) "htif", "htif." #member, offsetof(struct htif, member)

static void test_forged(void **state) {
    (void)state;
    const struct forged forged[] = {
        {HTIF(block.count), 8, UINT64_C(1) << 44},
        {HTIF(block.count), 8, HOST_BLOCK + 1},
        {HTIF(step), 4, HTIF_ANSWER + 1},
        {HTIF(exited), 1, 2},
        {HTIF(refused), 1, 255},
        {"htif", "htif.files.list[2].open", offsetof(struct htif, files.list[2].open), 1, 2},
        {"htif", "htif.files.list[2].at", offsetof(struct htif, files.list[2].at), 8, UINT64_MAX},
        {"host_acts", "host_acts is 2", 0, 1, 2},
        {"tohost", "tohost", 0, 8, 4},
        {"tohost", "tohost", 0, 8, DRAM_BYTES},
        {"harts[0].privilege", "harts[0].privilege", 0, 4, 4},
        {"harts[0].privilege", "privilege", 0, 4, 2},
        {"harts[0].fp", "harts[0].fp is 3", 0, 1, 3},
        {"harts[0].ad_update", "harts[0].ad_update", 0, 1, 128},
        {"harts[0].reserved", "harts[0].reserved", 0, 1, 2},
        {"harts[0].msip", "harts[0].msip", 0, 1, 2},
        {"harts[0].pmp_entries", "harts[0].pmp_entries is 17, not 0 to 16", 0, 4, 17},
        {"harts[0].id", "harts[0].id", 0, 4, 256},
        {"harts[0].pc", "harts[0].pc", 0, 1, 1},
        {"harts[0].x", "x0", 0, 8, 1},
        {"harts[0].tlb", "translations", sizeof(struct iss_tlb) + 7, 1, 0x80},
        {"harts[0].csr", "CSRs", CSR_FRM * 8, 8, 8},
        {"harts[0].csr", "CSRs", CSR_MSTATUS * 8, 8, UINT64_C(0xa00001000)},
        {"harts[0].csr", "CSRs", CSR_SATP * 8 + 7, 1, 0x90},
        {"harts[0].csr", "CSRs", 0x7ff * 8, 8, 1},
        {"peripherals", "peripherals.plic.priority[5] is 8", offsetof(struct peripherals, plic.priority[5]), 1, 8},
        {"peripherals", "peripherals.uart[1].held is -2, not -1 to 255", offsetof(struct peripherals, uart[1].held), 4,
         (uint32_t)-2},
        {"peripherals", "peripherals.uart[0].empty_told", offsetof(struct peripherals, uart[0].empty_told), 1, 7},
        {"peripherals", "peripherals.finisher.ended", offsetof(struct peripherals, finisher.ended), 1, 2},
    };
    struct error err = {""};
    struct iss *s = iss_create(&err);
    struct fuzz_blocks b;
    save(HTIF_IDLE);
    for (size_t i = 0; i < sizeof forged / sizeof *forged; i++) {
        const struct forged *f = &forged[i];
        take(&b);
        bytes_put(field(&b, f->field)->data + NAME_BYTES + f->at, f->value, (int)f->bytes);
        put(&b);
        fuzz_drop(&b);
        if (checkpoint_read(s, NULL, bad, &err) != -EINVAL) fail_msg("row %zu (%s) was taken", i, f->says);
        if (!strstr(err.text, f->says)) fail_msg("not '%s', but '%s'", f->says, err.text);
    }
    take(&b); // a path that does not end
    memset(field(&b, "htif")->data + NAME_BYTES + offsetof(struct htif, files.list[0].path), 'a', HOST_PATH);
    put(&b);
    fuzz_drop(&b);
    assert_int_equal(checkpoint_read(s, NULL, bad, &err), -EINVAL);
    assert_non_null(strstr(err.text, "htif.files.list[0].path does not end"));
    iss_destroy(s);
}

// What a machine of several harts alone has.
static void test_forged_harts(void **state) {
    (void)state;
    const struct forged forged[] = {
        {"turn", "turn", 0, 4, 2},
        {"turn", "turn is 16, not 0 to 15", 0, 4, 16},
        {"slice", "slice", 0, 8, ISS_MOST_QUANTUM + 1},
        {"quantum", "quantum is 0", 0, 8, 0},
        {"quantum", "quantum", 0, 8, ISS_MOST_QUANTUM + 1},
        {"plic_further", "plic_further.threshold[1] is 8", offsetof(struct plic_further, threshold[1]), 1, 8},
        {"plic_further", "plic_further.enabled[0]", offsetof(struct plic_further, enabled[0]), 4, 1},
        {"harts[1].waiting", "harts[1].waiting", 0, 1, 2},
        {"harts[1].privilege", "privilege", 0, 4, 2},
        {"harts[1].x", "x0", 0, 8, 1},
    };
    static const char *const numbers[] = {"0", "1", "17", "2.5", "-2", "\"2\"", "1e99"};
    struct error err = {""};
    struct checkpoint_origin origin = {.program = "program.elf"};
    struct iss *s = iss_create_harts(2, &err);
    struct fuzz_blocks b;
    if (checkpoint_write(s, &origin, good, &err) != 0) fail_msg("%s", err.text);
    for (size_t i = 0; i < sizeof forged / sizeof *forged; i++) {
        const struct forged *f = &forged[i];
        take(&b);
        bytes_put(field(&b, f->field)->data + NAME_BYTES + f->at, f->value, (int)f->bytes);
        put(&b);
        fuzz_drop(&b);
        if (checkpoint_read(s, NULL, bad, &err) != -EINVAL) fail_msg("row %zu (%s) was taken", i, f->says);
        if (!strstr(err.text, f->says)) fail_msg("not '%s', but '%s'", f->says, err.text);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        take(&b);
        if (b.count == 0) abort();
        char *text = (char *)b.list[0].data, *at = strstr(text, "\"harts\":2"), *made;
        assert_non_null(at);
        assert_true(asprintf(&made, "%.*s\"harts\":%s%s", (int)(at - text), text, numbers[i], at + 9) > 0);
        b.list[0].bytes = strlen(made);
        free(text);
        b.list[0].data = (uint8_t *)made;
        put(&b);
        fuzz_drop(&b);
        assert_int_equal(checkpoint_read(s, NULL, bad, &err), -EINVAL);
        assert_non_null(strstr(err.text, "damaged: its number of harts"));
        assert_int_equal(checkpoint_harts(bad, &err), 1); // whoever reads it then says what is wrong
    }
    iss_destroy(s);
}

// A call under way that is not inside what it goes through, each member in its range.
static void test_forged_calls(void **state) {
    (void)state;
    static const struct {
        enum htif_step step;
        size_t at;
        uint64_t value;
    } forged[] = {
        {HTIF_ARGUMENTS, offsetof(struct htif, place), CALL + 40},
        {HTIF_ARGUMENTS, offsetof(struct htif, place), CALL - 8},
        {HTIF_ARGUMENTS, offsetof(struct htif, command), CALL + 4},
        {HTIF_TEXT, offsetof(struct htif, place), DATA + 3 + 40},
        {HTIF_TEXT, offsetof(struct htif, arguments[3]), UINT64_MAX},
        {HTIF_PATH, offsetof(struct htif, block.count), 8},
        {HTIF_PATH, offsetof(struct htif, arguments[3]), HOST_PATH + 1},
        {HTIF_FILL, offsetof(struct htif, place), DATA + 2},
        {HTIF_FILL, offsetof(struct htif, block.count), 7},
        {HTIF_FILL, offsetof(struct htif, arguments[2]), DRAM_BASE + DRAM_BYTES - 20},
    };
    struct error err = {""};
    struct iss *s = iss_create(&err);
    struct fuzz_blocks b;
    for (size_t i = 0; i < sizeof forged / sizeof *forged; i++) {
        save(forged[i].step);
        take(&b);
        put(&b);
        if (checkpoint_read(s, NULL, bad, &err) != 0) fail_msg("step %d: %s", forged[i].step, err.text);
        bytes_put(field(&b, "htif")->data + NAME_BYTES + forged[i].at, forged[i].value, 8);
        put(&b);
        fuzz_drop(&b);
        assert_int_equal(checkpoint_read(s, NULL, bad, &err), -EINVAL);
        if (!strstr(err.text, "its host call")) fail_msg("%zu: %s", i, err.text);
    }
    iss_destroy(s);
}

// What follows from other fields is not taken from the file: of a checkpoint that has it, as older ones do, neither.
static void test_derived(void **state) {
    (void)state;
    struct error err = {""};
    struct iss *s = iss_create(&err);
    struct fuzz_blocks b;
    uint8_t limit[NAME_BYTES + 8] = "harts[0].data_limit", plainly[NAME_BYTES + 1] = "harts[0].fetches_plainly";
    memset(limit + NAME_BYTES, 0xff, 8);
    plainly[NAME_BYTES] = 2;
    save(HTIF_IDLE);
    take(&b);
    b.list[b.count++] = (struct fuzz_block){BLOCK_FIELD, sizeof limit, limit};
    b.list[b.count++] = (struct fuzz_block){BLOCK_FIELD, sizeof plainly, plainly};
    put(&b);
    b.count -= 2;
    fuzz_drop(&b);
    if (checkpoint_read(s, NULL, bad, &err) != 0) fail_msg("%s", err.text);
    assert_int_equal(iss_only(s)->data_limit, DRAM_BYTES);
    assert_int_equal(iss_only(s)->fetch_limit, DRAM_BYTES);
    iss_destroy(s);
}

// Devices have grown at their end since this version's first files: of those, what lacks is 0; no other length is read.
static void test_shorter(void **state) {
    (void)state;
    struct fuzz_blocks b;
    save(HTIF_IDLE);
    take(&b);
    struct fuzz_block *devices = field(&b, "peripherals");
    const size_t whole = devices->bytes, old = NAME_BYTES + PERIPHERALS_OLD_BYTES;
    assert_true(old == whole - sizeof(uint64_t));
    for (size_t bytes = old - 1; bytes <= whole; bytes++) {
        struct error err = {""};
        struct iss *s = iss_create(&err);
        s->peripherals.note = 5;
        devices->bytes = (uint32_t)bytes;
        put(&b);
        const bool taken = checkpoint_read(s, NULL, bad, &err) == 0;
        if (taken != (bytes == old || bytes == whole)) fail_msg("%zu bytes: %s", bytes, err.text);
        if (taken) assert_int_equal(s->peripherals.note, 0);
        iss_destroy(s);
    }
    fuzz_drop(&b);
}

// Text of the header: numbers in it are not believed.
static void test_header(void **state) {
    (void)state;
    static const char *const steps[] = {"-1", "1e300", "\"x\"", "null", "1e308"};
    struct error err = {""};
    struct iss *s = iss_create(&err);
    struct fuzz_blocks b;
    struct checkpoint_origin origin;
    save(HTIF_IDLE);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        take(&b);
        if (b.count == 0) abort();
        char *text = (char *)b.list[0].data, *at = strstr(text, "\"steps\":"), *made;
        assert_non_null(at);
        assert_true(asprintf(&made, "%.*s\"steps\":%s}", (int)(at - text), text, steps[i]) > 0);
        free(text);
        b.list[0].data = (uint8_t *)made;
        put(&b);
        fuzz_drop(&b);
        if (checkpoint_read(s, &origin, bad, &err) != 0) fail_msg("%s", err.text);
        assert_int_equal(origin.steps, iss_only(s)->steps);
    }
    iss_destroy(s);
}

static int make_files(void **state) {
    (void)state;
    int fd = mkstemp(good);
    snprintf(bad, sizeof bad, "%s.bad", good);
    return fd < 0 ? -1 : close(fd);
}
static int remove_files(void **state) {
    (void)state;
    unlink(bad);
    return unlink(good);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forged),        cmocka_unit_test(test_forged_harts),
                                       cmocka_unit_test(test_forged_calls),  cmocka_unit_test(test_derived),
                                       cmocka_unit_test(test_shorter),       cmocka_unit_test(test_header),
                                       cmocka_unit_test(test_damaged_fields)};
    fuzz = fuzz_arguments(argc, argv, 400);
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
