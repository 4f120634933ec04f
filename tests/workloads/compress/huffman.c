// Canonical Huffman code of the tokens. Packed form: the code length of every symbol, a byte each, then the codes, bits
// from the highest down, each match followed by its distance as it is.
#include "compress.h"

enum { MOST_BITS = 32, NODES = 2 * SYMBOLS };
static uint32_t weight[NODES];
static uint16_t parent[NODES], heap[SYMBOLS];
static uint8_t length[SYMBOLS];
static uint32_t code[SYMBOLS];

// ---- code ----
static void sift_down(int at, int count) {
    uint16_t moving = heap[at];
    for (int child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && weight[heap[child + 1]] < weight[heap[child]]) child++;
        if (weight[moving] <= weight[heap[child]]) break;
        heap[at] = heap[child];
    }
    heap[at] = moving;
}

// Joins the two lightest trees until one is left; a symbol's code length is its depth.
static void choose_lengths(void) {
    int live = 0, nodes = SYMBOLS;
    for (int s = 0; s < SYMBOLS; s++)
        if (weight[s]) heap[live++] = (uint16_t)s;
    for (int i = live / 2 - 1; i >= 0; i--)
        sift_down(i, live);
    while (live > 1) {
        uint16_t a = heap[0];
        heap[0] = heap[--live];
        sift_down(0, live);
        uint16_t b = heap[0];
        weight[nodes] = weight[a] + weight[b];
        parent[a] = parent[b] = (uint16_t)nodes;
        heap[0] = (uint16_t)nodes++;
        sift_down(0, live);
    }
    for (int s = 0; s < SYMBOLS; s++) {
        length[s] = 0;
        if (weight[s])
            for (int n = s; n != nodes - 1; n = parent[n])
                length[s]++;
    }
}

static uint32_t count_of[MOST_BITS + 1], first_code[MOST_BITS + 1], first_index[MOST_BITS + 1];
static uint16_t in_order[SYMBOLS]; // symbols by code length, then by number

static void assign_codes(void) {
    memset(count_of, 0, sizeof count_of);
    for (int s = 0; s < SYMBOLS; s++)
        count_of[length[s]]++;
    count_of[0] = 0;
    uint32_t next_code = 0, index = 0, next[MOST_BITS + 1];
    for (int bits = 1; bits <= MOST_BITS; bits++) {
        next_code = (next_code + count_of[bits - 1]) << 1;
        first_code[bits] = next_code;
        first_index[bits] = next[bits] = index;
        index += count_of[bits];
    }
    for (int s = 0; s < SYMBOLS; s++) {
        if (length[s]) {
            uint32_t i = next[length[s]]++;
            in_order[i] = (uint16_t)s;
            code[s] = first_code[length[s]] + i - first_index[length[s]];
        }
    }
}

bool huffman_complete(void) {
    uint64_t sum = 0;
    for (int bits = 1; bits <= MOST_BITS; bits++)
        sum += (uint64_t)count_of[bits] << (MOST_BITS - bits);
    return sum == (uint64_t)1 << MOST_BITS;
}

// ---- bits ----
struct bits {
    uint8_t *at;
    uint64_t buffer; // the lowest `held` bits are not written, or not yet read
    int held;
};

static void put(struct bits *b, uint32_t value, int count) {
    b->buffer = b->buffer << count | value;
    for (b->held += count; b->held >= 8;)
        *b->at++ = (uint8_t)(b->buffer >> (b->held -= 8));
}

static uint32_t get(struct bits *b) {
    if (b->held == 0) {
        b->buffer = *b->at++;
        b->held = 8;
    }
    return b->buffer >> --b->held & 1;
}

size_t huffman_pack(const uint16_t *token, size_t count, uint8_t *packed) {
    for (size_t i = 0; i < count; i++) {
        weight[token[i]]++;
        i += token[i] >= MATCH;
    }
    choose_lengths();
    assign_codes();
    memcpy(packed, length, sizeof length);
    struct bits b = {.at = packed + sizeof length};
    for (size_t i = 0; i < count; i++) {
        put(&b, code[token[i]], length[token[i]]);
        if (token[i] >= MATCH) put(&b, token[++i], DISTANCE_BITS);
    }
    put(&b, 0, 7); // fills the last byte
    return (size_t)(b.at - packed);
}

size_t huffman_unpack(const uint8_t *packed, uint16_t *token) {
    memcpy(length, packed, sizeof length);
    assign_codes();
    struct bits b = {.at = (uint8_t *)packed + sizeof length};
    for (size_t count = 0;;) {
        uint32_t value = 0;
        int bits = 0;
        do {
            value = value << 1 | get(&b);
            bits++;
        } while (value - first_code[bits] >= count_of[bits]);
        uint16_t symbol = in_order[first_index[bits] + value - first_code[bits]];
        token[count++] = symbol;
        if (symbol == END) return count;
        if (symbol >= MATCH) {
            uint32_t distance = 0;
            for (int i = 0; i < DISTANCE_BITS; i++)
                distance = distance << 1 | get(&b);
            token[count++] = (uint16_t)distance;
        }
    }
}
