// Least common multiple of 1 to n, one factor at a time.
#include "profile/units.h"

unsigned units_per_cycle(unsigned width) {
    unsigned units = 1;
    for (unsigned i = 2; i <= width; i++) {
        unsigned a = units, b = i;
        while (b) {
            unsigned r = a % b;
            a = b;
            b = r;
        }
        units = units / a * i;
    }
    return units;
}
