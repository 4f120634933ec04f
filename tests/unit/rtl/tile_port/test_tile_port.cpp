// tile_port between the caches of a tile and a hub that answers late. Each line has a newest version, and whoever owns
// it: memory, this tile's data cache, or another hart. The hub gives an instruction miss what memory or another hart
// has, for it does not ask this tile: so a miss must have asked its own data cache before, with no request of the line
// under way from then on. What an instruction miss gets is as new as the newest version was when it was made; one data
// request at most goes before it.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <vector>

enum { GET, OWN, TRYGET, IGET };
enum { SHARE, INVAL, TRY, PEEK, PUT_ACK };
enum owner { MEMORY, TILE, PEER };
enum { LINES = 4, INSNS = 4, STEPS = 300000, LATE = 64 };

struct line {
    uint64_t newest, memory;
    owner dirty; // who has the newest version
};

struct request { // at the hub
    unsigned kind, id, line;
    uint64_t at;
};

struct held { // answered, not done
    unsigned transaction, line;
    uint64_t until;
};

struct down {
    unsigned kind, tag, line;
    uint64_t at;
};

struct miss {
    bool open, error, own; // the hub has answered with one; the data cache had data
    unsigned line;
    uint64_t floor;            // the newest version as it was made
    uint64_t answered, looked; // the steps in which the hub, and the data cache, have answered; UINT64_MAX: not yet
};

static Vtop *top;
static struct line lines[LINES];
static std::deque<request> hub;
static std::deque<held> keeps;
static std::deque<down> snoops;                // in the data cache's queue
static std::map<unsigned, unsigned> data_open; // number -> line
static struct miss misses[INSNS];
static uint64_t now;
static bool asks, insn_asks; // a request stays until it is taken
static unsigned asked_kind, asked_id, asked_line, insn_id, insn_line, next_transaction, next_tag, expect_acks;
static std::deque<unsigned> foreign_acks; // tags of the hub's snoops, in order
static std::map<unsigned, bool> awaited;  // what the hub has not answered, but prefetches
static bool goes;                         // an IGET: its PEEK has gone
static unsigned passed, going;            // data requests that have gone since; steps since
static unsigned long from_own, from_hub, early, datas, refused, errors, waited, together, at_once;
static unsigned long met, lost, idle, acks; // snoops that found something, lines that went; cycles without a wait

static bool line_open(unsigned line) {
    for (const auto &d : data_open)
        if (d.second == line) return true;
    for (const held &h : keeps)
        if (h.line == line) return true;
    return false;
}

static bool insn_open(unsigned line) {
    for (const miss &m : misses)
        if (m.open && m.line == line) return true;
    return false;
}

static bool transaction_of(unsigned line) { // at the hub, another's: it keeps the line
    for (const held &h : keeps)
        if (h.line == line) return true;
    return false;
}

// The hub has read memory, and the data cache has not been looked into yet: what would take its dirty data away comes
// after the PEEK.
static bool looked_for(unsigned line) {
    for (const miss &m : misses)
        if (m.open && m.line == line && m.answered <= now && m.looked == UINT64_MAX) return true;
    return false;
}

static void others(void) { // what other harts and this tile's stores and victims do, where nobody has the line open
    unsigned n = bench_below(LINES);
    struct line &l = lines[n];
    if (bench_below(4)) return;
    if (l.dirty == TILE && bench_below(2))
        l.newest++; // its own store
    else if (looked_for(n))
        return;
    else if (l.dirty == TILE && bench_below(2))
        l.dirty = MEMORY, l.memory = l.newest; // a victim, or a SHARE
    else if (!transaction_of(n) && bench_below(2))
        l.dirty = PEER, l.newest++; // another hart's OWN, and its store
    else if (l.dirty == PEER && bench_below(2))
        l.dirty = MEMORY, l.memory = l.newest;
}

