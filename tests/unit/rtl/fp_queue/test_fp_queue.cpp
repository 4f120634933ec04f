// Floating-point issue queue against a list in age order. Each cycle the list says who issues: the ports choose from
// the highest down, each the oldest whose three operands are ready; divisions and square roots at port 0 alone, and
// only while none is under way. What issues comes out of register read with its payload, unless a squash has killed it.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
#include <memory>
#include <vector>

enum { STEPS = 60000, TAGS = 12, OPS = 29, DIV = 7, SQRT = 8 }; // numbers of the operations as in fp_pkg

struct uop {
    uint64_t place;
    unsigned op, rest, pd, ps[3];
    bool ready[3];
};

struct rates { // percent
    unsigned dispatch, wake, squash, gate, division, ready;
};

static std::unique_ptr<Vtop> top;
static std::deque<struct uop> queue;
static std::vector<struct uop> issued; // by port, of the last cycle
static std::vector<bool> issued_valid;
static uint64_t tail;
static unsigned long comings, divisions, gated, waited[3], full, killed;

static bool percent(unsigned n) {
    return bench_below(100) < n;
}

static unsigned index_of(uint64_t place) {
    unsigned n = top->rob_entries_o;
    return (unsigned)((place / n & 1) << 15 | place % n);
}

static bool divides(const struct uop *u) {
    return u->op == DIV || u->op == SQRT;
}

static void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

static void check_register_read() {
    for (unsigned p = 0; p < top->ports_o; p++) {
        bool valid = top->rr_valid_o >> p & 1;
        bench_check(valid == issued_valid[p], "port %u: valid %u, expected %u", p, valid, (unsigned)issued_valid[p]);
        if (!valid || !issued_valid[p]) continue;
        const struct uop *u = &issued[p];
        uint64_t regs = (uint64_t)u->pd << 48 | (uint64_t)u->ps[0] << 32 | (uint64_t)u->ps[1] << 16 | u->ps[2];
        bench_check(top->rr_op_o[p] == u->op && top->rr_rest_o[p] == u->rest &&
                        top->rr_rob_o[p] == index_of(u->place) && top->rr_regs_o[p] == regs,
                    "port %u: payload of place %lu: op %u rest %x regs %lx, expected %u %x %lx", p, (long)u->place,
                    top->rr_op_o[p], top->rr_rest_o[p], (long)top->rr_regs_o[p], u->op, u->rest, (long)regs);
        comings++;
        divisions += divides(u);
    }
}

// Who issues; leaves the queue. Places from `end` on are dead.
static void issue(uint64_t end, bool gate_open) {
    for (unsigned p = top->ports_o; p-- > 0;) {
        issued_valid[p] = false;
        for (size_t k = 0; k < queue.size(); k++) {
            struct uop *u = &queue[k];
            if (!u->ready[0] || !u->ready[1] || !u->ready[2]) continue;
            if (divides(u)) gated += !gate_open;
            if (divides(u) && (!gate_open || p != 0)) continue;
            issued[p] = *u;
            issued_valid[p] = u->place < end;
            killed += u->place >= end;
            queue.erase(queue.begin() + (long)k);
            break;
        }
    }
    while (!queue.empty() && queue.back().place >= end)
        queue.pop_back();
}

static struct uop random_uop(uint64_t place, const struct rates *r) {
    struct uop u = {};
    u.place = place;
    u.op = percent(r->division) ? (percent(50) ? DIV : SQRT) : bench_below(OPS);
    u.rest = bench_below(32);
    u.pd = bench_below(TAGS);
    for (unsigned s = 0; s < 3; s++) {
        u.ps[s] = bench_below(TAGS);
        u.ready[s] = percent(r->ready);
        waited[s] += !u.ready[s];
    }
    return u;
}

static void put(unsigned lane, const struct uop *u) {
    top->op_i[lane] = u->op;
    top->rest_i[lane] = u->rest;
    top->rob_i[lane] = index_of(u->place);
    top->pd_i[lane] = u->pd;
    top->ps1_i[lane] = u->ps[0];
    top->ps2_i[lane] = u->ps[1];
    top->ps3_i[lane] = u->ps[2];
    top->ready1_i = (top->ready1_i & ~(1u << lane)) | (unsigned)u->ready[0] << lane;
    top->ready2_i = (top->ready2_i & ~(1u << lane)) | (unsigned)u->ready[1] << lane;
    top->ready3_i = (top->ready3_i & ~(1u << lane)) | (unsigned)u->ready[2] << lane;
}

