// Fetch target queue against a list of packets: each gets the next number, while one entry stays free; a redirect drops
// what is younger and shows its packet's record as it was; a packet leaves once a younger one's instruction has
// committed, one a cycle, with its record as redirects have corrected it.
#include "Vtop.h"
#include "bench.h"
#include "config.h"
#include "verilated.h"
#include <deque>
#include <memory>

enum { SLOTS = CONFIG_FETCH_WIDTH, ENTRIES = CONFIG_FETCH_FTQ, STEPS = 100000 };
enum { NONE, COND, LAST_KIND = 7 };

struct packet {
    unsigned idx;
    uint64_t block, hist[2], meta, next_pc, ras_top;
    unsigned ras_ptr, branches, last, kind, btb;
    bool taken, mispredict;
};

static std::unique_ptr<Vtop> top;
static std::deque<struct packet> live;
static unsigned committed, next_idx; // packet of the youngest that has committed; number of the next
static unsigned long trained, corrected, flushed, full;

static uint64_t low_bits(uint64_t value, unsigned bits) {
    return bits < 64 ? value & ((1ull << bits) - 1) : value;
}

static bool same_history(const WDataOutP port, const uint64_t *hist) {
    return (port[0] | (uint64_t)port[1] << 32) == hist[0] && (port[2] | (uint64_t)port[3] << 32) == hist[1];
}

static struct packet random_packet() {
    struct packet p = {};
    p.idx = next_idx;
    p.block = bench_random() & ~(uint64_t)(2 * SLOTS - 1);
    p.hist[0] = bench_random();
    p.hist[1] = bench_random();
    p.meta = low_bits(bench_random(), top->meta_bits_o);
    p.next_pc = bench_random() & ~1ull;
    p.ras_top = bench_random();
    p.ras_ptr = (unsigned)low_bits(bench_random(), top->ras_bits_o);
    p.branches = bench_below(1 << SLOTS);
    p.last = bench_below(SLOTS);
    p.kind = bench_below(LAST_KIND + 1);
    p.btb = bench_below(4) | bench_below(SLOTS) << 2 | bench_below(SLOTS) << 5;
    p.taken = bench_below(2);
    return p;
}

static void put(const struct packet *p, bool push) {
    top->push_i = push;
    top->push_block_i = p->block;
    for (unsigned i = 0; i < 4; i++)
        top->push_hist_i[i] = (uint32_t)(p->hist[i / 2] >> 32 * (i % 2));
    top->push_meta_i = p->meta;
    top->push_branches_i = p->branches;
    top->push_last_i = p->last;
    top->push_kind_i = p->kind;
    top->push_taken_i = p->taken;
    top->push_btb_i = p->btb;
    top->push_next_pc_i = p->next_pc;
    top->push_ras_top_i = p->ras_top;
    top->push_ras_ptr_i = p->ras_ptr;
}

// Where the packet of the youngest committed instruction stands among the live ones.
static unsigned committed_at() {
    for (unsigned i = 0; i < live.size(); i++)
        if (live[i].idx == committed) return i;
    return 0;
}

static void check_train() {
    bool leaves = !live.empty() && live.front().idx != committed;
    bench_check(top->train_o == leaves, "train %u, expected %u", top->train_o, leaves);
    if (!leaves) return;
    const struct packet *p = &live.front();
    bench_check(top->train_block_o == p->block && same_history(top->train_hist_o, p->hist) &&
                    top->train_meta_o == p->meta,
                "block, history or prediction trained of packet %u", p->idx);
    bench_check(top->train_branches_o == p->branches, "branches %x, expected %x", top->train_branches_o, p->branches);
    bench_check(top->train_last_o == p->last && top->train_kind_o == p->kind && top->train_taken_o == p->taken,
                "last %u kind %u taken %u, expected %u %u %u", top->train_last_o, top->train_kind_o, top->train_taken_o,
                p->last, p->kind, p->taken);
    bench_check(top->train_mispredict_o == p->mispredict, "mispredict %u, expected %u", top->train_mispredict_o,
                p->mispredict);
    bench_check(top->train_btb_o == p->btb, "btb %x, expected %x", top->train_btb_o, p->btb);
    bench_check(top->train_target_o == low_bits(p->next_pc, 40) >> 1, "target %lx, expected %lx",
                (long)top->train_target_o, (long)(low_bits(p->next_pc, 40) >> 1));
    trained++;
}

