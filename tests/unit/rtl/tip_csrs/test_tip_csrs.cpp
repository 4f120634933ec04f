// tip_csrs: the layout of every CSR, bit by bit as tables/csrs.tsv has it, through both read ports; what is hidden from whom;
// writes, masks, the count of lost triggers, the acknowledge.
#include "Vtop.h"
#include "bench.h"
#include "config.h"
#include "verilated.h"

enum { PERIOD = 0x7c0, JITTER = 0x7c1, COLLISIONS = 0x7c2, PC = 0x5c0, DATA = 0x5c1, ADDR0 = 0x5d0, PSV0 = 0x5d8, PSV1 = 0x5d9,
       CYCLE = 0x5da, REPEAT = 0x5db, SPACE = 0x5dc };
enum { IN_U = 0, IN_S = 1, IN_M = 3 };

static Vtop *top;
static unsigned width;

static void edge() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    top->write_i = top->lost_i = 0;
    top->eval();
}
// For the core in the cycle after the address, for the host at once.
static void expect_at_once(unsigned addr, uint64_t value, const char *what) {
    top->host_addr_i = addr;
    top->eval();
    bench_check(top->host_rdata_o == value, "%s (0x%x) for the host: 0x%llx, expected 0x%llx", what, addr, (unsigned long long)top->host_rdata_o, (unsigned long long)value);
}
static void expect(unsigned addr, uint64_t value, const char *what) {
    top->addr_i = addr;
    top->host_addr_i = 0;
    edge();
    bench_check(top->rdata_o == value, "%s (0x%x): 0x%llx, expected 0x%llx", what, addr, (unsigned long long)top->rdata_o, (unsigned long long)value);
    bench_check(top->host_rdata_o == 0, "the host's port answers to the core's address 0x%x", addr);
    top->addr_i = 0;
    edge();
    expect_at_once(addr, value, what);
    bench_check(top->rdata_o == 0, "the core's port answers to the host's address 0x%x", addr);
}
// It is done in the cycle after its own, with the data of then.
static void write(unsigned addr, uint64_t value) {
    top->addr_i = addr;
    top->wdata_i = value;
    top->write_i = 1;
    edge();
    top->wdata_i = ~value;
    edge();
}

// What the core's port shows; the harness's shows the same but for what is hidden.
static void expect_hidden(unsigned addr, uint64_t value, uint64_t whole, const char *what) {
    top->addr_i = addr;
    top->host_addr_i = addr;
    edge();
    bench_check(top->rdata_o == value, "%s (0x%x), mode %u read by %s: 0x%llx, expected 0x%llx", what, addr, top->priv_i, top->hidden_i ? "S" : "M",
                (unsigned long long)top->rdata_o, (unsigned long long)value);
    bench_check(top->host_rdata_o == whole, "%s (0x%x) for the host: 0x%llx, expected 0x%llx", what, addr, (unsigned long long)top->host_rdata_o, (unsigned long long)whole);
    top->addr_i = top->host_addr_i = 0;
}

// Every field in its place, and hidden from S-mode where the sample is M-mode's: addresses and vectors, nothing else.
// What the registers of the sample hold while there is none, nobody sees.
static void test_nothing_yet() {
    top->cycle_i = top->space_i = ~UINT64_C(0);
    top->repeats_i = top->stalled_i = ~0u;
    top->state_i = 3;
    top->valid_i = (1u << width) - 1;
    for (unsigned i = 0; i < width; i++) top->lane_addr_i[i] = ~UINT64_C(0), top->lane_psv_i[i] = 0x1ff;
    for (unsigned shown = 0; shown < 4; shown++) { // not yet; in its first cycle; afterwards; after a reset
        top->ready_i = shown == 1;
        top->rst_ni = shown != 3;
        if (shown > 1) edge();
        top->rst_ni = 1;
        for (unsigned addr = PC; addr <= SPACE; addr++) {
            top->addr_i = addr;
            edge();
            const uint64_t nothing = addr == DATA ? CONFIG_PROFILE_COUNTER : 0, shown_data = top->rdata_o;
            const bool held = addr == PC || addr == DATA || addr >= CYCLE || (addr >= ADDR0 && addr < ADDR0 + width);
            bench_check(shown == 1 ? !held || shown_data != nothing : shown_data == nothing, "0x%x: 0x%llx, in turn %u", addr, (unsigned long long)shown_data, shown);
        }
        edge();
    }
    top->ready_i = 1;
    edge();
    top->ready_i = 0;
}

