// Machines of several harts: the order of turns, that it does not depend on how a run is cut, reservations, waiting and
// time, what each hart sees of the others, checkpoints.
#include "iss/checkpoint.h"
#include "iss/iss_internal.h"
#include "tests/unit/iss/hart.h"
#include <libfdt.h>
#include <unistd.h>

#include "tests/unit/base/program_image.h" // wants cmocka.h

#define MTIMECMP(hart) (CLINT_BASE + 0x4000 + 8 * (hart))
enum { QUANTUM = 100 };

// Two harts and more: lr and sc, an amo, the time, own timer, each eighth time the other one's msip and a wfi.
static const uint32_t loop[] = {
    0xf1402473, 0x000084b7, 0x0014849b, 0x01049493,             // s0: mhartid; s1: DATA
    0x02000937, 0x0200c9b7, 0xff89899b,                         // s2: msip; s3: mtime
    0x02004a37, 0x00341293, 0x005a0a33,                         // s4: own mtimecmp
    0x30445073, 0x08000293, 0x3042a073,                         // mie: MSIE, MTIE
    0x1004b32f, 0x00130313, 0x1864b3af, 0xfe039ae3,             // 1: lr.d t1; addi; sc.d; bnez 1b
    0x00848e13, 0x006e3eaf,                                     // amoadd.d at DATA + 8
    0xc0102f73, 0x01e50533,                                     // a0 += time
    0x0009b283, 0x00328293, 0x005a3023,                         // mtimecmp = mtime + 3
    0x00737f93, 0xfc0f98e3,                                     // t1 & 7: 1b
    0x00144f93, 0x002f9f93, 0x012f8fb3, 0x00100293, 0x005fa023, // the other one's msip
    0x10500073,                                                 // wfi
    0x00241f93, 0x012f8fb3, 0x000fa023, 0x00158593, 0xfa5ff06f, // own msip off; a1 += 1; 1b
};

static struct iss *machine(unsigned harts) {
    struct error err = {""};
    struct iss *s = iss_create_harts(harts, &err);
    assert_non_null(s);
    return s;
}

static struct iss *loops(unsigned harts) {
    struct iss *s = machine(harts);
    iss_set_quantum(s, QUANTUM);
    for (size_t i = 0; i < sizeof loop / sizeof *loop; i++)
        put_word(s, CODE + 4 * i, loop[i]);
    for (unsigned i = 0; i < harts; i++)
        hart_set_pc(iss_hart(s, i), CODE);
    return s;
}

// Each hart's loop ends at this word, in a jump to itself.
static void put_end(struct iss *s, uint64_t address) {
    put_word(s, address, 0x6f);
}

static void assert_alike(const struct iss *a, const struct iss *b) {
    assert_int_equal(a->turn, b->turn);
    assert_int_equal(a->slice, b->slice);
    assert_int_equal(a->idle, b->idle);
    assert_int_equal(a->mtime_offset, b->mtime_offset);
    assert_memory_equal(a->dram, b->dram, 1 << 20);
    for (unsigned i = 0; i < a->hart_count; i++) {
        const struct hart *x = &a->harts[i], *y = &b->harts[i];
        assert_memory_equal(x->x, y->x, 32 * sizeof x->x[0]); // not what was written to x0, which lies after them
        assert_memory_equal(x->csr, y->csr, sizeof x->csr);
        assert_true(x->pc == y->pc && x->steps == y->steps && x->waiting == y->waiting);
        assert_true(x->reserved == y->reserved && x->msip == y->msip && x->mtimecmp == y->mtimecmp);
    }
}

// A run in one piece, in pieces of all sizes, and step by step: the same machine after each.
static void test_pieces(void **state) {
    (void)state;
    enum { STEPS = 20000 };
    for (unsigned harts = 2; harts <= 4; harts += 2) {
        struct iss *whole = loops(harts), *pieces = loops(harts), *steps = loops(harts), *recorded = loops(harts);
        assert_int_equal(iss_run(whole, STEPS), STEPS);
        for (uint64_t done = 0, size = 1; done < STEPS; size = size % 257 + 1)
            done += iss_run(pieces, size < STEPS - done ? size : STEPS - done);
        for (unsigned i = 0; i < STEPS; i++) {
            struct iss_retire out;
            assert_ptr_equal(iss_next(steps), iss_hart(steps, steps->turn));
            assert_non_null(iss_step(steps, NULL));
            assert_non_null(iss_step(recorded, &out));
        }
        (void)iss_next(whole); // what lies between two steps: before the next one, or after the last one
        (void)iss_next(pieces);
        (void)iss_next(steps);
        (void)iss_next(recorded);
        assert_alike(whole, pieces);
        assert_alike(whole, steps);
        assert_alike(whole, recorded);
        assert_true(hart_x(iss_hart(whole, 1), 11) > 10); // it has slept, and was woken
        assert_true(whole->idle > 0);
        iss_destroy(whole);
        iss_destroy(pieces);
        iss_destroy(steps);
        iss_destroy(recorded);
    }
}

