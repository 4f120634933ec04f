// The matrices of cmark: A and B of 16-bit numbers, C of 32-bit ones, N * N each, as large as fit into their part.
//
// Element k (row by row, from 0) of A is (seed * (k + 1) >> 3) % 256 - 128, of B ((seed ^ k) * 7 >> 2) % 256 - 128,
// with seed the 16-bit number. With parameter p: A += p + 1 - 0x2000, all elements modulo 2^16, signed; C = A * (p +
// 3); then the first row of C = A times the first row of B as a vector; then C = AB; then C = the sums of, for each
// product x of two elements of A and B modulo 2^32, bits 5..2 times bits 11..5 of x; A as it was. After each of the
// four C's score is taken: a total of its elements so far; where it exceeds 4096 * (p + 1) it is begun again at 0 and
// 10 is added to the score, else 1 where the element is larger than the one before (the first: than 0). The answer is
// the CRC of the four scores, each modulo 2^16, from p on.
#include "cmark.h"

static int side;
static int16_t *a_matrix, *b_matrix;
static int32_t *c_matrix;

void matrix_build(void *memory, uint16_t seed) {
    while ((side + 1) * (side + 1) * 8 <= PART)
        side++;
    c_matrix = memory;
    a_matrix = (int16_t *)(c_matrix + side * side);
    b_matrix = a_matrix + side * side;
    for (int k = 0; k < side * side; k++) {
        a_matrix[k] = (int16_t)((seed * (k + 1) >> 3) % 256 - 128);
        b_matrix[k] = (int16_t)(((seed ^ k) * 7 >> 2) % 256 - 128);
    }
}

__attribute__((noinline)) static int score(int n, const int32_t *c, int32_t limit) {
    int32_t total = 0, before = 0;
    int result = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int32_t now = c[i * n + j];
            total += now;
            if (total > limit) {
                result += 10;
                total = 0;
            } else {
                result += now > before;
            }
            before = now;
        }
    }
    return result;
}

__attribute__((noinline)) static void add_constant(int n, int16_t *a, int constant) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = (int16_t)(a[i * n + j] + constant);
}

__attribute__((noinline)) static void times_constant(int n, const int16_t *a, int constant, int32_t *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i * n + j] = a[i * n + j] * constant;
}

__attribute__((noinline)) static void times_vector(int n, const int16_t *a, const int16_t *b, int32_t *c) {
    for (int i = 0; i < n; i++) {
        c[i] = 0;
        for (int j = 0; j < n; j++)
            c[i] += a[i * n + j] * b[j];
    }
}

__attribute__((noinline)) static void times_matrix(int n, const int16_t *a, const int16_t *b, int32_t *c) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            c[i * n + j] = 0;
            for (int k = 0; k < n; k++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
    }
}

static inline int32_t bits(int32_t x, int from, int count) {
    return (int32_t)((uint32_t)x >> from & ((1u << count) - 1));
}

__attribute__((noinline)) static void times_matrix_bits(int n, const int16_t *a, const int16_t *b, int32_t *c) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            c[i * n + j] = 0;
            for (int k = 0; k < n; k++) {
                int32_t product = a[i * n + k] * b[k * n + j];
                c[i * n + j] += bits(product, 2, 4) * bits(product, 5, 7);
            }
        }
    }
}

uint16_t matrix_work(int parameter) {
    int n = side, limit = 4096 * (parameter + 1);
    int16_t *a = a_matrix, *b = b_matrix;
    int32_t *c = c_matrix;
    uint16_t crc = (uint16_t)parameter;
    add_constant(n, a, parameter + 1 - 0x2000);
    times_constant(n, a, parameter + 3, c);
    crc = crc16((uint16_t)score(n, c, limit), crc);
    times_vector(n, a, b, c);
    crc = crc16((uint16_t)score(n, c, limit), crc);
    times_matrix(n, a, b, c);
    crc = crc16((uint16_t)score(n, c, limit), crc);
    times_matrix_bits(n, a, b, c);
    crc = crc16((uint16_t)score(n, c, limit), crc);
    add_constant(n, a, 0x2000 - parameter - 1);
    return crc;
}
