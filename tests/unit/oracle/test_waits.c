// What an instruction waits for, by hand, on a core of width 2: words of instructions, and the cycles in which they
// enter the ROB, complete and commit. A load is `ld a0, 0(a1)`, `use` reads a0 and writes it, `other` reads a2 and
// writes a3.
#include "events.h"
#include "oracle/waits.h"
#include "tests/unit/profile/published.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LOAD = 0x0005b503, USE = 0x00150513, OTHER = 0x00160693, STORE = 0x00c5b023, MULTIPLY = 0x02a50533 };
enum { AT = 0x80000000 };

struct step { // one instruction; rob is its number
    uint32_t insn;
    uint64_t enters, completes, leaves;
    unsigned psv;
    struct wait_access access;
};

// Runs them, at AT, AT + 4, ...; squashed: the cycle in which those above the first are squashed once, or 0.
static char *run(const struct step *list, unsigned count, uint64_t begin) {
    struct error err;
    struct waits *w = waits_create(2, &err);
    assert_non_null(w);
    uint64_t last = 0;
    for (unsigned i = 0; i < count; i++)
        last = list[i].leaves > last ? list[i].leaves : last;
    for (uint64_t cycle = 1; cycle <= last; cycle++) {
        struct commit_bundle b = {0};
        struct trace_stages stages = {0};
        struct wait_access accesses[MAX_LANES + 1] = {{0}};
        unsigned leaving = 0;
        if (cycle == begin) waits_begin(w, cycle);
        for (unsigned i = 0; i < count; i++) {
            if (list[i].completes == cycle) stages.list[stages.count++] = (struct stage){.kind = STAGE_DONE, .rob = i};
            if (list[i].enters == cycle)
                stages.list[stages.count++] =
                    (struct stage){.kind = STAGE_DISPATCH, .rob = i, .pc = AT + 4 * i, .insn = list[i].insn};
        }
        for (unsigned i = 0; i < count; i++) {
            if (list[i].leaves != cycle) continue;
            b.commit |= (uint8_t)(1u << leaving);
            b.psv[leaving] = (uint16_t)list[i].psv;
            accesses[leaving++] = list[i].access;
        }
        assert_int_equal(waits_step(w, cycle, &b, &stages, accesses, &err), 0);
    }
    cJSON *statistics = published_pairs(waits_pairs(w), RESULT_WAIT);
    const cJSON *group = cJSON_GetArrayItem(cJSON_GetObjectItem(statistics, "waits"), 0);
    char *text = cJSON_PrintUnformatted(cJSON_GetObjectItem(group, "pairs"));
    cJSON_Delete(statistics);
    waits_destroy(w);
    return text;
}

#define EXPECT(list, begin, expected)                                                                                  \
    do {                                                                                                               \
        char *text = run(list, sizeof(list) / sizeof *(list), begin);                                                  \
        if (expected) assert_string_equal(text ? text : "", expected ? expected : "");                                 \
        if (!(expected)) assert_null(text);                                                                            \
        free(text);                                                                                                    \
    } while (0)

// The load is the oldest from 2 on and leaves in 10: nothing is reported, its operand was ready. The use completes in
// 13, and leaves in 14: it has been the oldest in 11, 12 and 13.
static void for_a_load(void **state) {
    (void)state;
    const struct step list[] = {{LOAD, 1, 9, 10, 0, {0}}, {USE, 1, 13, 14, 0, {0}}};
    EXPECT(list, 0, "[\"80000004 80000000 1 3 0\"]");
    const struct step together[] = {{LOAD, 1, 9, 10, 0, {0}}, {USE, 1, 10, 10, 0, {0}}};
    EXPECT(together, 0, (const char *)NULL); // it leaves with the load: it has not stalled the core
    const struct step before[] = {{LOAD, 1, 3, 10, 0, {0}}, {USE, 4, 13, 14, 0, {0}}};
    EXPECT(before, 0, (const char *)NULL);             // its operand was ready when it came
    EXPECT(list, 13, "[\"80000004 80000000 1 1 0\"]"); // only 13 counts
}

// Through an operation of one cycle to the load; not through a multiplication, which takes time of its own; and not to
// one that reads something else.
static void chains(void **state) {
    (void)state;
    const struct step chain[] = {{LOAD, 1, 9, 10, 0, {0}}, {USE, 1, 12, 12, 0, {0}}, {USE, 2, 15, 16, 0, {0}}};
    EXPECT(chain, 0, "[\"80000004 80000000 1 1 0\",\"80000008 80000000 1 3 1\"]");
    const struct step multiplied[] = {
        {LOAD, 1, 9, 10, 0, {0}}, {MULTIPLY, 1, 12, 12, 0, {0}}, {USE, 2, 15, 16, 0, {0}}};
    EXPECT(multiplied, 0, "[\"80000004 80000000 1 1 0\",\"80000008 80000004 1 3 0\"]");
    const struct step unrelated[] = {{LOAD, 1, 9, 10, 0, {0}}, {OTHER, 1, 15, 16, 0, {0}}};
    EXPECT(unrelated, 0, (const char *)NULL);
}

// A load of bytes that a store in the ROB has written: all of them, some, none; a miss has its own reason; a store that
// had left before the load came is none.
static void for_a_store(void **state) {
    (void)state;
    const struct wait_access eight = {.load = true, .bytes = 8, .address = 0x1000};
    struct step list[] = {{STORE, 1, 2, 3, 0, {.store = true, .bytes = 8, .address = 0x1000}},
                          {LOAD, 2, 8, 9, 0, eight}};
    EXPECT(list, 0, "[\"80000004 80000000 1 5 0\"]");
    list[0].access.address = 0x1004;
    EXPECT(list, 0, "[\"80000004 80000000 1 5 0\"]");
    list[0].access.address = 0x1008;
    EXPECT(list, 0, (const char *)NULL);
    list[0].access.address = 0x1000;
    list[1].psv = 1 << EVENT_ST_L1;
    EXPECT(list, 0, (const char *)NULL);
    list[1].psv = 0;
    list[1].enters = 4;
    EXPECT(list, 0, (const char *)NULL);
}

// Where the load's address comes late, too: the store that has all bytes gives way to the address, one that has some of
// them does not.
static void store_or_address(void **state) {
    (void)state;
    enum { ADDRESS = 0x00158593 }; // addi a1, a1, 1
    struct step list[] = {{STORE, 1, 2, 3, 0, {.store = true, .bytes = 4, .address = 0x1000}},
                          {ADDRESS, 1, 6, 7, 0, {0}},
                          {LOAD, 2, 11, 12, 0, {.load = true, .bytes = 4, .address = 0x1000}}};
    EXPECT(list, 0, "[\"80000008 80000004 1 4 0\"]");
    list[0].access.bytes = 1;
    EXPECT(list, 0, "[\"80000008 80000000 1 4 0\"]");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(for_a_load), cmocka_unit_test(chains),
                                       cmocka_unit_test(for_a_store), cmocka_unit_test(store_or_address)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
