// Hash table with open addressing (linear probing, tombstones): insert, look up, remove in random order.
// Checked at every operation against a table indexed by the key itself.
#include "runtime.h"

#define SLOTS SIZED(256u, 2048u, 16384u) // a power of two
#define KEYS (SLOTS / 2)                 // distinct keys, so the table is at most half full of live ones
#define OPERATIONS SIZED(2100, 21000, 210000)

enum { FREE = 0, REMOVED = 1, FIRST_KEY = 2 };
struct slot {
    uint32_t key, value;
};
static struct slot table[SLOTS];
static uint32_t plain[KEYS]; // value of each key, 0: absent
static unsigned live, used;  // used counts tombstones too

static uint32_t hash(uint32_t key) {
    return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 40);
}

static struct slot *find(uint32_t key) {
    struct slot *tombstone = NULL;
    for (uint32_t i = hash(key) % SLOTS;; i = (i + 1) % SLOTS) {
        struct slot *s = &table[i];
        if (s->key == key) return s;
        if (s->key == REMOVED && !tombstone) tombstone = s;
        if (s->key == FREE) return tombstone ? tombstone : s;
    }
}

static void insert(uint32_t key, uint32_t value) {
    struct slot *s = find(key);
    if (s->key != key) {
        used += s->key == FREE;
        live++;
    }
    *s = (struct slot){key, value};
}

static void remove(uint32_t key) {
    struct slot *s = find(key);
    if (s->key == key) {
        s->key = REMOVED;
        live--;
    }
}

// Tombstones lengthen every search: start afresh when they fill the table.
static void rebuild(void) {
    static struct slot old[SLOTS];
    memcpy(old, table, sizeof table);
    memset(table, 0, sizeof table);
    live = used = 0;
    for (unsigned i = 0; i < SLOTS; i++)
        if (old[i].key >= FIRST_KEY) insert(old[i].key, old[i].value);
}

int main(void) {
    uint64_t seed = 0xba5eba11;
    uint64_t found = 0;
    bool ok = true;
    for (int n = 0; n < OPERATIONS; n++) {
        uint64_t r = random_next(&seed);
        uint32_t index = (uint32_t)(r >> 8) % KEYS, key = index * 2654435761u | FIRST_KEY, value = (uint32_t)n + 1;
        switch (r >> 60) {
        case 0 ... 4:
            insert(key, value);
            plain[index] = value;
            break;
        case 5 ... 7:
            remove(key);
            plain[index] = 0;
            break;
        default: {
            const struct slot *s = find(key);
            uint32_t got = s->key == key ? s->value : 0;
            ok &= got == plain[index];
            found += got != 0;
        }
        }
        if (used > SLOTS / 4 * 3) rebuild();
    }
    unsigned expected = 0;
    for (unsigned i = 0; i < KEYS; i++)
        expected += plain[i] != 0;
    return workload_result((uint64_t)live << 32 | found, ok && live == expected && found > 0);
}
