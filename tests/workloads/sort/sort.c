// Quicksort (median of three, insertion sort at the leaves) and bottom-up merge sort of the same random keys.
// Checked: the two orders are the same, ascending, and a permutation of the input (sum and xor of the keys).
#include "runtime.h"

#ifndef COUNT // vm_sort has its own
#define COUNT SIZED(440, 3600, 29000)
#endif
enum { LEAF = 12 };

static uint32_t quick[COUNT], merged[COUNT], scratch[COUNT];

static void insertion_sort(uint32_t *key, long n) {
    for (long i = 1; i < n; i++) {
        uint32_t moving = key[i];
        long j = i;
        for (; j > 0 && key[j - 1] > moving; j--)
            key[j] = key[j - 1];
        key[j] = moving;
    }
}

static uint32_t median(uint32_t a, uint32_t b, uint32_t c) {
    if (a > b) {
        uint32_t t = a;
        a = b;
        b = t;
    }
    return c < a ? a : c > b ? b : c;
}

static void quicksort(uint32_t *key, long n) {
    while (n > LEAF) {
        uint32_t pivot = median(key[0], key[n / 2], key[n - 1]);
        long i = 0, j = n - 1;
        while (i <= j) {
            while (key[i] < pivot)
                i++;
            while (key[j] > pivot)
                j--;
            if (i <= j) {
                uint32_t t = key[i];
                key[i++] = key[j];
                key[j--] = t;
            }
        }
        quicksort(key, j + 1);
        key += i;
        n -= i;
    }
    insertion_sort(key, n);
}

static void merge(const uint32_t *from, uint32_t *to, long begin, long middle, long end) {
    long a = begin, b = middle;
    for (long i = begin; i < end; i++)
        to[i] = a < middle && (b >= end || from[a] <= from[b]) ? from[a++] : from[b++];
}

static void mergesort(uint32_t *key, uint32_t *spare, long n) {
    uint32_t *from = key, *to = spare;
    for (long run = 1; run < n; run *= 2) {
        for (long begin = 0; begin < n; begin += 2 * run) {
            long middle = begin + run < n ? begin + run : n;
            long end = begin + 2 * run < n ? begin + 2 * run : n;
            merge(from, to, begin, middle, end);
        }
        uint32_t *t = from;
        from = to;
        to = t;
    }
    if (from != key) memcpy(key, from, (size_t)n * sizeof *key);
}

int main(void) {
    uint64_t seed = 0x5eed, sum = 0, xor = 0;
    for (long i = 0; i < COUNT; i++) {
        quick[i] = merged[i] = (uint32_t)(random_next(&seed) >> 20);
        sum += quick[i];
        xor ^= quick[i];
    }
    quicksort(quick, COUNT);
    mergesort(merged, scratch, COUNT);
    bool ok = true;
    for (long i = 0; i < COUNT; i++) {
        ok &= quick[i] == merged[i] && (i == 0 || quick[i - 1] <= quick[i]);
        sum -= quick[i];
        xor ^= quick[i];
    }
    return workload_result(quick[COUNT / 2], ok && sum == 0 && xor == 0);
}
