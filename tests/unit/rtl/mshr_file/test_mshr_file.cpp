// Miss status holding registers against a table of the lines on their way: who joins, who takes a free one, who gets
// none, and who takes his first; requests in the order of the misses; responses in any order with their data; refills
// where there is room. Which register is taken, and which answer is refilled first, is the unit's choice. Where caches
// are coherent: what is asked for is what the first one asked; the hold is the longest of all who joined, two of
// them in one cycle, too; what the answer says of the copy comes with the refill.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
#include <memory>

enum { STEPS = 100000, MOST = 32, PORTS = 2 };
enum state { FREE, QUEUED, SENT, FILLED, SELECTED };

struct entry {
    enum state state;
    uint64_t line, low, high;
    bool llc;
    unsigned passed; // refills of others since its data came
    unsigned behind; // entries of the write-back buffer that its request waits for
    unsigned kind, hold;
    bool exclusive, dirty, refused, error;
    unsigned transaction;
};
enum { GET, OWN, TRYGET }; // of hub_pkg

static Vtop *top;
static struct entry table[MOST];
static unsigned ports, entries;
static std::deque<unsigned> requests;
static unsigned leaving;  // entries of the write-back buffer that memory does not have yet
static int taken;         // entry that this cycle's misses take, or -1
static int lengthened;    // entry whose hold one of them has made longer, or -1
static bool next;         // a refill was selected in the last cycle
static uint64_t next_set; // its set
static unsigned long joins, allocations, second_joins, refused_second, full, kept_spare, refills, late_joins, held,
    most_passed, overtaken, longer, longer_at_once, shorter_at_once, refusals, errors, dirties;

static void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

static void reset() {
    top->rst_ni = 0;
    top->miss_i = top->req_take_i = top->resp_i = 0;
    tick();
    tick();
    top->rst_ni = 1;
    for (unsigned i = 0; i < MOST; i++)
        table[i] = {};
    requests.clear();
    next = false;
    leaving = 0;
}

static int find(uint64_t line) {
    for (unsigned i = 0; i < entries; i++)
        if (table[i].state != FREE && table[i].line == line) return (int)i;
    return -1;
}

static unsigned in_state(enum state state) {
    unsigned n = 0;
    for (unsigned i = 0; i < entries; i++)
        n += table[i].state == state;
    return n;
}

static unsigned any_in(enum state state) {
    unsigned i;
    do
        i = bench_below(entries);
    while (table[i].state != state);
    return i;
}

// Few lines, though more than registers, which differ in one bit anywhere or in the set.
static uint64_t random_line() {
    static const uint64_t MIDDLE = 0x1234567890ull;
    unsigned at = bench_below(5);
    return at == 0   ? MIDDLE
           : at == 1 ? MIDDLE ^ 1ull << (top->line_bits_o - 1)
           : at == 2 ? MIDDLE ^ 1
                     : MIDDLE + bench_below(entries + 2);
}

// One port's miss: it joins the line that is on its way or that an earlier port has asked for, else takes a free one,
// if none was taken in this cycle and one is left.
static void check_miss(unsigned p, unsigned free) {
    uint64_t line = top->line_i[p];
    int there = find(line);
    bool joined = top->join_o >> p & 1;
    if (there >= 0) {
        bench_check(joined && top->id_o[p] == (unsigned)there, "port %u: line is on its way with %d: joined %u, %u", p,
                    there, joined, top->id_o[p]);
        joins++;
        shorter_at_once += lengthened == there && top->hold_i[p] && top->hold_i[p] < table[there].hold;
        if (top->hold_i[p] > table[there].hold) {
            table[there].hold = top->hold_i[p];
            lengthened = there;
            longer++;
        }
        late_joins += table[there].state == SELECTED;
    } else if (taken >= 0) {
        bool same = table[taken].line == line;
        bench_check(joined == same, "port %u: one was taken already: joined %u", p, joined);
        same ? second_joins++ : refused_second++;
        if (!same) return;
        bench_check(top->id_o[p] == (unsigned)taken, "port %u: same line, other MSHR", p);
        if (top->hold_i[p] > table[taken].hold) {
            table[taken].hold = top->hold_i[p];
            longer_at_once++;
        }
    } else {
        bool spare = top->spare_i >> p & 1, may = free > (spare ? 1 : 0);
        bench_check(joined == may, "port %u: %u free, spare %u: joined %u", p, free, spare, joined);
        kept_spare += spare && free == 1;
        full += free == 0;
        if (!joined) return;
        if (!bench_check(top->id_o[p] < entries && table[top->id_o[p]].state == FREE, "port %u: MSHR %u is not free", p,
                         top->id_o[p]))
            return;
        taken = top->id_o[p];
        table[taken].line = line; // from the next cycle on
        table[taken].behind = top->leaves_i[p];
        table[taken].kind = top->kind_i[p];
        table[taken].hold = top->hold_i[p];
        allocations++;
    }
}

