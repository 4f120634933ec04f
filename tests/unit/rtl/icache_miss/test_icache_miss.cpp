// The instruction cache's misses against the set of the lines on their way, by what the header says: a demand miss asks
// at once where a register is free; the line after a demand miss or a prefetched line's first use is probed a cycle
// later, and asked for another cycle later if it is worth it; what was asked for before an invalidation is not written; an
// error is reported for a line that was missed on this path, and of no other. What is missed on a path that is left in that very
// cycle is not asked for, and lets a prefetch that is due go.
// Which register a line takes, and which of several is asked for first, is the unit's choice.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

enum { STEPS = 200000, REGISTERS = 4 };
enum state { FREE, QUEUED, ASKED, ANSWERED };

struct entry {
    enum state state;
    bool stale, error, wanted; // wanted: missed on the path that the front end is on
    unsigned id; // once asked for
    uint64_t line, low, high;
};

// A line that may be worth asking for: probed in this cycle, or in the last one.
struct ahead {
    bool probed_now, answer_now;
    uint64_t line;
};

static Vtop *top;
static struct entry lines[REGISTERS];
static struct ahead ahead;
static bool unused; // last was prefetched and not used yet
static uint64_t last;
static bool erred; // the front end waits for err_line, and the bus has it not
static uint64_t err_line;
static unsigned long demands, joined, full, prefetches, uses, stale_fills, cut_short, page_ends, settled, errors, unheard, dropped, given_up;

static void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

// Whatever comes in a reset is not taken.
static void reset() {
    top->rst_ni = 0;
    top->miss_i = top->ready_i = top->resp_i = 1;
    top->hit_i = top->invalidate_i = top->probe_hit_i = top->drop_i = 0;
    tick();
    tick();
    top->rst_ni = 1;
    for (unsigned i = 0; i < REGISTERS; i++)
        lines[i] = {};
    ahead = {};
    unused = erred = false;
}

static struct entry *find(uint64_t line) {
    for (unsigned i = 0; i < REGISTERS; i++)
        if (lines[i].state != FREE && !lines[i].stale && lines[i].line == line) return &lines[i];
    return NULL;
}

static struct entry *any_in(enum state state) {
    unsigned first = bench_below(REGISTERS);
    for (unsigned i = 0; i < REGISTERS; i++)
        if (lines[(first + i) % REGISTERS].state == state) return &lines[(first + i) % REGISTERS];
    return NULL;
}

static unsigned in_state(enum state state) {
    unsigned n = 0;
    for (unsigned i = 0; i < REGISTERS; i++)
        n += lines[i].state == state;
    return n;
}

// A few lines that follow each other, across the end of a page, here and far up; now and then the one prefetched last.
static uint64_t random_line() {
    uint64_t base = bench_below(4) ? 0 : 1ull << (top->line_bits_o - 1);
    if (unused && bench_below(4) == 0) return last;
    return base + top->page_lines_o - 4 + bench_below(8);
}

static void drive() {
    unsigned access = bench_below(4);
    top->line_i = random_line();
    top->miss_i = access == 0;
    top->hit_i = access == 1;
    top->invalidate_i = bench_below(60) == 0;
    top->drop_i = bench_below(30) == 0;
    top->probe_hit_i = bench_below(4) == 0;
    top->ready_i = bench_below(3) != 0;
    struct entry *answered = bench_below(3) == 0 ? any_in(ASKED) : NULL;
    top->resp_i = answered != NULL;
    if (!answered) return;
    unsigned twins = 0; // of a line and one for which it was asked again, it is not known which comes
    for (unsigned i = 0; i < REGISTERS; i++)
        twins += lines[i].state != FREE && lines[i].line == answered->line;
    top->resp_error_i = answered->error = twins == 1 && bench_below(4) == 0;
    top->resp_id_i = answered->id;
    top->resp_low_i = answered->low = bench_random();
    top->resp_high_i = answered->high = bench_random();
}

// A line may be asked for again before a stale request for it has left: the two cannot be distinguished before one is
// filled.
static void settle(struct entry *filling) {
    if (filling->error || filling->stale != top->fill_write_o || top->invalidate_i) return;
    for (unsigned i = 0; i < REGISTERS; i++)
        if (lines[i].state != FREE && lines[i].line == filling->line && lines[i].stale != filling->stale) {
            lines[i].stale = filling->stale;
            filling->stale = !filling->stale;
            settled++;
            return;
        }
}

static void check_fill(struct entry *filling) {
    if (filling) settle(filling);
    bench_check(top->fill_o == (filling != NULL), "fill %u, a line came in the last cycle: %u", top->fill_o,
                filling != NULL);
    bool written = filling && !filling->stale && !filling->error && !top->invalidate_i;
    bench_check(top->fill_write_o == written, "filled line is written %u, expected %u", top->fill_write_o, written);
    if (!filling) return;
    stale_fills += filling->stale;
    bench_check(filling->stale || top->fill_line_o == filling->line, "filled line 0x%llx, expected 0x%llx",
                (unsigned long long)top->fill_line_o, (unsigned long long)filling->line);
    bench_check(top->fill_low_o == filling->low && top->fill_high_o == filling->high, "data of another line");
}