static void test_sample() {
    static const unsigned modes[] = {IN_U, IN_S, IN_M};
    for (unsigned n = 0; n < 500; n++) {
        unsigned oldest = bench_below(width), mode = modes[bench_below(3)];
        bool hidden = bench_below(2), hide = hidden && mode == IN_M;
        top->hidden_i = hidden;
        top->ready_i = 1;
        top->state_i = bench_below(4);
        top->valid_i = bench_below(1u << width);
        top->oldest_i = oldest;
        top->exception_i = bench_below(2);
        top->flush_i = bench_below(2);
        top->mispredict_i = bench_below(2);
        top->priv_i = mode;
        top->partial_i = bench_below(2);
        top->space_i = bench_random() & 0xfffffffffff;
        top->cycle_i = bench_random();
        top->repeats_i = (uint32_t)bench_random();
        top->stalled_i = (uint32_t)bench_random();
        uint64_t psv[2] = {0, 0}, in_data = 0;
        for (unsigned i = 0; i < width; i++) {
            top->lane_addr_i[i] = bench_random();
            top->lane_psv_i[i] = bench_below(512);
            psv[i / 4] |= (uint64_t)top->lane_psv_i[i] << 16 * (i % 4);
            if (i < 4) in_data |= (uint64_t)top->lane_psv_i[i] << (28 + 9 * i); // four vectors of nine bits fit
        }
        top->eval();
        uint64_t data = CONFIG_PROFILE_COUNTER | (uint64_t)top->state_i << 5 | (uint64_t)top->valid_i << 7 | (uint64_t)oldest << 15 |
                        (uint64_t)top->exception_i << 18 | (uint64_t)top->flush_i << 19 | (uint64_t)top->mispredict_i << 20 |
                        (uint64_t)(top->state_i == 3) << 21 | (uint64_t)top->ready_i << 22 | (uint64_t)mode << 23 | (uint64_t)top->partial_i << 25;
        expect_hidden(DATA, hide ? data : data | in_data, data | in_data, "shpmsdata");
        expect_hidden(PC, hide ? 0 : top->lane_addr_i[oldest], top->lane_addr_i[oldest], "shpmspc");
        expect_hidden(PSV0, hide ? 0 : psv[0], psv[0], "tipoff_psv0");
        expect_hidden(PSV1, hide ? 0 : psv[1], psv[1], "tipoff_psv1");
        expect_hidden(CYCLE, top->cycle_i, top->cycle_i, "tipoff_cycle");
        expect_hidden(REPEAT, (uint64_t)top->stalled_i << 32 | top->repeats_i, (uint64_t)top->stalled_i << 32 | top->repeats_i, "tipoff_repeat");
        expect_hidden(SPACE, top->space_i, top->space_i, "tipoff_space");
        for (unsigned i = 0; i < 8; i++) {
            uint64_t addr = i < width ? top->lane_addr_i[i] : 0;
            expect_hidden(ADDR0 + i, hide ? 0 : addr, addr, "tipoff_addr");
        }
    }
    // The registers of the unit itself are the reader's, whatever the sample's mode is.
    top->hidden_i = 1;
    top->priv_i = IN_M;
    write(PERIOD, 0x1234);
    write(COLLISIONS, 0x77);
    expect(PERIOD, 0x1234, "tipoff_period read by S beside a sample of M");
    expect(COLLISIONS, 0x77, "tipoff_collisions read by S beside a sample of M");
    write(COLLISIONS, 0);
    top->hidden_i = 0;
}

