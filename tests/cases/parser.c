// A parser of records: numbers with signs, words, quotes and spaces in random order, distinguished by comparisons,
// character by character. FIXED: a table says each character's kind, and what follows from the kind is arithmetic.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 8192 };
static char text[MOST + 1];

struct found {
    uint64_t digits, letters, spaces, fields, lines, value;
};

#ifdef FIXED
// What a character adds to the counts: 16 bits each of digits, letters, spaces and lines; and to fields and value.
static uint64_t counts[256];
static uint32_t sums[256];

static __attribute__((noinline)) void parse(const char *at, struct found *found) {
    uint64_t count = 0, sum = 0;
    for (; *at; at++) {
        count += counts[(uint8_t)*at];
        sum += sums[(uint8_t)*at];
    }
    *found = (struct found){count & 0xffff, count >> 16 & 0xffff, count >> 32 & 0xffff,
                            sum >> 20,      count >> 48,          sum & 0xfffff};
}

static void prepare(void) {
    for (int c = 'a'; c <= 'z'; c++)
        counts[c] = 1u << 16;
    for (int c = '0'; c <= '9'; c++)
        counts[c] = 1, sums[c] = (uint32_t)(c - '0');
    counts[' '] = 1ull << 32, counts['\n'] = 1ull << 48;
    sums[','] = sums['\n'] = 1u << 20;
}
#else
static __attribute__((noinline)) void parse(const char *at, struct found *found) {
    struct found f = {0};
    for (; *at; at++) {
        if (*at >= '0' && *at <= '9') { // cause
            f.digits++;
            f.value += (uint64_t)(*at - '0');
        } else if (*at >= 'a' && *at <= 'z') {
            f.letters++;
        } else if (*at == ' ') {
            f.spaces++;
        } else if (*at == ',') {
            f.fields++;
        } else if (*at == '\n') {
            f.lines++;
            f.fields++;
        }
    }
    *found = f;
}

static void prepare(void) {}
#endif

int main(int argc, char **argv) {
    static const char alphabet[129] = "01234567890123456789012345678901234567890123456789abcdefghijklmnopqrstuvwxyzetao"
                                      "inshrdlucmfwyp             ,,,,,,,,,,,,\n\n\n\n\n--\"\"";
    int n = argc > 1 ? atoi(argv[1]) : MOST;
    uint64_t seed = 88172645463325252u;
    struct found found;
    if (n < 1 || n > MOST) return 2;
    for (int i = 0; i < n; i++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        text[i] = alphabet[seed >> 33 & 127];
    }
    prepare();
    parse(text, &found);
    printf("%llu digits, %llu letters, %llu spaces, %llu fields, %llu lines, %llu\n", (unsigned long long)found.digits,
           (unsigned long long)found.letters, (unsigned long long)found.spaces, (unsigned long long)found.fields,
           (unsigned long long)found.lines, (unsigned long long)found.value);
    return 0;
}
