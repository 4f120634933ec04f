// The trail: a program of random turns, stepped by an ISS that plays core and golden machine at once; where the trail
// hands its machine out, it is the one that was at that step, to the last register.
#include "tests/unit/iss/hart.h"
#include "tests/unit/workers/views.h"
#include <inttypes.h>

#include "tests/unit/base/program_image.h"

extern const struct worker_ops worker_replay_checkpoint;

enum { WINDOW = 10000, LONG = 45000, SEEDS = 12 }; // steps: of a window (replay_checkpoint.c), of the longest run
enum { MTI = 7, MPRV = 1 << 17, COMMAND = 1 << 19, HOST_DELAY = 300 };
enum { SETUP = 8, HANDLER_AT = 24 }; // words of the program
#define BOX (ELF_TOHOST + 64)        // a word that the host writes now and then
#define BEQZ_SKIP(rs1) (0x463u | (rs1) << 15)
#define SLLI_1(rd) i_type(0x00001013, rd, rd, 1)
#define AND(rd, rs1, rs2) r_type(0x00007033, rd, rs1, rs2)
#define XOR(rd, rs1, rs2) r_type(0x00004033, rd, rs1, rs2)

struct machine { // as its next step finds it
    uint64_t pc, x[32], mepc, mstatus, box, tohost;
};

enum spoil { NOTHING, A_VALUE, AN_INTERRUPT };
struct run {
    struct scene scene;
    struct image *image;
    uint64_t random, seed, cycle, steps;
    uint64_t written_in; // cycle in which the program wrote mcycle
    bool mute;           // the host does nothing
    uint64_t answer_at;  // step at which the host answers; 0: nothing is asked
    struct {
        uint64_t steps, cycle;
    } full, before;       // the end of the last whole window, and of the one before it
    enum spoil spoil;     // of what the trail gets, once, in the first window
    struct machine *then; // by steps
};

static uint64_t draw(struct run *r, uint64_t below) {
    r->random = r->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (r->random >> 33) % below;
}

// x6: what the core reads as mcycle, a random number. It decides whether the loop counts x14, asks the host for
// something, and goes on with MPRV set, where no core can begin. x7, x12 and x9 depend on all such numbers, on all
// words in the box, and on all places of interrupts, in order.
static struct image *make_image(void) {
    const uint32_t program[] = {
        CSRRW(0, CSR_MCYCLE, 0),
        0x00001917, // auipc x18, 1
        ADDI(18, 18, -4),
        0x000207b7, // lui x15, MPRV
        0x000809b7, // lui x19, COMMAND
        0x00000a17, // auipc x20, 0
        ADDI(20, 20, (HANDLER_AT - 5) * 4),
        CSRRW(0, CSR_MTVEC, 20),
        // the loop
        CSRRC(0, CSR_MSTATUS, 15),
        LOAD(DOUBLE, 11, 18, 64),
        CSRRS(6, CSR_MCYCLE, 0),
        AND(17, 6, 19),
        BEQZ_SKIP(17),
        STORE(DOUBLE, 17, 18, 0),
        AND(13, 6, 15),
        CSRRS(0, CSR_MSTATUS, 13),
        SLLI_1(7),
        XOR(7, 7, 6),
        SLLI_1(12),
        XOR(12, 12, 11),
        i_type(0x00007013, 13, 6, 1), // andi
        BEQZ_SKIP(13),
        ADDI(14, 14, 1),
        0xfc5ff06f, // jal x0, -60
        // the handler
        CSRRS(10, CSR_MEPC, 0),
        SLLI_1(9),
        XOR(9, 9, 10),
        MRET,
    };
    return program_image(program, sizeof program);
}

static void start(struct run *r, uint64_t seed, enum spoil spoil) {
    *r = (struct run){.random = seed, .seed = seed, .spoil = spoil};
    r->image = make_image();
    r->then = calloc(LONG + WIDTH + 1, sizeof *r->then);
    assert_non_null(r->then);
    struct scene *s = &r->scene;
    const struct worker_run run = {.width = WIDTH, .image = r->image, .core = {.fp = true, .pmp_entries = 8}};
    s->ops = &worker_replay_checkpoint;
    s->iss = iss_create(&s->err);
    assert_non_null(s->iss);
    assert_int_equal(iss_load(s->iss, r->image, &s->err), 0);
    iss_set_autonomous(s->iss, false);
    s->golden.iss = s->iss;
    s->golden.hart = iss_only(s->iss);
    s->view = (struct worker_view){.count = 1, .bundle = &s->bundle, .left = &s->left, .golden = &s->golden};
    s->state = s->ops->create(&run, NULL, &s->err);
    assert_non_null(s->state);
}