static void test_writes() {
    write(PERIOD, 0x123456789abcdef0);
    expect(PERIOD, 0x123456789abcdef0, "tipoff_period");
    bench_check(top->period_o == 0x123456789abcdef0, "period_o");
    top->addr_i = JITTER;
    top->wdata_i = ~UINT64_C(0) ^ 5;
    top->write_i = 1;
    top->eval();
    bench_check(!top->seed_valid_o, "the seed goes out in the cycle after the write");
    edge();
    top->wdata_i = 0;
    top->eval();
    bench_check(top->seed_valid_o && top->seed_o == 0xfffffffau, "the seed goes out with the write");
    edge();
    bench_check(!top->seed_valid_o, "the seed goes out once");
    expect(JITTER, 0x007f0000fffffffa, "tipoff_jitter, reserved bits read 0");
    bench_check(top->jitter_bits_o == 0x3f && top->golden_o, "jitter_bits_o 0x%x golden_o %d", top->jitter_bits_o, top->golden_o);
    write(PERIOD, 7);
    expect(JITTER, 0x007f0000fffffffa, "tipoff_jitter after a write to another");
    write(JITTER, UINT64_C(5) << 48 | 77);
    bench_check(top->jitter_bits_o == 5 && !top->golden_o, "jitter_bits_o 0x%x golden_o %d", top->jitter_bits_o, top->golden_o);

    expect(COLLISIONS, 0, "tipoff_collisions");
    for (unsigned i = 0; i < 3; i++) {
        top->lost_i = 1;
        edge();
    }
    edge();
    expect(COLLISIONS, 3, "tipoff_collisions after three");
    top->lost_i = 1;
    write(COLLISIONS, 100); // the write wins
    edge();
    expect(COLLISIONS, 100, "tipoff_collisions, written");
    top->lost_i = 1;
    edge();
    expect_at_once(COLLISIONS, 100, "a loss is counted in the cycle after it");
    edge();
    expect(COLLISIONS, 101, "tipoff_collisions counts on");
    for (unsigned bits = 4; bits <= 64; bits++) { // carries from each bit on, right after a write and later
        for (unsigned before = 1; before < 4; before++) {
            const uint64_t full = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1, other = bits == 64 ? 0 : bench_random() << bits;
            write(COLLISIONS, (other | full) - (before - 1));
            for (unsigned n = 0; n < before + 2; n++) {
                top->lost_i = 1;
                edge();
            }
            edge();
            expect(COLLISIONS, (other | full) + 3, "tipoff_collisions, carried");
        }
    }
    write(COLLISIONS, 0xff00);
    for (unsigned n = 0; n < 70000; n++) {
        top->lost_i = 1;
        edge();
    }
    edge();
    expect(COLLISIONS, 0xff00 + 70000, "tipoff_collisions, 70000 more");

    // Read-only ones keep what the sample says.
    top->ready_i = 1;
    top->eval();
    for (unsigned addr : {(unsigned)PC, (unsigned)PSV0, (unsigned)PSV1, (unsigned)ADDR0, (unsigned)ADDR0 + 1, (unsigned)CYCLE, (unsigned)REPEAT, (unsigned)SPACE}) {
        top->host_addr_i = addr;
        top->eval();
        uint64_t before = top->host_rdata_o;
        write(addr, ~before);
        expect(addr, before, "a read-only CSR after a write");
    }
}

static void test_acknowledge() {
    struct {
        unsigned addr, write;
        uint64_t data;
        bool expected;
        const char *what;
    } cases[] = {
        {DATA, 1, 0, true, "0 to shpmsdata"},
        {DATA, 1, ~(UINT64_C(1) << 22), true, "ready cleared, everything else set"},
        {DATA, 1, UINT64_C(1) << 22, false, "ready left set"},
        {DATA, 0, 0, false, "a read of shpmsdata"},
        {PC, 1, 0, false, "a write to shpmspc"},
        {PERIOD, 1, 0, false, "a write to tipoff_period"},
    };
    for (const auto &c : cases) {
        top->addr_i = c.addr;
        top->write_i = c.write;
        top->wdata_i = c.data;
        top->eval();
        bench_check(top->acknowledge_o == c.expected, "acknowledge by %s: %d", c.what, top->acknowledge_o);
        edge();
    }
}