static void check_copy(const struct entry *e) {
    bench_check(top->refill_refused_o == e->refused, "refill of MSHR %u: refused %u", top->refill_id_o,
                top->refill_refused_o);
    bench_check(top->owned_o == e->exclusive && top->dirty_o == e->dirty && top->transaction_o == e->transaction,
                "copy of MSHR %u: owned %u, dirty %u, transaction %u; expected %u, %u, %u", top->refill_id_o,
                top->owned_o, top->dirty_o, top->transaction_o, e->exclusive, e->dirty, e->transaction);
    bench_check(top->kind_o == e->kind && top->hold_o == e->hold,
                "MSHR %u was asked for with %u, hold %u; expected %u, %u", top->refill_id_o, top->kind_o, top->hold_o,
                e->kind, e->hold);
    refusals += e->refused;
    dirties += e->dirty;
}

static void check_outputs() {
    bool asks = !requests.empty() && table[requests.front()].behind == 0;
    bench_check(top->req_valid_o == asks, "a request: %u", top->req_valid_o);
    held += !requests.empty() && !asks;
    if (asks)
        bench_check(top->req_id_o == requests.front() && top->req_line_o == table[requests.front()].line,
                    "request of MSHR %u, expected %u", top->req_id_o, requests.front());
    if (asks && top->coherent_o)
        bench_check(top->req_kind_o == table[requests.front()].kind, "request of MSHR %u: kind %u, expected %u",
                    top->req_id_o, top->req_kind_o, table[requests.front()].kind);
    bench_check(top->refill_o == next, "a refill: %u, expected %u", top->refill_o, next);
    if (!top->refill_o || top->refill_id_o >= entries) return;
    const struct entry *e = &table[top->refill_id_o];
    bench_check(e->state == FILLED, "refill of MSHR %u, which has no data", top->refill_id_o);
    bench_check(top->refill_line_o == e->line && e->line % top->sets_o == next_set, "line of a refill");
    bench_check(top->refill_llc_o == e->llc && top->refill_low_o == e->low && top->refill_high_o == e->high,
                "data of a refill");
    bench_check(top->refill_error_o == e->error, "refill of MSHR %u: error %u", top->refill_id_o, top->refill_error_o);
    if (top->coherent_o) check_copy(e);
    for (unsigned i = 0; i < entries; i++)
        if (table[i].state == FILLED) table[i].passed += i != top->refill_id_o;
    bench_check(e->passed < entries, "%u refills went before that of MSHR %u", e->passed, top->refill_id_o);
    most_passed = e->passed > most_passed ? e->passed : most_passed;
    table[top->refill_id_o].state = SELECTED;
    refills++;
}

static void offer(unsigned misses, unsigned rate, unsigned room) {
    top->miss_i = top->spare_i = top->first_i = 0;
    for (unsigned p = 0; p < ports; p++) {
        top->miss_i |= (bench_below(100) < misses) << p;
        top->spare_i |= (bench_below(3) == 0) << p;
    }
    if (bench_below(3) == 0) top->first_i = 1u << bench_below(ports);
    top->spare_i &= ~top->first_i;
    for (unsigned p = 0; p < PORTS; p++)
        top->line_i[p] = p && bench_below(4) == 0 ? top->line_i[0] : random_line();
    for (unsigned p = 0; p < PORTS; p++) {
        top->kind_i[p] = bench_below(3);
        top->hold_i[p] = bench_below(3);
    }
    for (unsigned p = 0; p < PORTS; p++)
        top->leaves_i[p] = bench_below(3) ? 0 : bench_random() & leaving;
    top->gone_i = bench_below(100) < rate ? bench_random() & leaving : 0;
    leaving &= ~top->gone_i;
    top->req_take_i = top->req_valid_o && bench_below(100) < rate;
    top->resp_i = in_state(SENT) && bench_below(100) < rate;
    top->resp_id_i = top->resp_i ? any_in(SENT) : bench_below(entries);
    top->resp_llc_i = bench_below(2);
    top->resp_error_i = bench_below(8) == 0;
    unsigned kind = top->resp_i ? table[top->resp_id_i].kind : (unsigned)GET;
    top->resp_refused_i = top->coherent_o && !top->resp_error_i && kind == TRYGET && bench_below(3) == 0;
    top->resp_exclusive_i = kind == OWN || bench_below(2);
    top->resp_dirty_i = top->coherent_o && kind == OWN && !top->resp_error_i && bench_below(2);
    top->resp_transaction_i = bench_below(16);
    top->resp_low_i = bench_random();
    top->resp_high_i = bench_random();
    top->room_i = bench_below(100) < room;
}