static void end(struct run *r) {
    scene_end(&r->scene);
    image_destroy(r->image);
    free(r->then);
}

static struct machine machine_of(const struct iss *iss) {
    struct machine m = {
        .pc = hart_pc(iss_only(iss)), .mepc = csr_of(iss, CSR_MEPC), .mstatus = csr_of(iss, CSR_MSTATUS)};
    for (unsigned i = 0; i < 32; i++)
        m.x[i] = hart_x(iss_only(iss), i);
    m.box = double_at(iss, BOX);
    m.tohost = double_at(iss, ELF_TOHOST);
    return m;
}

static bool in_loop(const struct iss *iss) {
    return hart_pc(iss_only(iss)) >= AT + 4 * SETUP && hart_pc(iss_only(iss)) < AT + 4 * HANDLER_AT;
}

// ---- the core ----
static void host_writes(struct run *r, uint64_t address, uint64_t value) {
    struct trace_left *left = &r->scene.left;
    left->host_writes[left->host_write_count++] = (struct host_write){address, value};
    iss_host_write(r->scene.iss, address, value);
}

static void host_acts(struct run *r) {
    if (r->mute) return;
    if (draw(r, 32) == 0) host_writes(r, BOX, draw(r, UINT64_MAX));
    if (r->answer_at && r->steps >= r->answer_at) {
        host_writes(r, ELF_TOHOST, 0);
        r->answer_at = 0;
    }
    if (draw(r, 64) == 0) host_writes(r, BOX, draw(r, UINT64_MAX)); // the later one is what stays
}

// Shortly before a window ends: given time, the program finds back to the golden machine's step.
static bool spoils(struct run *r, enum spoil what) {
    if (r->spoil != what || r->steps < WINDOW - 40) return false;
    r->spoil = NOTHING;
    return true;
}

static void commit(struct run *r, struct iss_retire *step, struct retired *core) {
    hart_step(iss_only(r->scene.iss), step);
    assert_false(step->trap);
    *core = (struct retired){.pc = step->pc, .rd_written = step->rd_written, .rd = step->rd};
    if (step->csr_accessed && step->csr == CSR_MCYCLE && step->rd_written) {
        core->rd_value = draw(r, 1 << 20) & ~(uint64_t)COMMAND;
        if (draw(r, 64) == 0) core->rd_value |= COMMAND;
        hart_override(iss_only(r->scene.iss), step->rd, core->rd_value);
        if (spoils(r, A_VALUE)) core->rd_value ^= 1;
    }
    if (step->csr_written && step->csr == CSR_MCYCLE) r->written_in = r->cycle;
    bool asks = step->access == ISS_ACCESS_STORE && step->address == ELF_TOHOST;
    if (asks && !r->answer_at) r->answer_at = r->steps + 1 + draw(r, HOST_DELAY);
}

// Up to WIDTH instructions, then perhaps an interrupt.
static void core_acts(struct run *r) {
    struct golden *golden = &r->scene.golden;
    bool first =
        r->seed % 2 && r->steps == r->full.steps && in_loop(r->scene.iss); // a window then begins with an interrupt
    uint64_t count = first ? 0 : draw(r, WIDTH + 1);
    golden->count = 0;
    golden->cycle = r->cycle;
    for (; count > 0; count--, r->steps++) {
        r->then[r->steps] = machine_of(r->scene.iss);
        commit(r, &golden->step[golden->count++], &r->scene.left.retired[r->scene.left.count++]);
    }
    if (!in_loop(r->scene.iss)) return;
    bool unseen = spoils(r, AN_INTERRUPT);
    if (!unseen && !first && draw(r, 50) != 0) return;
    r->then[r->steps++] = machine_of(r->scene.iss);
    hart_take_interrupt(iss_only(r->scene.iss), MTI, &golden->step[golden->count++]);
    if (unseen) golden->step[golden->count - 1].interrupt = false;
}

