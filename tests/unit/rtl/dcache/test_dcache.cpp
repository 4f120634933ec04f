// L1 data cache against a table of its lines and a memory that answers late and in any order: what hits, with which
// word; which way a refill takes (a free one, else the first not used since all were); that what was written leaves
// before its way is taken, in time for a later read of it; and what fence.i leaves: everything written back, all there.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <array>
#include <map>
#include <memory>
#include <vector>

enum { STEPS = 120000, PORTS = 2, WORDS = 8 };

typedef std::array<uint64_t, WORDS> words;

struct way {
    bool valid, dirty;
    uint64_t line;
    words data;
};

struct read { // of a line, accepted by memory
    unsigned id;
    uint64_t line;
    words data;
    bool llc;
};

static Vtop *top;
static unsigned ports, sets, ways;
static std::vector<std::vector<struct way>> table; // by set
static std::vector<unsigned> used;                 // of a set: ways used since all were
static std::map<uint64_t, words> memory, leaving;  // leaving: not in the cache any more, not yet in memory
struct write {                                     // accepted, not acknowledged: memory does not have it yet
    unsigned entry;
    uint64_t line;
    words data;
};
static std::vector<struct write> writes;
static std::vector<struct read> reads;
static std::map<uint64_t, bool> llc; // line that was answered: whether the LLC had missed
static std::vector<uint64_t> tags;
static bool blocked, waited, cleaning;
static unsigned idle; // cycles with a read under way and no refill
static unsigned long hits, misses, refills, evicted, written, written_back, cleaned, both_hit, low_ways, overtaken,
    passed;

static void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

static words &in_memory(uint64_t line) {
    auto found = memory.find(line);
    if (found != memory.end()) return found->second;
    words fresh;
    for (uint64_t &word : fresh)
        word = bench_random();
    return memory[line] = fresh;
}

static struct way *find(uint64_t line) {
    for (struct way &w : table[line % sets])
        if (w.valid && w.line == line) return &w;
    return NULL;
}

// A way of a set is used: all that are not have not been since all were.
static void use(uint64_t set, unsigned w) {
    used[set] |= 1u << w;
    if (used[set] == (1u << ways) - 1) used[set] = 1u << w;
}

static void use_line(const struct way *w) {
    use(w->line % sets, (unsigned)(w - &table[w->line % sets][0]));
}

// Few sets, the first and the last of them, and more lines for each than it has ways.
static uint64_t random_line() {
    unsigned at = bench_below(4);
    uint64_t set = at == 0 ? 0 : at == 1 ? sets - 1 : at == 2 ? sets / 2 : sets / 2 + 1;
    return tags[bench_below(ways + 2)] * sets + set;
}

static void reset() {
    top->rst_ni = 0;
    top->look_i = top->write_i = top->clean_i = top->ready_i = top->resp_i = top->done_i = 0;
    tick();
    tick();
    top->rst_ni = 1;
    table.assign(sets, std::vector<struct way>(ways));
    leaving.clear();
    writes.clear();
    reads.clear();
    memory.clear(); // what was in the cache is lost
    tags.clear();
    for (unsigned i = 0; i < ways + 2; i++) // they differ in the top bit, in the lowest, and anywhere
        tags.push_back(i < 3 ? 0x15555555ull ^ (i == 1 ? 1ull << 39 : i == 2) : bench_random() >> 26);
    blocked = waited = cleaning = false;
}

// ---- refill ----
static void check_refill() {
    bench_check(top->refill_o == blocked, "a refill: %u, announced %u", top->refill_o, blocked);
    if (!top->refill_o) return;
    uint64_t line = top->refill_line_o, set = line % sets;
    bench_check(!find(line), "a refill of a present line");
    bench_check(llc.count(line) && llc[line] == top->refill_llc_o, "a refill that was not answered so");
    refills++;
    idle = 0;
}

// At the end of the refill's cycle the line has taken its way.
static void refill(uint64_t line) {
    uint64_t set = line % sets;
    unsigned w = 0;
    while (w < ways && table[set][w].valid)
        w++;
    if (w == ways)
        for (w = 0; w < ways - 1 && (used[set] >> w & 1);)
            w++;
    struct way *victim = &table[set][w];
    if (victim->valid && victim->dirty) leaving[victim->line] = victim->data;
    evicted += victim->valid;
    low_ways += w == 0;
    for (unsigned other = 0; other < ways; other++) // a way without a line has not been used
        if (!table[set][other].valid) used[set] &= ~(1u << other);
    *victim = {true, false, line, in_memory(line)};
    use(set, w);
}

