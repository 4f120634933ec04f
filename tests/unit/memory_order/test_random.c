// A toy machine of three harts that run random programs on two doublewords, mixed sizes: loads are bound out of order,
// stores wait in a buffer and are forwarded byte by byte. The checker accepts all it does; and with one of the
// machine's own rules taken out it finds out, by the axiom that the rule keeps.
#include "tests/unit/memory_order/trace.h"

enum { HARTS = 3, WINDOW = 8, BUFFER = 6, PLACES = 16, STEPS = 400000 };
enum bug {
    SOUND,
    NO_REPLAY,      // a younger load of the same bytes keeps its value when an older one is bound
    FENCE_IGNORED,  // loads pass fences
    FENCE_TOO_SOON, // a fence does not wait for the store buffer
    OUT_OF_ORDER,   // any store of the buffer may go first
    NO_FORWARD,     // a load does not see the buffer
    OLD_FORWARD,    // ... or the oldest store of its bytes
    SC_ALWAYS,      // succeeds whatever others stored
    AMO_NOT_AGAIN,  // an AMO whose bytes were stored to between does not begin again
    ADDRESS_IGNORED,
    AMO_FORWARDS, // loads after an AMO are bound before it
    BUGS
};

struct slot { // of a hart's window
    struct memory_order_step step;
    bool is_bound;
    uint64_t value;
};
struct core {
    struct slot window[WINDOW];
    struct memory_order_step buffer[BUFFER];
    unsigned count, waiting;
    unsigned next_load, next_store;
    bool reserved, amo_open, amo_lost;
    uint64_t reserved_at, amo_old;
};
static struct core cores[HARTS];
static uint8_t contents[PLACES];
static uint64_t seed;
static enum bug bug;

static unsigned chance(unsigned of) {
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(seed >> 33) % of;
}

// ---- memory ----
static uint64_t read_memory(uint64_t address, unsigned size) {
    uint64_t word = 0;
    memcpy(&word, contents + (address - X), size);
    return word;
}
static int make_visible(unsigned hart, const struct memory_order_step *s) {
    memcpy(contents + (s->address - X), &s->stored, s->size);
    for (unsigned i = 0; i < HARTS; i++) {
        struct core *c = &cores[i];
        if (i == hart) continue;
        if (c->reserved_at / 8 == s->address / 8) c->reserved = c->reserved && bug == SC_ALWAYS;
        if (c->amo_open && c->window[0].step.address / 8 == s->address / 8) c->amo_lost = true;
    }
    return visible(hart, s->store, s->address, s->size, s->stored);
}

static void forward(const struct memory_order_step *store, const struct memory_order_step *load, uint64_t *word) {
    for (unsigned i = 0; i < load->size; i++) {
        const uint64_t at = load->address + i - store->address;
        if (at < store->size) *word = (*word & ~(UINT64_C(0xff) << 8 * i)) | (store->stored >> 8 * at & 0xff) << 8 * i;
    }
}

// ---- programs ----
static struct memory_order_step random_step(struct core *c) {
    const unsigned size = 1u << chance(4);
    struct memory_order_step s = {.size = (uint8_t)size, .address = X + chance(PLACES / size) * size};
    static const enum memory_order_act acts[] = {MEMORY_ORDER_LOADS,    MEMORY_ORDER_LOADS,    MEMORY_ORDER_LOADS,
                                                 MEMORY_ORDER_STORES,   MEMORY_ORDER_STORES,   MEMORY_ORDER_FENCES,
                                                 MEMORY_ORDER_COMPUTES, MEMORY_ORDER_BRANCHES, MEMORY_ORDER_AMO,
                                                 MEMORY_ORDER_LR,       MEMORY_ORDER_SC};
    s.act = acts[chance(sizeof acts / sizeof *acts)];
    const bool access = s.act >= MEMORY_ORDER_LOADS;
    s.rs[0] = (uint8_t)chance(4);
    s.rs[1] = s.act == MEMORY_ORDER_LOADS || s.act == MEMORY_ORDER_LR ? 0 : (uint8_t)chance(4);
    if (s.act != MEMORY_ORDER_STORES && s.act != MEMORY_ORDER_BRANCHES) s.rd = (uint8_t)chance(4);
    if (s.act >= MEMORY_ORDER_LR) { // as they are in code
        s.size = chance(2) ? 4 : 8;
        s.address = X + chance(PLACES / 8) * 8;
        s.aq = chance(2);
        s.rl = chance(2);
    }
    if (s.act == MEMORY_ORDER_FENCES) {
        s = (struct memory_order_step){
            .act = s.act, .pred = (uint8_t)(1 + chance(3)), .succ = (uint8_t)(1 + chance(3))};
        s.tso = s.pred == 3 && s.succ == 3 && chance(2);
    } else if (!access) {
        s.size = 0;
    }
    s.load = (uint16_t)(c->next_load++ % 32);
    s.store = (uint16_t)(c->next_store++ % 32);
    s.stored = ((uint64_t)chance(1u << 30) << 34 | chance(1u << 30)) &
               (s.size < 8 ? (UINT64_C(1) << 8 * s.size) - 1 : UINT64_MAX);
    return s;
}

