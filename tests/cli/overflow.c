// Recursion without end, each frame of FRAME bytes, while all of the program's data holds a pattern. The stack's
// overflow has to end it before it reaches anything.
#include "runtime.h"

static uint64_t deeper(uint64_t n) {
    volatile uint8_t frame[FRAME];
    frame[0] = (uint8_t)n;
    frame[FRAME - 1] = (uint8_t)n;
    uint64_t result = deeper(n + 1);
    return result + frame[0] + frame[FRAME - 1];
}

int main(void) {
    return workload_result(deeper(0), false);
}