// Turns have the quantum's length, in order of the harts.
static void test_turns(void **state) {
    (void)state;
    struct iss *s = machine(3);
    iss_set_quantum(s, QUANTUM);
    put_end(s, CODE);
    for (unsigned i = 0; i < 3; i++)
        hart_set_pc(iss_hart(s, i), CODE);
    for (unsigned i = 0; i < 10 * QUANTUM; i++)
        assert_int_equal(hart_number(iss_step(s, NULL)), i / QUANTUM % 3);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(hart_steps(iss_hart(s, i)), i == 0 ? 4 * QUANTUM : 3 * QUANTUM);
    iss_destroy(s);
}

// A reservation ends with its hart's turn; that of a hart that is alone does not.
static void test_reservation(void **state) {
    (void)state;
    for (unsigned harts = 1; harts <= 2; harts++) {
        struct iss *s = machine(harts);
        iss_set_quantum(s, ISS_LEAST_QUANTUM);
        for (unsigned i = 0; i < 2 * ISS_LEAST_QUANTUM; i++)
            put_word(s, CODE + 4 * i, NOP);
        put_word(s, CODE + 4 * (ISS_LEAST_QUANTUM - 1), LR_D(A0, A1)); // the last of its turn
        put_word(s, CODE + 4 * ISS_LEAST_QUANTUM, SC_D(A2, A1, A3));
        put_end(s, HANDLER);
        hart_set_pc(iss_hart(s, 0), CODE);
        if (harts > 1) hart_set_pc(iss_hart(s, 1), HANDLER);
        hart_set_x(iss_hart(s, 0), A1, DATA);
        hart_set_x(iss_hart(s, 0), A3, 7);
        const uint64_t steps = (harts + 1) * ISS_LEAST_QUANTUM;
        assert_int_equal(iss_run(s, steps), steps);
        assert_int_equal(hart_x(iss_hart(s, 0), A2), harts > 1);
        assert_int_equal(double_at(s, DATA), harts > 1 ? 0 : 7);
        iss_destroy(s);
    }
}

// mtime is the harts' together: a tick is 100 instructions of each, also of those that wait.
static void test_time(void **state) {
    (void)state;
    for (unsigned waits = 0; waits < 2; waits++) {
        struct iss *s = machine(4);
        put_end(s, CODE);
        put_word(s, HANDLER, WFI);
        for (unsigned i = 0; i < 4; i++)
            hart_set_pc(iss_hart(s, i), waits && i ? HANDLER : CODE);
        const uint64_t steps = (waits ? 1 : 4) * 64 * ISS_QUANTUM + (waits ? 3 : 0);
        assert_int_equal(iss_run(s, steps), steps);
        (void)iss_next(s);
        const uint64_t ticks = 64 * ISS_QUANTUM / 100, now = iss_mtime(s);
        assert_true(now >= ticks - 3 && now <= ticks + 3);
        iss_destroy(s);
    }
}

