// load_queue's search for loads that ran ahead, against the rule in words: a load is wrong that has its data when an
// older store of its bytes learns its address, unless a younger store gave them; and one that has its data, in a line
// that is lost, while an older load has none: at once (lsu.load_order = 0), or when an older load gets data of the same
// bytes (1), but not from a store, and unless the wrong one has its data from a store that lies between. The oldest of
// all is named a cycle later, unless the squash of the search's cycle kills it. First the cases that matter, one by
// one, then random loads, stores, squashes and lost lines.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
#include <memory>

struct insn {
    bool store, hint;
    uint64_t seq, sq; // sq: of a store; stores before a load
    unsigned lq;
    bool ran, done, forwarded; // of a store, ran: it has searched
    bool early;                // with lsu.load_order: its line was lost while an older load had no data
    uint64_t addr, from;       // from: the store that gave the data, where forwarded
    unsigned size;
};

struct named {
    bool valid, snooped;
    uint64_t seq;
};

static Vtop *top;
static std::deque<insn> flight;
static uint64_t next_seq, next_sq, steps;
static bool squashes; // in this cycle: what is younger than squash_seq
static uint64_t squash_seq;
static struct named due, got; // got: in the last cycle
static unsigned long by_store, by_snoop, both, of_forwarded, killed_now, oldest_spared, between, to_forwarded, at_once;

static const uint64_t A = 0x80001040, OTHER = 0x80002080; // of two lines

// A place in a ring: {wrap, index}.
static unsigned place(uint64_t n, unsigned entries) {
    unsigned bits = 0;
    while (1u << bits < entries)
        bits++;
    return (unsigned)(n % entries) | (unsigned)(n / entries & 1) << bits;
}

static unsigned rob(uint64_t seq) {
    return place(seq, (unsigned)top->rob_entries_o);
}

static unsigned store_place(uint64_t sq) {
    return place(sq, (unsigned)top->store_entries_o);
}

static insn &at(uint64_t seq) {
    return flight[seq - flight.front().seq];
}

static unsigned count(bool store) {
    unsigned n = 0;
    for (const insn &i : flight)
        n += i.store == store;
    return n;
}

static bool meets(uint64_t addr, unsigned size, const insn &l) {
    return l.addr < addr + (1u << size) && addr < l.addr + (1u << l.size);
}

// ---- inputs of the next cycle ----
static uint64_t dispatch(bool store, bool hint = false) {
    insn i = {};
    i.store = store;
    i.hint = hint;
    i.seq = next_seq++;
    i.sq = store ? next_sq++ : next_sq;
    if (!store) {
        top->dis_i = 1;
        top->dis_rob_i = rob(i.seq);
        top->eval();
        i.lq = top->dis_lq_o;
    }
    flight.push_back(i);
    return i.seq;
}

static void execute(uint64_t seq, uint64_t addr, unsigned size) {
    insn &i = at(seq);
    i.ran = true;
    i.addr = addr;
    i.size = size;
    top->ex_i = 1;
    top->ex_rob_i = rob(seq);
    top->ex_lq_i = i.lq;
    top->ex_sq_i = store_place(i.sq);
    top->ex_addr_i = addr;
    top->ex_size_i = size;
    top->ex_hint_i = i.hint;
}

static uint64_t finished; // in this cycle; 0: none
static void finish(uint64_t seq, const insn *from = nullptr) {
    insn &i = at(seq);
    i.forwarded = from != nullptr;
    i.from = from ? from->sq : 0;
    finished = seq;
    top->res_i = 1;
    top->res_lq_i = i.lq;
    top->res_fwd_i = i.forwarded;
    top->res_sq_i = from ? store_place(from->sq) : (unsigned)bench_random();
}

static void search(uint64_t seq, uint64_t addr, unsigned size) {
    insn &i = at(seq);
    i.ran = i.done = true;
    i.addr = addr;
    i.size = size;
    top->search_i = 1;
    top->search_addr_i = addr;
    top->search_size_i = size;
    top->search_rob_i = rob(seq);
    top->search_sq_i = store_place(i.sq);
}