static void cycle(unsigned misses, unsigned rate, unsigned room) {
    top->clk_i = 0;
    top->eval();
    check_outputs();
    offer(misses, rate, room);
    top->eval();
    unsigned free = in_state(FREE);
    bench_check(top->full_o == (free == 0), "full %u with %u free", top->full_o, free);
    taken = lengthened = -1;
    for (unsigned k = 0; k < 2; k++) // who is first before the others
        for (unsigned p = 0; p < ports; p++)
            if ((top->miss_i >> p & 1) && (top->first_i >> p & 1) == (k == 0)) {
                overtaken += k && taken >= 0 && top->first_i > 1u << p;
                check_miss(p, free);
            }
    // FILLED is what was answered before this cycle and is not in its refill.
    next = in_state(FILLED) && top->room_i;
    bench_check(top->next_o == next, "a refill is selected: %u, expected %u", top->next_o, next);
    next_set = top->next_set_o;
    for (unsigned i = 0; i < entries; i++)
        if (table[i].state == SELECTED) table[i].state = FREE;
    if (top->req_take_i) {
        table[requests.front()].state = SENT;
        requests.pop_front();
    }
    if (top->resp_i) {
        struct entry *e = &table[top->resp_id_i];
        e->state = FILLED;
        e->low = top->resp_low_i;
        e->high = top->resp_high_i;
        e->llc = top->resp_llc_i && !top->resp_refused_i;
        e->passed = e->behind = 0;
        e->exclusive = top->resp_exclusive_i;
        e->dirty = top->resp_dirty_i;
        e->refused = top->resp_refused_i;
        e->error = top->resp_error_i;
        e->transaction = top->resp_transaction_i;
        errors += e->error;
    }
    if (taken >= 0) {
        table[taken].state = QUEUED;
        requests.push_back((unsigned)taken);
    }
    for (unsigned i = 0; i < entries; i++)
        table[i].behind &= ~top->gone_i;
    leaving |= (unsigned)bench_random() & ((1u << top->leaving_o) - 1) & (unsigned)-(bench_below(100) < rate);
    tick();
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 11);
    auto owner = std::make_unique<Vtop>();
    top = owner.get();
    top->eval();
    ports = top->ports_o;
    entries = top->entries_o;
    unsigned misses = 50, rate = 50, room = 50;
    for (unsigned i = 0; i < STEPS; i++) {
        if (i % 5000 == 0) reset();
        if (i % 100 == 0) {
            misses = bench_below(101);
            rate = 5 + bench_below(96);
            room = bench_below(4) ? rate : 5; // answers wait for it
        }
        cycle(misses, rate, room);
    }
    bench_check(joins > 1000 && allocations > 1000 && full > 100 && kept_spare > 100 && refills > 1000 &&
                    late_joins > 100 && held > 1000 && most_passed + 1 == entries,
                "%lu joins, %lu allocations, %lu full, %lu kept spare, %lu refills, %lu late joins, %lu held", joins,
                allocations, full, kept_spare, refills, late_joins, held);
    bench_check(errors > 100, "%lu errors", errors);
    if (top->coherent_o)
        bench_check(longer > 100 && refusals > 100 && dirties > 100, "%lu holds made longer, %lu refusals, %lu dirty",
                    longer, refusals, dirties);
    if (ports > 1)
        bench_check(second_joins > 100 && refused_second > 100 && overtaken > 100, "two misses: %lu, %lu, %lu",
                    second_joins, refused_second, overtaken);
    if (ports > 1 && top->coherent_o)
        bench_check(longer_at_once > 100 && shorter_at_once > 100,
                    "two that ask for one line at once: the second with a longer hold %lu times, a shorter one %lu",
                    longer_at_once, shorter_at_once);
    top->final();
    return bench_end();
}