static void drive(void) {
    top->answer_i = top->hub_down_i = top->up_i = top->done_i = 0;
    top->answer_error_i = top->answer_refused_i = (uint8_t)bench_below(2); // nothing, without an answer
    top->answer_data_i = bench_random();
    // The hub answers the first request whose line it does not keep.
    for (auto r = hub.begin(); r != hub.end(); ++r) {
        if (r->at > now || transaction_of(r->line) || bench_below(3) == 0) continue;
        struct line &l = lines[r->line];
        top->answer_i = 1;
        top->answer_id_i = r->id;
        top->answer_transaction_i = next_transaction;
        top->answer_data_i = l.dirty == PEER ? l.newest : l.memory;
        top->answer_refused_i = r->kind == TRYGET && bench_below(3) == 0;
        top->answer_error_i = !top->answer_refused_i && bench_below(20) == 0;
        refused += top->answer_refused_i;
        errors += top->answer_error_i;
        if (r->kind == IGET) {
            miss &m = misses[(r->id - (unsigned)top->mshrs_o) % INSNS];
            m.answered = now;
            m.error = top->answer_error_i;
        } else {
            if (!top->answer_refused_i && !top->answer_error_i) {
                keeps.push_back({next_transaction, r->line, now + 1 + bench_below(8)});
                if (r->kind == OWN) { // with what memory does not have, where another hart had it
                    if (l.dirty == PEER || bench_below(2)) l.newest += bench_below(2), l.dirty = TILE;
                } else if (l.dirty == PEER)
                    l.dirty = MEMORY, l.memory = l.newest;
            }
            next_transaction = (next_transaction + 1) % 16;
        }
        hub.erase(r);
        break;
    }
    if (!keeps.empty() && keeps.front().until <= now) {
        top->done_i = 1;
        top->done_transaction_i = keeps.front().transaction;
        keeps.pop_front();
    }
    if (bench_below(4) == 0 && foreign_acks.size() < 8) {
        top->hub_down_i = 1;
        top->hub_down_kind_i = bench_below(4);
        top->hub_down_tag_i = next_tag = (next_tag + 1) % 16;
        top->hub_down_line_i = bench_below(LINES);
        foreign_acks.push_back(next_tag);
    } else if (bench_below(8) == 0) {
        top->hub_down_i = 1;
        top->hub_down_kind_i = PUT_ACK;
        top->hub_down_tag_i = bench_below(16);
        top->hub_down_line_i = bench_below(LINES);
    }
    top->up_flags_i = bench_below(2) ? bench_below(8) : 0;
    // The data cache answers snoops in order, and writes victims back in between.
    if (!snoops.empty() && snoops.front().at <= now) {
        const down &d = snoops.front();
        top->up_i = 1;
        top->up_put_i = 0;
        top->up_tag_i = d.tag;
        top->up_line_i = d.line;
        top->up_has_i = lines[d.line].dirty == TILE;
        top->up_data_i = top->up_has_i ? lines[d.line].newest : bench_random();
        for (miss &m : misses)
            if (d.tag >= 16 && m.open && m.line == d.line) {
                m.looked = now;
                m.own = top->up_has_i;
                from_own += top->up_has_i;
                early += m.answered <= now;
            }
        snoops.pop_front();
    } else if (bench_below(4) == 0) {
        top->up_i = top->up_put_i = 1;
        top->up_tag_i = bench_below(32);
    }
    if (!asks && bench_below(3) == 0) {
        asked_id = bench_below((unsigned)top->mshrs_o);
        asked_line = bench_below(LINES);
        asked_kind = bench_below(3);
        bool again = data_open.count(asked_id) != 0;
        for (const auto &d : data_open)
            again |= d.second == asked_line; // an MSHR a line
        asks = !again;
    }
    top->data_i = asks;
    top->data_id_i = asked_id;
    top->data_line_i = asked_line;
    top->data_kind_i = asked_kind;
    if (!insn_asks && bench_below(3) == 0) {
        insn_id = bench_below(INSNS);
        insn_line = bench_below(LINES);
        insn_asks = !misses[insn_id].open;
        for (const miss &m : misses)
            if (m.open && m.line == insn_line && bench_below(4))
                insn_asks = false; // a second one, of after a fence.i, now and then
    }
    top->insn_i = insn_asks;
    top->insn_id_i = insn_id;
    top->insn_line_i = insn_line;
}