// All wait: time goes on to the first timer, and its hart alone wakes. Without one they would wait forever.
static void test_all_wait(void **state) {
    (void)state;
    struct iss *s = machine(2);
    put_word(s, CODE, WFI);
    put_end(s, CODE + 4);
    for (unsigned i = 0; i < 2; i++) {
        hart_set_pc(iss_hart(s, i), CODE);
        hart_set_csr(iss_hart(s, i), CSR_MIE, 1 << IRQ_MTI);
    }
    iss_device_store(s, MTIMECMP(0), 8, 5000000);
    iss_device_store(s, MTIMECMP(1), 8, 3000000);
    assert_int_equal(iss_run(s, 10), 10);
    assert_int_equal(hart_steps(iss_hart(s, 0)), 1);
    assert_int_equal(hart_steps(iss_hart(s, 1)), 9);
    assert_true(hart_waits(iss_hart(s, 0)) && !hart_waits(iss_hart(s, 1)));
    assert_true(iss_mtime(s) >= 3000000 && iss_mtime(s) < 3000010);
    iss_destroy(s);

    s = machine(2);
    put_word(s, CODE, WFI);
    for (unsigned i = 0; i < 2; i++)
        hart_set_pc(iss_hart(s, i), CODE);
    assert_int_equal(iss_run(s, 10), 2);
    assert_null(iss_next(s));
    assert_null(iss_step(s, NULL));
    hart_set_csr(iss_hart(s, 1), CSR_MIE, 1 << IRQ_MSI); // and somebody looks after it
    iss_device_store(s, CLINT_BASE + 4, 4, 1);
    assert_ptr_equal(iss_next(s), iss_hart(s, 1));
    iss_destroy(s);
}

// A hart goes on with code that it has decoded until its own fence.i; another one's does not count.
static void test_stale_code(void **state) {
    (void)state;
    struct iss *s = machine(2);
    struct hart *first = iss_hart(s, 0), *second = iss_hart(s, 1);
    put_word(s, CODE, ADDI(A0, 0, 1));
    put_word(s, HANDLER, STORE(WORD, A1, A2, 0));
    put_word(s, HANDLER + 4, FENCE_I);
    put_word(s, DATA, FENCE_I);
    hart_set_pc(second, CODE);
    hart_step(second, NULL);
    assert_int_equal(hart_x(second, A0), 1);
    hart_set_pc(first, HANDLER); // rewrites the instruction
    hart_set_x(first, A1, ADDI(A0, 0, 2));
    hart_set_x(first, A2, CODE);
    hart_step(first, NULL);
    hart_step(first, NULL);
    hart_set_pc(first, CODE);
    hart_step(first, NULL);
    assert_int_equal(hart_x(first, A0), 2);
    hart_set_pc(second, CODE);
    hart_step(second, NULL);
    assert_int_equal(hart_x(second, A0), 1);
    hart_set_pc(second, DATA);
    hart_step(second, NULL);
    hart_set_pc(second, CODE);
    hart_step(second, NULL);
    assert_int_equal(hart_x(second, A0), 2);
    iss_destroy(s);
}

// The second UART's line, or any, goes to the contexts that enable it.
static void test_lines(void **state) {
    (void)state;
    struct iss *s = machine(3);
    iss_device_store(s, PLIC_BASE + 4 * UART_INTERRUPT, 4, 1);
    iss_device_store(s, PLIC_BASE + 0x2000 + 0x80 * 5, 4, 1 << UART_INTERRUPT); // S-mode of hart 2
    iss_device_store(s, UART_BASE + 1, 1, 2);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(iss_mip(iss_hart(s, i)), i == 2 ? 1 << IRQ_SEI : 0);
    assert_int_equal(iss_device_load(s, PLIC_BASE + 0x200000 + 0x1000 * 4 + 4, 4), 0);
    assert_int_equal(iss_device_load(s, PLIC_BASE + 0x200000 + 0x1000 * 5 + 4, 4), UART_INTERRUPT);
    assert_int_equal(iss_mip(iss_hart(s, 2)), 0);
    iss_device_store(s, PLIC_BASE + 0x2000 + 0x80 * 6, 4, 2); // of hart 3, which does not exist
    assert_int_equal(iss_device_load(s, PLIC_BASE + 0x2000 + 0x80 * 6, 4), 0);
    iss_destroy(s);
}

