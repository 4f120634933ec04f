// A function that is slower in one build than in the other, among others that are not; it says what it took itself.
#include <stdio.h>
#include <stdlib.h>

static unsigned long cycles(void) {
    unsigned long now;
    asm volatile("csrr %0, mcycle" : "=r"(now));
    return now;
}

__attribute__((noipa)) static unsigned long divide(unsigned long x, unsigned rounds) {
    for (unsigned i = 0; i < rounds; i++)
        x = 0xfedcba9876543210 / (x | 1);
    return x;
}

__attribute__((noipa)) static unsigned long mix(unsigned long x, unsigned rounds) {
    for (unsigned i = 0; i < rounds; i++)
        x = (x ^ x >> 7) * 0x9e3779b97f4a7c15;
    return x;
}

__attribute__((noipa)) static unsigned long add_up(const unsigned *list, unsigned count) {
    unsigned long sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += list[i] * (unsigned long)(i | 3);
    return sum;
}

int main(void) {
    static unsigned list[256];
    unsigned long x = 1, in_divide = 0;
    for (unsigned i = 0; i < 256; i++)
        list[i] = i * 2654435761u;
    for (unsigned i = 0; i < 60; i++) {
        const unsigned long before = cycles();
        x = divide(x, ROUNDS);
        in_divide += cycles() - before;
        x += mix(x, 60) + add_up(list, 256);
    }
    printf("divide %lu cycles\n", in_divide);
    return x == 0;
}
