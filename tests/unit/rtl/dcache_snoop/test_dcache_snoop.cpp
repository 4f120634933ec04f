// dcache_snoop against the table of the protocol (docs/reference/coherence.md): what INVAL, SHARE, TRY and PEEK change
// in a set and in the write-back buffer, what they answer, and which lines they report as lost; messages in their
// order, PUT_ACKs in it; lines that leave in cycles without an answer.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
#include <memory>

enum { STEPS = 60000, HAS = 1, KEEPS = 2, GAVE = 4, REFUSES = 8 };
enum kind { SHARE, INVAL, TRY, PEEK, PUT_ACK, KINDS };

struct message {
    unsigned kind, tag;
    uint64_t line;
};
struct up {
    bool valid, put;
    unsigned tag, flags;
    uint64_t line, word;
};

static Vtop *top;
static std::deque<struct message> queue; // on their way to the act
static struct message acts;              // of this cycle, if acting
static bool acting;
static struct up expected; // of the next cycle
static bool lost;
static uint64_t lost_line;
static unsigned long kinds[KINDS][2], refused, found, both, leaving, behind;

static uint64_t random_line(void) {
    static const uint64_t MIDDLE = 0x1234567890ull;
    return MIDDLE ^ (uint64_t)bench_below(4) << 40 ^ (uint64_t)bench_below(3);
}

static void drive(void) {
    top->down_i = queue.size() < top->depth_o / 2 && bench_below(3) == 0;
    const struct message m = {bench_below(KINDS), bench_below(16), random_line()};
    top->down_kind_i = m.kind;
    top->down_tag_i = m.tag;
    top->down_line_i = m.line;
    top->set_take_i = 0;
    top->put_i = bench_below(3) == 0;
    top->put_id_i = bench_below(16);
    top->put_line_i = random_line();
    top->put_has_i = bench_below(2);
    top->put_word_i = bench_random();
    top->live_i = bench_below(4) == 0;
    top->live_word_i = bench_random();
    // The set: the line, or none, in one way; what is in the others is valid or has its tag, but not both.
    const uint64_t line = acting ? acts.line : random_line();
    const int here = bench_below(2) ? (int)bench_below(top->ways_o) : -1;
    top->way_valid_i = top->way_owned_i = top->way_dirty_i = 0;
    for (unsigned w = 0; w < top->ways_o; w++) {
        const unsigned state = bench_below(3), other = bench_below(3);
        const bool mine = (int)w == here;
        top->way_line_i[w] = mine || other == 0 ? line : line ^ 1ull << (20 + bench_below(20));
        top->way_valid_i |= (mine || other == 1) << w;
        top->way_owned_i |= (state > 0) << w;
        top->way_dirty_i |= (state > 1) << w;
        top->way_word_i[w] = bench_random();
    }
    top->eval();
    top->set_take_i = top->set_o && bench_below(2);
    top->eval();
}

static void check_act(void) {
    bench_check(top->act_o == acting, "acts: %u", top->act_o);
    bench_check(top->put_take_o == (top->put_i && !acting), "a line leaves: %u", top->put_take_o);
    expected = {(bool)top->put_i, true,           (unsigned)top->put_id_i, top->put_has_i ? (unsigned)HAS : 0,
                top->put_line_i,  top->put_word_i};
    leaving += top->put_i && !acting;
    lost = false;
    unsigned drop = 0, share = 0;
    bool takes = false;
    if (acting) {
        unsigned here = 0;
        bool owned = false, dirty = false;
        uint64_t word = top->live_word_i;
        for (unsigned w = 0; w < top->ways_o; w++)
            if ((top->way_valid_i >> w & 1) && top->way_line_i[w] == acts.line) {
                here = 1u << w;
                owned = top->way_owned_i >> w & 1;
                dirty = top->way_dirty_i >> w & 1;
                word = top->way_word_i[w];
            }
        const bool live = top->live_i, data = dirty || live;
        unsigned flags = 0;
        kinds[acts.kind][here != 0]++;
        both += live && here;
        bench_check(top->wb_line_o == acts.line, "another line is looked for in the write-back buffer");
        switch (acts.kind) {
        case INVAL:
            drop = here;
            takes = live;
            lost = true;
            flags = (data ? HAS : 0) | (here ? GAVE : 0);
            break;
        case SHARE:
            share = here;
            takes = live;
            lost = !here;
            flags = (data ? HAS : 0) | (here ? KEEPS : 0) | (owned ? GAVE : 0);
            break;
        case TRY:
            if (owned || live) {
                flags = REFUSES;
                refused++;
                break;
            }
            share = here;
            lost = !here;
            flags = here ? KEEPS : 0;
            break;
        default: flags = data ? HAS : 0; break;
        }
        found += data;
        expected = {true, false, acts.tag, flags, acts.line, word};
        lost_line = acts.line;
    }
    bench_check(top->drop_o == drop && top->share_o == share && top->wb_take_o == takes,
                "kind %u: drops %x, shares %x, takes %u; expected %x, %x, %u", acts.kind, top->drop_o, top->share_o,
                top->wb_take_o, drop, share, takes);
}

static void check_order(void) {
    const bool ack = !queue.empty() && queue.front().kind == PUT_ACK && !acting;
    const bool snoop = !queue.empty() && queue.front().kind != PUT_ACK && !acting;
    bench_check(top->put_done_o == (ack ? 1u << queue.front().tag : 0), "PUT_ACK: %x", top->put_done_o);
    bench_check(top->set_o == snoop && (!snoop || top->set_at_o == queue.front().line % top->sets_o),
                "asks for the set: %u, %u", top->set_o, top->set_at_o);
    acting = false;
    if (ack || top->set_take_i) {
        acts = queue.front();
        acting = !ack;
        queue.pop_front();
    }
    behind += acting && !queue.empty() && queue.front().kind == PUT_ACK;
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    auto owner = std::make_unique<Vtop>();
    top = owner.get();
    top->rst_ni = 0;
    for (unsigned i = 0; i < STEPS; i++) {
        top->clk_i = 0;
        top->eval();
        const struct up e = expected;
        bench_check(top->up_o == e.valid, "something goes up: %u", top->up_o);
        if (e.valid && top->up_o)
            bench_check(top->up_put_o == e.put && top->up_tag_o == e.tag && top->up_line_o == e.line &&
                            top->up_flags_o == e.flags &&
                            (!(e.flags & HAS) || (top->up_low_o == e.word && top->up_high_o == ~e.word)),
                        "goes up: put %u, tag %u, flags %x; expected %u, %u, %x", top->up_put_o, top->up_tag_o,
                        top->up_flags_o, e.put, e.tag, e.flags);
        bench_check(top->lost_o == lost && (!lost || top->lost_line_o == lost_line), "a line is lost: %u, expected %u",
                    top->lost_o, lost);
        drive();
        if (top->rst_ni) {
            check_act();
            check_order();
            if (top->down_i) queue.push_back({top->down_kind_i, top->down_tag_i, top->down_line_i});
        }
        top->clk_i = 1;
        top->eval();
        if (i == 2) top->rst_ni = 1;
        if (!top->rst_ni) expected = {};
    }
    bool all = true;
    for (unsigned k = 0; k < PUT_ACK; k++)
        all = all && kinds[k][0] > 500 && kinds[k][1] > 500;
    bench_check(all && refused > 200 && found > 1000 && both > 200 && leaving > 1000 && behind > 200,
                "%lu refused, %lu with data, %lu in both places, %lu left, %lu PUT_ACKs right after an act", refused,
                found, both, leaving, behind);
    top->final();
    return bench_end();
}