// Lanes of other queues' instructions want nothing; those that get in are a prefix of the group.
static std::vector<struct uop> dispatch(const struct rates *r, uint64_t oldest, bool squash) {
    std::vector<struct uop> group;
    unsigned want = 0, fire = 0, expected_full = 0, wants = 0;
    bool cut = squash || !percent(r->dispatch);
    for (unsigned lane = 0; lane < top->width_o; lane++) {
        struct uop u = random_uop(tail + lane, r);
        put(lane, &u);
        bool wanted = percent(80), no_room = queue.size() + wants >= top->entries_o;
        if (wanted) {
            want |= 1u << lane;
            wants++;
            if (no_room) expected_full |= 1u << lane;
        }
        cut |= (wanted && no_room) || u.place - oldest >= top->rob_entries_o;
        if (cut) continue;
        fire |= 1u << lane;
        if (wanted) group.push_back(u);
    }
    top->want_i = want;
    top->fire_i = fire;
    top->eval();
    bench_check(top->full_o == expected_full, "full %x, expected %x", top->full_o, expected_full);
    full += expected_full != 0;
    for (; fire; fire >>= 1)
        tail++;
    return group;
}

static void cycle(const struct rates *r) {
    check_register_read();
    uint64_t oldest = tail;
    for (unsigned p = 0; p < top->ports_o; p++)
        if (issued_valid[p] && issued[p].place < oldest) oldest = issued[p].place;
    if (!queue.empty() && queue.front().place < oldest) oldest = queue.front().place;

    bool squash = oldest < tail && percent(r->squash), all = percent(20);
    uint64_t end = tail, place = oldest;
    if (squash) {
        place += bench_below((unsigned)(tail - oldest));
        end = all ? 0 : place + 1;
    }
    top->squash_i = squash;
    top->squash_all_i = all;
    top->squash_rob_i = index_of(place);
    top->div_free_i = percent(r->gate);
    unsigned wake = 0;
    for (unsigned w = 0; w < top->wakes_o; w++) {
        wake |= (unsigned)percent(r->wake) << w;
        top->wake_tag_i[w] = bench_below(TAGS);
    }
    top->wake_i = wake;
    uint64_t before = tail;
    std::vector<struct uop> group = dispatch(r, oldest, squash);
    tick();

    issue(end, top->div_free_i);
    for (struct uop &u : queue)
        for (unsigned s = 0; s < 3; s++)
            for (unsigned w = 0; w < top->wakes_o; w++)
                u.ready[s] |= (wake >> w & 1) && top->wake_tag_i[w] == u.ps[s];
    queue.insert(queue.end(), group.begin(), group.end());
    if (squash) tail = all ? before : end;
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 91);
    top = std::make_unique<Vtop>();
    top->want_i = top->fire_i = 0;
    top->rst_ni = 0;
    tick();
    tick();
    top->rst_ni = 1;
    top->eval();
    issued.resize(top->ports_o);
    issued_valid.resize(top->ports_o, false);
    struct rates r = {};
    for (unsigned i = 0; i < STEPS && bench_failed < 20; i++) {
        if (i % 256 == 0)
            r = {20 + bench_below(81), 1 + bench_below(20), percent(50) ? 0 : bench_below(10),
                 bench_below(101),     bench_below(60),     20 + bench_below(80)};
        cycle(&r);
    }
    bench_check(comings > 5000 && divisions > 500 && gated > 500 && full > 500 && killed > 20,
                "%lu issued, %lu divisions, %lu gated, %lu times full, %lu killed", comings, divisions, gated, full,
                killed);
    for (unsigned s = 0; s < 3; s++)
        bench_check(waited[s] > 1000, "operand %u awaited %lu times", s, waited[s]);
    top->final();
    top.reset(); // before the simulator's own objects go
    return bench_end();
}
