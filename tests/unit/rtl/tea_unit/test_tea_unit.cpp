// tea_unit: each state; what ends the wait of a Stalled or Drained sample (commit, exception, replay, a head that
// vanishes) and what does not; a Drained sample whose instruction traps; collisions. Then random sequences, which keep
// the rules of bundles, against a model that looks for the end of each sample in the whole recorded sequence.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"

enum { COMPUTING, STALLED, FLUSHED, DRAINED };
enum { DR_L1 = 1, FL_MB = 8, FL_EX = 16, FL_MO = 32, ST_L1 = 64, ST_LLC = 256 };

struct sample {
    unsigned state, valid, oldest, flags, psv[8];
    uint64_t addr[8];
};

static Vtop *top;
static unsigned width;

static void quiet(bool empty) {
    top->trigger_i = top->dispatch_valid_i = top->acknowledge_i = top->commit_i = top->exception_i = top->replay_i = 0;
    top->dispatch_pc_i = 0xbad;
    top->rob_empty_i = empty;
    top->exception_psv_i = 0;
    for (unsigned i = 0; i < 8; i++) top->head_psv_i[i] = 0;
}
static void edge() {
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    quiet(false);
    top->eval();
}
static void reset() {
    quiet(true);
    top->clk_i = top->rst_ni = 0;
    top->eval();
    edge();
    top->rst_ni = 1;
    top->eval();
}
// What sample_select shows. Stalled: lane `lane` holds the oldest.
static struct sample show(unsigned state, unsigned lane, uint64_t addr, unsigned psv) {
    struct sample s = {};
    s.state = state;
    s.oldest = state == COMPUTING || state == STALLED ? lane : 0;
    s.valid = state == COMPUTING ? (1u << width) - 1 : state == STALLED ? 1u << lane : state == FLUSHED;
    s.flags = state == FLUSHED ? 1u << addr / 4 % 3 : 0;
    for (unsigned i = 0; i < width; i++) {
        if (!(s.valid >> i & 1)) continue;
        s.addr[i] = addr + 4 * i;
        s.psv[i] = (psv + (state == COMPUTING ? i : 0)) & 0x1ff;
    }
    top->state_i = s.state;
    top->valid_i = s.valid;
    top->oldest_i = s.oldest;
    top->flags_i = s.flags;
    top->head_i = lane;
    for (unsigned i = 0; i < 8; i++) {
        top->addr_i[i] = s.addr[i];
        top->psv_i[i] = s.psv[i];
    }
    return s;
}
static void expect_sample(const struct sample *e, const char *when) {
    bool good = top->state_o == e->state && top->valid_o == e->valid && top->oldest_o == e->oldest && top->flags_o == e->flags;
    unsigned lane = e->oldest;
    for (unsigned i = 0; i < 8; i++) good = good && top->addr_o[i] == e->addr[i] && top->psv_o[i] == e->psv[i];
    bench_check(good, "%s: state %u lanes 0x%x addr 0x%llx psv 0x%x, expected %u 0x%x 0x%llx 0x%x", when, top->state_o,
                top->valid_o, (unsigned long long)top->addr_o[lane], top->psv_o[lane], e->state, e->valid,
                (unsigned long long)e->addr[lane], e->psv[lane]);
}
static void expect(bool taken, bool collision, bool ready, bool pulse, const char *when) {
    top->eval();
    bench_check(top->taken_o == taken && top->collision_o == collision && top->ready_o == ready && top->ready_pulse_o == pulse,
                "%s: taken %d collision %d ready %d pulse %d, expected %d %d %d %d", when, top->taken_o, top->collision_o,
                top->ready_o, top->ready_pulse_o, taken, collision, ready, pulse);
}
static struct sample trigger(unsigned state, unsigned lane, uint64_t addr, unsigned psv) {
    struct sample s = show(state, lane, addr, psv);
    top->rob_empty_i = state >= FLUSHED;
    top->trigger_i = 1;
    if (state == COMPUTING) top->commit_i = s.valid;
    return s;
}
// It leaves in this cycle: commits, from that lane, with that vector; the other lanes' vectors are not looked at.
static void commit(unsigned lane, unsigned psv) {
    for (unsigned i = 0; i < width; i++) top->head_psv_i[i] = i == lane ? psv : 0x1ff & ~psv;
    top->head_i = lane;
    top->commit_i = 1u << lane;
}
static void except(unsigned psv, bool replay) {
    top->exception_i = 1;
    top->replay_i = replay;
    top->exception_psv_i = psv;
}
static void acknowledge() {
    top->acknowledge_i = 1;
    edge();
    expect(false, false, false, false, "read");
}

