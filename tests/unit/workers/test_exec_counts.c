// The worker exec-counts: a core that jumps, calls, traps and comes back at random, over two address spaces, against a
// count of every instruction that it executes; and by hand, what a trap does to the edges.
#include "tests/unit/profile/published.h"
#include "tests/unit/workers/views.h"
#include <inttypes.h>

extern const struct worker_ops worker_exec_counts;

enum { PLACES = 64, STEPS = 20000, SEEDS = 40, DEEPEST = 3 };
enum { NOP = 0x13, C_NOP = 0x0001, MRET = 0x30200073, ECALL_OF_M = 11, LOAD_FAULT = 13, TIMER = 7 };

// Instruction i lies at AT + 4 * i; odd ones have 2 bytes, and a jump is the only way over the 2 after them: so they
// always jump. Spaces 0 and 1.
struct model {
    struct scene scene;
    unsigned seed;
    uint64_t executed[2][PLACES];
    unsigned space, next;
    struct {
        unsigned space, next;
    } traps[DEEPEST];
    unsigned depth;
    bool emptied; // the counts, in the middle of the run
};

static unsigned draw(struct model *m, unsigned below) {
    return (unsigned)rand_r(&m->seed) % below;
}

static void show(struct model *m) {
    struct scene *s = &m->scene;
    s->bundle.space = m->space;
    assert_int_equal(s->ops->cycle(s->state, &s->view, &s->err), 0);
    s->left.count = 0;
    s->left.trap.valid = false;
    s->view.cycle++;
}

static void retire(struct model *m, uint32_t insn) {
    struct retired *r = &m->scene.left.retired[m->scene.left.count++];
    r->pc = AT + 4 * m->next;
    r->insn = insn;
    m->executed[m->space][m->next]++;
}

// The next instruction executes, and goes on to one that follows it or not.
static void plain(struct model *m) {
    const bool narrow = m->next & 1;
    retire(m, narrow ? C_NOP : NOP);
    m->next = narrow || draw(m, 3) == 0 || m->next + 1 == PLACES ? draw(m, PLACES) : m->next + 1;
    if (draw(m, 2) || m->scene.left.count == WIDTH) show(m);
}

static void trap(struct model *m) {
    struct trapped *t = &m->scene.left.trap;
    *t = (struct trapped){.valid = true, .epc = AT + 4 * m->next};
    unsigned back = m->next;
    switch (draw(m, 4)) {
    case 0:
        t->interrupt = true;
        t->cause = TIMER;
        break;
    case 1: t->cause = LOAD_FAULT; break; // again, later
    case 2:                               // passed over by its handler
        t->cause = LOAD_FAULT;
        back = (m->next + 1) % PLACES;
        break;
    default:
        if (m->next & 1 || m->next + 1 == PLACES) {
            t->cause = LOAD_FAULT;
        } else {
            t->cause = ECALL_OF_M;
            m->executed[m->space][m->next]++;
            back++;
        }
    }
    show(m);
    if (m->depth == DEEPEST) m->depth = 0; // nobody goes back to any of them
    m->traps[m->depth].space = m->space;
    m->traps[m->depth++].next = back;
    m->next = 40; // the handler
}

static void back(struct model *m) {
    if (m->next & 1 || m->depth == 0) return;
    retire(m, MRET);
    show(m);
    const unsigned i = draw(m, 4) ? m->depth - 1 : draw(m, m->depth); // mostly the last: else another process goes on
    m->space = m->traps[i].space;
    m->next = m->traps[i].next;
    m->traps[i] = m->traps[--m->depth];
}

// What `space` has of places up to (or before) the i-th, by one end of the edges.
static int64_t up_to(const cJSON *statistics, unsigned space, uint64_t pc, bool arrivals, bool included) {
    const cJSON *group, *item;
    int64_t sum = 0;
    cJSON_ArrayForEach(group, cJSON_GetObjectItem(statistics, "edges")) {
        if (cJSON_GetObjectItem(group, arrivals ? "to_space" : "from_space")->valuedouble != space) continue;
        cJSON_ArrayForEach(item, cJSON_GetObjectItem(group, "taken")) {
            char from[24], to[24];
            uint64_t count;
            assert_int_equal(sscanf(item->valuestring, "%23s %23s %" SCNu64, from, to, &count), 3);
            assert_true(count > 0 && count < STEPS);
            const char *text = arrivals ? to : from;
            if (*text == '-') continue;
            const uint64_t place = strtoull(text, NULL, 16);
            if (place < pc || (included && place == pc)) sum += (int64_t)count;
        }
    }
    return sum;
}

