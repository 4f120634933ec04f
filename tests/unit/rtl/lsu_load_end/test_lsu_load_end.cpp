// The end of a load in M1, at random: what it gets decides in the order of the header, its value comes from where
// that says, extended as its size and sign say, and what the load queue and the ROB get goes with it.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

enum { STEPS = 200000 };
enum result { DONE, RETRY, MISS, FULL, STORE, DEVICE, RESULTS };

static Vtop *top;
static unsigned long seen[RESULTS], forwarded, extended;

static CData index_of(unsigned which) {
    return (CData)(bench_random() & ((1u << (top->bits_o >> 4 * which & 15)) - 1));
}

static bool often(unsigned percent) {
    return bench_below(100) < percent;
}

static void offer() {
    unsigned some = often(50) ? 10 : 50;
    top->load_i = often(80);
    top->device_end_i = !top->load_i && often(80); // a slot holds one or the other
    top->exception_i = !top->device_end_i && often(some);
    top->cause_i = bench_below(64);
    top->device_i = often(some);
    top->size_i = bench_below(4);
    top->addr_i = bench_random() >> top->size_i << top->size_i;
    top->rob_i = index_of(0);
    top->lq_i = index_of(1);
    top->sq_i = index_of(2);
    top->miss_id_i = index_of(3);
    top->pd_i = index_of(4);
    top->pd_valid_i = often(80);
    top->box_i = top->size_i == 2 && often(30);
    top->uns_i = !top->box_i && often(50);
    top->hint_i = !top->device_end_i && often(10);
    top->mapped_i = often(50);
    top->vpn_i = (IData)(bench_random() & 0x7ffffff);
    top->sq_full_i = often(some);
    top->sq_part_i = !top->sq_full_i && often(some);
    top->sq_word_i = bench_random();
    top->hit_i = often(50);
    top->cache_word_i = bench_random();
    top->miss_join_i = often(50);
    top->miss_full_i = often(50);
    top->dev_data_i = bench_random();
}

static enum result expected() {
    if (top->device_end_i || top->hint_i || top->exception_i) return DONE;
    if (top->device_i) return DEVICE;
    if (top->sq_full_i) return DONE;
    if (top->sq_part_i) return STORE;
    if (top->hit_i) return DONE;
    return top->miss_join_i ? MISS : top->miss_full_i ? FULL : RETRY;
}

// Bytes from the address on, as a register holds them. A device gives its bytes in the lowest places.
static uint64_t value() {
    uint64_t word = top->sq_full_i ? top->sq_word_i : top->cache_word_i;
    uint64_t low = top->device_end_i ? top->dev_data_i : word >> 8 * (top->addr_i & 7);
    bool uns = top->uns_i;
    switch (top->size_i) {
    case 0: return uns ? (uint8_t)low : (uint64_t)(int64_t)(int8_t)low;
    case 1: return uns ? (uint16_t)low : (uint64_t)(int64_t)(int16_t)low;
    case 2:
        return top->box_i ? 0xffffffff00000000ull | (uint32_t)low
               : uns      ? (uint32_t)low
                          : (uint64_t)(int64_t)(int32_t)low;
    default: return low;
    }
}

static void check_result(enum result want) {
    bool from_store = want == DONE && top->sq_full_i;
    bench_check(top->result_o == want, "result %u, expected %u", top->result_o, want);
    bench_check(top->result_lq_o == top->lq_i, "the load's place");
    if (want == MISS) bench_check(top->result_mshr_o == top->miss_id_i, "MSHR");
    if (from_store || want == STORE) bench_check(top->result_sq_o == top->sq_i, "the store's place");
    bool plain = !top->device_end_i && !top->exception_i && !top->hint_i;
    if (plain) bench_check(top->result_fwd_o == from_store, "forwarded %u, expected %u", top->result_fwd_o, from_store);
    bench_check(top->result_missed_o == (want == MISS || want == FULL || want == RETRY), "missed %u at result %u",
                top->result_missed_o, want);
    forwarded += from_store;
    seen[want]++;
}

static void check_done() {
    bool exception = top->exception_i && !top->hint_i;
    uint64_t own = top->mapped_i ? (uint64_t)((int64_t)((uint64_t)top->vpn_i << 37) >> 25) | (top->addr_i & 0xfff) : top->addr_i; // the virtual one
    bench_check(top->done_rob_o == top->rob_i && top->done_pd_o == top->pd_i, "whose end it is");
    bench_check(top->done_exception_o == exception, "exception %u", top->done_exception_o);
    if (exception) {
        bench_check(top->done_cause_o == top->cause_i && top->done_tval_o == own, "cause and address");
        bench_check(!top->done_pd_valid_o, "a register is written with an exception");
    } else if (!top->hint_i) {
        bench_check(top->done_pd_valid_o == top->pd_valid_i, "writes a register: %u", top->done_pd_valid_o);
        bench_check(top->done_data_o == value(), "value %016llx, expected %016llx: size %u, address %u",
                    (unsigned long long)top->done_data_o, (unsigned long long)value(), top->size_i,
                    (unsigned)top->addr_i & 7);
        extended += top->size_i < 3;
    }
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 23);
    auto owner = std::make_unique<Vtop>();
    top = owner.get();
    top->eval();
    for (unsigned i = 0; i < STEPS; i++) {
        offer();
        top->eval();
        enum result want = expected();
        bool valid = top->load_i || top->device_end_i;
        bench_check(top->result_valid_o == valid, "a result: %u", top->result_valid_o);
        bench_check(top->done_o == (valid && want == DONE), "done %u, result %u", top->done_o, want);
        if (!valid) continue;
        check_result(want);
        if (want == DONE) check_done();
    }
    for (unsigned r = DONE; r < RESULTS; r++)
        bench_check(seen[r] > 1000, "result %u was seen %lu times", r, seen[r]);
    bench_check(forwarded > 1000 && extended > 1000, "%lu forwarded, %lu extended", forwarded, extended);
    top->final();
    return bench_end();
}