// Computing and Flushed are complete at once.
static void test_complete() {
    for (unsigned state = COMPUTING; state <= FLUSHED; state += FLUSHED - COMPUTING) {
        struct sample e = trigger(state, width - 1, 0x1000 + 4 * state, ST_L1);
        expect(true, false, false, false, "complete: trigger");
        edge();
        expect(false, false, true, true, "complete: the cycle after it");
        expect_sample(&e, "complete");
        commit(0, 0x1ff); // of another instruction
        edge();
        expect(false, false, true, false, "complete: the pulse is one cycle long");
        expect_sample(&e, "complete, another commits");
        except(0x1ff, false);
        edge();
        expect_sample(&e, "complete, another excepts");
        acknowledge();
    }
}

// A Stalled sample waits for its instruction, in whatever lane it is.
static void test_stalled() {
    for (unsigned lane = 0; lane < width; lane++) {
        struct sample e = trigger(STALLED, lane, 0x2000, 0);
        expect(true, false, false, false, "Stalled: trigger");
        edge();
        for (unsigned i = 0; i < 4; i++) { // events come meanwhile, nothing leaves; younger ones dispatch
            top->head_psv_i[lane] = ST_L1;
            top->dispatch_valid_i = i & 1;
            expect(false, false, false, false, "Stalled: waits");
            edge();
        }
        commit(lane, ST_L1 | ST_LLC);
        expect(false, false, false, false, "Stalled: commits");
        edge();
        e.psv[lane] = ST_L1 | ST_LLC;
        expect(false, false, true, true, "Stalled: committed");
        expect_sample(&e, "Stalled: the vector at commit");
        commit((lane + 1) % width, FL_MB);
        edge();
        expect_sample(&e, "Stalled: not the next one's");
        acknowledge();
    }
}

// An exception of the instruction, or its replay, ends the wait with the vector that has FL_EX or FL_MO.
static void test_exception_while_waiting() {
    for (unsigned replay = 0; replay < 2; replay++) {
        struct sample e = trigger(STALLED, 0, 0x3000, ST_L1);
        edge();
        edge();
        unsigned psv = ST_L1 | (replay ? FL_MO : FL_EX);
        except(psv, replay);
        edge();
        e.psv[0] = psv;
        expect(false, false, true, true, "exception while waiting");
        expect_sample(&e, replay ? "replayed" : "excepted");
        top->rob_empty_i = 1; // Flushed on it: the next sample's business
        edge();
        expect_sample(&e, "what follows does not touch it");
        acknowledge();
    }
    // In the sampled cycle itself it is complete: select shows exception_psv.
    struct sample e = trigger(STALLED, width - 1, 0x3100, FL_EX);
    except(FL_EX, false);
    expect(true, false, false, false, "exception in the sampled cycle");
    edge();
    expect(false, false, true, true, "exception in the sampled cycle: complete");
    expect_sample(&e, "exception in the sampled cycle");
    acknowledge();
}

