// The string of cmark, and the state machine that finds what kinds of numbers are in it.
//
// The string: tokens, a comma after each, while token and comma fit into PART - 1 bytes; then zero bytes. Token n =
// 0, 1...: with m = seed + 5 n, the word m / 8 % 4 of the kind "iiffsisx"[m % 8] (i integer, f float, s scientific, x
// none of these). A token is an integer (sign or none, digits), a float (an integer's sign; one point, digits or none
// on each side), scientific (integer or float; e or E; sign or none; digits), the beginning of one (nothing, sign,
// exponent up to e, exponent up to its sign), or invalid. With parameter p: all tokens are classified; then every byte
// at p, p + (2 p + 5), p + 2 (2 p + 5)... of the text that is no comma is XORed with 4; all tokens are classified
// again; the bytes are put back. The answer is the CRC, from p on, of the numbers, over both times, of tokens that
// ended in each of the eight states, and then of bytes that made the machine leave each of them for another.
#include "cmark.h"

enum state { START, SIGN, INTEGER, FLOAT, EXPONENT, EXPONENT_SIGN, SCIENTIFIC, INVALID, STATES };

static const char *const integers[] = {"7", "+4091", "-68", "315502"};
static const char *const floats[] = {"3.25", "-.0071", "640.", "+18.4467"};
static const char *const scientifics[] = {"6.02e23", "-1.6E-19", "8e+8", ".5e-3"};
static const char *const others[] = {"12:30", "-x41", "1.2.3", "5e+e7"};
static const char *const *const kinds[] = {integers,    integers, floats,      floats,
                                           scientifics, integers, scientifics, others};

static char *text;
static int text_length;

void text_build(void *memory, uint16_t seed) {
    text = memory;
    for (unsigned m = seed;; m += 5) {
        const char *token = kinds[m % 8][m / 8 % 4];
        int length = (int)strlen(token);
        if (text_length + length + 1 > PART - 1) break;
        memcpy(text + text_length, token, (size_t)length);
        text_length += length;
        text[text_length++] = ',';
    }
    memset(text + text_length, 0, (size_t)(PART - text_length));
}

static inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static inline bool is_sign(char c) {
    return c == '+' || c == '-';
}

// The state in which the token ends, and where it ends: behind its comma.
__attribute__((noinline)) static enum state classify(const char **at, uint16_t *left) {
    const char *p = *at;
    enum state state = START;
    for (; *p != ',' && *p && state != INVALID; p++) {
        char c = *p;
        enum state next = INVALID;
        switch (state) {
        case START:
            if (is_digit(c))
                next = INTEGER;
            else if (is_sign(c))
                next = SIGN;
            else if (c == '.')
                next = FLOAT;
            break;
        case SIGN:
            if (is_digit(c))
                next = INTEGER;
            else if (c == '.')
                next = FLOAT;
            break;
        case INTEGER:
            if (is_digit(c))
                next = INTEGER;
            else if (c == '.')
                next = FLOAT;
            else if (c == 'e' || c == 'E')
                next = EXPONENT;
            break;
        case FLOAT:
            if (is_digit(c))
                next = FLOAT;
            else if (c == 'e' || c == 'E')
                next = EXPONENT;
            break;
        case EXPONENT:
            if (is_digit(c))
                next = SCIENTIFIC;
            else if (is_sign(c))
                next = EXPONENT_SIGN;
            break;
        case EXPONENT_SIGN:
        case SCIENTIFIC:
            if (is_digit(c)) next = SCIENTIFIC;
            break;
        default: break;
        }
        if (next != state) left[state]++;
        state = next;
    }
    while (*p != ',' && *p)
        p++;
    *at = *p ? p + 1 : p;
    return state;
}

static void toggle(int from, int step) {
    for (int at = from; at < text_length; at += step)
        if (text[at] != ',') text[at] ^= 4;
}

uint16_t text_work(int parameter) {
    uint16_t ended[STATES] = {0}, left[STATES] = {0}, crc = (uint16_t)parameter;
    for (const char *at = text; *at;)
        ended[classify(&at, left)]++;
    toggle(parameter, 2 * parameter + 5);
    for (const char *at = text; *at;)
        ended[classify(&at, left)]++;
    toggle(parameter, 2 * parameter + 5);
    for (int i = 0; i < STATES; i++)
        crc = crc16(ended[i], crc);
    for (int i = 0; i < STATES; i++)
        crc = crc16(left[i], crc);
    return crc;
}