// What the counters see of this cycle's messages.
static void watch(void) {
    const bool ack = top->up_i && !top->up_put_i && top->up_tag_i < 16; // the hub's, not the tile's own
    const bool keeps = top->up_flags_i & 1, gave = top->up_flags_i & 2;
    const bool hits = ack && (top->up_has_i || top->up_flags_i), loses = ack && gave && !keeps;
    bench_check(top->snoop_o == (top->hub_down_i && top->hub_down_kind_i != PUT_ACK), "step %lu: a snoop %u", now,
                top->snoop_o);
    bench_check(top->snoop_hit_o == hits, "step %lu: a snoop that hits %u", now, top->snoop_hit_o);
    bench_check(top->line_lost_o == loses, "step %lu: a line that is lost %u", now, top->line_lost_o);
    bench_check(top->refused_o == (top->answer_i && top->answer_refused_i), "step %lu: refused %u", now,
                top->refused_o);
    bench_check(top->waits_o == !awaited.empty(), "step %lu: waits %u, for %zu", now, top->waits_o, awaited.size());
    if (top->answer_i) awaited.erase(top->answer_id_i);
    if (top->request_o && top->request_kind_o != TRYGET) awaited[top->request_id_o] = true;
    met += hits;
    lost += loses;
    idle += awaited.empty();
    acks += top->hub_down_i && top->hub_down_kind_i == PUT_ACK;
}