// Drained: waits for a dispatch, then for what has dispatched.
static void test_drained() {
    struct sample e = trigger(DRAINED, 0, 0, 0);
    expect(true, false, false, false, "Drained: trigger");
    edge();
    for (unsigned i = 0; i < 3; i++) {
        quiet(true);
        expect(false, false, false, false, "Drained: open");
        edge();
    }
    quiet(true);
    top->dispatch_valid_i = 1;
    top->dispatch_pc_i = 0x4440;
    edge();
    e.valid = 1;
    e.addr[0] = 0x4440;
    for (unsigned i = 0; i < 3; i++) {
        top->dispatch_valid_i = 1; // younger ones
        top->dispatch_pc_i = 0x4444 + 4 * i;
        expect(false, false, false, false, "Drained: dispatched, waits");
        edge();
    }
    commit(width - 1, DR_L1);
    edge();
    e.psv[0] = DR_L1; // a Drained sample has its address and vector in lane 0, whatever bank it was in
    expect(false, false, true, true, "Drained: committed");
    expect_sample(&e, "Drained: the first that dispatched, with its vector");
    acknowledge();

    e = trigger(DRAINED, 0, 0, 0); // dispatches in the sampled cycle
    top->dispatch_valid_i = 1;
    top->dispatch_pc_i = 0x8880;
    edge();
    e.valid = 1;
    e.addr[0] = 0x8880;
    expect(false, false, false, false, "Drained: dispatched in the same cycle, waits");
    edge();
    except(DR_L1 | FL_EX, false); // Drained, then a trap
    edge();
    e.psv[0] = DR_L1 | FL_EX;
    expect(false, false, true, true, "Drained, then a trap");
    expect_sample(&e, "Drained, then a trap");
    acknowledge();
}

// A core that drops its head without commit or exception: the latched vector stands.
static void test_dropped() {
    struct sample e = trigger(STALLED, 0, 0x5000, ST_L1);
    edge();
    top->head_psv_i[0] = ST_L1 | ST_LLC;
    edge();
    quiet(true);
    edge();
    expect(false, false, true, true, "dropped head");
    expect_sample(&e, "dropped head: the latched vector");
    acknowledge();
}

// A trigger while a sample waits, or is not read, is counted and lost; the sample is not touched.
static void test_collision() {
    struct sample e = trigger(STALLED, 0, 0x6000, 0);
    edge();
    trigger(STALLED, width - 1, 0x6666, 0x1ff);
    expect(false, true, false, false, "collision while waiting");
    edge();
    trigger(FLUSHED, 0, 0x6664, 0x1ff);
    commit(0, FL_MB);
    expect(false, true, false, false, "collision in the cycle of the commit");
    edge();
    e.psv[0] = FL_MB;
    expect_sample(&e, "after two collisions");
    trigger(COMPUTING, 0, 0x6668, 0x1ff);
    expect(false, true, true, true, "collision before it is read");
    top->acknowledge_i = 1;
    expect(false, true, true, true, "collision in the cycle of the acknowledge");
    edge();
    expect(false, false, false, false, "nothing was taken");
    e = trigger(DRAINED, 0, 0, 0);
    edge();
    quiet(true);
    trigger(DRAINED, 0, 0, 0);
    expect(false, true, false, false, "collision while open");
    top->acknowledge_i = 1; // of nothing
    edge();
    quiet(true);
    expect(false, false, false, false, "still open");
    reset();
    expect(false, false, false, false, "reset drops it");
    top->dispatch_valid_i = 1;
    edge();
    commit(0, 1);
    edge();
    expect(false, false, false, false, "reset dropped it for good");
}

// ---- random ----
enum { CYCLES = 60000 };
struct moment {
    bool trigger, empty, commits, excepts, dispatches, acknowledges;
    unsigned head, psv[8], exception_psv;
    uint64_t pc;
    struct sample select;
};
static struct moment run[CYCLES];