static void check_ports(bool ready) {
    bench_check(top->ready_o == ready, "ready %u, expected %u", top->ready_o, ready);
    bench_check(top->push_idx_o == next_idx, "next number %u, expected %u", top->push_idx_o, next_idx);
    full += !ready;
    if (live.empty()) return;
    const struct packet &p = live[bench_below((unsigned)live.size())];
    top->read_idx_i = p.idx;
    top->eval();
    bench_check(top->read_next_pc_o == p.next_pc, "next pc of %u: %lx, expected %lx", p.idx, (long)top->read_next_pc_o,
                (long)p.next_pc);
}

// A redirect to a packet that may still be held: not older than the committed one.
static void redirect(unsigned at) {
    struct packet *p = &live[at];
    bool branch = bench_below(3) != 0, taken = bench_below(2);
    unsigned slot = bench_below(SLOTS);
    uint64_t pc = bench_random() & ~1ull;
    top->redirect_i = 1;
    top->redirect_ftq_i = p->idx;
    top->redirect_branch_i = branch;
    top->redirect_taken_i = taken;
    top->redirect_offset_i = 2 * slot;
    top->redirect_pc_i = pc;
    top->eval();
    unsigned kind = !branch ? NONE : p->branches >> slot & 1 ? COND : p->kind;
    bench_check(top->redirect_block_o == p->block && same_history(top->redirect_hist_o, p->hist),
                "block or history before packet %u", p->idx);
    bench_check(top->redirect_ras_top_o == p->ras_top && top->redirect_ras_ptr_o == p->ras_ptr,
                "return stack before packet %u", p->idx);
    bench_check(top->redirect_kind_o == kind, "kind %u, expected %u", top->redirect_kind_o, kind);
    p->last = slot;
    p->kind = kind;
    p->taken = branch && taken;
    p->mispredict = kind == COND;
    p->branches = branch ? p->branches & ((2u << slot) - 1) : 0;
    p->next_pc = pc;
    next_idx = (p->idx + 1) % ENTRIES;
    if (!branch) committed = p->idx;
    live.resize(at + 1);
    (branch ? corrected : flushed)++;
}

static void cycle(unsigned push_percent, unsigned commit_percent) {
    top->redirect_i = top->commit_i = 0;
    top->clk_i = 0;
    top->eval();
    bool ready = live.size() < ENTRIES - 1, leaves = !live.empty() && live.front().idx != committed;
    check_train();
    check_ports(ready);
    unsigned at = committed_at();
    struct packet p = random_packet();
    bool redirects = !live.empty() && bench_below(12) == 0;
    bool push = ready && !redirects && bench_below(100) < push_percent;
    put(&p, push);
    if (!live.empty() && bench_below(100) < commit_percent) {
        at += bench_below((unsigned)live.size() - at);
        top->commit_i = 1;
        top->commit_idx_i = committed = live[at].idx;
    } else {
        top->commit_idx_i = bench_below(ENTRIES);
    }
    top->redirect_ftq_i = bench_below(ENTRIES);
    if (redirects) redirect(at + bench_below((unsigned)live.size() - at));
    if (push) {
        live.push_back(p);
        next_idx = (next_idx + 1) % ENTRIES;
    }
    if (leaves) live.pop_front();
    top->eval();
    top->clk_i = 1;
    top->eval();
}

static void reset() {
    top->rst_ni = 0;
    top->push_i = top->redirect_i = top->commit_i = 0;
    for (unsigned i = 0; i < 2; i++) {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
    }
    top->rst_ni = 1;
    live.clear();
    committed = next_idx = 0;
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 16);
    top = std::make_unique<Vtop>();
    for (unsigned round = 0; round < 8; round++) {
        reset();
        for (unsigned i = 0; i < STEPS / 8; i++)
            cycle(i / 100 % 2 ? 95 : 50, i / 300 % 2 ? 40 : 5);
    }
    bench_check(trained > 5000 && corrected > 1000 && flushed > 500 && full > 500,
                "%lu trained, %lu corrected, %lu flushed, %lu times full", trained, corrected, flushed, full);
    top->final();
    top.reset(); // before the simulator's own objects go
    return bench_end();
}