static void take(void) {
    const bool kept = insn_open(asked_line); // until the cycle after its answer
    bench_check(top->data_answer_o == (top->answer_i && top->answer_id_i < (unsigned)top->mshrs_o),
                "step %lu: an answer is the data cache's %u", now, top->data_answer_o);
    if (top->data_answer_o) data_open.erase(top->data_answer_id_o);
    if (top->insn_answer_o) {
        miss &m = misses[top->insn_answer_id_o % INSNS];
        if (bench_check(m.open && m.answered <= now && m.looked <= now && top->insn_answer_id_o < INSNS,
                        "step %lu: an answer for instruction miss %u", now, top->insn_answer_id_o)) {
            const uint64_t newest = lines[m.line].newest;
            bench_check(top->insn_error_o == (m.error && !m.own), "step %lu: an error %u of line %u", now,
                        top->insn_error_o, m.line);
            bench_check(top->insn_error_o || (top->insn_data_o >= m.floor && top->insn_data_o <= newest),
                        "step %lu: an instruction miss of line %u gets version %lu, made when %lu was the newest", now,
                        m.line, top->insn_data_o, m.floor);
            from_hub++;
        }
        m.open = false;
    }
    for (const miss &m : misses) // other answers may be in the way for some steps
        bench_check(!m.open || m.answered > now || m.looked > now || now - std::max(m.answered, m.looked) < LATE,
                    "step %lu: an instruction miss of line %u has no answer", now, m.line);
    passed += goes && top->data_take_o;
    bench_check(passed < 2, "step %lu: %u data requests go before an instruction miss", now, passed);
    if (top->down_o && !top->hub_down_i) goes = true;
    bench_check((going = goes ? going + 1 : 0) < 8, "step %lu: no IGET after its PEEK", now);
    // A data request goes at once but for an instruction miss of its line, or the turn of another one.
    bench_check(top->data_take_o == (asks && !kept && !(top->request_o && top->request_kind_o == IGET)),
                "step %lu: a data request of line %u goes: %u", now, asked_line, top->data_take_o);
    at_once += goes && top->request_o && top->request_kind_o == IGET && top->insn_take_o;
    if (top->request_o && top->request_kind_o == IGET) {
        bench_check(goes, "step %lu: an IGET before its PEEK", now);
        goes = false, passed = 0;
    }
    if (top->data_take_o && asks) {
        bench_check(!insn_open(asked_line), "step %lu: a data request of line %u, while an instruction miss is open",
                    now, asked_line);
        data_open[asked_id] = asked_line;
        asks = false;
        datas++;
    } else
        waited += asks;
    if (top->insn_take_o && insn_asks) {
        bench_check(!line_open(insn_line), "step %lu: an instruction miss of line %u, while a data request is open",
                    now, insn_line);
        bench_check(!insn_open(insn_line), "step %lu: two instruction misses of line %u", now, insn_line);
        misses[insn_id] = {true, false, false, insn_line, lines[insn_line].newest, UINT64_MAX, UINT64_MAX};
        insn_asks = false;
    }
    if (top->request_o) {
        bool insn = top->request_kind_o == IGET;
        unsigned id = top->request_id_o - (insn ? (unsigned)top->mshrs_o : 0);
        if (insn) {
            bench_check(id < INSNS && misses[id].open && misses[id].line == top->request_line_o,
                        "step %lu: an IGET of line %lu", now, (uint64_t)top->request_line_o);
            bench_check(!line_open((unsigned)top->request_line_o),
                        "step %lu: an IGET beside a data request of line %lu", now, (uint64_t)top->request_line_o);
        } else
            bench_check(data_open.count(id) && top->data_take_o, "step %lu: request %u is nobody's", now, id);
        hub.push_back(
            {top->request_kind_o, top->request_id_o, (unsigned)top->request_line_o, now + 1 + bench_below(12)});
    }
    together += top->hub_down_i && top->answer_i;
    if (top->down_o) {
        if (top->hub_down_i)
            bench_check(top->down_kind_o == top->hub_down_kind_i && top->down_tag_o == top->hub_down_tag_i &&
                            top->down_line_o == top->hub_down_line_i,
                        "step %lu: a message of the hub does not get through", now);
        else
            bench_check(top->down_kind_o == PEEK && top->down_tag_o >= 16,
                        "step %lu: a message of kind %u from nowhere", now, top->down_kind_o);
        if (top->down_kind_o != PUT_ACK)
            snoops.push_back({top->down_kind_o, top->down_tag_o, (unsigned)top->down_line_o, now + 2 + bench_below(6)});
    } else
        bench_check(!top->hub_down_i, "step %lu: a message of the hub is lost", now);
    if (top->hub_up_o && !top->hub_up_put_o) {
        bench_check(!foreign_acks.empty() && top->hub_up_tag_o == foreign_acks.front(),
                    "step %lu: the hub gets an ACK of %u", now, top->hub_up_tag_o);
        if (!foreign_acks.empty()) foreign_acks.pop_front();
    }
    bench_check(top->hub_up_o || !top->up_i || (!top->up_put_i && top->up_tag_i >= 16),
                "step %lu: what goes up is lost", now);
    bench_check(top->hub_done_o == top->done_i, "step %lu: done", now);
}

int main(int argc, char **argv) {
    auto instance = std::make_unique<Vtop>();
    top = instance.get();
    bench_seed(argc, argv, 1);
    top->rst_ni = 0;
    for (unsigned n = 0; n < 2; n++) {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
    }
    top->rst_ni = 1;
    for (; now < STEPS && bench_failed == 0; now++) {
        others();
        drive();
        top->clk_i = 0;
        top->eval();
        take();
        watch();
        top->clk_i = 1;
        top->eval();
    }
    printf("%lu instruction misses, %lu with the own data cache's data, %lu answered by the hub first; %lu data "
           "requests, %lu cycles of waiting, %lu refused, %lu errors\n",
           from_hub, from_own, early, datas, waited, refused, errors);
    bench_check(at_once > 1000, "%lu instruction misses ask in the cycle of their PEEK", at_once);
    bench_check(from_own > 1000 && from_hub > 1000 && early > 1000 && datas > 1000 && waited > 1000 && refused > 100 &&
                    errors > 100 && met > 1000 && lost > 1000 && idle > 1000 && acks > 1000,
                "the random steps leave something out");
    top->final();
    return bench_end();
}