// Reads, writes and lost triggers in any order against three registers; in a reset all of them go to their values of
// tables/csrs.tsv, which are 0.
static void test_random(unsigned cycles) {
    const unsigned addresses[] = {PERIOD, JITTER, COLLISIONS, PERIOD, JITTER, COLLISIONS, PC, DATA, ADDR0, ADDR0 + 7, PSV0, 0x7c3};
    uint64_t period = 0, jitter = 0, collisions = 0, late_data = 0;
    unsigned late_addr = 0;
    bool late_write = false, late_lost = false; // of the cycle before
    top->wdata_i = 0;
    top->rst_ni = 0;
    edge();
    top->rst_ni = 1;
    for (unsigned n = 0; n < cycles; n++) {
        unsigned addr = addresses[bench_below(sizeof addresses / sizeof *addresses)];
        bool reset = bench_below(50) == 0, write = bench_below(2), lost = bench_below(2);
        uint64_t data = bench_random();
        top->rst_ni = !reset;
        top->addr_i = addr;
        top->write_i = write;
        top->wdata_i = data;
        top->lost_i = lost;
        top->eval();
        bench_check(top->seed_valid_o == (late_write && late_addr == JITTER) && top->seed_o == (uint32_t)late_data, "random: seed %d 0x%x", top->seed_valid_o, top->seed_o);
        bench_check(top->changed_o == (late_write && (late_addr == JITTER || late_addr == PERIOD)), "random: changed %d", top->changed_o);
        bench_check(top->acknowledge_o == (write && addr == DATA && !(data >> 22 & 1)), "random: acknowledge %d", top->acknowledge_o);
        edge();
        top->rst_ni = 1;
        if (late_lost) collisions++;
        if (late_write && late_addr == PERIOD) period = late_data;
        if (late_write && late_addr == JITTER) jitter = late_data & 0x007f0000ffffffff;
        if (late_write && late_addr == COLLISIONS) collisions = late_data;
        if (reset) period = jitter = collisions = 0;
        late_write = write && !reset;
        late_lost = lost && !reset;
        late_addr = addr;
        late_data = data;
        expect_at_once(PERIOD, period, "random: tipoff_period");
        expect_at_once(JITTER, jitter, "random: tipoff_jitter");
        expect_at_once(COLLISIONS, collisions, "random: tipoff_collisions");
        expect_at_once(addr, top->rdata_o, "random: what the core reads of the address of the cycle before");
        bench_check(top->draws_o == (!(jitter >> 54 & 1) && (jitter >> 48 & 63)), "random: draws %d with jitter 0x%llx", top->draws_o, (unsigned long long)jitter);
        bench_check(top->period_o == period && (top->golden_o << 6 | top->jitter_bits_o) == (jitter >> 48), "random: period_o 0x%llx jitter_bits_o %u golden_o %d",
                    (unsigned long long)top->period_o, top->jitter_bits_o, top->golden_o);
    }
}

// Addresses of nobody, and those of the neighbours, read 0: the buses are ORed.
static void test_foreign() {
    for (unsigned addr = 0; addr < 4096; addr++) {
        bool ours = (addr >= PERIOD && addr <= COLLISIONS) || addr == PC || addr == DATA || (addr >= ADDR0 && addr <= SPACE);
        if (!ours) expect(addr, 0, "not ours");
    }
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    top->rst_ni = 0;
    edge();
    top->rst_ni = 1;
    edge();
    width = top->width_o;
    expect(PERIOD, 0, "tipoff_period after reset");
    expect(JITTER, 0, "tipoff_jitter after reset");
    test_nothing_yet();
    test_sample();
    test_writes();
    test_acknowledge();
    test_random(20000);
    test_foreign();
    top->final();
    delete top;
    return bench_end();
}
