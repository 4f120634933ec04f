// What the mutator of C is tried on: a function for each of its changes, and all that it must leave alone. Prints what
// each returns.
#include "made_up.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { COUNT = 3 };
static const int table[COUNT] = {1, 2, 3};
struct field {
    unsigned low : 4, high : 4;
};

static bool less(int a, int b) {
    return a < b;
}
static bool at_most(int a, int b) {
    return a <= b;
}
static bool at_most_called(int a, int b) {
    return at_most(a, b) <= b;
}
static bool equal(int a, int b) {
    return a == b;
}
static int sum(int a, int b) {
    return a + b;
}
static unsigned masked(unsigned a, unsigned b) {
    return a & b;
}
static unsigned shifted(unsigned a) {
    return a << 2;
}
static bool both(bool a, bool b) {
    return a && b;
}
static bool negated(bool a) {
    return !a;
}
static int constant(void) {
    return 40;
}
static int zero(void) {
    return 0;
}
static int condition(int a) {
    if (a) return 5;
    return 6;
}
static int chosen(int a) {
    return a ? 11 : 12;
}
static int statement(int a) {
    a = 9;
    a += 4;
    return a;
}
static int counted(void) {
    int n = 0;
    for (int i = 0; i < COUNT; i++) {
        if (i == 1) continue;
        n++;
    }
    return n;
}
static int stopped(void) {
    int n = 0;
    while (n < 100) {
        if (n == 5) break;
        n++;
    }
    return n;
}
static ptrdiff_t pointers(const int *p) {
    const int *q = p + 2;
    return q - p;
}
static const char *nothing(void) {
    return 0;
}
static int cases(int a) {
    static const int fixed[2] = {21, 22};
    int own[2] = {31, 32};
    switch (a) {
    case 1: return fixed[0];
    default: return own[1];
    }
}
static int in_macro(int a) {
    return TWICE(a) + SAME(a - 1);
}

int main(void) {
    struct field f = {.low = 3};
    printf("%d %d %d %u %u %d %d %d %d ", less(1, 1), equal(2, 2), sum(3, 4), masked(6, 3), shifted(3),
           both(true, false), negated(true), constant(), zero());
    printf("%d %d %d %d %d %d %d %d ", condition(1), chosen(0), statement(1), counted(), stopped(),
           (int)pointers(table), nothing() == NULL, cases(1));
    printf("%d %d %u %d %d\n", in_macro(5), from_header(1), f.low, at_most(1, 2), at_most_called(1, 2));
    return 0;
}