static void random_flow(void **state) {
    (void)state;
    uint64_t mrets = 0;
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        struct model m = {.seed = seed};
        scene_start(&m.scene, &worker_exec_counts);
        m.scene.view.bundle = &m.scene.bundle;
        for (int step = 0; step < STEPS / 10; step++) {
            const unsigned what = draw(&m, 20);
            if (step == STEPS / 30 && seed % 2) { // counts begin here
                show(&m);
                assert_int_equal(m.scene.ops->begin(m.scene.state, m.scene.view.cycle, &m.scene.err), 0);
                memset(m.executed, 0, sizeof m.executed);
            }
            if (what == 0) {
                trap(&m);
            } else if (what == 1) {
                back(&m);
                mrets++;
            } else if (what == 2 && draw(&m, 4) == 0) { // a write of satp
                show(&m);
                m.space ^= 1;
            } else {
                plain(&m);
            }
        }
        show(&m);
        assert_int_equal(m.scene.ops->finish(m.scene.state, 0, &m.scene.err), 0);
        struct results *results = results_create();
        assert_true(results && m.scene.ops->publish(m.scene.state, results));
        cJSON *statistics = published(results);
        for (unsigned space = 0; space < 2; space++) {
            for (unsigned i = 0; i < PLACES; i++) {
                const uint64_t pc = AT + 4 * i;
                const int64_t count =
                    up_to(statistics, space, pc, true, true) - up_to(statistics, space, pc, false, false);
                if (count != (int64_t)m.executed[space][i])
                    fail_msg("seed %u, space %u, place %u: %" PRId64 " by the edges, %" PRIu64 " executed", seed, space,
                             i, count, m.executed[space][i]);
            }
        }
        cJSON_Delete(statistics);
        scene_end(&m.scene);
    }
    assert_true(mrets > 100);
}

static void retire_at(struct scene *s, uint64_t pc, uint32_t insn) {
    s->left.count = 1;
    s->left.retired[0].pc = pc;
    s->left.retired[0].insn = insn;
    assert_int_equal(s->ops->cycle(s->state, &s->view, &s->err), 0);
    s->left.count = 0;
}

static void trap_at(struct scene *s, uint64_t pc, uint8_t cause, bool interrupt) {
    s->left.trap = (struct trapped){.valid = true, .interrupt = interrupt, .cause = cause, .epc = pc};
    assert_int_equal(s->ops->cycle(s->state, &s->view, &s->err), 0);
    s->left.trap.valid = false;
}

static void expect(struct scene *s, const char *const *edges, size_t count) {
    struct results *results = results_create();
    assert_int_equal(s->ops->finish(s->state, 0, &s->err), 0);
    assert_true(results && s->ops->publish(s->state, results));
    cJSON *statistics = published(results);
    const cJSON *group = cJSON_GetArrayItem(cJSON_GetObjectItem(statistics, "edges"), 0);
    const cJSON *taken = cJSON_GetObjectItem(group, "taken");
    assert_int_equal(cJSON_GetObjectItem(group, "from_mode")->valuedouble, MODE_MACHINE);
    assert_int_equal(cJSON_GetArraySize(taken), count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(cJSON_GetArrayItem(taken, (int)i)->valuestring, edges[i]);
    cJSON_Delete(statistics);
    scene_end(s);
}

// A taken branch to an instruction that is interrupted before it executes: one edge, as if there had been no interrupt.
static void interrupted_jump(void **state) {
    (void)state;
    struct scene s;
    scene_start(&s, &worker_exec_counts);
    retire_at(&s, 0x1000, NOP);
    retire_at(&s, 0x1004, NOP); // jumps to 0x1020
    trap_at(&s, 0x1020, TIMER, true);
    retire_at(&s, 0x2000, NOP);
    retire_at(&s, 0x2004, MRET);
    trap_at(&s, 0x1020, TIMER, true); // and once more
    retire_at(&s, 0x2000, NOP);
    retire_at(&s, 0x2004, MRET);
    retire_at(&s, 0x1020, NOP);
    static const char *const edges[] = {"1004 1020 1", "1020 - 1", "2004 - 2", "- 1000 1", "- 2000 2"};
    expect(&s, edges, 5);
}

// A page fault in a straight line, an ecall, and a trap that nobody comes back from.
static void straight_line(void **state) {
    (void)state;
    struct scene s;
    scene_start(&s, &worker_exec_counts);
    retire_at(&s, 0xffe, C_NOP);
    retire_at(&s, 0x1000, NOP);
    trap_at(&s, 0x1004, LOAD_FAULT, false);
    retire_at(&s, 0x2000, MRET);
    retire_at(&s, 0x1004, NOP);
    trap_at(&s, 0x1008, ECALL_OF_M, false);
    retire_at(&s, 0x2000, MRET);
    retire_at(&s, 0x100c, NOP);
    trap_at(&s, 0x1010, LOAD_FAULT, false);
    retire_at(&s, 0x3000, NOP);
    static const char *const edges[] = {"100c - 1", "2000 - 2", "3000 - 1", "- ffe 1", "- 2000 2", "- 3000 1"};
    expect(&s, edges, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_flow), cmocka_unit_test(interrupted_jump),
                                       cmocka_unit_test(straight_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