// Bundles: a head that stays until it leaves, commits in groups, or vanishes; empty until something dispatches.
static void record() {
    bool empty = true;
    unsigned head = 0, psv = 0;
    for (unsigned c = 0; c < CYCLES; c++) {
        struct moment *m = &run[c];
        *m = {};
        m->trigger = bench_below(6) == 0;
        m->acknowledges = bench_below(5) == 0;
        m->dispatches = bench_below(3) == 0;
        m->pc = bench_random();
        m->empty = empty;
        m->head = head;
        for (unsigned i = 0; i < width; i++) m->psv[i] = bench_below(0x200);
        unsigned end = empty ? 0 : bench_below(8); // 1 commits, 2 excepts, 3 vanishes
        m->commits = end == 1;
        m->excepts = end == 2;
        if (!empty) psv |= bench_below(4) ? 0 : 1u << bench_below(9);
        m->psv[head] = psv;
        m->exception_psv = m->excepts ? psv |= FL_EX : bench_below(0x200);
        if (m->excepts) m->psv[head] = psv;
        m->select.state = m->commits ? COMPUTING : !empty ? STALLED : bench_below(2) ? FLUSHED : DRAINED;
        if (end) {
            empty = end > 1 || bench_below(2);
            head = bench_below(width);
            psv = 0;
        } else if (empty && m->dispatches) {
            empty = false;
        }
    }
}
static void drive(struct moment *m) {
    m->select = show(m->select.state, m->head, m->pc & ~3ull, m->psv[m->head]);
    top->trigger_i = m->trigger;
    top->rob_empty_i = m->empty;
    top->commit_i = m->commits ? 1u << m->head : 0;
    top->exception_i = m->excepts;
    top->exception_psv_i = m->exception_psv;
    for (unsigned i = 0; i < width; i++) top->head_psv_i[i] = m->psv[i];
    top->dispatch_valid_i = m->dispatches;
    top->dispatch_pc_i = m->pc;
    top->acknowledge_i = m->acknowledges;
}
// First cycle from c on in which the ROB's head leaves, with its final vector, or is found to have vanished (-1).
static unsigned leaves(unsigned c, int *psv) {
    for (*psv = -1; c < CYCLES; c++) {
        if (run[c].commits) *psv = (int)run[c].psv[run[c].head];
        if (run[c].excepts) *psv = (int)run[c].exception_psv;
        if (run[c].commits || run[c].excepts || run[c].empty) return c;
    }
    return CYCLES;
}
// The sample of cycle c, and the cycle in which it is complete: from the next one on it can be read.
static unsigned completes(unsigned c, struct sample *s) {
    unsigned at = c;
    int psv = -1;
    *s = run[c].select;
    if (s->state == DRAINED) {
        while (at < CYCLES && !run[at].dispatches) at++;
        if (at == CYCLES) return CYCLES;
        s->valid = 1;
        s->addr[0] = run[at].pc;
    } else if (s->state != STALLED || run[c].excepts) {
        return c;
    }
    at = leaves(at + 1, &psv);
    if (psv >= 0) s->psv[s->oldest] = (unsigned)psv;
    return at;
}
static void test_random() {
    struct sample held = {};
    bool busy = false;
    unsigned complete = 0, taken = 0, lost = 0, waited = 0, vanished = 0;
    reset();
    record();
    for (unsigned c = 0; c < CYCLES; c++) {
        struct moment *m = &run[c];
        drive(m);
        bool ready = busy && c > complete;
        expect(m->trigger && !busy, m->trigger && busy, ready, ready && c == complete + 1, "random");
        if (ready) expect_sample(&held, "random");
        lost += m->trigger && busy;
        if (m->trigger && !busy) {
            complete = completes(c, &held);
            busy = true;
            taken++;
            waited += complete > c;
            vanished += complete > c && complete < CYCLES && !run[complete].commits && !run[complete].excepts;
        } else if (ready && m->acknowledges) {
            busy = false;
        }
        edge();
    }
    bench_check(taken > CYCLES / 50 && lost > CYCLES / 50 && waited > CYCLES / 100 && vanished > CYCLES / 1000,
                "%u taken, %u lost, %u waited, %u vanished", taken, lost, waited, vanished);
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    top->eval();
    width = top->width_o;
    reset();
    test_complete();
    test_stalled();
    test_exception_while_waiting();
    test_drained();
    test_dropped();
    test_collision();
    test_random();
    top->final();
    delete top;
    return bench_end();
}