// The load that last wrote a register in the window has its value.
static bool ready(const struct core *c, unsigned before, unsigned reg) {
    if (!reg) return true;
    for (unsigned i = before; i-- > 0;) {
        const struct slot *slot = &c->window[i];
        if (slot->step.rd != reg) continue;
        if (slot->step.act == MEMORY_ORDER_LOADS) return slot->is_bound;
        if (slot->step.act != MEMORY_ORDER_COMPUTES) return false;
        return ready(c, i, slot->step.rs[0]) && ready(c, i, slot->step.rs[1]);
    }
    return true;
}

static bool may_bind(const struct core *c, unsigned at) {
    const struct memory_order_step *s = &c->window[at].step;
    if (bug != ADDRESS_IGNORED && !ready(c, at, s->rs[0])) return false;
    for (unsigned i = 0; i < at; i++) {
        const struct memory_order_step *o = &c->window[i].step;
        if (o->act == MEMORY_ORDER_FENCES && bug != FENCE_IGNORED) return false;
        if (o->act >= MEMORY_ORDER_LR && (bug != AMO_FORWARDS || o->act != MEMORY_ORDER_AMO)) return false;
        if (o->act == MEMORY_ORDER_STORES && o->address < s->address + s->size && s->address < o->address + o->size &&
            (!ready(c, i, o->rs[0]) || !ready(c, i, o->rs[1])))
            return false;
    }
    return true;
}

static int bind_load(unsigned hart, unsigned at) {
    struct core *c = &cores[hart];
    struct slot *slot = &c->window[at];
    slot->value = read_memory(slot->step.address, slot->step.size);
    for (unsigned i = 0; i < c->waiting && bug != NO_FORWARD; i++)
        forward(&c->buffer[bug == OLD_FORWARD ? c->waiting - 1 - i : i], &slot->step, &slot->value);
    for (unsigned i = 0; i < at; i++)
        if (c->window[i].step.act == MEMORY_ORDER_STORES || c->window[i].step.act == MEMORY_ORDER_AMO)
            forward(&c->window[i].step, &slot->step, &slot->value);
    slot->is_bound = true;
    // A younger one of the same bytes, with all after it, begins again.
    bool again = false;
    for (unsigned i = at + 1; i < c->count && bug != NO_REPLAY; i++) {
        const struct memory_order_step *o = &c->window[i].step;
        again = again ||
                (o->act == MEMORY_ORDER_LOADS && c->window[i].is_bound && o->address / 8 == slot->step.address / 8);
        if (again) c->window[i].is_bound = false;
    }
    return bound(hart, slot->step.load, slot->step.address, slot->step.size);
}

// ---- retirement ----
static int leave(unsigned hart, struct memory_order_step s) {
    struct core *c = &cores[hart];
    memmove(c->window, c->window + 1, --c->count * sizeof *c->window);
    c->amo_open = false;
    return retired(hart, s);
}

static int step_amo(unsigned hart) {
    struct core *c = &cores[hart];
    struct memory_order_step *s = &c->window[0].step;
    if (!c->amo_open) {
        c->amo_open = true;
        c->amo_lost = false;
        c->amo_old = read_memory(s->address, s->size);
        return amo_bound(hart, s->load, s->address, s->size);
    }
    if (c->amo_lost && bug != AMO_NOT_AGAIN) {
        c->amo_open = false;
        return 0;
    }
    s->loaded = c->amo_old;
    const int status = make_visible(hart, s);
    return status ? status : leave(hart, *s);
}