// ---- lookups ----
static void offer(unsigned rate, unsigned writes) {
    top->look_i = top->write_i = top->spare_i = top->fetch_i = 0;
    const struct way *first = NULL;
    for (unsigned p = 0; p < PORTS; p++) {
        top->addr_i[p] = random_line() << 6 | bench_below(64);
        if (p >= ports || bench_below(100) >= rate) continue;
        uint64_t line = top->addr_i[p] >> 6;
        const struct way *w = find(line);
        // Two uses of one set in a cycle: which counts is not said.
        if (w && top->refill_o && line % sets == top->refill_line_o % sets) continue;
        if (w && first && first != w && first->line % sets == line % sets) continue;
        first = w ? w : first;
        top->look_i |= 1 << p;
        top->fetch_i |= (bench_below(4) != 0) << p;
        top->spare_i |= (bench_below(4) == 0) << p;
        if (!top->write_i && !top->refill_o && !cleaning && bench_below(100) < writes) top->write_i |= 1 << p;
    }
    top->word_i = bench_random();
    top->own_i = top->word_i >> 62;
    top->writer_waits_i = top->word_i >> 61 & 1;
    top->mask_i = (CData)bench_random();
}

static void check_lookups() {
    unsigned hit_now = 0;
    bench_check(!top->upgrade_o, "a line that may not be written");
    for (unsigned p = 0; p < ports; p++) {
        bool look = top->look_i >> p & 1, hit = top->hit_o >> p & 1;
        struct way *w = look ? find(top->addr_i[p] >> 6) : NULL;
        bench_check(hit == (w != NULL), "port %u: hit %u, expected %u", p, hit, w != NULL);
        hit_now += w != NULL;
        misses += look && !w;
        if (!w) continue;
        hits++;
        uint64_t word = w->data[top->addr_i[p] >> 3 & 7];
        bench_check(top->word_o[p] == word, "port %u: word %llx, expected %llx", p, (unsigned long long)top->word_o[p],
                    (unsigned long long)word);
    }
    unsigned may_join = top->look_i & top->fetch_i & ~top->hit_o;
    bench_check((top->join_o & ~may_join) == 0, "who fetches no line joins: %x", top->join_o);
    both_hit += hit_now == 2;
}

static void end_lookups() {
    for (unsigned p = 0; p < ports; p++) {
        struct way *w = top->look_i >> p & 1 ? find(top->addr_i[p] >> 6) : NULL;
        if (!w) continue;
        use_line(w);
        if (!(top->write_i >> p & 1)) continue;
        uint64_t &word = w->data[top->addr_i[p] >> 3 & 7];
        for (unsigned b = 0; b < 8; b++)
            if (top->mask_i >> b & 1) word = (word & ~(0xffull << 8 * b)) | (top->word_i & 0xffull << 8 * b);
        w->dirty = true;
        written++;
    }
}

// ---- memory ----
static void accept_write(uint64_t line) {
    words data;
    for (unsigned i = 0; i < WORDS; i++)
        data[i] = top->req_data_o[2 * i] | (uint64_t)top->req_data_o[2 * i + 1] << 32;
    struct way *w = find(line);
    if (leaving.count(line)) {
        bench_check(leaving[line] == data, "data of a line that leaves");
        leaving.erase(line);
    } else if (bench_check(cleaning && w && w->dirty, "a line is written back that is not dirty")) {
        bench_check(w->data == data, "data of a line that is cleaned");
        w->dirty = false;
        cleaned++;
    }
    writes.push_back({top->req_entry_o, line, data});
    written_back++;
}

static void accept() {
    if (!top->req_o || !top->ready_i) return;
    uint64_t line = top->req_addr_o >> 6;
    bench_check((top->req_addr_o & 63) == 0, "a request within a line");
    if (top->req_write_o) {
        accept_write(line);
        return;
    }
    bench_check(!find(line) && !leaving.count(line), "a line is asked for that is here, or on its way out");
    for (const struct write &w : writes)
        bench_check(w.line != line, "a line is asked for that memory does not have yet");
    overtaken += !writes.empty();
    for (const struct read &r : reads)
        bench_check(r.line != line && r.id != top->req_id_o, "a line, or an MSHR, asks twice");
    reads.push_back({top->req_id_o, line, in_memory(line), (bool)bench_below(2)});
}

