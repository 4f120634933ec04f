// CRC-32 (IEEE 802.3, reflected) of a random message, a bit at a time and with a table of 256 words.
// Checked: the published check value of "123456789", both methods agree, and the residue of message and CRC.
#include "runtime.h"

#define LENGTH SIZED(900u, 10000u, 100000u)
#define POLYNOMIAL 0xedb88320u
enum { CHECK = 0xcbf43926 };
#define RESIDUE 0x2144df1cu // CRC of any message followed by its own CRC, lowest byte first

static uint8_t message[LENGTH + 4];
static uint32_t table[256];

static uint32_t shift8(uint32_t crc) {
    for (int bit = 0; bit < 8; bit++)
        crc = crc >> 1 ^ (POLYNOMIAL & -(crc & 1));
    return crc;
}

static uint32_t crc_bitwise(const uint8_t *data, size_t bytes) {
    uint32_t crc = ~0u;
    while (bytes--)
        crc = shift8(crc ^ *data++);
    return ~crc;
}

static uint32_t crc_table(const uint8_t *data, size_t bytes) {
    uint32_t crc = ~0u;
    while (bytes--)
        crc = crc >> 8 ^ table[(crc ^ *data++) & 0xff];
    return ~crc;
}

int main(void) {
    static const uint8_t digits[] = "123456789";
    for (uint32_t i = 0; i < 256; i++)
        table[i] = shift8(i);
    bool ok = crc_bitwise(digits, 9) == (uint32_t)CHECK && crc_table(digits, 9) == (uint32_t)CHECK;

    uint64_t seed = 0xc0de;
    for (size_t i = 0; i < LENGTH; i++)
        message[i] = (uint8_t)random_next(&seed);
    uint32_t crc = crc_bitwise(message, LENGTH);
    ok &= crc == crc_table(message, LENGTH);
    for (int i = 0; i < 4; i++)
        message[LENGTH + i] = (uint8_t)(crc >> 8 * i);
    ok &= crc_table(message, LENGTH + 4) == RESIDUE;
    return workload_result(crc, ok);
}