static int retire_first(unsigned hart) {
    struct core *c = &cores[hart];
    struct memory_order_step s = c->window[0].step;
    int status;
    switch (s.act) {
    case MEMORY_ORDER_LOADS: s.loaded = c->window[0].value; return c->window[0].is_bound ? leave(hart, s) : 0;
    case MEMORY_ORDER_STORES:
        if (c->waiting == BUFFER) return 0;
        c->buffer[c->waiting++] = s;
        return leave(hart, s);
    case MEMORY_ORDER_FENCES: return c->waiting && bug != FENCE_TOO_SOON ? 0 : leave(hart, s);
    case MEMORY_ORDER_AMO: return c->waiting ? 0 : step_amo(hart);
    case MEMORY_ORDER_LR:
        if (c->waiting) return 0;
        s.loaded = read_memory(s.address, s.size);
        c->reserved = true;
        c->reserved_at = s.address;
        status = lr_bound(hart, s.load, s.address, s.size);
        return status ? status : leave(hart, s);
    case MEMORY_ORDER_SC:
        if (c->waiting) return 0;
        if (!c->reserved || c->reserved_at != s.address) s.act = MEMORY_ORDER_SC_FAILS;
        c->reserved = false;
        status = s.act == MEMORY_ORDER_SC ? make_visible(hart, &s) : 0;
        return status ? status : leave(hart, s);
    default: return leave(hart, s);
    }
}

static int drain(unsigned hart) {
    struct core *c = &cores[hart];
    const unsigned i = bug == OUT_OF_ORDER ? chance(c->waiting) : 0;
    const struct memory_order_step s = c->buffer[i];
    memmove(c->buffer + i, c->buffer + i + 1, (--c->waiting - i) * sizeof *c->buffer);
    return make_visible(hart, &s);
}

static int step(void) {
    const unsigned hart = chance(HARTS);
    struct core *c = &cores[hart];
    const unsigned at = chance(WINDOW);
    switch (chance(4)) {
    case 0:
        if (c->count < WINDOW) c->window[c->count++] = (struct slot){.step = random_step(c)};
        return 0;
    case 1:
        if (at < c->count && c->window[at].step.act == MEMORY_ORDER_LOADS && !c->window[at].is_bound && may_bind(c, at))
            return bind_load(hart, at);
        return 0;
    case 2: return c->waiting ? drain(hart) : 0;
    default: return c->count ? retire_first(hart) : 0;
    }
}

static int run(enum bug which, uint64_t from, unsigned steps) {
    memset(cores, 0, sizeof cores);
    memset(contents, 0, sizeof contents);
    bug = which;
    seed = from;
    int status = 0;
    for (unsigned i = 0; i < steps && !status; i++)
        status = step();
    return status;
}

static void test_sound(void **state) {
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        OK(run(SOUND, i, STEPS));
        const struct memory_order_counts counts = memory_order_counts(m);
        assert_true(counts.loads > 5000 && counts.stores > 5000 && counts.atomics > 5000);
        end(state);
        begin(state);
    }
}

static void test_bugs(void **state) {
    static const struct {
        enum bug bug;
        uint32_t axioms; // a bit each: what the rule keeps
    } rows[] = {
        {NO_REPLAY, 1u << 2},
        {FENCE_IGNORED, 1u << 4},
        {FENCE_TOO_SOON, 1u << 4},
        {OUT_OF_ORDER, 1u << 1},
        {NO_FORWARD, 1u << MEMORY_ORDER_LOAD_VALUE},
        {OLD_FORWARD, 1u << MEMORY_ORDER_LOAD_VALUE},
        {SC_ALWAYS, 1u << MEMORY_ORDER_ATOMICITY},
        {AMO_NOT_AGAIN, 1u << MEMORY_ORDER_ATOMICITY},
        {ADDRESS_IGNORED, 1u << 9},
        {AMO_FORWARDS, 1u << 3 | 1u << 5 | 1u << MEMORY_ORDER_LOAD_VALUE | 1u << 2},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (unsigned from = 1; from < 5; from++) {
            const int status = run(rows[i].bug, from, STEPS);
            if (status != -EBADMSG || !(rows[i].axioms >> memory_order_broken(m) & 1)) {
                print_error("bug %d: %d: %s\n", (int)rows[i].bug, status, why.text);
                fail();
            }
            end(state);
            begin(state);
        }
    }
}

#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)
int main(void) {
    const struct CMUnitTest tests[] = {T(test_sound), T(test_bugs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
