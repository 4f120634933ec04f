// CRC-32C by table, a byte a step: the files it guards are written in blocks of tens of kilobytes, a few a second.
#include "base/container.h"

static const uint32_t polynomial = 0x82f63b78u;

static uint32_t step(uint32_t crc) {
    for (int bit = 0; bit < 8; bit++)
        crc = (crc & 1) ? (crc >> 1) ^ polynomial : crc >> 1;
    return crc;
}

uint32_t crc32c(uint32_t crc, const void *data, size_t bytes) {
    static uint32_t table[256];
    if (table[1] == 0) {
        for (uint32_t i = 0; i < 256; i++)
            table[i] = step(i);
    }
    const uint8_t *p = data;
    crc = ~crc;
    for (size_t i = 0; i < bytes; i++)
        crc = table[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
    return ~crc;
}