static void one_cycle(struct run *r) {
    struct scene *s = &r->scene;
    r->cycle += 1 + draw(r, 3);
    s->view.cycle = r->cycle;
    s->left.count = s->left.host_write_count = 0;
    if (draw(r, 4) != 0) { // else nothing is left to lockstep, whose steps are those of an earlier cycle
        host_acts(r);
        core_acts(r);
    }
    assert_int_equal(s->ops->cycle(s->state, &s->view, &s->err), 0);
    if (r->steps - r->full.steps < WINDOW) return;
    r->before = r->full;
    r->full.steps = r->steps;
    r->full.cycle = r->cycle;
}

static void run_to(struct run *r, uint64_t steps) {
    while (r->steps < steps)
        one_cycle(r);
}

static struct worker_past past_of(struct run *r) {
    return r->scene.ops->past(r->scene.state);
}

// ---- tests ----
// First step from there on behind which a core can begin: MPRV is clear and no command is under way.
static uint64_t beginning(const struct run *r, uint64_t from) {
    while (r->then[from].mstatus & MPRV || r->then[from].tohost)
        from++;
    return from;
}

static void test_too_short(void **unused) {
    struct run r;
    (void)unused;
    start(&r, 1, NOTHING);
    assert_null(past_of(&r).iss);
    run_to(&r, WINDOW + 100);
    assert_null(past_of(&r).iss);
    run_to(&r, 2 * WINDOW - 100);
    assert_null(past_of(&r).iss);
    run_to(&r, 2 * WINDOW + 100);
    assert_non_null(past_of(&r).iss);
    end(&r);
}

#define same(run, what, expected, got)                                                                                 \
    do {                                                                                                               \
        if ((expected) != (got))                                                                                       \
            fail_msg("seed %" PRIu64 ", step %" PRIu64 ": %s is 0x%" PRIx64 ", expected 0x%" PRIx64, (run)->seed,      \
                     (run)->steps, what, (uint64_t)(got), (uint64_t)(expected));                                       \
    } while (0)

static void same_machine(const struct run *r, const struct machine *expected, const struct machine *got) {
    char name[8];
    same(r, "pc", expected->pc, got->pc);
    for (unsigned i = 0; i < 32; i++) {
        snprintf(name, sizeof name, "x%u", i);
        same(r, name, expected->x[i], got->x[i]);
    }
    same(r, "mepc", expected->mepc, got->mepc);
    same(r, "mstatus", expected->mstatus, got->mstatus);
    same(r, "the box", expected->box, got->box);
    same(r, "tohost", expected->tohost, got->tohost);
}

// Returns whether it had to go on from the end of the window to where a core can begin.
static bool holds_machine(uint64_t seed) {
    struct run r;
    start(&r, seed, NOTHING);
    run_to(&r, 2 * WINDOW + 100 + draw(&r, LONG - 2 * WINDOW - 100));
    uint64_t from = r.before.steps, at = beginning(&r, from);
    struct worker_past past = past_of(&r);
    same(&r, "whether there is a machine", true, past.iss != NULL);
    same(&r, "how far back it is", r.steps - at, past.steps);
    same(&r, "its cycle", r.before.cycle, past.cycle);
    same(&r, "mcycle, counted on", past.cycle - r.written_in, csr_of(past.iss, CSR_MCYCLE) + past.cycles);
    struct machine got = machine_of(past.iss);
    same_machine(&r, &r.then[at], &got);
    end(&r);
    return at != from;
}

static void test_machine(void **unused) {
    unsigned went_on = 0;
    (void)unused;
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        went_on += holds_machine(seed);
    assert_in_range(went_on, 1, SEEDS - 1);
}

// A command is under way, and stays so: no core can begin with that.
static void test_unanswered(void **unused) {
    struct run r;
    (void)unused;
    start(&r, 1, NOTHING);
    r.mute = true;
    run_to(&r, 3 * WINDOW);
    assert_int_equal(r.then[r.before.steps].tohost, COMMAND);
    assert_null(past_of(&r).iss);
    end(&r);
}

// What it got is not what the golden machine did: it has none to give, then and later.
static void test_lost(void **unused) {
    (void)unused;
    for (enum spoil spoil = A_VALUE; spoil <= AN_INTERRUPT; spoil++) {
        struct run r;
        start(&r, 1, spoil);
        run_to(&r, 2 * WINDOW + 100);
        same(&r, "whether it was spoilt", NOTHING, r.spoil);
        assert_null(past_of(&r).iss);
        run_to(&r, LONG);
        assert_null(past_of(&r).iss);
        end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_too_short), cmocka_unit_test(test_machine),
                                       cmocka_unit_test(test_unanswered), cmocka_unit_test(test_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
