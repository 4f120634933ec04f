// Faults between a machine and its checker: a sound stream of two harts, and the same with one event shifted,
// exchanged, lost, doubled or changed. Each is found, with the axiom that then does not hold.
#include "tests/unit/memory_order/trace.h"

struct item {
    struct memory_order_event event;
    struct memory_order_step step;
};
enum { MOST = 64 };
struct stream {
    struct item list[MOST];
    unsigned count;
};

static unsigned say(struct stream *s, struct memory_order_event event, struct memory_order_step step) {
    struct item *t = &s->list[s->count];
    *t = (struct item){event, step};
    return s->count++;
}
static unsigned bind(struct stream *s, unsigned hart, unsigned id, uint64_t at, unsigned size) {
    return say(s, AT(MEMORY_ORDER_LOAD_BOUND, (uint8_t)hart, (uint16_t)id, at, (uint8_t)size, 0),
               (struct memory_order_step){0});
}
static unsigned see(struct stream *s, unsigned hart, unsigned id, uint64_t at, unsigned size, uint64_t data) {
    return say(s, AT(MEMORY_ORDER_STORE_VISIBLE, (uint8_t)hart, (uint16_t)id, at, (uint8_t)size, data),
               (struct memory_order_step){0});
}
static unsigned retire(struct stream *s, unsigned hart, struct memory_order_step step) {
    step.pc = 0x1000 * (hart + 1) + 4 * s->count;
    return say(s, (struct memory_order_event){.kind = MEMORY_ORDER_RETIRED, .hart = (uint8_t)hart}, step);
}

// Where in the stream the events stand that faults are about.
static struct places {
    unsigned data_retires, data_visible, fence, flag_visible, flag_bound, data_bound, flag_retires, data_loaded;
    unsigned lr_bound, sc_visible, sc_retires, amo_bound, amo_visible, amo_retires, late_bound, late_retires, owned;
} at;

// Hart 0 writes data and a flag with a fence between (MP), hart 1 reads both, the second by an address that depends on
// the first; then takes a lock by LR and SC, counts by an AMO, and hart 0 reads the count.
static struct stream sound(void) {
    struct stream s = {.count = 0};
    at.owned = say(&s, AT(MEMORY_ORDER_LINE_OWNED, 0, 0, X, 0, 0), (struct memory_order_step){0});
    at.data_retires = retire(&s, 0, STORES(A, X, 8, 42));
    at.fence = retire(&s, 0, FENCE(MEMORY_ORDER_W, MEMORY_ORDER_W));
    retire(&s, 0, STORES(B, X + 8, 4, 1));
    at.data_visible = see(&s, 0, A, X, 8, 42);
    at.flag_visible = see(&s, 0, B, X + 8, 4, 1);
    at.flag_bound = bind(&s, 1, A, X + 8, 4);
    at.data_bound = bind(&s, 1, B, X, 8);
    at.flag_retires = retire(&s, 1, LOADS(A, X + 8, 4, 1, .rd = R1));
    at.data_loaded = retire(&s, 1, LOADS(B, X, 8, 42, .rs = {R1}));
    say(&s, AT(MEMORY_ORDER_LINE_LOST, 0, 0, X, 0, 0), (struct memory_order_step){0});
    say(&s, AT(MEMORY_ORDER_LINE_OWNED, 1, 0, X, 0, 0), (struct memory_order_step){0});
    at.lr_bound = say(&s, AT(MEMORY_ORDER_LR_BOUND, 1, C, X + 16, 4, 0), (struct memory_order_step){0});
    retire(&s, 1, LR(C, X + 16, 4, 0));
    at.sc_visible = see(&s, 1, C, X + 16, 4, 7);
    at.sc_retires = retire(&s, 1, SC(C, X + 16, 4, 7));
    at.amo_bound = say(&s, AT(MEMORY_ORDER_AMO_BOUND, 1, D, X + 24, 4, 0), (struct memory_order_step){0});
    at.amo_visible = see(&s, 1, D, X + 24, 4, 1);
    at.amo_retires = retire(&s, 1, AMO(D, X + 24, 4, 0, 1));
    at.late_bound = bind(&s, 0, C, X + 24, 4);
    at.late_retires = retire(&s, 0, LOADS(C, X + 24, 4, 1));
    return s;
}

static int play(struct stream *s) {
    int status = 0;
    for (unsigned i = 0; i < s->count && !status; i++) {
        s->list[i].event.step = s->list[i].event.kind == MEMORY_ORDER_RETIRED ? &s->list[i].step : NULL;
        status = put(s->list[i].event);
    }
    return status ? status : passed(PATIENCE + 1);
}

static void move(struct stream *s, unsigned from, unsigned to) {
    const struct item moved = s->list[from];
    for (; from < to; from++)
        s->list[from] = s->list[from + 1];
    for (; from > to; from--)
        s->list[from] = s->list[from - 1];
    s->list[to] = moved;
}
static void drop(struct stream *s, unsigned i) {
    move(s, i, --s->count);
}
static void exchange(struct stream *s, unsigned i, unsigned j) {
    const struct item kept = s->list[i];
    s->list[i] = s->list[j];
    s->list[j] = kept;
}
static void insert(struct stream *s, unsigned i, struct memory_order_event event) {
    s->count++;
    move(s, s->count - 1, i);
    s->list[i] = (struct item){event, {0}};
}

