// runtime/string.c byte by byte: every alignment and length up to 130, and some longer ones, and what lies around
// stays.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 512, AT = 64, LONGEST = 130, WIDE = 8 };

static unsigned char room[ROOM] __attribute__((aligned(16))), other[ROOM] __attribute__((aligned(16))), want[ROOM];
static void *(*volatile set)(void *, int, size_t) = memset;
static void *(*volatile copy)(void *restrict, const void *restrict, size_t) = memcpy;
static void *(*volatile move)(void *, const void *, size_t) = memmove;
static size_t (*volatile length)(const char *) = strlen;
static unsigned long cases, state = 1;

static unsigned char draw(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned char)(state >> 56);
}

static void fill(volatile unsigned char *bytes) {
    for (unsigned i = 0; i < ROOM; i++)
        bytes[i] = draw();
}

static void same(const char *what, unsigned to, unsigned from, unsigned count, const void *returned) {
    cases++;
    unsigned wrong = returned != room + to;
    for (unsigned i = 0; i < ROOM; i++)
        wrong += room[i] != want[i];
    if (!wrong) return;
    printf("%s to %u from %u, %u bytes: %u wrong\n", what, to, from, count, wrong);
    exit(1);
}

static void take(void) {
    for (volatile unsigned i = 0; i < ROOM; i++)
        want[i] = room[i];
}

static void check_set(unsigned to, unsigned count) {
    const int value = draw() - 128; // negative, too: its low byte counts
    fill(room);
    take();
    for (volatile unsigned i = 0; i < count; i++)
        want[to + i] = (unsigned char)value;
    same("memset", to, 0, count, set(room + to, value, count));
}

static void check_copy(unsigned to, unsigned from, unsigned count) {
    fill(room);
    fill(other);
    take();
    for (volatile unsigned i = 0; i < count; i++)
        want[to + i] = other[from + i];
    same("memcpy", to, from, count, copy(room + to, other + from, count));
}

static void check_move(unsigned to, unsigned from, unsigned count) {
    fill(room);
    take();
    for (volatile unsigned i = 0; i < count; i++)
        want[to + i] = room[from + i];
    same("memmove", to, from, count, move(room + to, room + from, count));
}

// After the end of the text anything may follow.
static void check_length(unsigned at, unsigned count) {
    fill(room);
    for (volatile unsigned i = 0; i < count; i++)
        room[at + i] |= i % 3 ? 1 : 0x80;
    room[at + count] = 0;
    cases++;
    if (length((char *)room + at) == count) return;
    printf("strlen at %u, %u bytes: %zu\n", at, count, length((char *)room + at));
    exit(1);
}

static void check(unsigned count) {
    static const unsigned away[] = {1, 2, 3, 7, 8, 9, 16, 61};
    for (unsigned to = AT; to < AT + WIDE; to++) {
        check_set(to, count);
        check_length(to, count);
        for (unsigned from = AT; from < AT + WIDE; from++)
            check_copy(to, from, count);
        for (unsigned i = 0; i < sizeof away / sizeof *away; i++) {
            check_move(to, to + away[i], count);
            check_move(to + away[i], to, count);
        }
        check_move(to, to, count);
    }
}

int main(void) {
    for (unsigned count = 0; count <= LONGEST; count++)
        check(count);
    check(200);
    check(256);
    printf("%lu cases\n", cases);
    return 0;
}