// All harts arrive at the entry with their numbers, and with a tree that has as many.
static void test_boot(void **state) {
    (void)state;
    static const uint32_t here = 0x6f;
    for (unsigned harts = 1; harts <= MACHINE_MOST_HARTS; harts++) {
        struct error err = {""};
        struct iss *s = machine(harts);
        struct image *image = program_image(&here, sizeof here);
        assert_int_equal(iss_load(s, image, &err), 0);
        const uint64_t entry = image_entry(image);
        image_destroy(image);
        assert_int_equal(iss_run(s, harts * ISS_QUANTUM), harts * ISS_QUANTUM);
        static uint8_t tree[RESUME_BYTES];
        for (unsigned i = 0; i < harts; i++) {
            const struct hart *h = iss_hart(s, i);
            assert_int_equal(hart_pc(h), entry);
            assert_int_equal(hart_x(h, A0), i);
            assert_int_equal(hart_x(h, A1), hart_x(iss_hart(s, 0), A1));
        }
        uint32_t head[2];
        assert_true(iss_read(s, hart_x(iss_hart(s, 0), A1), head, sizeof head));
        assert_true(iss_read(s, hart_x(iss_hart(s, 0), A1), tree, fdt32_to_cpu(head[1])));
        assert_int_equal(fdt_check_full(tree, fdt32_to_cpu(head[1])), 0);
        const int cpus = fdt_path_offset(tree, "/cpus");
        unsigned found = 0;
        int node, bytes;
        fdt_for_each_subnode(node, tree, cpus) {
            const uint32_t *reg = fdt_getprop(tree, node, "reg", &bytes);
            assert_true(fdt32_to_cpu(*reg) < harts);
            found++;
        }
        assert_int_equal(found, harts);
        static const char *const controllers[] = {"sifive,clint0", "sifive,plic-1.0.0"};
        static const uint32_t causes[][2] = {{3, 7}, {11, 9}};
        for (unsigned c = 0; c < 2; c++) {
            node = fdt_node_offset_by_compatible(tree, -1, controllers[c]);
            const uint32_t *lines = fdt_getprop(tree, node, "interrupts-extended", &bytes);
            assert_int_equal(bytes, 16 * harts);
            for (unsigned i = 0; i < 2 * harts; i++) {
                const int of = fdt_node_offset_by_phandle(tree, fdt32_to_cpu(lines[2 * i]));
                const uint32_t *reg = fdt_getprop(tree, fdt_parent_offset(tree, of), "reg", &bytes);
                assert_int_equal(fdt32_to_cpu(*reg), i / 2);
                assert_int_equal(fdt32_to_cpu(lines[2 * i + 1]), causes[c][i % 2]);
            }
        }
        iss_destroy(s);
    }
}

// A saved machine goes on as it would have; with another number of harts it is refused.
static void test_checkpoint(void **state) {
    (void)state;
    struct error err = {""};
    struct checkpoint_origin origin = {.program = "program.elf"};
    char path[] = "/tmp/test_harts_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    for (uint64_t at = 1; at < 3000; at += 997) {
        struct iss *saved = loops(3), *restored = machine(3), *two = machine(2), *one = machine(1);
        (void)iss_run(saved, at);
        if (checkpoint_write(saved, &origin, path, &err) != 0) fail_msg("%s", err.text);
        assert_int_equal(checkpoint_harts(path, &err), 3);
        if (checkpoint_read(restored, &origin, path, &err) != 0) fail_msg("%s", err.text);
        assert_int_equal(origin.steps, at);
        assert_alike(saved, restored);
        assert_int_equal(restored->quantum, QUANTUM);
        assert_int_equal(iss_run(saved, 5000), 5000);
        assert_int_equal(iss_run(restored, 5000), 5000);
        assert_alike(saved, restored);
        assert_true(checkpoint_read(two, NULL, path, &err) < 0);
        assert_non_null(strstr(err.text, "of a machine of 3 harts, not of 2"));
        assert_true(checkpoint_read(one, NULL, path, &err) < 0);
        struct iss *lone = loops(1);
        (void)iss_run(lone, at);
        if (checkpoint_write(lone, &origin, path, &err) != 0) fail_msg("%s", err.text);
        assert_int_equal(checkpoint_harts(path, &err), 1);
        assert_true(checkpoint_read(two, NULL, path, &err) < 0);
        assert_non_null(strstr(err.text, "of a machine of 1 hart, not of 2"));
        iss_destroy(saved);
        iss_destroy(restored);
        iss_destroy(two);
        iss_destroy(one);
        iss_destroy(lone);
    }
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces), cmocka_unit_test(test_turns),    cmocka_unit_test(test_reservation),
        cmocka_unit_test(test_time),   cmocka_unit_test(test_all_wait), cmocka_unit_test(test_stale_code),
        cmocka_unit_test(test_lines),  cmocka_unit_test(test_boot),     cmocka_unit_test(test_checkpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