static void answer(unsigned rate) {
    top->resp_i = !reads.empty() && bench_below(100) < rate;
    if (!top->resp_i) return;
    unsigned which = bench_below((unsigned)reads.size());
    const struct read r = reads[which];
    top->resp_id_i = r.id;
    top->resp_llc_i = r.llc;
    for (unsigned i = 0; i < WORDS; i++) {
        top->resp_data_i[2 * i] = (uint32_t)r.data[i];
        top->resp_data_i[2 * i + 1] = (uint32_t)(r.data[i] >> 32);
    }
    llc[r.line] = r.llc;
    reads.erase(reads.begin() + which);
}

// One write-back, of those of a line the oldest: memory has it.
static void acknowledge(unsigned rate) {
    top->done_i = 0;
    if (writes.empty() || bench_below(100) >= rate) return;
    unsigned which = bench_below((unsigned)writes.size());
    for (unsigned i = 0; i < which; i++)
        if (writes[i].line == writes[which].line) which = i;
    top->done_i = writes[which].entry;
    in_memory(writes[which].line) = writes[which].data;
    writes.erase(writes.begin() + which);
}

static void cycle(unsigned looks, unsigned writes, unsigned rate) {
    top->clk_i = 0;
    top->resp_i = 0;
    top->eval();
    check_refill();
    offer(looks, writes);
    top->ready_i = bench_below(100) < rate;
    answer(rate);
    acknowledge(rate);
    top->eval();
    check_lookups();
    bench_check(!waited || !top->write_block_o, "a writer waits for a second refill");
    waited = top->writer_waits_i && top->write_block_o;
    passed += waited;
    blocked = top->write_block_o;
    bool refills_now = top->refill_o;
    uint64_t line = top->refill_line_o;
    accept();
    end_lookups();
    if (refills_now) refill(line);
    idle = reads.empty() ? 0 : idle + 1;
    bench_check(idle < 3000, "a line that never comes");
    tick();
}

// fence.i: when it is done, nothing is dirty and nothing is on its way out; done holds until it is let go, and then
// falls.
static void clean(unsigned rate) {
    cleaning = true;
    top->clean_i = 1;
    unsigned looks = bench_below(2) * 20, waited = 0;
    for (top->eval(); !top->clean_done_o && waited < 20000; waited++)
        cycle(looks, 0, rate);
    bench_check(waited < 20000, "fence.i never ends");
    for (const auto &set : table)
        for (const struct way &w : set)
            bench_check(!w.dirty, "a dirty line is left");
    bench_check(leaving.empty() && writes.empty(), "a write-back is left");
    for (unsigned i = 0; i < 5; i++) {
        cycle(0, 0, 100);
        bench_check(top->clean_done_o, "done does not hold");
    }
    top->clean_i = 0;
    cycle(0, 0, 100);
    bench_check(!top->clean_done_o, "done without fence.i");
    cycle(0, 0, 100);
    cleaning = false;
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 71);
    auto owner = std::make_unique<Vtop>();
    top = owner.get();
    top->eval();
    ports = top->ports_o;
    sets = top->sets_o;
    ways = top->ways_o;
    used.assign(sets, 0);
    unsigned looks = 50, writes = 30, rate = 50;
    for (unsigned i = 0; i < STEPS && bench_failed < 20; i++) {
        if (i % 30000 == 0) reset();
        if (i % 200 == 0) {
            looks = 5 + bench_below(96);
            writes = bench_below(60);
            rate = 10 + bench_below(91);
        }
        if (i % 1250 == 625) clean(rate);
        cycle(looks, writes, rate);
    }
    bench_check(hits > 1000 && misses > 1000 && refills > 1000 && evicted > 1000 && written > 1000 &&
                    written_back > 1000 && cleaned > 100 && low_ways < refills && overtaken > 1000 && passed > 1000,
                "%lu hits, %lu misses, %lu refills, %lu evicted, %lu written, %lu written back, %lu cleaned, "
                "%lu reads beside a write-back",
                hits, misses, refills, evicted, written, written_back, cleaned, overtaken);
    if (ports > 1) bench_check(both_hit > 1000, "two ports hit %lu times", both_hit);
    top->final();
    return bench_end();
}