static void lose(uint64_t addr) {
    top->lost_i = 1;
    top->lost_addr_i = addr;
}

static void squash(uint64_t seq) {
    squashes = true;
    squash_seq = seq;
}

// ---- a cycle ----
// Whether the load that gets its data in this cycle finds one whose line was lost before.
static bool passed(const insn &i, bool now) {
    if (!finished) return false;
    const insn &older = at(finished);
    bool same = (i.early || now) && !older.hint && older.seq < i.seq && meets(older.addr, older.size, i);
    to_forwarded += same && older.forwarded;
    same = same && !older.forwarded;
    between += same && i.forwarded && i.from >= older.sq;
    same = same && !(i.forwarded && i.from >= older.sq);
    at_once += same && !i.early;
    return same;
}

static struct named look(void) {
    struct named found = {};
    bool undone = false, snooped_also = false; // ... by the other kind of search
    for (insn &i : flight) {
        if (i.store || (squashes && i.seq > squash_seq)) continue;
        const insn *store = nullptr;
        for (const insn &s : flight)
            if (s.store && top->search_i && rob(s.seq) == top->search_rob_i) store = &s;
        bool ahead = store && i.done && !i.hint && store->seq < i.seq && meets(store->addr, store->size, i) &&
                     !(i.forwarded && i.from > store->sq);
        bool stale = top->lost_i && i.done && !i.hint && i.addr >> 6 == top->lost_addr_i >> 6;
        oldest_spared += stale && !undone;
        stale = stale && undone;
        undone |= !i.done;
        if (top->load_order_o) {
            bool now = stale;
            stale = passed(i, now);
            i.early |= now;
        }
        if (!ahead && !stale) continue;
        snooped_also |= found.valid && (ahead ? found.snooped : !found.snooped);
        if (found.valid) continue;
        found = {true, !ahead, i.seq};
        (ahead ? by_store : by_snoop)++;
        of_forwarded += stale && i.forwarded;
    }
    both += snooped_also;
    return found;
}

static void clock_edge(void) {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    top->dis_i = top->leaves_i = top->ex_i = top->res_i = top->search_i = top->lost_i = top->squash_i = 0;
}

static void step(void) {
    top->squash_i = squashes;
    if (squashes) {
        top->squash_rob_i = rob(squash_seq);
        unsigned tail = top->dis_lq_o;
        for (auto i = flight.rbegin(); i != flight.rend() && i->seq > squash_seq; ++i)
            if (!i->store) tail = i->lq;
        top->squash_lq_i = tail;
    }
    top->eval();
    bench_check(top->violation_o == due.valid, "step %lu: a load is named %u, expected %u", steps, top->violation_o,
                due.valid);
    if (due.valid && top->violation_o)
        bench_check(top->violation_rob_o == rob(due.seq) && top->snooped_o == due.snooped,
                    "step %lu: rob %x is named, by a snoop %u; expected %x, %u", steps, top->violation_rob_o,
                    top->snooped_o, rob(due.seq), due.snooped);
    got = {top->violation_o != 0, top->snooped_o != 0, due.seq};
    due = look();
    clock_edge();
    if (finished) at(finished).done = true;
    finished = 0;
    while (squashes && !flight.empty() && flight.back().seq > squash_seq) {
        next_seq--;
        next_sq -= flight.back().store;
        flight.pop_back();
    }
    squashes = false;
    steps++;
}

static void reset(void) {
    flight.clear();
    due = {};
    top->rst_ni = 0;
    clock_edge();
    clock_edge();
    top->rst_ni = 1;
    next_seq = 1; // finished: 0 is none
    next_sq = 0;
    squashes = false;
    finished = 0;
}

// ---- the cases that matter ----
static uint64_t load(uint64_t addr, unsigned size, bool hint = false) {
    uint64_t seq = dispatch(false, hint);
    step();
    execute(seq, addr, size);
    step();
    return seq;
}

