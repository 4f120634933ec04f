// String search: Knuth-Morris-Pratt and Boyer-Moore-Horspool count the same patterns in a random text.
// Checked: both find the same number at the same places, and at least as many as were planted.
#include "runtime.h"

#define TEXT SIZED(800, 8000, 80000)
enum { PATTERNS = 4, LONGEST = 16 };

static char text[TEXT];
static const char *const pattern[PATTERNS] = {"abcab", "cacacaba", "abracadabbab", "bcbcaabb"};

static uint64_t mix(uint64_t digest, long position) {
    return (digest ^ (uint64_t)position) * 0x100000001b3u;
}

static long knuth_morris_pratt(const char *p, uint64_t *digest) {
    long border[LONGEST + 1], length = (long)strlen(p), found = 0;
    border[0] = -1;
    for (long i = 0, k = -1; i < length;) {
        while (k >= 0 && p[i] != p[k])
            k = border[k];
        border[++i] = ++k;
    }
    for (long i = 0, k = 0; i < TEXT; i++) {
        while (k >= 0 && text[i] != p[k])
            k = border[k];
        if (++k == length) {
            found++;
            *digest = mix(*digest, i + 1 - length);
            k = border[k];
        }
    }
    return found;
}

static long boyer_moore_horspool(const char *p, uint64_t *digest) {
    long skip['z' + 1], length = (long)strlen(p), found = 0;
    for (int c = 0; c <= 'z'; c++)
        skip[c] = length;
    for (long i = 0; i < length - 1; i++)
        skip[(int)p[i]] = length - 1 - i;
    for (long i = 0; i + length <= TEXT; i += skip[(int)text[i + length - 1]]) {
        long k = length - 1;
        while (k >= 0 && text[i + k] == p[k])
            k--;
        if (k < 0) {
            found++;
            *digest = mix(*digest, i);
        }
    }
    return found;
}

int main(void) {
    uint64_t seed = 0x7e87;
    for (long i = 0; i < TEXT; i++)
        text[i] = (char)('a' + random_next(&seed) % 3);
    enum { SPACING = 100 };
    long planted = 0;
    for (long i = 0; i + SPACING <= TEXT; i += SPACING, planted++)
        memcpy(text + i, pattern[planted % PATTERNS], strlen(pattern[planted % PATTERNS]));

    long found = 0;
    bool ok = true;
    for (int n = 0; n < PATTERNS; n++) {
        uint64_t a = 0, b = 0;
        long kmp = knuth_morris_pratt(pattern[n], &a), bmh = boyer_moore_horspool(pattern[n], &b);
        ok &= kmp == bmh && a == b;
        found += kmp;
    }
    return workload_result((uint64_t)found, ok && found >= planted);
}