// What is asked for is queued; in a cycle with ready it is on its way under the name that was given.
static void check_request() {
    bench_check(top->req_o == (in_state(QUEUED) > 0), "request %u, %u lines are queued", top->req_o, in_state(QUEUED));
    if (!top->req_o) return;
    struct entry *asked = NULL;
    for (unsigned i = 0; i < REGISTERS; i++)
        if (lines[i].state == QUEUED && lines[i].line << 6 == top->req_addr_o) asked = &lines[i];
    if (!bench_check(asked && !top->req_write_o, "request for 0x%llx, which nobody wants",
                     (unsigned long long)top->req_addr_o) ||
        !top->ready_i)
        return;
    for (unsigned i = 0; i < REGISTERS; i++)
        bench_check(lines[i].state < ASKED || lines[i].id != top->req_id_o, "id %u is another line's", top->req_id_o);
    asked->id = top->req_id_o;
    asked->state = ASKED;
}

static void take(uint64_t line, bool wanted) {
    struct entry *entry = any_in(FREE);
    *entry = {QUEUED, false, false, wanted, 0, line, 0, 0};
}

// One cycle: what comes out of it, then what it changes.
static void step() {
    struct entry *filling = any_in(ANSWERED);
    uint64_t line = top->line_i;
    unsigned free = in_state(FREE);
    bool known = top->miss_i && find(line), demand = top->miss_i && !known && free && !top->invalidate_i;
    bool used = (top->hit_i || top->miss_i) && unused && line == last;
    bool prefetch = ahead.answer_now && !top->probe_hit_i && free >= REGISTERS / 2 && !demand && !top->invalidate_i &&
                    !find(ahead.line);
    top->clk_i = 0;
    top->eval();
    check_fill(filling);
    bench_check(top->error_o == (erred && err_line == line), "error %u of line 0x%llx", top->error_o, (unsigned long long)line);
    bool pending = (demand || known) && !filling && !top->invalidate_i;
    bench_check(top->pending_o == pending, "pending %u, expected %u", top->pending_o, pending);
    bench_check(top->probe_o == ahead.probed_now, "probe %u, expected %u", top->probe_o, ahead.probed_now);
    bench_check(!ahead.probed_now || top->probe_line_o == ahead.line, "probed line 0x%llx, expected 0x%llx",
                (unsigned long long)top->probe_line_o, (unsigned long long)ahead.line);
    check_request();
    demands += demand && !top->drop_i, dropped += demand && top->drop_i, given_up += demand && top->drop_i && ahead.answer_now, joined += known, full += top->miss_i && !known && !free, uses += used, prefetches += prefetch;

    for (unsigned i = 0; i < REGISTERS; i++)
        if (top->resp_i && lines[i].state == ASKED && lines[i].id == top->resp_id_i) lines[i].state = ANSWERED;
    if (filling && filling->error) {
        (filling->wanted && !filling->stale ? errors : unheard)++;
        if (filling->wanted && !filling->stale) erred = true, err_line = filling->line;
    }
    if (top->drop_i || top->invalidate_i) erred = false;
    for (unsigned i = 0; i < REGISTERS; i++)
        lines[i].wanted |= top->miss_i && lines[i].state != FREE && lines[i].line == line;
    if (demand && !top->drop_i) take(line, true);
    if (prefetch) take(ahead.line, false);
    for (unsigned i = 0; i < REGISTERS; i++)
        lines[i].wanted &= !top->drop_i;
    if (filling) filling->state = FREE;
    for (unsigned i = 0; i < REGISTERS; i++)
        lines[i].stale |= top->invalidate_i;
    if (prefetch)
        unused = true, last = ahead.line;
    else if (used && !top->drop_i)
        unused = false;
    bool last_of_page = (line + 1) % top->page_lines_o == 0;
    cut_short += ahead.probed_now && (demand || used);
    page_ends += (demand || used) && last_of_page;
    ahead.answer_now = ahead.probed_now && !demand && !used;
    ahead.probed_now = (demand || used) && !last_of_page && !top->drop_i;
    if (demand || used) ahead.line = line + 1;
    if (top->invalidate_i) ahead.answer_now = ahead.probed_now = unused = false;
    top->clk_i = 1;
    top->eval();
}

int main(int argc, char **argv) {
    auto instance = std::make_unique<Vtop>();
    top = instance.get();
    bench_seed(argc, argv, 1);
    for (unsigned n = 0; n < STEPS; n++) {
        if (n % 1000 == 0) reset();
        drive();
        step();
    }
    printf("%lu demands, %lu joined, %lu found none free, %lu prefetches, %lu used, %lu stale fills, %lu probes cut "
           "short, "
           "%lu ends of a page, %lu stale twins, %lu errors, %lu that nobody waits for, %lu misses dropped, %lu with a probe's answer\n",
           demands, joined, full, prefetches, uses, stale_fills, cut_short, page_ends, settled, errors, unheard, dropped, given_up);
    bench_check(demands > 1000 && joined > 1000 && full > 100 && prefetches > 1000 && uses > 100 && stale_fills > 100 &&
                    cut_short > 100 && page_ends > 100 && settled < 100 && errors > 100 && unheard > 100 && dropped > 100 && given_up > 20,
                "the random accesses leave something out");
    top->final();
    return bench_end();
}
