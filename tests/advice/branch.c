// Sums the large ones of random numbers: a branch that goes either way, half of the time. FIXED: a mask in its place.
#include "advice.h"

enum { NUMBERS = 2048, ROUNDS = 3 };
static int32_t numbers[NUMBERS];

static __attribute__((noinline)) int64_t sum_large(int32_t least) {
    int64_t sum = 0;
    for (int i = 0; i < NUMBERS; i++) {
#ifdef FIXED
        sum += numbers[i] & -(int64_t)(numbers[i] >= least);
#else
        if (numbers[i] >= least) // cause
            sum += opaque(numbers[i]);
#endif
    }
    return sum;
}

int main(void) {
    int64_t sum = 0;
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = (int32_t)(draw() % 256);
    for (int r = 0; r < ROUNDS; r++, forget())
        sum += sum_large(128);
    return result((uint64_t)sum);
}
