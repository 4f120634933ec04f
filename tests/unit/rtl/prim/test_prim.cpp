// The searches of rtl/prim against plain loops: all sets of the small sizes, random ones of the others, thin, dense and empty; age
// matrices of random orders; names round a ring.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <algorithm>

enum { SIZES = 8, MOST = 96, NAMES = 512 };
static Vtop *top;

static bool member(unsigned i) {
    return top->set_i[i / 32] >> i % 32 & 1;
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
}

static unsigned age[MOST]; // a place in the order for each entry

static void check_oldest(unsigned size) {
    unsigned width = top->width_o[size], best = 0;
    bool any = false;
    for (unsigned i = 0; i < width; i++)
        if (member(i) && (!any || age[i] < age[best])) {
            best = i;
            any = true;
        }
    bench_check(top->oldest_idx_o[size] == best, "width %u: the oldest is %u, expected %u", width, top->oldest_idx_o[size], best);
    for (unsigned word = 0; word < 4; word++)
        bench_check(top->oldest_o[size][word] == (any && best / 32 == word ? 1u << best % 32 : 0), "width %u: one-hot", width);
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

static void set_words(uint64_t low, uint64_t high) {
    top->set_i[0] = (uint32_t)low;
    top->set_i[1] = (uint32_t)(low >> 32);
    top->set_i[2] = (uint32_t)high;
    top->set_i[3] = (uint32_t)(high >> 32);
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    for (unsigned n = 0; n < 20000; n++) {
        // A random order of the entries: what the matrix says of those that do not ask is noise.
        for (unsigned i = 0; i < MOST; i++) age[i] = i;
        for (unsigned i = MOST - 1; i > 0; i--) std::swap(age[i], age[bench_below(i + 1)]);
        uint64_t low = bench_random(), high = bench_random();
        for (unsigned thin = bench_below(5); thin > 0; thin--) {
            low &= bench_random();
            high &= bench_random();
        }
        if (n % 7 == 0) low = ~low, high = ~high;
        if (n < 65536 / 4) low = n * 4 + bench_below(4);
        if (n % 50 == 0) low = 0;
        set_words(low, high & 0xffffffff);
        for (unsigned i = 0; i < MOST; i++)
            for (unsigned word = 0; word < 4; word++) {
                uint32_t row = (uint32_t)bench_random();
                for (unsigned j = word * 32; j < word * 32 + 32 && j < MOST; j++)
                    if (member(j) && member(i)) row = (row & ~(1u << j % 32)) | (uint32_t)(age[j] < age[i]) << j % 32;
                top->older_i[i][word] = row;
            }
        // Names all within one round from the oldest, each once.
        unsigned head = bench_below(2 * NAMES), name = head;
        for (unsigned i = 0; i < 32; i++) {
            top->name_i[i] = name % (2 * NAMES);
            name += 1 + bench_below(NAMES / 32 - 1);
        }
        for (unsigned i = 31; i > 0; i--) std::swap(top->name_i[i], top->name_i[bench_below(i + 1)]);
        top->eval();
        for (unsigned size = 0; size < SIZES; size++) {
            check_first(size);
            check_oldest(size);
            check_ring(size, head);
        }
    }
    top->final();
    delete top;
    return bench_end();
}