static uint64_t done_load(uint64_t addr, unsigned size, const insn *from = nullptr) {
    uint64_t seq = load(addr, size);
    finish(seq, from);
    step();
    return seq;
}

// The inputs of this cycle, and what is named in the next one: `seq`, or nobody where it is 0.
static void then(const char *what, uint64_t seq, bool snooped) {
    step();
    step();
    bench_check(got.valid == (seq != 0) && (!seq || (top->violation_rob_o == rob(seq) && got.snooped == snooped)),
                "%s: %u is named (rob %x, by a snoop %u), expected rob %x, %u", what, got.valid, top->violation_rob_o,
                got.snooped, seq ? rob(seq) : 0, snooped);
}

// A lost line while an older load has no data: the younger one is wrong at once.
static void at_once_directed(void) {
    reset();
    uint64_t a = load(A, 3), b = done_load(A, 3);
    lose(A + 0x38);
    then("two loads of an address, the younger has its data, the line is lost", b, true);
    lose(OTHER);
    then("another line is lost", 0, false);
    finish(a);
    lose(A);
    then("the older load gets its data in the cycle of the search: after the loss", b, true);
    lose(A);
    then("the older load has its data", 0, false);

    reset();
    a = done_load(A, 3);
    b = load(A, 2);
    uint64_t c = load(OTHER, 3);
    lose(A);
    then("only the oldest load has its data", 0, false);
    finish(c);
    lose(OTHER);
    then("a load gets its data in the cycle of the search: from after the loss", 0, false);
    lose(OTHER);
    then("a load of another address is older", c, true);

    reset();
    a = load(OTHER, 3);
    b = load(A, 3, true);
    finish(b);
    step();
    lose(A);
    then("a hint has no data", 0, false);

    // Forwarding, of several sizes of one doubleword.
    reset();
    uint64_t s = dispatch(true);
    search(s, A, 2);
    step();
    a = load(A, 3);
    b = done_load(A, 2, &at(s));
    lose(A);
    then("a store gave the data, an older load of more bytes after it waits until the store is in the cache", b, true);
    reset();
    a = load(A, 3);
    s = dispatch(true);
    search(s, A, 3);
    step();
    b = done_load(A + 4, 2, &at(s));
    lose(A);
    then("the older load lies before the store that gave the data: one too many", b, true);

    // Store and snoop in one cycle.
    reset();
    s = dispatch(true);
    a = load(OTHER, 3);
    b = done_load(A, 3);
    c = done_load(OTHER, 3);
    search(s, OTHER, 0);
    lose(A);
    then("the snoop's load is older than the store's", b, true);
    reset();
    a = load(OTHER, 3);
    s = dispatch(true);
    b = done_load(A, 3);
    c = done_load(A + 8, 3);
    search(s, A, 0);
    lose(A);
    then("the store's load is older than the snoop's", b, false);

    reset();
    a = load(OTHER, 3);
    b = done_load(A, 3);
    lose(A);
    squash(a);
    then("a squash in the cycle of the search kills the load", 0, false);
    b = done_load(A, 3);
    c = done_load(A, 3);
    lose(A);
    squash(b);
    then("a squash in the cycle of the search kills a younger load", b, true);

    // Wherever the head is, and where the queue is full.
    reset();
    for (int round = 0; round < 2 * top->entries_o; round++) {
        a = load(A, 0);
        for (int i = 2; i < top->entries_o; i++)
            done_load(OTHER, 3);
        b = done_load(A, 0);
        top->dis_i = 1;
        top->eval();
        bench_check(top->full_o, "the queue has room");
        top->dis_i = 0;
        lose(A);
        then("the youngest of a full queue", b, true);
        finish(a);
        step();
        lose(A);
        then("all of a full queue have their data", 0, false);
        squash(a);
        step();
        top->leaves_i = 1;
        flight.pop_front();
        step();
    }
}

