// The searches of rtl/prim against plain loops, at several sizes: random sets, thin, dense and empty; entries in a random order of
// arrival; names round a ring.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <algorithm>

enum { SIZES = 8, MOST = 66, NAMES = 512 };
static Vtop *top;

static bool member(unsigned i) {
    return top->set_i[i / 32] >> i % 32 & 1;
}

static bool bit(const uint32_t *words, unsigned i) {
    return words[i / 32] >> i % 32 & 1;
}

static void check_first(unsigned size) {
    unsigned width = top->width_o[size], count = top->count_o[size], found = 0, last = 0;
    unsigned first[8] = {0};
    for (unsigned i = 0; i < width; i++)
        if (member(i)) {
            if (found < count) first[found] = i;
            found++;
            last = i;
        }
    for (unsigned k = 0; k < count; k++) {
        bench_check((top->first_valid_o[size] >> k & 1) == (found > k), "width %u: member %u of %u", width, k, found);
        bench_check(top->first_idx_o[8 * size + k] == first[k], "width %u: member %u is %u, expected %u", width, k, top->first_idx_o[8 * size + k], first[k]);
    }
    bench_check((top->last_valid_o >> size & 1) == (found > 0), "width %u: any", width);
    bench_check(top->last_idx_o[size] == last, "width %u: the last is %u, expected %u", width, top->last_idx_o[size], last);
    for (unsigned i = 0; i < width; i++)
        bench_check(bit(&top->last_o[size][0], i) == (found > 0 && i == last), "width %u: one-hot %u, the last is %u", width, i, last);
}

static void check_round(unsigned size) {
    unsigned width = top->width_o[size], count = top->count_o[size], found = 0;
    unsigned first[8] = {0};
    for (unsigned n = 0; n < width; n++) {
        unsigned i = (top->from_i[size] + n) % width;
        if (member(i)) {
            if (found < count) first[found] = i;
            found++;
        }
    }
    for (unsigned k = 0; k < count; k++) {
        bench_check((top->round_valid_o[size] >> k & 1) == (found > k), "ring of %u from %u: member %u of %u", width, top->from_i[size], k, found);
        bench_check(top->round_idx_o[8 * size + k] == first[k], "ring of %u from %u: member %u is %u, expected %u", width, top->from_i[size], k, top->round_idx_o[8 * size + k], first[k]);
    }
}

// The existing entries, for every size alike: what a size lacks is above it.
static unsigned long age[MOST]; // 0: not there; else the order of arrival
static unsigned long arrivals;

static void check_ages(unsigned size) {
    unsigned width = top->width_o[size], picks = top->count_o[size] < 4 ? top->count_o[size] : 4;
    bool left[MOST];
    for (unsigned i = 0; i < width; i++) left[i] = member(i);
    for (unsigned p = picks; p-- > 0;) {
        unsigned best = MOST;
        for (unsigned i = 0; i < width; i++)
            if (left[i] && bit(&top->can_i[p][0], i) && (best == MOST || age[i] < age[best])) best = i;
        bench_check((top->picks_o[size] >> p & 1) == (best != MOST), "width %u: pick %u", width, p);
        bench_check(top->pick_idx_o[4 * size + p] == (best == MOST ? 0 : best), "width %u: pick %u is %u, expected %u", width, p, top->pick_idx_o[4 * size + p], best);
        for (unsigned i = 0; i < width; i++)
            bench_check(bit(&top->pick_o[4 * size + p][0], i) == (i == best), "width %u: pick %u has %u, expected %u", width, p, i, best);
        if (best != MOST) left[best] = false;
    }
    for (unsigned i = 0; i < width; i++) {
        bool behind = false;
        for (unsigned j = 0; j < width; j++)
            if (bit(&top->before_i[0], j) && age[j] && age[j] < age[i]) behind = true;
        bench_check(bit(&top->picked_o[size][0], i) == (member(i) && !left[i]), "width %u: %u picked", width, i);
        bench_check(bit(&top->behind_o[size][0], i) == (member(i) && behind), "width %u: %u is behind", width, i);
    }
}

static void check_ring(unsigned size, unsigned head) {
    unsigned entries = top->entries_o[size], best = 0, least = ~0u;
    for (unsigned i = 0; i < entries; i++)
        if (member(i)) {
            unsigned name = top->name_i[i], place = ((name & (NAMES - 1)) + (name >> 9 != head >> 9 ? NAMES : 0)) - (head & (NAMES - 1));
            if (place < least) {
                least = place;
                best = i;
            }
        }
    bench_check((top->ring_valid_o >> size & 1) == (least != ~0u), "ring of %u: any", entries);
    bench_check(top->ring_idx_o[size] == best, "ring of %u: the oldest is %u, expected %u", entries, top->ring_idx_o[size], best);
}

static void random_words(uint32_t *words, unsigned thin) {
    for (unsigned word = 0; word < 4; word++) {
        words[word] = (uint32_t)bench_random();
        for (unsigned k = 0; k < thin; k++) words[word] &= (uint32_t)bench_random();
    }
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    top->rst_ni = 1;
    top->eval(); // the sizes
    for (unsigned n = 0; n < 20000; n++) {
        // The searches take any set; those that ask an age matrix exist.
        bool ages = n % 2;
        random_words(&top->set_i[0], bench_below(5));
        if (n % 14 == 0)
            for (unsigned word = 0; word < 4; word++) top->set_i[word] = ~top->set_i[word];
        if (n % 50 == 0)
            for (unsigned word = 0; word < 4; word++) top->set_i[word] = 0;
        random_words(&top->before_i[0], bench_below(4));
        random_words(&top->enter_i[0], bench_below(4));
        random_words(&top->stay_i[0], 0);
        for (unsigned p = 0; p < 4; p++) random_words(&top->can_i[p][0], bench_below(2));
        for (unsigned i = 0; i < 128; i++) {
            uint32_t one = 1u << i % 32;
            bool there = i < MOST && age[i];
            if (ages && !there) top->set_i[i / 32] &= ~one;
            if (!there) top->before_i[i / 32] &= ~one;
            if (!there) top->stay_i[i / 32] &= ~one;
            if (there || i >= MOST) top->enter_i[i / 32] &= ~one;
        }
        // Names all within one round from the oldest, each once.
        unsigned head = bench_below(2 * NAMES), name = head;
        for (unsigned i = 0; i < 32; i++) {
            top->name_i[i] = name % (2 * NAMES);
            name += 1 + bench_below(NAMES / 32 - 1);
        }
        for (unsigned i = 31; i > 0; i--) std::swap(top->name_i[i], top->name_i[bench_below(i + 1)]);
        for (unsigned size = 0; size < SIZES; size++) top->from_i[size] = (uint8_t)bench_below(top->width_o[size]);
        if (!ages) // no absent entry may ask: the assertions look at the end of the cycle
            for (unsigned p = 0; p < 4; p++)
                for (unsigned word = 0; word < 4; word++) top->can_i[p][word] = 0;
        top->clk_i = 0;
        top->eval();
        for (unsigned size = 0; size < SIZES; size++) {
            check_first(size);
            check_round(size);
            if (ages) check_ages(size);
            check_ring(size, head);
        }
        top->clk_i = 1;
        top->eval();
        for (unsigned i = 0; i < MOST; i++) {
            if (bit(&top->enter_i[0], i)) age[i] = ++arrivals;
            else if (!bit(&top->stay_i[0], i)) age[i] = 0;
        }
    }
    top->final();
    delete top;
    return bench_end();
}