static void test_sound(void **state) {
    (void)state;
    struct stream s = sound();
    OK(play(&s));
}

#define FAULT(name, axiom, change)                                                                                     \
    static void test_##name(void **state) {                                                                            \
        (void)state;                                                                                                   \
        struct stream s = sound();                                                                                     \
        change;                                                                                                        \
        BROKEN(axiom, play(&s));                                                                                       \
    }
// 1: the flag's load is reported before the store that it returned: memory did not have its value yet.
FAULT(load_before_its_store, MEMORY_ORDER_LOAD_VALUE, move(&s, at.flag_bound, at.flag_visible))
// 2: the data's load is reported before the flag's, and the flag's store between: its address came from the flag's.
FAULT(load_before_its_address, 9, (move(&s, at.data_bound, at.flag_visible)))
// 3: both stores of MP exchanged: the fence.
FAULT(stores_exchanged, 4, exchange(&s, at.data_visible, at.flag_visible))
// 4: a loaded value changed.
FAULT(value_changed, MEMORY_ORDER_LOAD_VALUE, s.list[at.data_loaded].step.loaded ^= 1 << 13)
// 5: a stored value changed on its way to memory.
FAULT(store_changed, MEMORY_ORDER_LOAD_VALUE, s.list[at.data_visible].event.data ^= 1)
// 6: a store at another address.
FAULT(store_moved, MEMORY_ORDER_LOAD_VALUE, s.list[at.flag_visible].event.address += 4)
// 7: a store that is never reported: the next one waits for it by the fence.
FAULT(store_lost, 4, drop(&s, at.data_visible))
// 8: ... and with nothing after it, it waits forever.
FAULT(last_store_lost, MEMORY_ORDER_PROGRESS, (drop(&s, at.flag_visible), s.count = at.flag_visible))
// 9: another hart's store reported between LR and SC. (The line goes with it.)
FAULT(store_between_pair, MEMORY_ORDER_ATOMICITY,
      insert(&s, at.sc_visible, AT(MEMORY_ORDER_WRITTEN, 0, 0, X + 16, 4, 0)))
// 10: ... between an AMO's load and its store.
FAULT(store_between_amo, MEMORY_ORDER_ATOMICITY,
      insert(&s, at.amo_visible, AT(MEMORY_ORDER_WRITTEN, 0, 0, X + 24, 4, 0)))
// 11: the SC reported before its LR, which then ought to have returned its value.
FAULT(sc_before_lr, MEMORY_ORDER_LOAD_VALUE, move(&s, at.sc_visible, at.lr_bound))
// 12: a store reported of the wrong hart.
FAULT(wrong_hart, MEMORY_ORDER_ONE_WRITER, s.list[at.flag_visible].event.hart = 1)
// 13: the line is not reported as owned.
FAULT(line_lost, MEMORY_ORDER_ONE_WRITER, s.list[at.owned].event.kind = MEMORY_ORDER_LINE_SHARED)
// 14: the count is read before it is written.
FAULT(load_across_amo, MEMORY_ORDER_LOAD_VALUE, move(&s, at.late_bound, at.amo_bound))
// 15: the LR left out: the SC has no pair.
FAULT(lr_lost, MEMORY_ORDER_ATOMICITY, (drop(&s, at.lr_bound + 1), drop(&s, at.lr_bound)))

// Events that no machine makes are no axiom's fault.
#define CONTRADICTS(name, change)                                                                                      \
    static void test_##name(void **state) {                                                                            \
        (void)state;                                                                                                   \
        struct stream s = sound();                                                                                     \
        change;                                                                                                        \
        assert_int_equal(play(&s), -EINVAL);                                                                           \
        assert_int_equal(memory_order_broken(m), MEMORY_ORDER_STREAM);                                                 \
    }
CONTRADICTS(bound_lost, drop(&s, at.data_bound))
CONTRADICTS(bound_of_another_size, s.list[at.data_bound].event.size = 4)
CONTRADICTS(amo_never_visible, drop(&s, at.amo_visible))
CONTRADICTS(retired_twice, insert(&s, at.data_loaded + 1, s.list[at.data_loaded].event);
            s.list[at.data_loaded + 1].step = s.list[at.data_loaded].step)

#define T(name) cmocka_unit_test_setup_teardown(test_##name, begin, end)
int main(void) {
    const struct CMUnitTest tests[] = {T(sound),
                                       T(load_before_its_store),
                                       T(load_before_its_address),
                                       T(stores_exchanged),
                                       T(value_changed),
                                       T(store_changed),
                                       T(store_moved),
                                       T(store_lost),
                                       T(last_store_lost),
                                       T(store_between_pair),
                                       T(store_between_amo),
                                       T(sc_before_lr),
                                       T(wrong_hart),
                                       T(line_lost),
                                       T(load_across_amo),
                                       T(lr_lost),
                                       T(bound_lost),
                                       T(bound_of_another_size),
                                       T(amo_never_visible),
                                       T(retired_twice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