// With lsu.load_order it is wrong once an older load has its data of the same bytes.
static void marks_directed(void) {
    reset();
    uint64_t a = load(A, 3), b = done_load(A, 3);
    lose(A + 0x38);
    then("two loads of an address, the younger has its data, the line is lost", 0, false);
    for (int i = 0; i < 5; i++)
        step();
    finish(a);
    then("the older load gets its data", b, true);
    reset();
    a = load(A, 3);
    b = done_load(A, 3);
    lose(A);
    finish(a);
    then("the older load gets its data in the cycle of the search: after the loss", b, true);
    reset();
    a = load(A, 3);
    b = load(A, 3);
    lose(A);
    finish(b);
    step();
    finish(a);
    then("the younger load gets its data in the cycle of the search: after the loss", 0, false);

    reset();
    a = load(A, 3);
    b = load(OTHER, 3);
    uint64_t c = done_load(A + 8, 3), d = done_load(A + 7, 0);
    lose(A);
    finish(b);
    then("an older load of another line", 0, false);
    finish(a);
    then("two younger loads of the line, one of them of a byte of the older load's", d, true);
    bench_check(at(c).early, "the other one is marked, too");
    reset();
    a = load(A, 3);
    b = done_load(A, 3);
    lose(OTHER);
    step();
    finish(a);
    then("another line was lost", 0, false);
    reset();
    a = load(A, 3, true);
    b = done_load(A, 3);
    lose(A);
    finish(a);
    then("a hint gets no data", 0, false);
    reset();
    a = load(OTHER, 3);
    b = load(A, 3, true);
    finish(b);
    step();
    c = load(A, 3);
    lose(A);
    step();
    finish(c);
    then("a hint has no data", 0, false);

    // Three loads: each older one searches.
    reset();
    a = load(A, 1);
    b = load(A + 2, 1);
    c = done_load(A, 2);
    lose(A);
    finish(b);
    then("the second", c, true);
    finish(a);
    then("the first", c, true);

    // Forwarding, of several sizes of one doubleword.
    reset();
    uint64_t s = dispatch(true);
    search(s, A, 2);
    step();
    a = load(A, 3);
    b = done_load(A, 2, &at(s));
    lose(A);
    step();
    finish(a);
    then("a store gave the data, an older load of more bytes after it waited until the store was in the cache", b,
         true);
    reset();
    s = dispatch(true);
    search(s, A, 3);
    step();
    a = load(A, 3);
    b = done_load(A, 3, &at(s));
    lose(A);
    step();
    finish(a, &at(s));
    then("one store gave the data of both", 0, false);
    reset();
    a = load(A, 3);
    s = dispatch(true);
    search(s, A, 3);
    step();
    b = done_load(A + 4, 2, &at(s));
    lose(A);
    step();
    finish(a);
    then("the store that gave the data lies between", 0, false);
    reset();
    uint64_t first = dispatch(true);
    search(first, A, 3);
    step();
    for (int i = 1; i < top->store_entries_o; i++)
        dispatch(true);
    a = load(A, 3);
    b = done_load(A, 3, &at(first));
    lose(A);
    step();
    finish(a);
    then("a whole store queue lies between the store that gave the data and the older load", b, true);

    reset();
    a = load(A, 3);
    b = done_load(A, 3);
    c = done_load(A, 3);
    lose(A);
    step();
    finish(a);
    squash(b);
    then("a squash in the cycle of the search kills a younger load", b, true);
    reset();
    a = load(A, 3);
    b = done_load(A, 3);
    lose(A);
    step();
    squash(a);
    step();
    b = done_load(A, 3);
    finish(a);
    then("a load in the place of one that was marked", 0, false);

    // Wherever the head is, and where the queue is full.
    reset();
    for (int round = 0; round < 2 * top->entries_o; round++) {
        a = load(A, 0);
        for (int i = 2; i < top->entries_o; i++)
            done_load(A + 8, 3);
        b = done_load(A, 0);
        lose(A);
        step();
        finish(a);
        then("the youngest of a full queue", b, true);
        squash(a);
        step();
        top->leaves_i = 1;
        flight.pop_front();
        step();
    }
}

