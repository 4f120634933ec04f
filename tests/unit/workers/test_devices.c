// Accesses to devices: as they committed, and each way in which they can be others.
#include "memory_map.h"
#include "tests/unit/workers/views.h"
#include <errno.h>

extern const struct worker_ops worker_devices;
enum { LBU = 0x00004003, LB = 0x00000003, LW = 0x00002003, FLW = 0x00002007 };

static int commits(struct scene *s, uint64_t cycle, struct iss_retire step) {
    scene_commits(s, step);
    return scene_cycle(s, cycle);
}

static int stores(struct scene *s, uint64_t cycle, uint64_t address, unsigned bytes, uint64_t data) {
    return commits(
        s, cycle,
        (struct iss_retire){.access = ISS_ACCESS_STORE, .address = address, .size = (uint8_t)bytes, .data = data});
}

static int loads(struct scene *s, uint64_t cycle, uint64_t address, unsigned bytes, uint32_t insn, uint64_t value) {
    s->left.retired[0] = (struct retired){.rd_written = true, .rd = 5, .rd_value = value};
    return commits(
        s, cycle,
        (struct iss_retire){.access = ISS_ACCESS_LOAD, .address = address, .size = (uint8_t)bytes, .insn = insn});
}

static int event(struct scene *s, struct memory_event event) {
    s->err.text[0] = '\0';
    return s->ops->memory(s->state, &event, &s->err);
}

static int reach(struct scene *s, enum memory_event_kind kind, uint64_t address, unsigned bytes, uint64_t value) {
    return event(s,
                 (struct memory_event){.kind = kind, .tick = 50, .address = address, .bytes = bytes, .value = value});
}

static int settled(struct scene *s, bool cut) {
    return event(s, (struct memory_event){.kind = MEMORY_SETTLED, .tick = 100, .cut = cut});
}

#define says(scene, result, words)                                                                                     \
    do {                                                                                                               \
        assert_int_equal(result, -EBADMSG);                                                                            \
        if (!strstr((scene)->err.text, words)) fail_msg("%s", (scene)->err.text);                                      \
    } while (0)

static void test_alike(void **unused) {
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_devices);
    assert_int_equal(stores(&s, 1, DRAM_BASE, 8, 1), 0); // no device
    assert_int_equal(stores(&s, 2, UART_BASE, 1, 0x1141), 0);
    assert_int_equal(stores(&s, 3, CLINT_BASE + 0x4000, 8, UINT64_MAX), 0);
    assert_int_equal(reach(&s, MEMORY_DEVICE_WRITE, UART_BASE, 1, 0x41), 0);
    assert_int_equal(reach(&s, MEMORY_DEVICE_READ, UART_BASE + 5, 1, 0xe0), 0);
    assert_int_equal(loads(&s, 4, UART_BASE + 5, 1, LB, UINT64_MAX - 0x1f), 0);
    assert_int_equal(reach(&s, MEMORY_DEVICE_READ, UART_BASE + 5, 1, 0xe0), 0);
    assert_int_equal(loads(&s, 5, UART_BASE + 5, 1, LBU, 0xe0), 0);
    assert_int_equal(reach(&s, MEMORY_DEVICE_READ, PLIC_BASE, 4, 0x80000000), 0);
    assert_int_equal(loads(&s, 6, PLIC_BASE, 4, LW, 0xffffffff80000000), 0);
    assert_int_equal(reach(&s, MEMORY_DEVICE_READ, PLIC_BASE, 4, 7), 0);
    assert_int_equal(loads(&s, 7, PLIC_BASE, 4, FLW, 0xffffffff00000007), 0); // a box of NaN
    const struct memory_event refused = {
        .kind = MEMORY_DEVICE_READ, .address = BUSERROR_BASE + 0x800, .bytes = 8, .failed = true};
    assert_int_equal(event(&s, refused), 0); // its load traps
    assert_int_equal(reach(&s, MEMORY_DEVICE_WRITE, CLINT_BASE + 0x4000, 8, UINT64_MAX), 0);
    assert_int_equal(stores(&s, 99, UART_BASE, 1, 'x'), 0); // beside the end
    assert_int_equal(settled(&s, false), 0);
    scene_end(&s);
}

static void test_stores(void **unused) {
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_devices);
    says(&s, reach(&s, MEMORY_DEVICE_WRITE, UART_BASE, 1, 'a'), "has not committed");
    assert_int_equal(stores(&s, 1, UART_BASE, 1, 'a'), 0);
    says(&s, reach(&s, MEMORY_DEVICE_WRITE, UART_BASE, 1, 'b'), "not the oldest committed one");
    assert_int_equal(stores(&s, 2, UART_BASE, 1, 'a'), 0);
    says(&s, reach(&s, MEMORY_DEVICE_WRITE, UART_BASE + 1, 1, 'a'), "not the oldest committed one");
    assert_int_equal(stores(&s, 3, UART_BASE, 1, 'a'), 0);
    says(&s, reach(&s, MEMORY_DEVICE_WRITE, UART_BASE, 2, 'a'), "not the oldest committed one");
    assert_int_equal(stores(&s, 4, UART_BASE, 1, 'a'), 0);
    assert_int_equal(stores(&s, 5, UART_BASE, 1, 'b'), 0); // the younger first
    says(&s, reach(&s, MEMORY_DEVICE_WRITE, UART_BASE, 1, 'b'), "not the oldest committed one");
    assert_int_equal(settled(&s, true), 0);
    says(&s, settled(&s, false), "has not reached its device");
    scene_end(&s);
}

static void test_never_done(void **unused) {
    struct scene s;
    int result = 0;
    (void)unused;
    scene_start(&s, &worker_devices);
    for (uint64_t i = 0; i < 1000 && result == 0; i++)
        result = stores(&s, i, UART_BASE, 1, 'a');
    says(&s, result, "no store has reached a device");
    scene_end(&s);
}

static void test_loads(void **unused) {
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_devices);
    says(&s, loads(&s, 1, UART_BASE, 1, LBU, 'a'), "has not reached its device");
    assert_int_equal(reach(&s, MEMORY_DEVICE_READ, UART_BASE, 1, 'a'), 0);
    says(&s, reach(&s, MEMORY_DEVICE_READ, UART_BASE, 1, 'b'), "before the load that read it has");
    says(&s, loads(&s, 2, UART_BASE + 5, 1, LBU, 'a'), "not the one that read the device");
    assert_int_equal(reach(&s, MEMORY_DEVICE_READ, UART_BASE, 1, 'a'), 0);
    says(&s, loads(&s, 3, UART_BASE, 1, LBU, 'b'), "a different value");
    assert_int_equal(reach(&s, MEMORY_DEVICE_READ, UART_BASE, 1, 0x80), 0);
    says(&s, loads(&s, 4, UART_BASE, 1, LB, 0x80), "a different value"); // not extended
    assert_int_equal(reach(&s, MEMORY_DEVICE_READ, UART_BASE, 1, 0x80), 0);
    says(&s, loads(&s, 5, UART_BASE, 1, LBU, UINT64_MAX - 0x7f), "a different value"); // extended
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alike),
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_never_done),
        cmocka_unit_test(test_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
