// Quicksort by tasks: a range that is long is split, and one half goes to a common heap of tasks, from which whoever
// has nothing to do takes the next. Who sorts what depends on who comes first.
//
// Each round sorts other keys. Prints the sum of each key times its place, modulo 2^64, and how many keys stand before
// a smaller one: none.
#include "parallel.h"
#include <stdio.h>

enum { N = BY_SIZE(1000, 20000, 100000, 400000), SHORT = 32, ROOM = 1 << 10 };
const unsigned usual_rounds = BY_SIZE(1, 2, 4, 8);

static uint32_t keys[N];
static struct share tasks[ROOM];
static unsigned waiting;   // tasks
static unsigned left LINE; // keys that are not in their place yet
static sync_lock lock;
static uint64_t sums[MOST_HARTS], disorders[MOST_HARTS];

static bool put(struct share task) {
    sync_lock_take(&lock);
    const bool fits = waiting < ROOM;
    if (fits) tasks[waiting++] = task;
    sync_lock_give(&lock);
    return fits;
}

static bool take(struct share *task) {
    if (__atomic_load_n(&waiting, __ATOMIC_RELAXED) == 0) return false;
    sync_lock_take(&lock);
    const bool some = waiting > 0;
    if (some) *task = tasks[--waiting];
    sync_lock_give(&lock);
    return some;
}

// By Hoare: what stands before the place that it returns is at most what stands from there on.
static unsigned partition(struct share range) {
    const uint32_t pivot = keys[range.from + (range.to - range.from - 1) / 2];
    for (unsigned i = range.from, j = range.to - 1;; i++, j--) {
        while (keys[i] < pivot)
            i++;
        while (keys[j] > pivot)
            j--;
        if (i >= j) return j + 1;
        const uint32_t moved = keys[i];
        keys[i] = keys[j];
        keys[j] = moved;
    }
}

static void insert(struct share range) {
    for (unsigned i = range.from + 1; i < range.to; i++) {
        const uint32_t key = keys[i];
        unsigned at = i;
        for (; at > range.from && keys[at - 1] > key; at--)
            keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

static void sort(struct share range) {
    while (range.to - range.from > SHORT) {
        const unsigned middle = partition(range);
        const struct share low = {range.from, middle}, high = {middle, range.to};
        const bool low_is_longer = low.to - low.from > high.to - high.from;
        if (!put(low_is_longer ? low : high)) sort(low_is_longer ? low : high);
        range = low_is_longer ? high : low;
    }
    insert(range);
    __atomic_fetch_sub(&left, range.to - range.from, __ATOMIC_RELEASE);
}

// Nobody knows when the next task comes: this one looks again and again, passive or not.
__attribute__((noinline)) static bool sync_next(struct share *task) {
    while (__atomic_load_n(&left, __ATOMIC_ACQUIRE) > 0)
        if (take(task)) return true;
    return false;
}

static void look(struct share mine, unsigned me) {
    for (unsigned i = mine.from; i < mine.to; i++) {
        sums[me] += (uint64_t)keys[i] * i;
        disorders[me] += i > 0 && keys[i - 1] > keys[i];
    }
}

void kernel(unsigned me, unsigned harts, unsigned rounds) {
    const struct share mine = share(N, me, harts);
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned i = mine.from; i < mine.to; i++)
            keys[i] = (uint32_t)(random_at((uint64_t)round * N + i) >> 44);
        if (me == 0) left = N;
        sync_barrier();
        struct share task = {0, N};
        if (me == 0) sort(task);
        while (sync_next(&task))
            sort(task);
        sync_barrier();
        look(mine, me);
        sync_barrier();
    }
    uint64_t sum = 0, disorder = 0;
    for (unsigned hart = 0; hart < harts; hart++) {
        sum += sums[hart];
        disorder += disorders[hart];
    }
    if (me == 0) printf("quicksort %llu, %llu out of order\n", (unsigned long long)sum, (unsigned long long)disorder);
}