// ---- at random ----
static uint64_t random_address(unsigned size) {
    return (bench_below(3) ? A : OTHER) + (bench_below(16) & ~((1u << size) - 1));
}

static const insn *any(bool store, bool ran, bool done) {
    unsigned first = bench_below((unsigned)flight.size() + 1);
    for (unsigned n = 0; n < flight.size(); n++) {
        const insn &i = flight[(first + n) % flight.size()];
        if (i.store == store && i.ran == ran && i.done == done && i.seq != finished) return &i;
    }
    return nullptr;
}

static const insn *giver(const insn &l) {
    const insn *youngest = nullptr;
    for (const insn &s : flight)
        if (s.store && s.seq < l.seq && s.ran && s.addr <= l.addr && l.addr + (1u << l.size) <= s.addr + (1u << s.size))
            youngest = &s;
    return youngest;
}

static void random_cycle(void) {
    const insn *i;
    unsigned size = bench_below(4);
    bool named_now = due.valid;
    // Whoever is named begins again, with all that is younger.
    if (due.valid && bench_below(2))
        squash(due.seq - 1);
    else if (!flight.empty() && bench_below(12) == 0)
        squash(flight.front().seq + bench_below((unsigned)flight.size()));
    if ((i = any(false, true, false)) && bench_below(2)) finish(i->seq, bench_below(2) ? giver(*i) : nullptr);
    if ((i = any(false, false, false)) && bench_below(2) && !(squashes && i->seq > squash_seq))
        execute(i->seq, random_address(size), size);
    if ((i = any(true, false, false)) && bench_below(3) == 0 && !(squashes && i->seq > squash_seq))
        search(i->seq, random_address(size), size);
    if (bench_below(top->search_i ? 2 : 4) == 0) lose(bench_below(3) ? A : OTHER);
    killed_now += squashes && (top->lost_i || top->search_i);
    bool leaves = !flight.empty() && flight.front().done && flight.front().seq != finished && !named_now &&
                  !(squashes && flight.front().seq > squash_seq) && bench_below(2);
    top->leaves_i = leaves && !flight.front().store;
    if (!squashes && flight.size() < (unsigned)top->rob_entries_o) {
        if (bench_below(2) && count(false) < (unsigned)top->entries_o)
            dispatch(false, bench_below(8) == 0);
        else if (bench_below(2) && count(true) < (unsigned)top->store_entries_o)
            dispatch(true);
    }
    step();
    if (leaves) flight.pop_front();
}

int main(int argc, char **argv) {
    auto instance = std::make_unique<Vtop>();
    top = instance.get();
    bench_seed(argc, argv, 1);
    top->eval();
    if (top->load_order_o)
        marks_directed();
    else
        at_once_directed();
    by_store = by_snoop = both = of_forwarded = killed_now = oldest_spared = between = to_forwarded = at_once = 0;
    for (unsigned n = 0; n < 300000 && bench_failed == 0; n++) {
        if (n % 5000 == 0) reset();
        random_cycle();
    }
    printf("%lu by a store, %lu by a snoop, %lu of a forwarded one, %lu by both at once, %lu beside a squash, %lu "
           "without an older one\n",
           by_store, by_snoop, of_forwarded, both, killed_now, oldest_spared);
    bool few = top->load_order_o; // of those that have to meet an older load besides
    bench_check(by_store > 1000 && by_snoop > 1000 && of_forwarded > (few ? 20 : 100) && both > (few ? 5 : 10) &&
                    killed_now > 1000 && oldest_spared > 1000,
                "the random cycles leave something out");
    if (top->load_order_o) {
        printf(
            "%lu by an older load in the cycle of the search, %lu spared as a store lies between, %lu as a store gave "
            "the older one its data\n",
            at_once, between, to_forwarded);
        bench_check(at_once > 100 && between > 30 && to_forwarded > 15, "the random cycles leave something out");
    }
    top->final();
    return bench_end();
}
