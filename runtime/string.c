// memset, memcpy, memmove and strlen by words: those of Debian's picolibc, which is built for size, go byte by byte.
//
// Misaligned accesses trap on the core: where source and destination lie differently in their words, words are put
// together from two. Aligned words that hold at least one byte of the operand are read whole: no protection and no page
// ends inside one. A program's own functions of these names take their place (weak).
#include <stddef.h>
#include <stdint.h>

// Whatever the program is built with; and no loop here becomes a call of memset or memcpy itself.
#pragma GCC optimize("O2", "no-tree-loop-distribute-patterns")

typedef uint64_t __attribute__((may_alias)) word;
enum { WORD = sizeof(word), LEAST = 2 * WORD }; // bytes; below LEAST it is not worth while

static unsigned offset(const void *p) {
    return (uintptr_t)p % WORD;
}

__attribute__((weak)) void *memset(void *to, int value, size_t count) {
    unsigned char *t = to, *const end = t + count;
    if (count >= LEAST) {
        const word all = (unsigned char)value * UINT64_C(0x0101010101010101);
        while (offset(t))
            *t++ = (unsigned char)value;
        for (; end - t >= 8 * WORD; t += 8 * WORD) {
            word *const w = (word *)t;
            w[0] = w[1] = w[2] = w[3] = w[4] = w[5] = w[6] = w[7] = all;
        }
        for (; end - t >= WORD; t += WORD)
            *(word *)t = all;
    }
    while (t < end)
        *t++ = (unsigned char)value;
    return to;
}

// From the word-aligned `t` up, as many whole words as `count` has. from begins `shift` bits into its first word.
static size_t copy_up(unsigned char *t, const unsigned char *from, size_t count) {
    const unsigned shift = 8 * offset(from);
    size_t done = 0;
    if (!shift) {
        for (; count - done >= 4 * WORD; done += 4 * WORD) {
            const word *const f = (const word *)(from + done);
            word *const w = (word *)(t + done);
            const word a = f[0], b = f[1], c = f[2], d = f[3];
            w[0] = a, w[1] = b, w[2] = c, w[3] = d;
        }
        for (; count - done >= WORD; done += WORD)
            *(word *)(t + done) = *(const word *)(from + done);
        return done;
    }
    const word *f = (const word *)(from - offset(from));
    for (word low = *f++; count - done >= WORD; done += WORD) {
        const word high = *f++;
        *(word *)(t + done) = low >> shift | high << (64 - shift);
        low = high;
    }
    return done;
}

// Likewise downwards from the ends: `t` is aligned, and `from` belongs to it.
static size_t copy_down(unsigned char *t, const unsigned char *from, size_t count) {
    const unsigned shift = 8 * offset(from);
    size_t done = 0;
    if (!shift) {
        for (; count - done >= WORD; done += WORD)
            *(word *)(t - done - WORD) = *(const word *)(from - done - WORD);
        return done;
    }
    const word *f = (const word *)(from - offset(from));
    for (word high = *f--; count - done >= WORD; done += WORD) {
        const word low = *f--;
        *(word *)(t - done - WORD) = low >> shift | high << (64 - shift);
        high = low;
    }
    return done;
}

static void up(unsigned char *t, const unsigned char *f, size_t count) {
    if (count >= LEAST) {
        for (; offset(t); count--)
            *t++ = *f++;
        const size_t done = copy_up(t, f, count);
        t += done, f += done, count -= done;
    }
    while (count--)
        *t++ = *f++;
}

static void down(unsigned char *t, const unsigned char *f, size_t count) {
    if (count >= LEAST) {
        for (; offset(t); count--)
            *--t = *--f;
        const size_t done = copy_down(t, f, count);
        t -= done, f -= done, count -= done;
    }
    while (count--)
        *--t = *--f;
}

__attribute__((weak)) void *memcpy(void *restrict to, const void *restrict from, size_t count) {
    up(to, from, count);
    return to;
}

__attribute__((weak)) void *memmove(void *to, const void *from, size_t count) {
    if ((uintptr_t)to - (uintptr_t)from >= count) {
        up(to, from, count);
    } else {
        down((unsigned char *)to + count, (const unsigned char *)from + count, count);
    }
    return to;
}

__attribute__((weak)) size_t strlen(const char *text) {
    const char *t = text;
    for (; offset(t); t++)
        if (!*t) return (size_t)(t - text);
    const word ones = UINT64_C(0x0101010101010101), tops = UINT64_C(0x8080808080808080);
    const word *w = (const word *)t;
    while (!((*w - ones) & ~*w & tops)) // no byte is 0
        w++;
    for (t = (const char *)w; *t; t++)
        ;
    return (size_t)(t - text);
}
